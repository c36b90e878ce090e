// cli: the tools of `hydra mcp` that start, follow and stop a race.
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/json_fields.hpp"
#include "cli/mcp/tools.hpp"
#include "cli/programs.hpp"
#include "cli/render/event_line.hpp"
#include "cli/render/result_block.hpp"
#include "model/json.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <poll.h>

namespace hydra::cli {
namespace {

constexpr int kMostBreaks = 6;  // consecutive broken streams without an event

// Returns the arguments of `hydra race`, which reads the configuration of its working directory. The task
// comes on standard input, since process arguments are visible to other users.
std::vector<std::string> race_words(const McpCall& call) {
  std::vector<std::string> words{own_program(), "race", "--detach", "--json", "--task-file", "-"};
  for (const auto& [option, name] : {std::pair{"--timeout=", "timeout"},
                                     {"--base=", "base"},
                                     {"--budget-usd=", "budget_usd"},
                                     {"--race-budget-usd=", "race_budget_usd"},
                                     {"--kind=", "kind"}})
    if (const auto value = call.text(name); !value.empty()) words.push_back(option + value);
  if (const auto list = call.words("agents"); !list.empty()) words.push_back("--agents=" + join(list, ","));
  for (const auto* name : {"attempts", "rounds"})
    if (const auto& value = member(call.arguments(), name); value.is_number_integer())
      words.push_back("--" + std::string(name) + "=" + value.dump());
  if (call.flag("include_dirty")) words.emplace_back("--include-dirty");
  if (call.flag("base_fails")) words.emplace_back("--base-fails");
  return words;
}

// Parses "error: MESSAGE" and "  hint: HINT" of another `hydra`.
Error error_in(const CapturedRun& run) {
  Error error{run.exit == kUsage ? Errc::usage : Errc::environment, {}, {}, {}};
  for (const auto line : lines(run.err)) {
    if (line.starts_with("error: "))
      error.message += (error.message.empty() ? "" : "; ") + std::string(line.substr(7));
    else if (const auto hint = trim(line); hint.starts_with("hint: "))
      error.hint = hint.substr(6);
  }
  if (error.message.empty()) error.message = "hydra race failed with exit code " + std::to_string(run.exit);
  return error;
}

// Returns true when the race has ended, false when the request was cancelled.
Result<bool> follow_events(McpCall& call, const std::string& race) {
  std::string last;
  bool ended = false;
  for (int broken = 0; broken < kMostBreaks; ++broken) {
    auto client = call.context().daemon();
    if (!client) continue;
    client::StreamOptions options;
    options.last_event_id = last;
    options.cancel_fd = call.cancel_fd();
    const auto end = client->stream_events(
        race_path(race, "events") + "?brief=1", options, [&](const client::StreamEvent& event) {
          broken = 0;
          ended = event.event == "end";
          if (ended) return false;
          if (!event.id.empty()) last = event.id;
          const auto body = model::event_from_json(event.event, event.data);
          if (const auto line = body ? event_line(*body, Style{}) : std::string(); !line.empty())
            call.progress(line);
          return true;
        });
    if (ended) return true;
    if (call.cancelled()) return false;
    if (!end.ok() && end.error().code == Errc::not_found) return end.error();
    ::poll(nullptr, 0, 100);
  }
  return Error{Errc::environment, "the daemon closes the stream of events again and again", race, {}};
}

Result<void> cancel_race(McpCall& call, const std::string& race, const std::string& agent) {
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_CHECK(client.call("POST", race_path(race, "cancel"), wire::to_json(wire::CancelRequest{agent})));
  return {};
}

Json result_row(const wire::AgentResult& agent) {
  Json row{{"agent", agent.agent},
           {"rank", agent.rank},
           {"eligible", agent.eligible},
           {"outcome", name(agent.outcome)},
           {"branch", agent.branch},
           {"lines_added", agent.diff.lines_added},
           {"lines_removed", agent.diff.lines_removed},
           {"confidence", agent.confidence ? name(agent.confidence->word) : ""}};
  row["composite"] = agent.composite ? Json(*agent.composite) : Json();
  row["cost_usd"] = agent.cost_usd ? Json(*agent.cost_usd) : Json();
  row["ineligible_reasons"] = Json::array();
  for (const auto reason : agent.ineligible_reasons) row["ineligible_reasons"].push_back(name(reason));
  return row;
}

Result<McpAnswer> results_of(McpCall& call, const std::string& target) {
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(const auto view, get<wire::Results>(client, target));
  McpAnswer out;
  out.text = result_block(view, Style{});
  out.structured = {
      {"race", view.race}, {"state", name(view.state)}, {"winner", view.winner}, {"agents", Json::array()}};
  const auto base = "hydra://races/" + view.race;
  out.links.push_back({base + "/results", "results of " + view.race, "application/json"});
  for (const auto& agent : view.agents) {
    out.structured["agents"].push_back(result_row(agent));
    out.links.push_back(
        {base + "/diff/" + client::url_encode(agent.agent), "diff of " + agent.agent, "text/x-diff"});
    out.links.push_back({base + "/logs/" + client::url_encode(agent.agent) + "/agent",
                         "log of " + agent.agent, "text/plain"});
  }
  return out;
}

}  // namespace

Result<McpAnswer> mcp_race(McpCall& call) {
  HYDRA_TRY(const auto place, call.directory());
  HYDRA_TRY(const auto run, run_captured(race_words(call), place, call.text("task")));
  if (run.exit != kDone) return error_in(run);
  const auto made = Json::parse(run.out, nullptr, false);
  const auto race = text(made, "race");
  if (race.empty()) return Error{Errc::protocol, "hydra race did not say which race it started", {}, {}};
  if (call.flag("wait")) {
    HYDRA_TRY(const bool ended, follow_events(call, race));
    if (!ended) {
      if (call.cancelled_by_client()) HYDRA_CHECK(cancel_race(call, race, {}));
      return McpAnswer{};
    }
    return results_of(call, race_path(race, "results"));
  }
  McpAnswer out;
  std::vector<std::string> names;
  for (const auto& agent : member(made, "agents")) names.push_back(text(agent, "agent"));
  out.text =
      "Race " + race + " has started: " + sanitize(join(names, ", ")) +
      ". `results` with this race and `wait` answers when it has ended; `status` says what it does now.";
  for (const auto& warning : member(made, "warnings"))
    if (warning.is_string()) out.text += "\nWarning: " + sanitize(warning.get<std::string>());
  out.structured = {{"race", race}, {"base", text(made, "base")}, {"agents", names}};
  return out;
}

Result<McpAnswer> mcp_results(McpCall& call) {
  HYDRA_TRY(const auto target, mcp_race_target(call, "/results"));
  if (!call.flag("wait")) return results_of(call, target);
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(const auto view, get<wire::Results>(client, target));
  HYDRA_TRY(const bool ended, follow_events(call, view.race));
  if (!ended) return McpAnswer{};  // the race goes on
  return results_of(call, race_path(view.race, "results"));
}

Result<McpAnswer> mcp_cancel(McpCall& call) {
  HYDRA_TRY(const auto target, mcp_race_target(call));
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(const auto view, get<wire::Status>(client, target));
  const auto agent = call.text("agent");
  HYDRA_CHECK(cancel_race(call, view.race, agent));
  return McpAnswer{.text = (agent.empty() ? "Race " + view.race : sanitize(agent) + " in race " + view.race) +
                           " is being cancelled. The work so far is kept."};
}

}  // namespace hydra::cli
