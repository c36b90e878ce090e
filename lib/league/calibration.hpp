// league: how often words of confidence were right in own races whose outcome is known (docs/selection.md,
// "Confidence"). Pure.
#pragma once

#include "league/statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::league {

/// A result of which it is known whether it was good.
struct KnownOutcome {
  std::uint32_t race = 0;  ///< results of one race have the same number
  std::string word;        ///< of confidence that it had; not empty
  bool good = false;
};

/// What is known of a result after its race.
struct Afterwards {
  std::optional<double> rating;           ///< mean of people's, [0, 1]
  std::optional<std::int64_t> merged_ms;  ///< Unix time of a merge that was not undone
  bool undone = false;                    ///< it was merged, and that was taken back
};
/// Whether it was good: people's word first (above 0.5 of [0, 1] yes, below it no), then an undone merge
/// (no), then a merge that has stood for `days` (yes). Nothing: not known, or not yet.
std::optional<bool> known_outcome(const Afterwards& facts, std::int64_t now_ms, double days);

/// Fewer races than these say nothing.
inline constexpr std::int64_t kCalibrationRaces = 30;

struct WordCalibration {
  std::string word;
  std::int64_t good = 0, n = 0;  ///< n >= 1
  double share = 0;              ///< good / n
  Interval interval;             ///< 95 % Wilson
};

struct Calibration {
  bool enough = false;     ///< at least kCalibrationRaces races
  std::int64_t races = 0;  ///< with a known outcome
  std::int64_t results = 0;
  /// Mean squared error of the words as forecasts, each made without the race that it is about: (good + 1) /
  /// (n + 2) of its word in all other races. 0: always sure and right; 0.25: as good as a coin. 0 without
  /// results.
  double brier = 0;
  std::vector<WordCalibration> words;  ///< by name; those that were seen

  /// Null: not enough races, or none with this word.
  [[nodiscard]] const WordCalibration* of(const std::string& word) const;
};

Calibration calibrate(const std::vector<KnownOutcome>& outcomes);

}  // namespace hydra::league
