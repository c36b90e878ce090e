#include "cli/render/explain_block.hpp"

#include "base/strings.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/decision_lines.hpp"
#include "cli/render/integrity_lines.hpp"
#include "cli/render/judge_lines.hpp"
#include "cli/render/judge_views.hpp"
#include "cli/render/measure_lines.hpp"
#include "cli/render/result_block.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

using Json = nlohmann::json;

double real_or_0(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_number() ? it->get<double>() : 0;
}
const Json& list(const Json& json, const char* key) {
  static const Json kNone = Json::array();
  const auto it = json.find(key);
  return it != json.end() && (it->is_array() || it->is_object()) ? *it : kNone;
}
std::string short_number(double value) { return fmt::format("{:.6g}", value); }

// "agent_passed 9, agent_total 10"
std::string inputs_of(const Json& dimension) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : list(dimension, "inputs").items())
    if (value.is_number()) parts.push_back(name + " " + short_number(value.get<double>()));
  return join(parts, ", ");
}

std::string lines_of(const Json& run) {
  std::vector<std::string> parts;
  for (const auto& range : list(run, "evidence"))
    parts.push_back(
        real_or_0(range, "first") == real_or_0(range, "last")
            ? fmt::format("{} line {}", text(range, "format"), short_number(real_or_0(range, "first")))
            : fmt::format("{} lines {}-{}", text(range, "format"), short_number(real_or_0(range, "first")),
                          short_number(real_or_0(range, "last"))));
  return join(parts, ", ");
}

std::string run_text(const Json& run, const Style& style) {
  auto out = fmt::format("      {}: {}", style.safe(text(run, "purpose")), words(text(run, "status")));
  if (run.contains("exit_code") && run["exit_code"].is_number_integer())
    out += fmt::format(", exit code {}", run["exit_code"].get<std::int64_t>());
  if (run.contains("signal")) out += fmt::format(", signal {}", short_number(real_or_0(run, "signal")));
  out += fmt::format(", {:.1f} s", real_or_0(run, "wall_seconds"));
  if (run.contains("cached") && run["cached"].is_boolean() && run["cached"].get<bool>()) out += ", cached";
  out += ", sandbox " + style.safe(text(run, "isolation")) + "\n";
  out += "        command: " + style.safe(text(run, "command")) + "\n";
  if (const auto attempt = text(run, "attempt"); !attempt.empty())
    out += "        log: " + style.safe(attempt) + "\n";
  if (const auto believed = lines_of(run); !believed.empty())
    out += "        believed: " + style.safe(believed) + "\n";
  if (const auto message = text(run, "message"); !message.empty())
    out += "        " + style.safe(message) + "\n";
  for (const auto& doubt : list(run, "suspicious"))
    if (doubt.is_string()) out += "        contradiction: " + style.safe(doubt.get<std::string>()) + "\n";
  return out;
}

std::string dimension_text(const Json& dimension, const Style& style) {
  const auto status = text(dimension, "status");
  auto out = "  " + style.paint(Paint::bold, words(text(dimension, "dimension")));
  if (status == "scored")
    out += fmt::format(": {} points, {:.1f} % of the score, adds {}",
                       short_number(real_or_0(dimension, "points")), real_or_0(dimension, "share") * 100,
                       short_number(real_or_0(dimension, "contribution")));
  else
    out += ": " + words(status);
  if (const auto reason = text(dimension, "reason"); !reason.empty())
    out += " (" + words(style.safe(reason)) + ")";
  out += "\n      " + style.safe(text(dimension, "formula")) + "\n";
  if (const auto inputs = inputs_of(dimension); !inputs.empty()) out += "      " + style.safe(inputs) + "\n";
  for (const auto& run : list(dimension, "runs")) out += run_text(run, style);
  return out;
}

std::string tests_text(const Json& json, const Style& style) {
  std::string out;
  for (const char* how : {"fixed", "broken", "removed", "newly_skipped", "added", "unstable", "hidden"}) {
    const auto& names = list(list(json, "tests_by_name"), how);
    if (names.empty()) continue;
    out += fmt::format("    {}:\n", words(how));
    for (const auto& name : names)
      if (name.is_string()) out += "      " + style.safe(name.get<std::string>()) + "\n";
  }
  return out.empty() ? out : "  " + style.paint(Paint::bold, "tests by name") + "\n" + out;
}

