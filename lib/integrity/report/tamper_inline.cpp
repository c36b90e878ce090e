// Tests that stand in the sources: test modules of Rust, examples in documentation.
#include "base/strings.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace hydra::integrity {
namespace {

/// Lines of the base, from 1, in which a test of it says what it expects.
std::set<std::int64_t> expecting_lines(Text text, Language language) {
  std::set<std::int64_t> out;
  std::int64_t number = 0;
  bool in_tests = false, behind_prompt = false, was_prompt = false;
  for (const auto whole : lines(text.substr(0, kMostFileBytes))) {
    ++number;
    const auto line = trim(whole);
    if (language == Language::rust) {
      in_tests = in_tests || line.starts_with("#[cfg(test)]");
      const bool documented = line.starts_with("///") || line.starts_with("//!");
      if ((in_tests || documented) && has(line, "assert")) out.insert(number);
    } else if (language == Language::python) {
      const bool prompt = line.starts_with(">>>") || (was_prompt && line.starts_with("..."));
      was_prompt = prompt;
      const bool ends = line.empty() || line.starts_with("\"\"\"") || line.starts_with("'''");
      if (behind_prompt && !prompt && !ends) out.insert(number);
      behind_prompt = prompt || (behind_prompt && !ends);
    }
  }
  return out;
}

}  // namespace

void find_inline_assertions(const TextDiff& diff, Signals& signals) {
  if (diff.role != Role::product || !diff.file->base) return;
  if (diff.language != Language::rust && diff.language != Language::python) return;
  const auto expecting = expecting_lines(*diff.file->base, diff.language);
  if (expecting.empty()) return;
  for (const auto& line : diff.removed)
    if (expecting.contains(line.number)) {
      signals.add(SignalKind::weakened_assertion, Severity::warning, diff.file->change.path, line.number,
                  line.text, "a test of the base in the sources expects something else now, or is gone");
      return;
    }
}

}  // namespace hydra::integrity
