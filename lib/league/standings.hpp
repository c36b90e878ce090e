// league: a running competition (rulings T1-T10 of docs/scoring.md): validators with stakes, epochs, decay.
// Every function is pure; see docs/suites.md.
#pragma once

#include "model/config.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::league {

/// An attempt of an entry, as one validator scored it.
struct Tried {
  std::uint32_t entry = 0, validator = 0, competition = 0;  ///< numbers from 0
  std::int64_t epoch = 0;                                   ///< epoch, from 0
  std::int64_t at_ms = 0;
  double score = 0;  ///< [0, 1]: 1 for a success, or the validator's own score
};

struct Competition {
  std::string name;
  double alpha = 1;  ///< share of the emission, [0, 1]
};

struct Standing {
  std::uint32_t entry = 0;
  std::int64_t uid = 0;         ///< entry + 1, since uid 0 burns
  std::optional<double> score;  ///< validated score, [0, 1]; absent: not admitted
  std::int64_t validators = 0, outliers = 0;
  std::int64_t weight = 0;  ///< 0..65535, after cap and burn
};

/// A competition at the end of one epoch.
struct EpochStanding {
  std::int64_t epoch = 0;
  std::uint32_t competition = 0;
  std::vector<Standing> rows;  ///< rows, best score first; rows without a score last
  std::optional<double> top;
  bool improved = false;
  std::int64_t stale = 0;
  double burn_percent = 0;
  std::int64_t burnt = 0;  ///< weight of uid 0
};

struct Standings {
  std::vector<EpochStanding> epochs;  ///< sorted by epoch, then competition
  std::vector<std::int64_t> weights;  ///< by uid, for the last epoch: sum over competitions by alpha
};

/// Returns the standings. A validator's score of an entry is the mean of its scores in the newest epoch with
/// an attempt, carried on until the next. `stakes`: by validator; `epochs` >= 1.
Standings standings(const std::vector<Tried>& tried, std::size_t entries, const std::vector<double>& stakes,
                    const std::vector<Competition>& competitions, std::int64_t epochs,
                    const model::StandingsConfig& rules);

}  // namespace hydra::league
