#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/follow.hpp"
#include "cli/race_ref.hpp"
#include "cli/ranked_again.hpp"
#include "cli/render/decision_lines.hpp"
#include "scoring/engine.hpp"
#include "wire/answers.hpp"
#include "wire/details.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

struct VerifyArgs {
  std::string race;
  std::vector<std::string> approve, deleted, accept, unprotected;
  bool json = false;
};

std::string score_of(const std::optional<double>& composite) {
  return composite ? scoring::format_score(*composite) : "--";
}

void show(const wire::Verification& found, const Style& style) {
  const auto differences = [&](const std::vector<std::string>& list, const std::string& who) {
    for (const auto& text : list) print_line("  " + who + ": " + style.safe(text));
  };
  differences(found.baseline.differences, "baseline");
  for (const auto& agent : found.agents) {
    const auto who = style.safe(agent.display);
    const auto again = score_of(agent.composite_again);
    print_line(agent.unchecked_before
                   ? fmt::format("  {}: was not checked before, now {}", who, again)
                   : fmt::format("  {}: {}, again {}", who, score_of(agent.composite), again));
    differences(agent.differences, who);
  }
  for (const auto& agent : found.agents)
    if (agent.unchecked_before)
      print_line(fmt::format("`hydra merge {}/{}` merges the checked result of {}.", style.safe(found.race),
                             style.safe(agent.agent), style.safe(agent.display)));
  print_line(found.identical ? "Verified: every check ended as it is stored."
                             : "Not verified: some checks ended in another way.");
}

bool decides(const VerifyArgs& args) {
  return !args.approve.empty() || !args.deleted.empty() || !args.accept.empty() || !args.unprotected.empty();
}

// Ranks again at once; for an unprotected path, after the affected results' checks have run again.
Result<int> decide(const VerifyArgs& args, Context& context) {
  const wire::ApproveRequest request{args.approve, args.deleted, args.accept, args.unprotected, decider()};
  if (args.unprotected.empty())
    return rank_again(context, args.race, "/approve", wire::to_json(request), args.json,
                      [](const wire::Results&) { return "Ranked again; no agent and no check has run."; });
  HYDRA_TRY(const auto target, race_target(args.race, working_directory(), "/approve"));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto begun, post<wire::Results>(client, target, request));
  return follow_race(context, std::move(client), begun.race,
                     {.json = args.json, .after = begun.after.value_or(0)});
}

Result<int> verify(const VerifyArgs& args, Context& context) {
  if (decides(args)) return decide(args, context);
  HYDRA_TRY(const auto target, race_target(args.race, working_directory(), "/verify"));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto answer, client.call("POST", target, "{}"));
  HYDRA_TRY(const auto created, with_race<wire::Created>(answer));
  HYDRA_TRY(auto again, context.daemon());
  HYDRA_TRY(const auto followed, follow_race(context, std::move(client), created.race, {.json = args.json}));
  if (followed == kInterrupted) return followed;
  HYDRA_TRY(const auto body, again.call("GET", race_path(created.race, "verification")));
  HYDRA_TRY(const auto found, wire::from_json<wire::Verification>(body));
  if (args.json)
    print_line(with_schema(body));
  else
    show(found, context.out());
  return found.identical ? kDone : kNoWinner;
}

}  // namespace

Verb verify_verb() {
  return verb_of<VerifyArgs>(
      "verify", "Run the checks of a stored race again and compare",
      {"hydra verify # the last race", "hydra verify 01jx4k",
       "hydra verify --approve-test tests/test_area.py::test_old # the task changed it: rank again",
       "hydra verify 01jx4k --unprotected tests/test_area.py # take the results' own file",
       "hydra verify --accept build_file:CMakeLists.txt # I have read it",
       "hydra verify --json | tail -1 | jq .identical"},
      [](Options& o, VerifyArgs& args) {
        o.positional("race", args.race, false, "id of a race, or a unique prefix of one");
        o.words("--approve-test", args.approve, "NAME",
                "a test of the base that the task changes: it says nothing any more, and the race is "
                "ranked again");
        o.words("--approve-deleted", args.deleted, "NAME",
                "a test of the base that a result deletes with what it tested: the same");
        o.words("--accept", args.accept, "RULE:PATH",
                "a finding of the tamper report that is all right: it blocks nothing any more");
        o.words("--unprotected", args.unprotected, "PATH",
                "a path or pattern that the results may change: where the checks put it back, they run "
                "again with the result's own; no agent runs");
        o.flag("--json", args.json, "one JSON object a line: events, results, then the comparison");
      },
      verify);
}

}  // namespace hydra::cli
