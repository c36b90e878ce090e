#include "cli/render/integrity_lines.hpp"

#include "base/strings.hpp"
#include "cli/render/decision_lines.hpp"
#include "cli/render/result_block.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

constexpr std::size_t kShownFindings = 3;
constexpr std::size_t kShownNames = 3;

std::string names_of(const std::vector<std::string>& names, const Style& style) {
  std::vector<std::string> shown;
  for (const auto& name : names) {
    if (shown.size() == kShownNames) {
      shown.emplace_back("...");
      break;
    }
    shown.push_back(style.fit(name, 60));
  }
  return join(shown, ", ");
}

std::string tests_text(const wire::AgentResult& agent, const Style& style) {
  const auto& reasons = agent.ineligible_reasons;
  // A self-contradictory run proves nothing, even with test names.
  if (named_tests(agent.tests_by_name).empty()) return {};
  if (std::find(reasons.begin(), reasons.end(), model::Ineligible::unverified) != reasons.end())
    return "tests: unverified, so none of them counts (hydra explain " + style.safe(agent.agent) + ")";
  std::vector<std::string> parts;
  for (const auto& [how, names] : named_tests(agent.tests_by_name)) {
    const bool named = how != "fixed" && how != "added" && how != "hidden";
    auto part = fmt::format("{} {}", names.size(), words(how));
    if (named) part += " (" + names_of(names, style) + ")";
    parts.push_back(std::move(part));
  }
  return "tests: " + join(parts, ", ");
}

}  // namespace

std::vector<std::pair<std::string, std::vector<std::string>>> named_tests(
    const std::optional<wire::TestNames>& names) {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  if (!names) return out;
  for (const char* how : {"fixed", "broken", "removed", "newly_skipped", "added", "unstable", "hidden"})
    if (const auto found = names->find(how); found != names->end() && !found->second.empty())
      out.emplace_back(how, found->second);
  return out;
}

std::string finding_line(const model::TamperFinding& finding, const Style& style) {
  auto out = style.safe(finding.path);
  if (finding.line > 0) out += fmt::format(":{}", finding.line);
  out += ": " + words(style.safe(finding.rule));
  if (!finding.reason.empty()) out += " (" + style.safe(finding.reason) + ")";
  return finding.text.empty() ? out : out + ": " + style.fit(finding.text, 80);
}

std::string integrity_lines(const wire::Results& results, const Style& style) {
  std::string out;
  for (const auto& agent : results.agents) {
    const auto name = "  " + style.safe(shown_name(agent)) + ": ";
    if (const auto tests = tests_text(agent, style); !tests.empty()) out += name + tests + "\n";
    if (agent.undecided)
      out += name + style.paint(Paint::yellow, style.safe(undecided_words(*agent.undecided))) +
             " (hydra explain " + style.safe(agent.agent) + ")\n";
    if (!agent.integrity) continue;
    const auto& found = *agent.integrity;
    if (!found.error.empty()) out += name + "could not be looked at: " + style.safe(found.error) + "\n";
    std::vector<std::string> restored;
    for (const auto& path : found.restored) restored.push_back(path.path);
    if (!restored.empty())
      out += fmt::format("{}checked with {} of the base instead of the result's ({}){}\n", name,
                         counted(restored.size(), "path"), names_of(restored, style),
                         found.own_run ? ", and once more with its own" : "");
    std::size_t shown = 0, left = 0;
    for (const auto& finding : found.findings) {
      if (finding.severity == model::Severity::info) continue;
      if (finding.severity != model::Severity::block || shown == kShownFindings) {
        ++left;
        continue;
      }
      ++shown;
      out += name + style.paint(Paint::red, "tampering") + " " + finding_line(finding, style) + "\n";
    }
    if (left > 0)
      out += fmt::format("{}{} (hydra explain {})\n", name, counted(left, "further finding"),
                         style.safe(agent.agent));
  }
  return out.empty() ? out : "\n" + out;
}

}  // namespace hydra::cli
