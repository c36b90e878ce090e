#include "base/clock.hpp"
#include "cli/context.hpp"
#include "cli/league_args.hpp"
#include "cli/project.hpp"
#include "cli/score/standings_input.hpp"

namespace hydra::cli {
namespace {

struct StandingsArgs {
  LeagueFilter filter;
  int epochs = 12;
  bool judges = false, json = false;
};

Result<int> standings(const StandingsArgs& args, Context& context) {
  HYDRA_TRY(const auto config, load_config(context));
  HYDRA_TRY(auto input,
            StandingsInput::make(config.standings, args.judges ? Validators::judges : Validators::races));
  const auto now = SystemClock().now();
  HYDRA_TRY(const auto query, filter_query(args.filter, now));
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(30)));
  std::optional<std::int64_t> next = 0;
  while (next) {
    HYDRA_TRY(const auto body, client.call("GET", "/v1/history?after=" + std::to_string(*next) +
                                                      (query.empty() ? "" : "&" + query)));
    HYDRA_CHECK(input.add(body, next));
  }
  const auto made = input.json(now, args.epochs);
  return say(args.json ? made : standings_text(made));
}

}  // namespace

Verb standings_verb() {
  return verb_of<StandingsArgs>(
      "standings",
      "A running competition over ended races: scores by stake, weights with cap, decay and burn",
      {"hydra standings", "hydra standings --repository . --epochs 4",
       "hydra standings --json | jq .weights"},
      [](Options& o, StandingsArgs& args) {
        add_filter(o, args.filter);
        o.number("--epochs", args.epochs, 1, 10'000, "how many of the last epochs are shown");
        o.flag("--judges", args.judges,
               "validators are the judges of the races and the people who rated results");
        o.flag("--json", args.json, "the standings as JSON (docs/suites.md)");
      },
      standings);
}

}  // namespace hydra::cli
