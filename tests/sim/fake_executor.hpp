// sim: an engine that does nothing, on a virtual clock, and does it badly: it loses jobs, reports ends twice
// or late, calls jobs lost that go on, and is not to be reached for a while. Whatever it does comes from a
// seed.
#pragma once

#include "exec/executor.hpp"
#include "sim/virtual_clock.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace hydra::sim {

struct Faults {
  double lost = 0.005;       ///< the job vanishes, and is reported as lost
  double stale = 0.005;      ///< it is called lost, goes on, and its result comes after that
  double duplicate = 0.005;  ///< its end is reported twice
  std::int64_t blackout_every_ms = 3'600'000;  ///< the engine answers nobody for `blackout_ms`; 0: never
  std::int64_t blackout_ms = 60'000;
};

/// Breaks the contract where it says "exactly once", as engines do: exec::make_window() above it is the
/// fence.
class FakeExecutor final : public exec::Executor {
 public:
  FakeExecutor(VirtualClock& clock, std::uint64_t seed, Faults faults);

  [[nodiscard]] exec::ExecutorCaps caps() const override { return {}; }
  Result<void> submit(const exec::JobSpec& spec, OnEnd on_end) override;
  void cancel(const std::string& key) override;
  void release(const std::string& key) override;
  [[nodiscard]] std::vector<std::string> running() const override;

  /// Forgets all listeners, as with a daemon that was killed; the jobs go on.
  void forget_listeners();

  struct Counts {
    std::uint64_t executions = 0, lost = 0, stale = 0, duplicates = 0, adopted = 0;
    std::size_t most_live = 0;     ///< jobs at once
    std::uint64_t two_tokens = 0;  ///< submits while another token of the same run was live: must stay 0
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  /// Jobs whose end nobody was told of yet.
  [[nodiscard]] std::size_t live() const { return live_; }
  /// How many attempts of a run it called lost; by key without its number.
  [[nodiscard]] const std::unordered_map<std::string, int>& losses() const { return losses_; }

 private:
  struct Job {
    std::string token;
    OnEnd on_end;
    exec::JobResult result;
    bool ended = false;  ///< by what the listener was told, or would have been
  };
  void report(const std::string& key, const std::string& token, exec::End end);
  /// After so long, or when the engine is to be reached again.
  void later(std::int64_t milliseconds, VirtualClock::Work work);

  VirtualClock& clock_;
  Random random_;
  Faults faults_;
  std::unordered_map<std::string, Job> jobs_;         ///< by key
  std::unordered_map<std::string, int> live_of_run_;  ///< by key without its number
  std::unordered_map<std::string, int> losses_;
  std::size_t live_ = 0;
  Counts counts_;
};

}  // namespace hydra::sim
