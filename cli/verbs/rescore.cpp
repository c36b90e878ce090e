#include "cli/amounts.hpp"
#include "cli/context.hpp"
#include "cli/ranked_again.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

namespace hydra::cli {
namespace {

struct RescoreArgs {
  std::string race, weights;
  bool json = false;
};

Result<int> rescore(const RescoreArgs& args, Context& context) {
  HYDRA_TRY(const auto weights, read_weights(args.weights));
  return rank_again(context, args.race, "/rescore", wire::to_json(wire::RescoreRequest{weights}), args.json,
                    [](const wire::Results& results) -> std::string {
                      return results.rescored && results.rescored->identical
                                 ? "Rescored from stored evidence: the same, bit by bit."
                                 : "Rescored from stored evidence; nothing was stored.";
                    });
}

}  // namespace

Verb rescore_verb() {
  return verb_of<RescoreArgs>(
      "rescore", "Compute a race's ranking again from stored evidence, with other weights if you like",
      {"hydra rescore # the last race: must be the same, bit by bit",
       "hydra rescore --weights tests=60,speed=0", "hydra rescore 01jx4k --json | jq .rescored"},
      [](Options& o, RescoreArgs& args) {
        o.positional("race", args.race, false, "id of a race, or a unique prefix of one");
        o.value("--weights,-w", args.weights, "LIST", "NAME=NUMBER with commas between; the rest stays");
        o.flag("--json", args.json, "the results as JSON, with a member `rescored`");
      },
      rescore);
}

}  // namespace hydra::cli
