// parsers, inside: runners that report their result in one line or in a few neighbouring lines, as
// `summaries` of formats/*.toml describe.
#pragma once

#include "parsers/formats.hpp"
#include "parsers/registry.hpp"

#include <span>
#include <string_view>

namespace hydra::parsers {

/// Returns the rarest text that every match of the row contains; empty: none.
std::string_view marker_of(const SummaryRow& row);
/// Returns the formats of the summaries, sorted, without repetitions.
std::vector<std::string_view> summary_formats();

/// Turns figures into counts: failed, skipped and errors default to zero; passed and total stay unknown
/// unless printed or derivable. Nothing if the figures contradict each other.
struct Tally {
  model::TestCounts counts;
  bool adds_up = true;
};
std::optional<Tally> tally(const Figures& figures);

/// Returns the report of a finished run with these counts.
model::ParsedTests finished(std::string_view format, const Tally& tally);

/// Reads the lines outside of the segments of `out` with a confidence of 60 or more.
void find_summaries(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
