// parsers, inside: runners that tell their result in one line or a few neighbouring ones, as a table of
// patterns. A new runner of this kind is a row in summaries_table.cpp.
#pragma once

#include "parsers/pattern.hpp"
#include "parsers/registry.hpp"

#include <span>
#include <string_view>

namespace hydra::parsers {

struct SummaryRow {
  enum class Kind {
    last,          ///< the last one in the log counts: tests may print such a line
    each,          ///< one a project, suite or file, added up
    no_tests,      ///< the runner says that there was nothing to run
    build_failed,  ///< … that the tests could not be built or loaded
    crashed,       ///< … that the run was ended before its end
    start,         ///< a line that begins with `pattern` (plain text) starts a run: of each run only the last
                   ///< summary counts, and a run without one has not come to its end
  };
  std::string_view format;
  Kind kind = Kind::last;
  /// Neighbouring lines, each a pattern of pattern.hpp; a line that begins with '?' may be missing.
  std::string_view pattern;
  /// Where not empty: this text must occur somewhere in the log.
  std::string_view needs{};
};
std::span<const SummaryRow> summary_rows();
/// A text that is in the log wherever the row matches, as rare as its pattern allows; empty: it has none.
std::string_view marker_of(const SummaryRow& row);
/// The formats of the table, each once, sorted.
std::vector<std::string_view> summary_formats();

/// Counts out of figures: groups that are left out are zero, what is neither printed nor follows stays
/// unknown. Nothing where the figures contradict each other.
struct Tally {
  model::TestCounts counts;
  bool adds_up = true;
};
std::optional<Tally> tally(const Figures& figures);

/// The report of a finished run with these counts.
model::TestReport finished(std::string_view format, const Tally& tally);

/// Reads the lines that no segment of `out` with a confidence of 60 and more covers.
void find_summaries(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
