// league: how often words of confidence were right in races with a known outcome (docs/selection.md,
// "Confidence"). Every function is pure.
#pragma once

#include "league/statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::league {

/// A result that proved good or bad.
struct KnownOutcome {
  std::uint32_t race = 0;  ///< race number; equal for results of one race
  std::string word;        ///< word of confidence of the result; not empty
  bool good = false;
};

/// Facts about a result after its race.
struct Afterwards {
  std::optional<double> rating;           ///< mean of people's ratings, [0, 1]
  std::optional<std::int64_t> merged_ms;  ///< Unix time of a merge that was not undone
  bool undone = false;                    ///< whether the result was merged and the merge undone
};
/// Whether the result was good; nullopt: not known yet. In order: people's rating (above 0.5 of [0, 1] good,
/// below it bad), an undone merge (bad), a merge that stood for `days` (good).
std::optional<bool> known_outcome(const Afterwards& facts, std::int64_t now_ms, double days);

/// Minimum number of races for a calibration.
inline constexpr std::int64_t kCalibrationRaces = 30;

struct WordCalibration {
  std::string word;
  std::int64_t good = 0, n = 0;  ///< n >= 1
  double share = 0;              ///< good / n
  Interval interval;             ///< 95 % Wilson
};

struct Calibration {
  bool enough = false;     ///< at least kCalibrationRaces races
  std::int64_t races = 0;  ///< races with a known outcome
  std::int64_t results = 0;
  /// Brier score: mean squared error of the words, each forecast as (good + 1) / (n + 2) of its word in all
  /// other races. 0: always sure and right; 0.25: as good as a coin. 0 without results.
  double brier = 0;
  std::vector<WordCalibration> words;  ///< words that occurred, sorted by name

  /// Returns the calibration of a word; null: not enough races, or the word did not occur.
  [[nodiscard]] const WordCalibration* of(const std::string& word) const;
};

Calibration calibrate(const std::vector<KnownOutcome>& outcomes);

}  // namespace hydra::league
