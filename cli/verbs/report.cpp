#include "base/files.hpp"
#include "base/paths.hpp"
#include "cli/amounts.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"

#include <unistd.h>

namespace hydra::cli {
namespace {

struct ReportArgs {
  std::string race, logs, max, output;
  bool no_diffs = false, anonymous = false;
};

Result<std::string> fetch_report(const ReportArgs& args, Context& context) {
  HYDRA_TRY(const auto most, parse_bytes(args.max, "command line: --max"));
  std::string query = args.logs.empty() ? "" : "logs=" + args.logs;
  const auto add = [&](const std::string& more) { query += (query.empty() ? "" : "&") + more; };
  if (args.no_diffs) add("diffs=0");
  if (args.anonymous) add("anonymous=1");
  if (most > 0) add("max=" + std::to_string(most));
  HYDRA_TRY(const auto target, race_target(args.race, working_directory(), "/report", query));
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(5)));
  return client.call("GET", target);
}

Result<int> report(const ReportArgs& args, Context& context) {
  if (args.output.empty() && ::isatty(1) != 0)
    return Error{Errc::usage,
                 "the report is a page, and no text for a terminal",
                 {},
                 "hydra report > race.html, or -o race.html"};
  HYDRA_TRY(const auto page, fetch_report(args, context));
  if (args.output.empty()) {
    print(page);
    return kDone;
  }
  HYDRA_CHECK(write_file(args.output, page));
  return kDone;
}

}  // namespace

Verb report_verb() {
  return verb_of<ReportArgs>(
      "report", "A race as one page: results, tests, diffs and logs, readable without Hydra",
      {"hydra report > race.html", "hydra report 01jx4k --logs all --max 50M -o race.html",
       "hydra report --anonymous --no-diffs > race.html"},
      [](Options& o, ReportArgs& args) {
        o.positional("race", args.race, false, "id of a race, or a unique prefix of one");
        o.choice("--logs", args.logs, {"all", "tail", "failed", "none"},
                 "whole logs, the last 2,000 lines of each, of failed ones only (default), or none");
        o.flag("--no-diffs", args.no_diffs, "leave out what the agents changed");
        o.value("--max", args.max, "SIZE",
                "diffs and logs together (default: 20M); the page says what is left out");
        o.flag("--anonymous", args.anonymous, "without the task, names of agents, and their transcripts");
        o.value("--output,-o", args.output, "FILE", "write it there");
      },
      report);
}

}  // namespace hydra::cli
