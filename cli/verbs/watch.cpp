#include "cli/follow.hpp"
#include "cli/race_ref.hpp"

namespace hydra::cli {
namespace {

struct WatchArgs {
  std::string race;
  int since = -1;
  bool json = false, plain = false;
};

Result<int> watch(const WatchArgs& args, Context& context) {
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto status, get_status(client, args.race));
  // A check of the base has no agents to select.
  const bool whole = !args.plain && !status.agents.empty();
  return follow_race(context, std::move(client), status.race,
                     {.json = args.json,
                      .after = args.since < 0 ? std::nullopt : std::optional<std::int64_t>(args.since),
                      .redraw = args.since < 0,
                      .screen = whole ? FollowOptions::Screen::stays : FollowOptions::Screen::none});
}

}  // namespace

Verb watch_verb() {
  return verb_of<WatchArgs>(
      "watch", "A race as it runs, with logs, diffs and tests of its agents",
      {"hydra watch", "hydra watch --plain", "hydra watch 01jx4k --json",
       "hydra watch 01jx4k --json --since 118"},
      [](Options& o, WatchArgs& args) {
        o.positional("race", args.race, false, "id of a race, or a unique prefix of one");
        o.number("--since", args.since, 0, 2147483647,
                 "only events after this one (its \"id\"), one line each");
        o.flag("--plain", args.plain, "the table alone, not on the whole terminal; also HYDRA_PLAIN=1");
        o.flag("--json", args.json, "one JSON object a line: every event, then the results");
      },
      watch);
}

}  // namespace hydra::cli
