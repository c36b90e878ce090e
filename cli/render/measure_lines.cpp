#include "cli/render/measure_lines.hpp"

#include "base/strings.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/result_block.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace hydra::cli {
namespace {

using Json = nlohmann::json;

std::int64_t number_in(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_number_integer() ? it->get<std::int64_t>() : 0;
}

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

bool is_measured(const Json& part) { return part.is_object() && text(part, "state") == "measured"; }

std::int64_t unfinished(const Json& mutants, const char* state) {
  const auto& all = member(mutants, "mutants");
  return std::count_if(all.begin(), all.end(), [&](const Json& m) { return text(m, "state") == state; });
}

std::string mutants_summary(const Json& mutants) {
  if (!mutants.is_object()) return {};
  if (!is_measured(mutants)) return "mutants not measured: " + why_not(text(mutants, "reason"));
  const auto killed = number_in(mutants, "killed"), all = killed + number_in(mutants, "survived");
  auto line = fmt::format("tests notice {} of {} mutants of its changed lines", killed, all);
  if (const auto invalid = unfinished(mutants, "invalid"); invalid > 0)
    line += fmt::format(", {} did not build", invalid);
  if (const auto left = unfinished(mutants, "not_run"); left > 0)
    line += fmt::format(", {} did not run", left);
  if (const auto lines = number_in(mutants, "never_run"); lines > 0)
    line += fmt::format("; none of {} line{} that no test runs", lines, lines == 1 ? "" : "s");
  return line;
}

std::string coverage_summary(const Json& coverage) {
  if (!coverage.is_object()) return {};
  if (!is_measured(coverage)) return "coverage not measured: " + why_not(text(coverage, "reason"));
  if (number_in(coverage, "lines") == 0) return "coverage: " + why_not("nothing_to_cover");
  return fmt::format("tests run {} of {} changed lines", number_in(coverage, "run"),
                     number_in(coverage, "lines"));
}

}  // namespace

std::string measured_summary(const Json& agent) {
  std::vector<std::string> parts;
  for (auto text :
       {mutants_summary(member(agent, "mutants")), coverage_summary(member(agent, "diff_coverage"))})
    if (!text.empty()) parts.push_back(std::move(text));
  return join(parts, "; ");
}

std::string measured_text(const Json& agent, const Style& style) {
  const auto& mutants = member(agent, "mutants");
  const auto& coverage = member(agent, "diff_coverage");
  std::string out;
  if (const auto line = mutants_summary(mutants); !line.empty()) out += "Mutants: " + line + "\n";
  if (is_measured(mutants))
    for (const auto& mutant : member(mutants, "mutants")) {
      const auto state = text(mutant, "state");
      auto by = text(mutant, "by");
      out += fmt::format("  {:8} {}:{}: {}{}\n", words(state), style.safe(text(mutant, "path")),
                         number_in(mutant, "line"), style.safe(text(mutant, "change")),
                         by.empty() ? "" : " (" + style.safe(by) + ")");
    }
  if (is_measured(mutants) && number_in(mutants, "survived") > 0)
    out += "  What survived could be changed, and no test would notice.\n";
  if (const auto line = coverage_summary(coverage); !line.empty()) out += "Coverage: " + line + "\n";
  if (is_measured(coverage))
    for (const auto& range : member(coverage, "never_run")) {
      const auto from = number_in(range, "from"), to = number_in(range, "to");
      out += fmt::format("  never run: {}:{}{}\n", style.safe(text(range, "path")), from,
                         to > from ? fmt::format("-{}", to) : "");
    }
  return out;
}

}  // namespace hydra::cli
