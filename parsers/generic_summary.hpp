// parsers, inside: summaries of test runners that nobody described. Words and figures on one line, or on
// neighbouring lines of a block; no line says more than what it counts.
#pragma once

#include "parsers/formats.hpp"
#include "parsers/pattern.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// One count of a summary: how many, of what, and the word that said so, in lower case.
struct SummaryPart {
  static constexpr std::size_t kLongest = 300;  ///< a longer line is no summary
  Meaning of = Meaning::nothing;
  std::int64_t n = 0;
  std::string word;
};

/// What a line counts where it is nothing but a list of counts with headlines, durations and rulers:
/// "3 passed, 2 failed", "PASS: 5 FAIL: 1", "2 of 5 tests failed", "All 5 tests passed (1.2s)". Empty: it is
/// something else.
std::vector<SummaryPart> summary_parts(std::string_view line);

/// The figures of such a list. `whole`: they tell a whole result: two kinds of counts and among them how many
/// passed or how many there are, or all tests with a noun ("5 tests passed").
struct GenericSummary {
  Figures figures;
  bool whole = false;
  bool no_tests = false;  ///< the line says that there was nothing to run
};
std::optional<GenericSummary> summary_of(const std::vector<SummaryPart>& parts);

}  // namespace hydra::parsers
