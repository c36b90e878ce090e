#include "cli/render/explain_block.hpp"

#include "base/strings.hpp"
#include "cli/render/decision_lines.hpp"
#include "cli/render/integrity_lines.hpp"
#include "cli/render/judge_lines.hpp"
#include "cli/render/result_block.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

std::string short_number(double value) { return fmt::format("{:.6g}", value); }

std::string heading(const char* text, const Style& style) {
  return "  " + style.paint(Paint::bold, text) + "\n";
}

// Returns one line per text; empty: no texts.
std::string listed(const char* before, const std::vector<std::string>& texts, const Style& style) {
  std::string out;
  for (const auto& text : texts) out += before + style.safe(text) + "\n";
  return out;
}

// Returns "agent_passed 9, agent_total 10".
std::string inputs_of(const wire::ExplainDimension& dimension) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : dimension.inputs) parts.push_back(name + " " + short_number(value));
  return join(parts, ", ");
}

std::string lines_of(const wire::Run& run) {
  std::vector<std::string> parts;
  for (const auto& [format, first, last] : run.evidence)
    parts.push_back(first == last ? fmt::format("{} line {}", format, first)
                                  : fmt::format("{} lines {}-{}", format, first, last));
  return join(parts, ", ");
}

std::string run_text(const wire::Run& run, const Style& style) {
  auto out = fmt::format("      {}: {}", style.safe(run.purpose), words(run.status));
  if (run.exit_code) out += fmt::format(", exit code {}", *run.exit_code);
  if (run.signal) out += fmt::format(", signal {}", *run.signal);
  if (run.status != model::CheckStatus::not_started) out += fmt::format(", {:.1f} s", run.wall_seconds);
  if (run.cached) out += ", cached";
  if (run.status != model::CheckStatus::not_started) out += ", sandbox " + words(run.isolation);
  out += "\n";
  out += "        command: " + style.safe(run.command) + "\n";
  if (!run.attempt.empty()) out += "        log: " + style.safe(run.attempt) + "\n";
  if (const auto believed = lines_of(run); !believed.empty())
    out += "        believed: " + style.safe(believed) + "\n";
  if (!run.message.empty()) out += "        " + style.safe(run.message) + "\n";
  return out + listed("        contradiction: ", run.suspicious, style);
}

std::string dimension_text(const wire::ExplainDimension& dimension, const Style& style) {
  auto out = "  " + style.paint(Paint::bold, words(dimension.dimension));
  if (dimension.status == model::DimensionStatus::scored)
    out += fmt::format(": {} points, {:.1f} % of the score, adds {}", short_number(dimension.points),
                       dimension.share * 100, short_number(dimension.contribution));
  else
    out += ": " + words(dimension.status);
  if (dimension.reason != model::ScoreReason::none) out += " (" + words(dimension.reason) + ")";
  out += "\n      " + style.safe(dimension.formula) + "\n";
  if (const auto inputs = inputs_of(dimension); !inputs.empty()) out += "      " + style.safe(inputs) + "\n";
  for (const auto& run : dimension.runs) out += run_text(run, style);
  return out;
}

std::string tests_text(const wire::Explain& explain, const Style& style) {
  std::string out;
  for (const auto& [how, names] : named_tests(explain.tests_by_name))
    out += fmt::format("    {}:\n", words(how)) + listed("      ", names, style);
  return out.empty() ? out : heading("tests by name", style) + out;
}

std::string twins_text(const wire::Twins& twins, const Style& style) {
  if (twins.state != model::TwinsState::compared) return {};
  auto out = heading("with other expected values", style);
  out += fmt::format("    tests that fail then, as they should: {} (assertions changed: {}, seed {})\n",
                     twins.told, twins.assertions, style.safe(twins.seed));
  out +=
      fmt::format("    {:.1f} s of CPU beside {:.1f} s of the tests as they are\n",
                  static_cast<double>(twins.cpu_ms) / 1000, static_cast<double>(twins.plain_cpu_ms) / 1000);
  if (twins.left_out > 0)
    out += fmt::format("    a random sample: {} left out, and every test that a result fixes asked\n",
                       counted(twins.left_out, "test file"));
  if (const auto left = twins.untouched.size(); left > 0)
    out += fmt::format("    no assertion was recognised in {} of the test files\n", left);
  return out;
}

