// race: what ends a running agent before its time: budgets, refusals, silence, an end that is no exit. Pure:
// times are given, and only ever as steps, so that a clock that jumps ends nobody.
#pragma once

#include "adapters/adapters.hpp"
#include "race/state/state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::race {

/// What may be used up. 0: no limit.
struct Budget {
  double usd = 0;
  std::uint64_t tokens = 0;
};

/// What was used up. `tokens` as a budget counts them (adapters::counted_tokens).
struct Spent {
  std::int64_t tokens = 0;
  double usd = 0;
  bool estimated = false;  ///< `usd`, or a part of it, comes from the price table
};

Budget budget_of(const State& state, const AgentState& agent);
Budget race_budget_of(const State& state);
Spent spent(const model::Usage& usage);

/// "$1.03"; four places below ten cents. "about $1.03" when estimated.
std::string money(double usd, bool estimated = false);
/// "104,210 tokens".
std::string tokens_text(std::int64_t tokens);
/// "budget of $1.00 reached at $1.03"; nothing while it is not reached.
std::optional<std::string> over(const Budget& budget, const Spent& spent);

/// The dollar budget can't be applied to this run: tokens are known and no price for them is. Says what
/// helps; empty where all is well or nothing is known yet. `at_end`: no more output will come.
std::string unpriced(const State& state, const AgentState& agent, const model::Usage& usage,
                     const std::string& model, const adapters::PriceTable& prices, bool at_end);

/// Budgets that are known from the start to mean nothing for an agent. One sentence each.
std::vector<std::string> budget_warnings(const model::RaceSpec& spec);

/// Seconds without progress that end this agent; 0: none ([limits] idle_timeout).
double idle_limit(const model::LimitsConfig& limits, const model::AgentDescriptor& descriptor);

/// Looks at one running attempt again and again.
class Watch {
 public:
  /// Everything that look() asks beside the stream.
  struct Limits {
    Budget budget;
    Spent before;  ///< of earlier attempts, against the same budget
    double idle_seconds = 0;
    double exit_grace_seconds = 10;
  };

  /// `now_ms`: of a clock that never goes back. The first reason that applies; `agent` and `advice` of it are
  /// the caller's.
  std::optional<model::StopRequested> look(const adapters::StreamReader::View& view, std::int64_t now_ms,
                                           const Limits& limits);
  /// How long it has been done without leaving.
  [[nodiscard]] std::int64_t leaving_ms() const { return leaving_ms_; }
  /// For so long nothing has moved, by what look() saw; ms.
  [[nodiscard]] std::int64_t silent_ms() const { return silent_ms_; }

 private:
  /// Longer gaps between two looks say that nobody looked, not that the agent was silent.
  static constexpr std::int64_t kLongestStep = 2000;

  bool seen_ = false;
  std::int64_t last_ms_ = 0, silent_ms_ = 0, leaving_ms_ = 0, asking_ms_ = 0;
  std::int64_t progress_ = 0, tokens_ = 0, turn_ = 0;
  std::optional<Spent> at_end_;  ///< what it had used when it reported its end
};

}  // namespace hydra::race
