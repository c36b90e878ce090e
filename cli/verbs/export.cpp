#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/json_fields.hpp"
#include "cli/league_args.hpp"
#include "cli/project.hpp"
#include "cli/render/export_formats.hpp"

#include <map>
#include <thread>

namespace hydra::cli {
namespace {

struct ExportArgs {
  LeagueFilter filter;
  std::string format = "jsonl", output;
  bool follow = false;
};

const std::map<std::string, ExportFormat>& formats() {
  static const std::map<std::string, ExportFormat> known{{"rewards", ExportFormat::rewards},
                                                         {"jsonl", ExportFormat::jsonl},
                                                         {"csv", ExportFormat::csv},
                                                         {"junit", ExportFormat::junit}};
  return known;
}

// Writes to the file, or to standard output if none is named.
Result<int> write_export(const ExportArgs& args, const std::string& written) {
  if (args.output.empty()) {
    print(written);
    return kDone;
  }
  HYDRA_CHECK(write_file(args.output, written));
  return kDone;
}

constexpr std::chrono::seconds kFollowEvery{1};

Result<int> export_races(const ExportArgs& args, Context& context) {
  if (args.follow && (!args.output.empty() || args.format == "junit"))
    return Error{
        Errc::usage, "--follow writes lines to standard output", {}, "leave out --output, and junit"};
  HYDRA_TRY(auto query, filter_query(args.filter, SystemClock().now()));
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(30)));
  const auto format = formats().find(args.format);
  model::RewardWeights weights;
  if (format != formats().end() && format->second == ExportFormat::rewards) {
    HYDRA_TRY(const auto config, load_config(context));
    weights = config.reward;
  }
  Exporter exporter(format == formats().end() ? ExportFormat::jsonl : format->second, weights);
  // A file is written atomically; standard output receives page by page.
  std::string whole = exporter.head();
  std::optional<std::int64_t> next = 0;
  while (next) {
    HYDRA_TRY(const auto body, client.call("GET", "/v1/history?after=" + std::to_string(*next) +
                                                      (query.empty() ? "" : "&" + query)));
    HYDRA_TRY(const auto page, exporter.page(body, next));
    whole += page;
    if (!args.output.empty()) continue;
    print(whole);
    whole.clear();
    if (next || !args.follow) continue;
    std::this_thread::sleep_for(kFollowEvery);
    next = exporter.newest();
  }
  return write_export(args, whole + exporter.foot());
}

}  // namespace

Verb export_verb() {
  return verb_of<ExportArgs>(
      "export", "Ended races in the formats of others: one line, row or test case an attempt",
      {"hydra export > races.jsonl", "hydra export 01jx4k --format junit --output junit.xml",
       "hydra export --format rewards --since 30d --label prompt=v2",
       "hydra export --format rewards --follow  # for a training loop: each race as it ends"},
      [](Options& o, ExportArgs& args) {
        o.positional("race", args.filter.race, false, "only this race (default: all)");
        o.choice("--format", args.format, {"rewards", "jsonl", "csv", "junit"},
                 "what it is written as (docs/suites.md)");
        o.value("--output,-o", args.output, "FILE", "write there");
        o.flag("--follow", args.follow, "wait for races that end later, until interrupted");
        add_filter(o, args.filter);
      },
      export_races);
}

}  // namespace hydra::cli
