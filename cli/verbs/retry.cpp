#include "base/files.hpp"
#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/amounts.hpp"
#include "cli/ask.hpp"
#include "cli/follow.hpp"
#include "cli/frozen_path.hpp"
#include "cli/input_file.hpp"
#include "cli/race_ref.hpp"
#include "cli/review_file.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hydra::cli {
namespace {

constexpr std::size_t kMostReviewBytes = 1u << 20;

/// Reads standard input to its end.
Result<std::string> read_input() {
  HYDRA_TRY(const auto input, InputFile::read(0, std::filesystem::temp_directory_path().string()));
  return std::string(input.text().substr(0, kMostReviewBytes));
}

struct RetryArgs {
  std::vector<std::string> agents;
  std::string message, review, budget_usd, budget_tokens;
  bool json = false, detach = false;
};

Result<wire::RetryRequest> request_of(const RetryArgs& args) {
  wire::RetryRequest request{.agents = {}, .message = args.message, .environment = environment()};
  if (!args.budget_usd.empty()) {
    HYDRA_TRY(request.budget_usd, parse_usd(args.budget_usd, "--budget-usd"));
  }
  if (!args.budget_tokens.empty()) {
    HYDRA_TRY(request.budget_tokens, parse_tokens(args.budget_tokens, "--budget-tokens"));
  }
  if (!args.review.empty()) {
    const bool input = args.review == "-";
    HYDRA_TRY(const auto text, input ? read_input() : read_file(args.review, kMostReviewBytes));
    HYDRA_TRY(request.review, parse_review(text, input ? "standard input" : args.review));
  }
  return request;
}

/// Sets the agents' names and returns their race.
Result<std::string> resolve(client::Client& client, const RetryArgs& args, wire::RetryRequest& request) {
  std::string race;
  for (const auto& typed : args.agents) {
    HYDRA_TRY(const auto found, resolve_agent(client, typed));
    if (!race.empty() && found.race != race)
      return Error{Errc::usage, "a retry is of agents of one race", {}, "RACE/AGENT RACE/AGENT"};
    race = found.race;
    request.agents.push_back(found.agent);
  }
  return race;
}

Result<int> retry(const RetryArgs& args, Context& context) {
  HYDRA_CHECK(context.demand_no_run());
  if (args.agents.empty()) return Error{Errc::usage, "a retry names its agents", {}, "hydra retry codex"};
  if (to_utf8(args.message) != args.message)
    return Error{Errc::usage, "the message is not valid UTF-8", "command line: --message", {}};
  for (const auto& note : freeze_path(process_env(), working_directory()).notes) context.warn(note);
  // Names and review are checked before a daemon is started.
  for (const auto& agent : args.agents) HYDRA_CHECK(split_agent(agent));
  HYDRA_TRY(auto request, request_of(args));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto race, resolve(client, args, request));
  HYDRA_TRY(const auto answer, client.call("POST", race_path(race, "retry"), wire::to_json(request)));
  HYDRA_TRY(const auto begun, with_race<wire::Retried>(answer));
  for (const auto& warning : begun.warnings) context.warn(warning);
  const auto& style = context.out();
  for (const auto& agent : begun.agents)
    if (!args.json)
      print_line(fmt::format("Race {}: {} runs again (attempt {}){}", style.safe(begun.race),
                             style.safe(agent.agent), agent.attempt,
                             agent.resumed ? ", going on with its session" : ""));
  if (args.detach)
    return say(args.json ? std::string(trim(answer))
                         : "It runs in the background. `hydra watch` shows it, `hydra results` its end.");
  return follow_race(context, std::move(client), begun.race, {.json = args.json, .after = begun.after});
}

}  // namespace

Verb retry_verb() {
  return verb_of<RetryArgs>(
      "retry", "Run agents of a race again, in their worktrees and with their sessions where their CLIs can",
      {"hydra retry codex", "hydra retry claude --message \"the tests still fail, look at them\"",
       "hydra retry codex claude --review review.txt # lines \"src/auth.py:12: why not hmac?\"",
       "hydra retry 01jx4k/claude-2 --budget-usd 2 --detach"},
      [](Options& o, RetryArgs& args) {
        o.words("agent", args.agents, "", "names in the last race, RACE/AGENT or branches");
        o.value("--message,-m", args.message, "TEXT", "what they are told (default: to go on)");
        o.value("--review", args.review, "FILE",
                "comments on the first agent's result, lines PATH:LINE: TEXT; \"-\": standard input "
                "(docs/budgets.md)");
        o.value("--budget-usd", args.budget_usd, "USD", "dollars of this attempt (default: as the race's)");
        o.value("--budget-tokens", args.budget_tokens, "N", "tokens of this attempt: 200000, 200k, 1.5M");
        o.flag("--detach,-d", args.detach, "start it and return");
        o.flag("--json", args.json, "one JSON object a line: every event, then the results");
      },
      retry);
}

}  // namespace hydra::cli
