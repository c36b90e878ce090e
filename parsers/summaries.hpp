// parsers, inside: runners that tell their result in one line or a few neighbouring ones, as the summaries of
// formats/*.toml describe them.
#pragma once

#include "parsers/formats.hpp"
#include "parsers/registry.hpp"

#include <span>
#include <string_view>

namespace hydra::parsers {

/// A text that is in the log wherever the row matches, as rare as its pattern allows; empty: it has none.
std::string_view marker_of(const SummaryRow& row);
/// The formats of the summaries, each once, sorted.
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
