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

int results(const ResultsArgs& args, Context& context) {
  const auto target = race_target(args.race, working_directory(), "/results");
  if (!target) return context.fail(target.error());
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  const auto body = client->call("GET", *target);
  if (!body) return context.fail(body.error());
  const auto view = wire::from_json<wire::Results>(*body);
  if (!view) return context.fail(view.error());
  const bool ended = view->state == "done" || view->state == "cancelled" || view->state == "failed";
  if (args.json) {
    print_line(*body);
  } else {
    print(result_block(*view, context.out(), failed_steps_text(*client, *view, context.out())));
    if (!ended) print_line("The race still runs (" + words(view->state) + "). `hydra watch` shows it.");
  }
  return ended ? result_exit(*view) : kDone;
}

}  // namespace

Verb results_verb() {
  auto args = std::make_shared<ResultsArgs>();
  return {"results",
          "Points, ranks and the winner of a race (default: the last one of this repository)",
          {"hydra results", "hydra results 01jx4k", "hydra results --json | jq .winner"},
          [args](Options& o) {
            o.positional("race", args->race, false, "id of a race, or a unique prefix of one");
            o.flag("--json", args->json, "the results as JSON (docs/results.md)");
          },
          [args](Context& context) { return results(*args, context); },
          {}};
}

}  // namespace hydra::cli
