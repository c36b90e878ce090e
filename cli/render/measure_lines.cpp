#include "cli/render/measure_lines.hpp"

#include "base/strings.hpp"
#include "cli/render/result_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace hydra::cli {
namespace {

std::string why_not(const std::string& reason) {
  constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
      {"no_changed_code", "it changes no code of the product in a language that is known"},
      {"no_line_run", "the tests run none of its changed lines"},
      {"no_gcov", "gcov is not here (a part of gcc)"},
      {"no_llvm_tools",
       "the LLVM tools of rustc's own version are not here (rustup component add llvm-tools)"},
      {"red_without", "its tests fail without a mutant, too"},
      {"out_of_time", "the time was over ([selection] mutants_seconds)"},
      {"no_recipe", "no recipe for this language; [selection] coverage_command names one"},
      {"no_report", "the tests left no report of it"},
      {"nothing_to_cover", "no changed line can be run"},
  };
  for (const auto& [name, text] : kTexts)
    if (reason == name) return std::string(text);
  return words(reason);
}

std::string mutants_summary(const model::MutantReport& mutants) {
  if (mutants.state != model::Measure::measured) return "mutants not measured: " + why_not(mutants.reason);
  const auto count = [&](model::MutantState state) {
    return std::count_if(mutants.mutants.begin(), mutants.mutants.end(),
                         [&](const auto& m) { return m.state == state; });
  };
  auto line = fmt::format("tests notice {} of {} mutants of its changed lines", mutants.killed,
                          mutants.killed + mutants.survived);
  if (const auto invalid = count(model::MutantState::invalid); invalid > 0)
    line += fmt::format(", {} did not build", invalid);
  if (const auto left = count(model::MutantState::not_run); left > 0)
    line += fmt::format(", {} did not run", left);
  if (const auto lines = mutants.never_run; lines > 0)
    line += fmt::format("; none of {} that no test runs", counted(lines, "line"));
  return line;
}

std::string coverage_summary(const model::CoverageReport& coverage) {
  if (coverage.state != model::Measure::measured) return "coverage not measured: " + why_not(coverage.reason);
  if (coverage.lines == 0) return "coverage: " + why_not("nothing_to_cover");
  return fmt::format("tests run {} of {} changed lines", coverage.run, coverage.lines);
}

}  // namespace

std::string measured_summary(const std::optional<model::MutantReport>& mutants,
                             const std::optional<model::CoverageReport>& coverage) {
  std::vector<std::string> parts;
  if (mutants) parts.push_back(mutants_summary(*mutants));
  if (coverage) parts.push_back(coverage_summary(*coverage));
  return join(parts, "; ");
}

std::string measured_text(const std::optional<model::MutantReport>& mutants,
                          const std::optional<model::CoverageReport>& coverage, const Style& style) {
  std::string out;
  if (mutants) out += "Mutants: " + mutants_summary(*mutants) + "\n";
  if (mutants && mutants->state == model::Measure::measured) {
    for (const auto& mutant : mutants->mutants)
      out +=
          fmt::format("  {:8} {}:{}: {}{}\n", words(name(mutant.state)), style.safe(mutant.path), mutant.line,
                      style.safe(mutant.change), mutant.by.empty() ? "" : " (" + style.safe(mutant.by) + ")");
    if (mutants->survived > 0) out += "  What survived could be changed, and no test would notice.\n";
  }
  if (coverage) out += "Coverage: " + coverage_summary(*coverage) + "\n";
  if (coverage && coverage->state == model::Measure::measured)
    for (const auto& range : coverage->never_run)
      out += fmt::format("  never run: {}:{}{}\n", style.safe(range.path), range.from,
                         range.to > range.from ? fmt::format("-{}", range.to) : "");
  return out;
}

}  // namespace hydra::cli
