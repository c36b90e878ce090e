#include "race/notify.hpp"

#include "base/strings.hpp"
#include "exec/tool.hpp"
#include "race/state/state.hpp"
#include "wire/json.hpp"
#include "wire/notice.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace hydra::race {
namespace {

constexpr std::size_t kMostWords = 200;

// A tool's last message may have any origin: strip control characters and limit its length.
std::string last_words(const exec::ToolOutput& output) {
  auto words = sanitize(std::string(trim(output.err)));
  if (words.size() > kMostWords) words = "…" + words.substr(words.size() - kMostWords);
  return words.empty() ? "" : ": " + words;
}

Result<void> run_command(const std::vector<std::string>& argv, const Notification& what,
                         const NotifyContext& context) {
  exec::ToolCall call;
  call.argv = argv;
  call.env = context.env;
  call.cwd = context.cwd;
  call.input = what.json + "\n";
  call.deadline = context.limit;
  call.stop = context.stop;
  call.max_output = 1u << 20;
  HYDRA_TRY(const auto output, exec::run_tool(call));
  if (output.ok()) return {};
  return Error{
      Errc::environment, fmt::format("exit code {}{}", output.exit_code, last_words(output)), {}, {}};
}

// The body of a desktop notification is markup.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

Result<void> show_on_desktop(const Notification& what, const NotifyContext& context) {
  exec::ToolCall call;
  call.argv = {"notify-send", "--app-name=hydra", "--", what.title, escaped(what.text)};
  call.env = context.env;
  call.env.insert(call.env.end(), context.session.begin(), context.session.end());
  call.deadline = context.limit;
  call.stop = context.stop;
  call.max_output = 1u << 20;
  for (const auto& [name, value] : context.env)
    if (name == "PATH" && exec::find_program("notify-send", value).empty()) return {};
  HYDRA_TRY(const auto output, exec::run_tool(call));
  if (output.ok()) return {};
  return Error{
      Errc::environment, fmt::format("exit code {}{}", output.exit_code, last_words(output)), {}, {}};
}

/// Returns the host for messages: a webhook's path, user and password are secrets.
std::string host_of(const std::string& url) {
  const auto scheme = url.find("://");
  const auto rest = url.substr(scheme == std::string::npos ? 0 : scheme + 3);
  const auto authority = rest.substr(0, rest.find_first_of("/?#"));
  return authority.substr(authority.rfind('@') + 1);
}

// Returns the text as a quoted value of a curl configuration file.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

/// curl gets the URL on its standard input, never as an argument, and its output is not repeated here.
Result<void> post(const std::string& url, const std::string& json, const NotifyContext& context) {
  const auto failed = [&](const std::string& why) {
    return Error{Errc::environment, host_of(url) + ": " + why, {}, {}};
  };
  exec::ToolCall call;
  call.argv = {"curl", "--disable", "--config", "-"};
  call.env = context.env;
  call.deadline = context.limit;
  call.stop = context.stop;
  call.max_output = 1u << 20;
  call.input = fmt::format(
      "silent\ngloboff\nproto = \"=http,https\"\noutput = \"/dev/null\"\nwrite-out = \"%{{http_code}}\"\n"
      "header = \"Content-Type: application/json\"\nuser-agent = \"hydra\"\nurl = {}\ndata-raw = {}\n",
      quoted(url), quoted(json));
  const auto output = exec::run_tool(call);
  if (!output.ok() && output.error().code == Errc::not_found)
    return failed("a webhook needs curl, which is not installed");
  if (!output.ok() && output.error().code == Errc::timeout) return failed("no answer in time");
  if (!output.ok()) return failed(output.error().message);
  switch (output->exit_code) {
    case 0:
      break;
    case 6:
      return failed("the host is not known");
    case 7:
      return failed("the connection was refused");
    case 60:
      return failed("the certificate is not trusted");
    default:
      return failed(fmt::format("curl ended with exit code {}", output->exit_code));
  }
  if (!output->out.starts_with('2')) return failed("status " + sanitize(output->out.substr(0, 3)));
  return {};
}

}  // namespace

Notification notification_of(const State& state) {
  const auto& spec = state.spec;
  wire::EndNotice notice;
  for (const auto& agent : state.agents) {
    wire::EndedAgent row{
        agent.entry.name, agent.display, agent_phase(state, agent), agent.branch, {}, {}, {}};
    if (const auto* found = state.ranked(agent.entry.name)) {
      row.eligible = found->eligible;
      row.rank = found->rank;
      row.score = found->score.composite;
    }
    notice.agents.push_back(std::move(row));
  }
  const std::string winner = state.ranking ? state.ranking->winner : "";
  notice.race = spec.id;
  notice.state = *state.ended;
  notice.task = spec.task;
  notice.repository = spec.repository.root;
  notice.created_ms = spec.created_ms;
  notice.ended_ms = state.ended_ms;
  if (!winner.empty()) notice.winner = winner;
  notice.merged = state.merged() != nullptr;
  Notification what;
  what.json = wire::to_json(notice);
  what.title = "Hydra: race " + spec.id + " is " + std::string(name(notice.state));
  const auto* best = state.ranked(winner);
  if (best != nullptr)
    what.text = fmt::format("winner: {}, {:.1f} points", winner, best->score.composite);
  else
    what.text = state.ended == model::RaceEnd::done ? "no eligible result" : "";
  return what;
}

std::vector<std::string> notify(const model::NotifyConfig& config, const Notification& what,
                                const NotifyContext& context) {
  std::vector<std::string> problems;
  const auto tell = [&](const std::string& how, const Result<void>& done) {
    if (!done.ok()) problems.push_back("notification by " + how + " failed: " + done.error().message);
  };
  if (!config.command.empty()) tell("command", run_command(config.command, what, context));
  if (!config.webhook.empty()) tell("webhook", post(config.webhook, what.json, context));
  if (config.command.empty() && config.webhook.empty() && !context.session.empty())
    tell("desktop", show_on_desktop(what, context));
  return problems;
}

exec::Env session_bus() {
  exec::Env env;
  const char* address = std::getenv("DBUS_SESSION_BUS_ADDRESS");
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  std::error_code failed;
  if (address != nullptr && *address != '\0')
    env.emplace_back("DBUS_SESSION_BUS_ADDRESS", address);
  else if (runtime != nullptr && std::filesystem::exists(std::filesystem::path(runtime) / "bus", failed))
    env.emplace_back("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + std::string(runtime) + "/bus");
  else
    return {};
  for (const char* name : {"XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(name)) env.emplace_back(name, value);
  return env;
}

}  // namespace hydra::race
