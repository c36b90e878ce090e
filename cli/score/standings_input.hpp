// cli: the inputs of a running competition, from the history's JSON. Pure.
#pragma once

#include "base/result.hpp"
#include "league/standings.hpp"
#include "model/config.hpp"
#include "model/history.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// The source of a validator's score of an entry.
enum class Validators {
  races,   ///< success rate of the entry's attempts in the validator's races
  judges,  ///< scores by judges and people; each of them is a validator
};

class StandingsInput {
 public:
  /// Returns `usage` for competitions or stakes other than NAME=NUMBER, and for alphas outside [0, 1].
  static Result<StandingsInput> make(const model::StandingsConfig& config,
                                     Validators kind = Validators::races);

  /// Adds a page of `GET /v1/history`; `next`: cursor of the next page.
  Result<void> add(std::string_view page, std::optional<std::int64_t>& next);
  /// Returns the standings up to the epoch of `now_ms` as JSON (docs/suites.md), limited to the last
  /// `shown` epochs.
  [[nodiscard]] std::string json(std::int64_t now_ms, std::int64_t shown) const;

 private:
  struct Names {
    std::vector<std::string> names;
    std::uint32_t of(const std::string& name);
  };
  void add_votes(const std::vector<model::HistoryVote>& votes, league::Tried tried);
  std::optional<std::uint32_t> competition_of(const std::string& kind, const std::string& suite) const;

  model::StandingsConfig config_;
  Validators kind_ = Validators::races;
  std::vector<league::Competition> competitions_;
  std::map<std::string, double> stakes_, given_stakes_;  ///< configured; reported by races, for judges
  Names entries_, validators_;
  std::vector<league::Tried> tried_;  ///< attempts whose epochs count from 1970
};

/// Formats the JSON for people.
std::string standings_text(std::string_view json);

}  // namespace hydra::cli
