#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/failed_log.hpp"
#include "cli/render/result_block.hpp"

namespace hydra::cli {
namespace {

struct ResultsArgs {
  std::string race;
  bool json = false;
};

Result<int> results(const ResultsArgs& args, Context& context) {
  HYDRA_TRY(const auto target, race_target(args.race, working_directory(), "/results"));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto body, client.call("GET", target));
  HYDRA_TRY(const auto view, wire::from_json<wire::Results>(body));
  const bool ended = is_over(view.state);
  if (args.json) {
    print_line(body);
  } else {
    print(result_block(view, context.out(), failed_steps_text(client, view, context.out())));
    if (!ended) print_line("The race still runs (" + words(view.state) + "). `hydra watch` shows it.");
  }
  return ended ? result_exit(view) : kDone;
}

}  // namespace

Verb results_verb() {
  return verb_of<ResultsArgs>(
      "results", "Points, ranks and the winner of a race (default: the last one of this repository)",
      {"hydra results", "hydra results 01jx4k", "hydra results --json | jq .winner"},
      [](Options& o, ResultsArgs& args) {
        o.positional("race", args.race, false, "id of a race, or a unique prefix of one");
        o.flag("--json", args.json, "the results as JSON (docs/api.md)");
      },
      results);
}

}  // namespace hydra::cli
