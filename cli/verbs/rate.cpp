#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/follow.hpp"
#include "cli/race_ref.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

struct RateArgs {
  std::string result, rating, note, author;
  bool json = false;
};

Result<std::int64_t> stars_of(const RateArgs& args) {
  const auto stars = parse_int(args.rating);
  if (!stars || *stars < 1 || *stars > 5)
    return Error{Errc::usage, "'" + sanitize(args.rating) + "' is no rating", "command line",
                 "a whole number from 1 (bad) to 5 (just right)"};
  return *stars;
}

Result<int> rate(const RateArgs& args, Context& context) {
  HYDRA_TRY(const auto stars, stars_of(args));
  for (const auto& [text, name] : {std::pair{&args.note, "--note"}, std::pair{&args.author, "--by"}})
    if (to_utf8(*text) != *text)
      return Error{Errc::usage, "the text is not valid UTF-8", std::string("command line: ") + name, {}};
  // Names are checked before a daemon is started.
  HYDRA_CHECK(split_agent(args.result));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto found, resolve_agent(client, args.result));
  HYDRA_TRY(const auto answer,
            client.call("POST", race_path(found.race, "rate"),
                        wire::to_json(wire::RateRequest{found.agent, stars, args.note, args.author})));
  if (args.json) return print_json(answer);
  HYDRA_TRY(const auto rated, wire::from_json<wire::Rated>(answer));
  const auto& style = context.out();
  print_line(fmt::format("{} gives {} of race {} {} of 5.", style.safe(rated.author), style.safe(found.agent),
                         style.safe(found.race), stars));
  if (rated.ranked_again) print_line("Ranked again; the winner is " + style.safe(rated.winner) + ".");
  return kDone;
}

}  // namespace

Verb rate_verb() {
  return verb_of<RateArgs>(
      "rate", "Say what you think of a result: you are one of its judges, and it becomes a known outcome",
      {"hydra rate codex 5", "hydra rate 01jx4k/claude-2 2 --note \"breaks the old format\"",
       "hydra rate codex 4 --by ada # for somebody else of the team"},
      [](Options& o, RateArgs& args) {
        o.positional("agent", args.result, true, "name in the last race, RACE/AGENT or a branch");
        o.positional("rating", args.rating, true, "1 (bad) to 5 (just right)");
        o.value("--note,-m", args.note, "TEXT", "why, in one line");
        o.value("--by", args.author, "NAME", "who says it (default: your name in git)");
        o.flag("--json", args.json, "what the judges come to now, as JSON");
      },
      rate);
}

}  // namespace hydra::cli
