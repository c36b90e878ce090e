// scoring: what judges and people say of one result, as one number (spec term-challenge-scoring, "Weight
// Calculation" and "Outlier Detection", rulings T1-T3; docs/judges.md). Pure.
#pragma once

#include "model/config.hpp"
#include "model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hydra::scoring {

/// One judge's, or one person's. Without a score it was asked and said nothing that counts.
struct Vote {
  std::string judge;
  double stake = 0;             ///< >= 0
  std::optional<double> score;  ///< [0, 1]
};

struct JudgesScore {
  std::optional<double> score;  ///< [0, 1]; absent: see `state`
  /// "scored", "no_votes", "too_few_judges", "too_little_stake", "all_outliers", "no_stake".
  std::string state;
  std::string text;  ///< the same for people: one clause
  std::optional<double> median, mad;
  bool undetermined = false;             ///< the MAD is 0: nobody can be an outlier
  std::vector<std::optional<double>> z;  ///< by vote; absent: no score, or undetermined
  std::vector<std::size_t> outliers;     ///< indices of votes
  std::size_t valid = 0;                 ///< votes with a score
  double stake = 0, all_stake = 0;       ///< of those; of everybody asked
};

/// Admission first (all valid votes count, outliers too), then the stake-weighted mean without outliers.
/// `all_stake`: of everybody who could have said something of this race.
JudgesScore judges_score(const std::vector<Vote>& votes, double all_stake, const model::JudgingConfig& rule);

/// The same as a dimension, in points. `of_race`: whether any result of the race has a score; where none has,
/// the dimension is left out for all, else a result without one has 0 points (ruling H3).
model::DimensionScore judges_dimension(const JudgesScore& judged, bool of_race);

}  // namespace hydra::scoring