std::string twins_text(const Json& integrity, const Style& style) {
  if (!integrity.contains("twins") || text(integrity["twins"], "state") != "compared") return {};
  const auto& twins = integrity["twins"];
  auto out = "  " + style.paint(Paint::bold, "with other expected values") + "\n";
  out +=
      fmt::format("    tests that fail then, as they should: {} (assertions changed: {}, seed {})\n",
                  static_cast<std::int64_t>(real_or_0(twins, "told")),
                  static_cast<std::int64_t>(real_or_0(twins, "assertions")), style.safe(text(twins, "seed")));
  out += fmt::format("    {:.1f} s of CPU beside {:.1f} s of the tests as they are\n",
                     real_or_0(twins, "cpu_seconds"), real_or_0(twins, "plain_cpu_seconds"));
  if (const auto left = list(twins, "untouched").size(); left > 0)
    out += fmt::format("    no assertion was recognised in {} of the test files\n", left);
  return out;
}

std::string integrity_text(const Json& integrity, const Style& style) {
  std::string out;
  const auto head = [&](const char* title) { out += "  " + style.paint(Paint::bold, title) + "\n"; };
  if (const auto error = text(integrity, "error"); !error.empty())
    out += "  could not be looked at: " + style.safe(error) + "\n";
  if (!list(integrity, "restored").empty()) head("taken from the base for the checks");
  for (const auto& path : list(integrity, "restored"))
    out += fmt::format("    {} ({}): {}\n", style.safe(text(path, "path")), words(text(path, "how")),
                       style.safe(text(path, "reason")));
  if (!list(integrity, "unrestored").empty()) head("also list sources: kept, compared by test name");
  for (const auto& path : list(integrity, "unrestored"))
    if (path.is_string()) out += "    " + style.safe(path.get<std::string>()) + "\n";
  if (real_or_0(integrity, "more_restored") > 0)
    out += fmt::format("    and {} more of both\n",
                       static_cast<std::int64_t>(real_or_0(integrity, "more_restored")));
  head("tamper report");
  if (list(integrity, "findings").empty()) out += "    nothing was found\n";
  for (const auto& item : list(integrity, "findings")) {
    const FindingView finding{text(item, "rule"), text(item, "severity"),
                              text(item, "path"), text(item, "reason"),
                              text(item, "text"), static_cast<std::int64_t>(real_or_0(item, "line"))};
    out += fmt::format("    {:7} {}\n", finding.severity, finding_line(finding, style));
  }
  if (real_or_0(integrity, "not_shown") > 0)
    out += fmt::format("    and {} more\n", static_cast<std::int64_t>(real_or_0(integrity, "not_shown")));
  if (real_or_0(integrity, "suppressions") > 0)
    out += fmt::format("    {} inline suppressions of lint rules were added\n",
                       short_number(real_or_0(integrity, "suppressions")));
  if (!list(integrity, "unseen").empty()) head("not looked at, so it can't be ruled out");
  for (const auto& what : list(integrity, "unseen"))
    if (what.is_string()) out += "    " + style.safe(what.get<std::string>()) + "\n";
  return out + twins_text(integrity, style);
}

std::string paths_text(const Json& workspace, const Style& style) {
  std::string out;
  for (const auto& path : list(workspace, "left_out"))
    if (path.is_string()) out += "    " + style.safe(path.get<std::string>()) + "\n";
  return out.empty() ? out
                     : "  " + style.paint(Paint::bold, "not taken into the check workspace") + "\n" + out;
}

// The word with its facts, the points, and what was measured of results of this word.
std::string confidence_text(const Json& json, const std::string& own_races, const Style& style) {
  const auto& confidence = list(json, "confidence");
  std::string out;
  if (const auto words_of_it = text(confidence, "text"); !words_of_it.empty())
    out += "Confidence: " + style.safe(words_of_it) + "\n";
  if (const auto range = text(confidence, "range"); !range.empty())
    out += "  right in " + style.safe(range) +
           " of 100 such races where this was measured (docs/selection.md)\n";
  if (!own_races.empty()) out += "  " + own_races + "\n";
  const auto points = json.find("evidence_points");
  if (points != json.end() && points->is_number())
    out += fmt::format("  evidence points: {}: {}\n", short_number(points->get<double>()),
                       style.safe(text(json, "evidence_formula")));
  for (const auto& name : list(json, "own_tests_failing"))
    if (name.is_string()) out += "  fails on its own tree: " + style.safe(name.get<std::string>()) + "\n";
  return out;
}

