#include "cli/context.hpp"

#include "base/strings.hpp"
#include "cli/frozen_path.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/terminal_text.hpp"
#include "client/daemon.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>
#include <unistd.h>

namespace hydra::cli {
namespace {

constexpr std::chrono::seconds kLaterContact{
    20};  ///< for an answer, beyond kFirstContact, of a daemon that runs

// Compares versions of numbers: "0.9.1" is older than "0.10".
bool is_older(std::string_view version, std::string_view than) {
  const auto numbers = [](std::string_view text) {
    std::vector<std::int64_t> all;
    for (const auto part : split(text, '.')) all.push_back(parse_int(part).value_or(0));
    return all;
  };
  return numbers(version) < numbers(than);
}

}  // namespace

Context::Context(ColourMode colour)
    : env_(process_env()), out_(detect_style(1, colour, env_)), err_(detect_style(2, colour, env_)) {}

bool Context::interactive() const { return ::isatty(0) != 0 && ::isatty(1) != 0; }

bool in_a_run(const EnvLookup& env) { return env("HYDRA_RUN_ID") && !env("HYDRA_NESTED"); }

Result<void> Context::demand_no_run() const {
  if (!in_a_run(env_)) return {};
  return Error{Errc::usage,
               "an agent of a race can't start agents: no budget counts them",
               {},
               "set HYDRA_NESTED=1 to start them all the same"};
}

Result<Paths> Context::paths() const { return resolve_paths(env_, ::getuid()); }

// Ends an older daemon, unless a race runs; another version is said.
bool Context::is_replaced(const Paths& where, const wire::Health& health) const {
  const bool older = is_older(health.version, HYDRA_VERSION);
  if (health.version == HYDRA_VERSION) return false;
  if (older && health.races_running == 0) return client::stop_daemon(where).ok();
  warn(fmt::format("hydrad {} runs, and this is hydra {}: {}", health.version, HYDRA_VERSION,
                   older ? "it is replaced when no race runs, or by `hydra daemon stop`"
                         : "use the `hydra` of its version, or `hydra daemon stop`"));
  return false;
}

Result<client::Client> Context::daemon(std::chrono::milliseconds patience) const {
  HYDRA_TRY(const auto where, paths());
  // A killed daemon's socket may survive in a child before its exec, so only an answer proves that the daemon
  // lives.
  for (int again = 0;; ++again) {
    HYDRA_TRY(auto client, client::ensure_daemon(
                               where, {.tell = [this](const std::string& sentence) { warn(sentence); }}));
    client.set_timeout(client::kFirstContact);
    auto health = client.ping();
    if (!health.ok() && health.error().code == Errc::timeout) {
      const auto silent = client::silent_daemon(where);
      if (client::is_stopped(where)) return silent;
      warn(describe(silent));
      client.set_timeout(kLaterContact);
      health = client.ping();
      if (!health.ok() && health.error().code == Errc::timeout) return silent;
    }
    if (again < 2 && (!health.ok() || is_replaced(where, *health))) continue;
    client.set_timeout(patience);
    client.set_reconnect([this, patience] { return daemon(patience); });
    return client;
  }
}

int Context::fail(const Error& error) const {
  std::string text = err_.paint(Paint::red, "error: ");
  if (!error.where.empty()) text += err_.safe(error.where) + ": ";
  // A message may have several lines, as the tail of a log does.
  bool first = true;
  for (const auto line : lines(error.message)) {
    if (!first) text += "\n";
    text += err_.safe(line);
    first = false;
  }
  if (!error.hint.empty()) text += "\n  hint: " + err_.safe(error.hint);
  std::fprintf(stderr, "%s\n", text.c_str());
  return exit_code(error.code);
}

void Context::warn(std::string_view text) const {
  std::fprintf(stderr, "%s%s\n", err_.paint(Paint::yellow, "warning: ").c_str(), err_.safe(text).c_str());
}

namespace {

int first_write_error = 0;

void write_out(std::string_view text, bool end_line) {
  errno = 0;
  const bool whole = (text.empty() || std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) &&
                     (!end_line || std::fputc('\n', stdout) != EOF) && std::fflush(stdout) == 0;
  if (!whole && first_write_error == 0) first_write_error = errno == 0 ? EIO : errno;
}

}  // namespace

void print(std::string_view text) {
  if (::isatty(1) != 0) return write_out(for_terminal(text), false);
  write_out(text, false);
}
void print_line(std::string_view text) {
  print(text);
  write_out({}, !text.ends_with('\n'));
}

int say(std::string_view text, int code) {
  print_line(text);
  return code;
}

int print_json(std::string_view body) { return say(with_schema(body)); }

bool yes_to(const std::string& question) {
  print(question + " [y/N] ");
  std::string answer;
  std::getline(std::cin, answer);
  const auto word = to_lower(trim(answer));
  return word == "y" || word == "yes";
}

int finish_output(int code) {
  write_out({}, false);
  // A verb may write to std::cout.
  errno = 0;
  std::cout.flush();
  if (first_write_error == 0 && !std::cout) first_write_error = errno == 0 ? EIO : errno;
  // A reader that closed the pipe is no failure.
  if (first_write_error == 0 || first_write_error == EPIPE) return code;
  std::fprintf(stderr, "error: cannot write the output: %s\n",
               std::generic_category().message(first_write_error).c_str());
  return kFailed;
}

std::string json_string(std::string_view text) { return nlohmann::json(to_utf8(text)).dump(); }

std::string with_schema(std::string_view body) {
  const auto members = OrderedJson::parse(body, nullptr, false);
  if (!members.is_object() || members.contains("schema")) return std::string(body);
  OrderedJson out{{"schema", 1}};
  out.update(members);
  return one_line(out);
}

wire::Environment environment() {
  const auto frozen = freeze_path(process_env(), working_directory());
  wire::Environment variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || to_utf8(text) != text) continue;
    const auto name = text.substr(0, equals);
    variables.emplace(name, name == "PATH" ? frozen.path : std::string(text.substr(equals + 1)));
  }
  return variables;
}

}  // namespace hydra::cli
