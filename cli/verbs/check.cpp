
#include "base/paths.hpp"
#include "cli/ask.hpp"
#include "cli/follow.hpp"
#include "cli/project.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/views.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

namespace hydra::cli {
namespace {

struct CheckArgs {
  std::string base, sandbox;
  bool include_dirty = false, fresh = false, json = false;
};

Result<int> check(const CheckArgs& args, Context& context) {
  HYDRA_TRY(auto config, load_config(context));
  model::take_name(args.sandbox, config.sandbox.mode);
  if (!find_repository(working_directory()))
    return Error{Errc::usage, "this directory is not in a git repository", working_directory().string(),
                 "`git init` and a first commit make it one"};
  HYDRA_TRY(auto client, context.daemon());
  auto request = request_for(config, {});
  request.task = "check of the baseline";
  request.check_only = true;
  request.base = args.base;
  request.include_dirty = args.include_dirty;
  request.fresh_baseline = args.fresh;
  HYDRA_TRY(const auto answer, client.call("POST", "/v1/races", wire::to_json(request)));
  HYDRA_TRY(const auto created, with_race<wire::Created>(answer));
  for (const auto& warning : created.warnings) context.warn(warning);
  return follow_race(context, std::move(client), created.race, {.json = args.json});
}

}  // namespace

Verb check_verb() {
  return verb_of<CheckArgs>(
      "check", "Run the base's own build, tests and lint in a check workspace, without agents",
      {"hydra check", "hydra check --fresh # not from the cache",
       "hydra check --json | tail -1 | jq .results.baseline"},
      [](Options& o, CheckArgs& args) {
        o.value("--base,-b", args.base, "REF", "commit to check (default: HEAD)");
        o.flag("--include-dirty", args.include_dirty, "the checkout with its uncommitted changes");
        o.flag("--fresh", args.fresh, "check again, not from the cache");
        o.choice("--sandbox", args.sandbox, {"required", "auto", "off"}, "isolation of the checks");
        o.flag("--json", args.json, "one JSON object a line: every event, then the results");
      },
      check);
}

}  // namespace hydra::cli
