#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/league_args.hpp"
#include "cli/render/leaderboard_block.hpp"

namespace hydra::cli {
namespace {

struct LeaderboardArgs {
  LeagueFilter filter;
  std::string by = "agent", compare;
  std::vector<std::string> entries;
  int minimum = 0, k = 0;
  bool json = false, csv = false, arena = false;
};

Result<int> leaderboard(const LeaderboardArgs& args, Context& context) {
  if (args.json + args.csv + args.arena > 1)
    return Error{Errc::usage, "--json, --csv and --arena exclude each other", {}, {}};
  HYDRA_TRY(const auto query, filter_query(args.filter, SystemClock().now()));
  // The history is first completed from events, which may take long.
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(30)));
  HYDRA_TRY(const auto body,
            client.call("GET", "/v1/leaderboard?by=" + client::url_encode(args.by) +
                                   "&entry=" + client::url_encode(join(args.entries, "\n")) +
                                   "&compare=" + client::url_encode(args.compare) +
                                   (args.minimum > 0 ? "&minimum=" + std::to_string(args.minimum) : "") +
                                   "&k=" + std::to_string(args.k) + (query.empty() ? "" : "&" + query)));
  if (args.json) return say(body);
  HYDRA_TRY(const auto text, args.arena ? leaderboard_arena(body)
                             : args.csv ? leaderboard_csv(body)
                                        : leaderboard_text(body, context.out()));
  return say(text);
}

}  // namespace

Verb leaderboard_verb() {
  return verb_of<LeaderboardArgs>(
      "leaderboard",
      "Which agent is best over all ended races, how sure that is, and what a solved task costs",
      {"hydra leaderboard", "hydra leaderboard --repository . --since 30d --kind bugfix",
       "hydra leaderboard --by label:prompt --compare v1,v2",
       "hydra leaderboard --suite mine --entry claude --by version", "hydra leaderboard --csv > table.csv"},
      [](Options& o, LeaderboardArgs& args) {
        o.value("--by", args.by, "WHAT", "rows are: agent, model, version or label:KEY");
        add_filter(o, args.filter);
        o.repeated("--entry", args.entries, "NAME",
                   "only this agent, AGENT=MODEL or entry of a race; may be repeated");
        o.value("--compare", args.compare, "A,B",
                "two entries on the tasks that both tried (default: the first two)");
        o.number("--minimum", args.minimum, 1, 1'000'000,
                 "attempts below which an entry is not ranked (default: 5; of a suite 1)");
        o.number("-k", args.k, 0, 1000, "of pass@k; 0: the fewest attempts that any entry made at a task");
        o.flag("--json", args.json, "the table as JSON (docs/suites.md)");
        o.flag("--arena", args.arena, "the table as the arena displays it (docs/suites.md)");
        o.flag("--csv", args.csv, "the table as CSV");
      },
      leaderboard);
}

}  // namespace hydra::cli
