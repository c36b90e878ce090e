#include "cli/context.hpp"
#include "cli/score/functions.hpp"
#include "cli/score/lines.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace hydra::cli {
namespace {

struct ScoreArgs {
  std::string system;
  bool table = false;
};

Result<int> score_lines(const ScoreArgs& args, Context& context) {
  const auto system = score::system_of(args.system);
  if (!system)
    return Error{Errc::usage,
                 "there is no system " + score::shown(args.system),
                 {},
                 "there are hydra, arena, reward, term"};
  if (args.table && system->name != "arena")
    return Error{Errc::usage, "--table is of arena", {}, "hydra score arena --table"};
  const auto answer = args.table ? score::answer_table : score::answer;
  bool all_good = true;
  score::Document document;
  const score::LineHandler handler{
      [&](std::string_view line, std::string& out) {
        all_good = answer(*system, line, document, out) && all_good;
      },
      [&](std::string& out) {
        all_good = false;
        score::answer_problem(
            {"line_too_long", fmt::format("the line is longer than {} bytes", score::kLongestLine)}, out);
      }};
  const auto done = score::answer_lines(STDIN_FILENO, STDOUT_FILENO, handler);
  if (!done) {
    (void)context.fail(done.error());
    return done.error().where == "input" ? kUsage : kFailed;
  }
  return all_good ? kDone : 1;
}

// Lists the functions from the tables, so the help is complete.
std::string help_text() {
  std::string out = "\nFunctions (arguments and results: docs/scoring.md):";
  for (const auto& system : score::systems()) {
    std::string line = fmt::format("\n  {:<7}", system.name);
    std::size_t column = 9;
    for (const auto& function : system.functions) {
      if (column + function.name.size() + 1 > 100) {
        line += "\n         ";
        column = 9;
      }
      line += " " + std::string(function.name);
      column += function.name.size() + 1;
    }
    out += line;
  }
  out += R"(

A line that can't be answered with a result gets {"error": LABEL, "message": TEXT}; the next one is answered all
the same. Labels:
  malformed_json  not_an_object  line_too_long  too_many_values  duplicate_key  missing_argument  wrong_type
  out_of_range  unknown_function  unknown_name  invalid_weights  nothing_to_weigh  empty_list  length_mismatch
  malformed_level_id  not_representable
"NaN", "Infinity" and "-Infinity" are read as numbers. Every line gets one line, blank ones too.
Exit codes: 0 every line has a result, 1 some line has an error, 2 wrong usage or unreadable input.)";
  return out;
}

}  // namespace

Verb score_verb() {
  return verb_of<ScoreArgs>(
      "score", "The scoring formulas alone: JSON Lines in, JSON Lines out, no daemon",
      {R"(echo '{"fn":"score_diff_size","lines_added":120,"lines_removed":30,"files_changed":7}' | hydra score hydra)",
       R"(echo '{"fn":"benchmark_score","passed":8,"total":10}' | hydra score term)",
       R"(echo '{"fn":"reward","result":{"damage_dealt":2,"is_alive":true}}' | hydra score reward)",
       "hydra score arena < episodes.jsonl > scores.jsonl", help_text()},
      [](Options& o, ScoreArgs& args) {
        o.positional("system", args.system, true, "hydra, arena, reward or term");
        o.flag("--table", args.table, "of arena: each `leaderboard` line as the display table");
      },
      score_lines);
}

}  // namespace hydra::cli