// What no point says: flags and warnings of the capture, a refused branch, processes that were left.
std::string beside_text(const Json& json, const Style& style) {
  std::string out;
  for (const char* key : {"flags", "warnings"})
    for (const auto& item : list(json, key))
      if (item.is_string()) {
        const auto words_of = item.get<std::string>();
        const auto colon = words_of.find(':');
        const bool flag = std::string_view(key) == "flags";
        out += style.safe(flag ? words(words_of.substr(0, colon)) +
                                     (colon == std::string::npos ? "" : ": " + words_of.substr(colon + 1))
                               : words_of) +
               "\n";
      }
  for (const auto& left : list(json, "left_out"))
    out += "Left out: " + style.safe(text(left, "path")) + " (" + style.safe(text(left, "reason")) + ")\n";
  if (const auto refused = text(json, "branch_refused"); !refused.empty())
    out += "No branch: " + style.safe(refused) + "\n";
  if (const auto leaked = real_or_0(json, "leaked_processes"); leaked > 0)
    out += "Processes that it left running, ended: " + short_number(leaked) + "\n";
  return out;
}

}  // namespace

Result<std::string> explain_block(std::string_view input, const Style& style) {
  const auto json = Json::parse(input, nullptr, false);
  if (!json.is_object()) return Error{Errc::protocol, "the daemon's answer is no JSON object", {}, {}};
  auto out = style.paint(Paint::bold, style.safe(text(json, "display"))) + " in race " +
             style.safe(text(json, "race"));
  if (json.contains("ranked") && json["ranked"] == true)
    out += fmt::format(": rank {}, {} / 100", short_number(real_or_0(json, "rank")),
                       scoring::format_score(real_or_0(json, "composite")));
  else if (text(json, "race_state") == "cancelled" || text(json, "race_state") == "failed")
    out += ": not ranked: the race " +
           std::string(text(json, "race_state") == "failed" ? "failed" : "was cancelled");
  else
    out += ": not ranked yet";
  out += "\n";
  std::vector<std::string> reasons;
  for (const auto& reason : list(json, "ineligible_reasons"))
    if (reason.is_string()) reasons.push_back(words(style.safe(reason.get<std::string>())));
  if (!reasons.empty()) out += "Not eligible: " + join(reasons, ", ") + "\n";
  if (const auto message = text(json, "message"); !message.empty()) out += style.safe(message) + "\n";
  out += confidence_text(json, own_races_line(parse_own_races(input)), style);
  out += measured_text(json, style);
  if (const auto waits = undecided_words(json.value("undecided", Json())); !waits.empty())
    out += "Waits: " + style.safe(waits) +
           "\n  `hydra verify --unprotected PATH` takes its own file at that " +
           "path, `--approve-test NAME` the test as changed\n";
  for (const auto& decision : list(json, "decisions")) out += style.safe(decision_words(decision)) + "\n";
  out += beside_text(json, style);
  out += "Score: " + style.safe(text(json, "formula")) + "\n";
  if (text(json, "checked_as") != text(json, "agent"))
    out += "Checked as: " + style.safe(text(json, "checked_as")) + ", whose tree is the same\n";
  if (text(json, "checks") == "in_place")
    out +=
        "Checked in place: in the agent's own directory, with whatever it left there; nothing was restored\n";
  out += "\n";
  for (const auto& dimension : list(json, "dimensions")) out += dimension_text(dimension, style);
  out += votes_lines(parse_judges(input), style);
  for (const auto& path : list(json, "set_apart"))
    if (path.is_string()) out += "      set apart: " + style.safe(path.get<std::string>()) + "\n";
  out += "\n" + tests_text(json, style);
  if (json.contains("integrity") && json["integrity"].is_object())
    out += integrity_text(json["integrity"], style);
  if (json.contains("workspace") && json["workspace"].is_object())
    out += paths_text(json["workspace"], style);
  return out;
}

}  // namespace hydra::cli
