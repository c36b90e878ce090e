// cli: the history as metrics in Prometheus' text format 0.0.4 (docs/leaderboard.md, "Exports"). Pure.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace hydra::cli {

/// Sums over pages of `GET /v1/history`. Figures of what is remembered, so that they may fall: gauges.
class MetricsText {
 public:
  /// What is missing or of another kind in a page counts nothing.
  void add(std::string_view page);
  [[nodiscard]] std::string text() const;

 private:
  struct Agent {
    double wins = 0, tokens = 0, cost_usd = 0, seconds = 0, timed = 0;
  };
  std::map<std::string, double> races_;                             ///< by state
  std::map<std::pair<std::string, std::string>, double> attempts_;  ///< by agent and outcome
  std::map<std::string, Agent> agents_;
};

}  // namespace hydra::cli
