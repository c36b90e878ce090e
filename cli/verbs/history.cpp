#include "cli/context.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"

namespace hydra::cli {
namespace {

Result<int> rebuild(const JsonArgs& args, Context& context) {
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(60)));
  HYDRA_TRY(const auto body, client.call("POST", "/v1/history/rebuild", "{}"));
  if (args.json) return print_json(body);
  HYDRA_TRY(const auto rebuilt, wire::from_json<wire::Rebuilt>(body));
  const auto races = rebuilt.races;
  return say("The history has " + std::to_string(races) + (races == 1 ? " race." : " races."));
}

}  // namespace

Verb history_verb() {
  return {"history",
          "What is remembered of ended races; `hydra leaderboard` and `hydra export` read it",
          {"hydra history rebuild", "hydra export --format jsonl   # what it holds", "hydra clean --history"},
          {},
          {},
          {verb_of<JsonArgs>(
              "rebuild", "Rebuild the history from the events of all races", {"hydra history rebuild"},
              [](Options& o, JsonArgs& args) { o.flag("--json", args.json, "{schema, races}"); }, rebuild)}};
}

}  // namespace hydra::cli
