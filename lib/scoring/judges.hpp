// scoring: the votes of judges and people on one result as one number (docs/selection.md; rulings T1-T3 of
// docs/scoring.md). Every function is pure.
#pragma once

#include "model/config.hpp"
#include "model/judging.hpp"
#include "model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hydra::scoring {

/// The vote of one judge or person; without a score: asked, but no valid answer.
struct Vote {
  std::string judge;
  double stake = 0;             ///< >= 0
  std::optional<double> score;  ///< [0, 1]
};

struct JudgesScore {
  std::optional<double> score;  ///< [0, 1]; absent: see `state`
  model::JudgesState state{};
  std::string text;  ///< `state` as one clause for people
  std::optional<double> median, mad;
  bool undetermined = false;             ///< whether the MAD is 0, so no vote can be an outlier
  std::vector<std::optional<double>> z;  ///< modified z by vote; absent: no score, or undetermined
  std::vector<std::size_t> outliers;     ///< indices of votes
  std::size_t valid = 0;                 ///< number of votes with a score
  double stake = 0, all_stake = 0;       ///< stake of valid votes; of everybody asked
};

/// Checks admission with all valid votes, outliers included; then returns the stake-weighted mean without
/// outliers. `all_stake`: stake of every possible judge of this race; `fewest`: valid votes that a score
/// needs.
JudgesScore judges_score(const std::vector<Vote>& votes, double all_stake, int fewest);

/// Returns the score as a dimension, in points. `of_race`: whether any result of the race has a score; if
/// none has, the dimension is not configured, else a result without a score has 0 points (ruling H3).
model::DimensionScore judges_dimension(const JudgesScore& judged, bool of_race);

}  // namespace hydra::scoring
