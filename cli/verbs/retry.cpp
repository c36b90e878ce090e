#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/amounts.hpp"
#include "cli/ask.hpp"
#include "cli/follow.hpp"
#include "cli/frozen_path.hpp"
#include "cli/race_ref.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

struct RetryArgs {
  std::string agent, message, budget_usd, budget_tokens;
  bool json = false, detach = false;
};

Result<wire::RetryRequest> request_of(const RetryArgs& args, const std::string& agent) {
  wire::RetryRequest request{agent, args.message, {}, {}, environment()};
  if (!args.budget_usd.empty()) {
    HYDRA_TRY(request.budget_usd, parse_usd(args.budget_usd, "--budget-usd"));
  }
  if (!args.budget_tokens.empty()) {
    HYDRA_TRY(request.budget_tokens, parse_tokens(args.budget_tokens, "--budget-tokens"));
  }
  return request;
}

Result<int> retry(const RetryArgs& args, Context& context) {
  HYDRA_CHECK(context.demand_no_run());
  if (to_utf8(args.message) != args.message)
    return Error{Errc::usage, "the message is not valid UTF-8", "command line: --message", {}};
  for (const auto& note : freeze_path(process_env(), working_directory()).notes) context.warn(note);
  // Names are checked before a daemon is started.
  HYDRA_CHECK(split_agent(args.agent));
  HYDRA_CHECK(request_of(args, args.agent));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto found, resolve_agent(client, args.agent));
  HYDRA_TRY(const auto request, request_of(args, found.agent));
  HYDRA_TRY(const auto answer, client.call("POST", race_path(found.race, "retry"), wire::to_json(request)));
  HYDRA_TRY(const auto begun, with_race<wire::Retried>(answer));
  for (const auto& warning : begun.warnings) context.warn(warning);
  const auto& style = context.out();
  if (!args.json)
    print_line(fmt::format("Race {}: {} runs again (attempt {}){}", style.safe(begun.race),
                           style.safe(begun.agent), begun.attempt,
                           begun.resumed ? ", going on with its session" : ""));
  if (args.detach)
    return say(args.json ? std::string(trim(answer))
                         : "It runs in the background. `hydra watch` shows it, `hydra results` its end.");
  return follow_race(context, std::move(client), begun.race, {.json = args.json, .after = begun.after});
}

}  // namespace

Verb retry_verb() {
  return verb_of<RetryArgs>(
      "retry", "Run an agent of a race again, in its worktree and with its session where its CLI can",
      {"hydra retry codex", "hydra retry claude --message \"the tests still fail, look at them\"",
       "hydra retry 01jx4k/claude-2 --budget-usd 2 --detach"},
      [](Options& o, RetryArgs& args) {
        o.positional("agent", args.agent, true, "name in the last race, RACE/AGENT or a branch");
        o.value("--message,-m", args.message, "TEXT", "what it is told (default: to go on)");
        o.value("--budget-usd", args.budget_usd, "USD", "dollars of this attempt (default: as the race's)");
        o.value("--budget-tokens", args.budget_tokens, "N", "tokens of this attempt: 200000, 200k, 1.5M");
        o.flag("--detach,-d", args.detach, "start it and return");
        o.flag("--json", args.json, "one JSON object a line: every event, then the results");
      },
      retry);
}

}  // namespace hydra::cli