std::string integrity_text(const wire::Integrity& integrity, const Style& style) {
  std::string out;
  if (!integrity.error.empty()) out += "  could not be looked at: " + style.safe(integrity.error) + "\n";
  if (!integrity.restored.empty()) out += heading("taken from the base for the checks", style);
  for (const auto& path : integrity.restored)
    out += fmt::format("    {} ({}): {}\n", style.safe(path.path), words(name(path.how)),
                       style.safe(path.reason));
  if (!integrity.unrestored.empty())
    out += heading("also list sources: kept, compared by test name", style) +
           listed("    ", integrity.unrestored, style);
  if (integrity.more_restored > 0) out += fmt::format("    and {} more of both\n", integrity.more_restored);
  out += heading("tamper report", style);
  if (integrity.findings.empty()) out += "    nothing was found\n";
  for (const auto& finding : integrity.findings)
    out += fmt::format("    {:7} {}\n", name(finding.severity), finding_line(finding, style));
  if (integrity.not_shown > 0) out += fmt::format("    and {} more\n", integrity.not_shown);
  if (integrity.suppressions > 0)
    out += fmt::format("    {} inline suppressions of lint rules were added\n", integrity.suppressions);
  if (!integrity.unseen.empty())
    out += heading("not verified", style) + listed("    ", integrity.unseen, style);
  return out + twins_text(integrity.twins, style);
}

// Returns the word with its facts, the points, and the measured range of the word.
std::string confidence_text(const wire::Explain& explain, const Style& style) {
  std::string out;
  if (const auto& confidence = explain.confidence) {
    out += "Confidence: " + style.safe(confidence->text) + "\n";
    if (!confidence->range.empty())
      out += "  right in " + style.safe(confidence->range) +
             " of 100 such races where this was measured (docs/selection.md)\n";
    if (const auto own = own_races_line(confidence); !own.empty()) out += "  " + own + "\n";
  }
  if (explain.evidence_points)
    out += fmt::format("  evidence points: {}: {}\n", short_number(*explain.evidence_points),
                       style.safe(explain.evidence_formula));
  return out + listed("  fails on its own tree: ", explain.own_tests_failing, style);
}

// Returns facts without points: flags and warnings of the capture, a refused branch, leftover processes.
std::string beside_text(const wire::Explain& explain, const Style& style) {
  std::string out;
  for (const auto& flag : explain.flags) {
    if (flag.kind == model::FlagKind::unnamed || flag.kind == model::FlagKind::commits_refused)
      continue;  // the warnings have the sentence
    out += words(flag.kind) + (flag.path.empty() ? "" : ": " + style.safe(flag.path)) + "\n";
  }
  out += listed("", explain.warnings, style);
  for (const auto& left : explain.left_out)
    out += "Left out: " + style.safe(left.path) + " (" + std::string(name(left.reason)) + ")\n";
  if (!explain.branch_refused.empty()) out += "No branch: " + style.safe(explain.branch_refused) + "\n";
  if (explain.leaked_processes > 0)
    out += fmt::format("Processes that it left running, ended: {}\n", explain.leaked_processes);
  return out;
}

std::string rank_text(const wire::Explain& explain) {
  if (explain.ranked)
    return explain.composite
               ? fmt::format(": rank {}, {} / 100\n", explain.rank, scoring::format_score(*explain.composite))
               : ": no points\n";
  if (explain.race_state == model::RacePhase::cancelled) return ": not ranked: the race was cancelled\n";
  return explain.race_state == model::RacePhase::failed ? ": not ranked: the race failed\n"
                                                        : ": not ranked yet\n";
}

}  // namespace

Result<std::string> explain_block(std::string_view input, const Style& style) {
  HYDRA_TRY(const auto explain, wire::from_json<wire::Explain>(input));
  auto out = style.paint(Paint::bold, style.safe(explain.display)) + " in race " + style.safe(explain.race) +
             rank_text(explain);
  std::vector<std::string> reasons;
  for (const auto& reason : explain.ineligible_reasons) reasons.push_back(words(reason));
  if (!reasons.empty()) out += "Not eligible: " + join(reasons, ", ") + "\n";
  if (!explain.message.empty()) out += style.safe(explain.message) + "\n";
  for (const auto& reason : explain.order_reasons) out += style.safe(reason.text) + "\n";
  out += confidence_text(explain, style);
  if (explain.undecided)
    out += "Waits: " + style.safe(undecided_words(*explain.undecided)) +
           "\n  `hydra verify --unprotected PATH` takes its own file at that " +
           "path, `--approve-test NAME` the test as changed\n";
  for (const auto& decision : explain.decisions) out += style.safe(decision_words(decision)) + "\n";
  out += beside_text(explain, style);
  out += "Score: " + style.safe(explain.formula) + "\n";
  if (explain.checked_as != explain.agent)
    out += "Checked as: " + style.safe(explain.checked_as) + ", whose tree is the same\n";
  if (explain.checks == model::CheckPlace::in_place)
    out +=
        "Checked in place: in the agent's own directory, with whatever it left there; nothing was restored\n";
  out += "\n";
  for (const auto& dimension : explain.dimensions) out += dimension_text(dimension, style);
  out += votes_lines(explain.judges, style);
  out += listed("      set apart: ", explain.set_apart, style) + "\n" + tests_text(explain, style);
  if (explain.integrity) out += integrity_text(*explain.integrity, style);
  if (explain.workspace && !explain.workspace->left_out.empty())
    out += heading("not taken into the check workspace", style) +
           listed("    ", explain.workspace->left_out, style);
  return out;
}

}  // namespace hydra::cli
