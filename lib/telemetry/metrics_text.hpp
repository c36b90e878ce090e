// telemetry: the history as metrics in Prometheus' text format 0.0.4 (docs/telemetry.md). Pure.
#pragma once

#include "model/history.hpp"

#include <map>
#include <string>
#include <utility>

namespace hydra::telemetry {

/// Sums over the history. They are of what is remembered, so that they may fall: gauges. Of texts there are
/// names of agents, states and outcomes only.
class MetricsText {
 public:
  void add(const model::HistoryRace& race);
  /// `version`: of Hydra; `running`: races that have not ended.
  [[nodiscard]] std::string text(const std::string& version, int running) const;

 private:
  struct Agent {
    double wins = 0, tokens = 0, cost_usd = 0, seconds = 0, timed = 0;
  };
  std::map<std::string, double> races_;                             ///< by state
  std::map<std::pair<std::string, std::string>, double> attempts_;  ///< by agent and outcome
  std::map<std::string, Agent> agents_;
};

}  // namespace hydra::telemetry
