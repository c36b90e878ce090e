#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/json_fields.hpp"
#include "cli/league_args.hpp"
#include "cli/render/atif.hpp"
#include "cli/render/export_formats.hpp"

#include <map>

namespace hydra::cli {
namespace {

struct ExportArgs {
  LeagueFilter filter;
  std::string format = "jsonl", output;
};

const std::map<std::string, ExportFormat>& formats() {
  static const std::map<std::string, ExportFormat> known{{"rewards", ExportFormat::rewards},
                                                         {"jsonl", ExportFormat::jsonl},
                                                         {"csv", ExportFormat::csv},
                                                         {"junit", ExportFormat::junit}};
  return known;
}

/// The raw output of an agent as far as it is kept; nothing where it is gone.
std::optional<std::string> log_of(client::Client& client, const std::string& race, const std::string& agent) {
  constexpr std::size_t kMost = 64u << 20;
  std::string log;
  std::int64_t offset = 0;
  while (log.size() < kMost) {
    const auto answer =
        client.request("GET", race_path(race, "logs", agent) +
                                  "?kind=agent&stream=out&raw=1&offset=" + std::to_string(offset));
    if (!answer || answer->status != 200) return std::nullopt;
    log += answer->body;
    const auto next = answer->headers.find("x-hydra-next-offset");
    const auto end = next == answer->headers.end() ? std::nullopt : parse_int(next->second);
    if (!end || *end <= offset) break;
    offset = *end;
  }
  return log;
}

/// One trajectory a line; a note on standard error for each stream that is gone.
Result<std::string> trajectories(Context& context, client::Client& client, std::string_view page,
                                 std::optional<std::int64_t>& next) {
  HYDRA_TRY(const auto races, races_of_page(page, next));
  std::string out;
  for (const auto& race : races)
    for (auto attempt : race.value("attempts", OrderedJson::array())) {
      const auto id = text(race, "race"), name = text(attempt, "name");
      const auto log = log_of(client, id, name);
      if (!log) {
        context.warn("the stream of " + id + "/" + name + " is not kept any more");
        continue;
      }
      attempt["race"] = id;
      const TrajectoryFacts facts{id + "/" + name,
                                  text(race, "task"),
                                  text(attempt, "agent"),
                                  text(attempt, "version"),
                                  text(attempt, "model"),
                                  one_line(attempt),
                                  race.value("created_ms", std::int64_t{0})};
      out += trajectory(facts, *log) + "\n";
    }
  return out;
}

// To the file, or to the output where none is named.
Result<int> write_export(const ExportArgs& args, const std::string& written) {
  if (args.output.empty()) {
    print(written);
    return kDone;
  }
  // Whoever collects metrics may read the file at any moment.
  HYDRA_CHECK(args.format == "prometheus" ? write_file_atomic(args.output, written, false)
                                          : write_file(args.output, written));
  return kDone;
}

Result<int> export_races(const ExportArgs& args, Context& context) {
  HYDRA_TRY(auto query, filter_query(args.filter, SystemClock().now()));
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(30)));
  if (args.format == "prometheus") {
    HYDRA_TRY(const auto metrics, client.call("GET", "/metrics" + (query.empty() ? "" : "?" + query)));
    return write_export(args, metrics);
  }
  const auto format = formats().find(args.format);
  const Exporter exporter(format == formats().end() ? ExportFormat::jsonl : format->second);
  // To a file whole or not at all; to the output as it comes.
  std::string whole = exporter.head();
  std::optional<std::int64_t> next = 0;
  while (next) {
    HYDRA_TRY(const auto body, client.call("GET", "/v1/history?after=" + std::to_string(*next) +
                                                      (query.empty() ? "" : "&" + query)));
    HYDRA_TRY(const auto page,
              args.format == "atif" ? trajectories(context, client, body, next) : exporter.page(body, next));
    whole += page;
    if (!args.output.empty()) continue;
    print(whole);
    whole.clear();
  }
  return write_export(args, whole + exporter.foot());
}

}  // namespace

Verb export_verb() {
  return verb_of<ExportArgs>(
      "export", "Ended races in the formats of others: one line, row or test case an attempt",
      {"hydra export > races.jsonl", "hydra export 01jx4k --format junit --output junit.xml",
       "hydra export --format rewards --since 30d --label prompt=v2", "hydra export 01jx4k --format atif",
       "hydra export --format prometheus -o /var/lib/prometheus/node-exporter/hydra.prom"},
      [](Options& o, ExportArgs& args) {
        o.positional("race", args.filter.race, false, "only this race (default: all)");
        o.choice("--format", args.format, {"rewards", "jsonl", "csv", "junit", "atif", "prometheus"},
                 "what it is written as (docs/leaderboard.md)");
        o.value("--output,-o", args.output, "FILE", "write there");
        add_filter(o, args.filter);
      },
      export_races);
}

}  // namespace hydra::cli
