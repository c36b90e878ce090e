// race: reasons to stop a running agent early: budgets, refusals, silence, a reported end without exit. Pure:
// times are parameters and used in bounded steps, so that a jumping clock stops no agent.
#pragma once

#include "adapters/adapters.hpp"
#include "race/state/state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::race {

/// A budget. 0: no limit.
struct Budget {
  double usd = 0;
  std::uint64_t tokens = 0;
};

/// Usage against a budget. `tokens`: as adapters::counted_tokens.
struct Spent {
  std::int64_t tokens = 0;
  double usd = 0;
  bool estimated = false;  ///< `usd` is partly or wholly from the price table
};

Budget budget_of(const State& state, const AgentState& agent);
Budget race_budget_of(const State& state);
Spent spent(const model::Usage& usage);

/// Returns "$1.03"; four decimals below ten cents; "about $1.03" when estimated.
std::string money(double usd, bool estimated = false);
/// Returns "104,210 tokens".
std::string tokens_text(std::int64_t tokens);
/// Returns "budget of $1.00 reached at $1.03"; nullopt: not reached.
std::optional<std::string> over(const Budget& budget, const Spent& spent);

/// Returns a remedy if the dollar budget can't be applied to this run, since tokens are known but no price;
/// empty: no problem, or not known yet. `at_end`: no more output will come.
std::string unpriced(const State& state, const AgentState& agent, const model::Usage& usage,
                     const std::string& model, const adapters::PriceTable& prices, bool at_end);

/// Returns warnings about budgets that cannot work for an agent, one sentence each.
std::vector<std::string> budget_warnings(const model::RaceSpec& spec);

/// Returns the seconds without progress that stop this agent; 0: no limit ([limits] idle_timeout).
double idle_limit(const model::LimitsConfig& limits, const model::AgentDescriptor& descriptor);

/// Observes one running attempt periodically.
class Watch {
 public:
  /// Inputs of look() beside the stream.
  struct Limits {
    Budget budget;
    Spent before;  ///< usage of earlier attempts, against the same budget
    double idle_seconds = 0;
  };

  /// Returns the first reason to stop that applies; the caller sets its `agent` and `advice`. `now_ms`: of a
  /// monotonic clock.
  std::optional<model::StopRequested> look(const adapters::StreamReader::View& view, std::int64_t now_ms,
                                           const Limits& limits);
  /// Returns the time since the agent reported its end without exiting; ms.
  [[nodiscard]] std::int64_t leaving_ms() const { return leaving_ms_; }
  /// The agent is paused until `now_ms`, and no clock goes on.
  void hold(std::int64_t now_ms) { last_ms_ = now_ms; }
  /// Returns the time without progress, as observed by look(); ms.
  [[nodiscard]] std::int64_t silent_ms() const { return silent_ms_; }

 private:
  /// Time of an agent that has reported its end to exit.
  static constexpr double kExitSeconds = 10;
  /// Longer gaps between two looks do not count as the agent's silence.
  static constexpr std::int64_t kLongestStep = 2000;

  bool seen_ = false;
  std::int64_t last_ms_ = 0, silent_ms_ = 0, leaving_ms_ = 0, asking_ms_ = 0;
  std::int64_t progress_ = 0, tokens_ = 0, turn_ = 0;
  std::optional<Spent> at_end_;  ///< usage when the agent reported its end
};

}  // namespace hydra::race
