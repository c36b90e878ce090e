// race: a bounded number of jobs at once. Loop thread only; no locks.
#pragma once

#include "model/check.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

/// The part of a slot that a job takes (docs/adr/0005-one-check-after-the-other.md).
enum class Share { whole, half };
constexpr int halves(Share share) { return share == Share::half ? 1 : 2; }

/// Returns the share of a result's check from the base's check: half if one thread did the work or the check
/// was short, whole otherwise or without evidence.
inline Share share_of(const std::optional<model::CheckEvidence>& base) {
  constexpr std::int64_t kShortMs = 100;  // a shorter check only spends CPU time on its start
  if (!base || base->status == model::CheckStatus::not_started) return Share::whole;
  const bool one_thread = base->cpu_ms > 0 && base->cpu_ms * 5 <= base->wall_ms * 6;
  return one_thread || base->wall_ms <= kShortMs ? Share::half : Share::whole;
}

/// Grants slots to waiting jobs, by age, then by priority number, then in the order of calls. An exclusive
/// job runs alone.
class SlotPool {
 public:
  using Start = std::function<void()>;

  /// `limit` >= 1. `divisible`: a slot has room for two half-slot jobs.
  explicit SlotPool(int limit, bool divisible = false) : limit_(limit), divisible_(divisible) {}
  [[nodiscard]] int limit() const { return limit_; }
  /// Returns the number of slots in use, wholly or partly.
  [[nodiscard]] int held() const { return (halves_ + 1) / 2; }

  /// Calls `start` now or later; each start must be followed by one release() with the same share. `age`:
  /// start time of the job's race, so that a newer race does not delay an older one.
  void acquire(std::string tag, int priority, bool exclusive, Start start, std::int64_t age = 0,
               Share share = Share::whole) {
    const auto before = [&](const Waiting& w) { return w.age != age ? w.age < age : w.priority <= priority; };
    auto at = waiting_.begin();
    while (at != waiting_.end() && before(*at)) ++at;
    waiting_.insert(at, {std::move(tag), priority, exclusive, std::move(start), age, taken_by(share)});
    grant();
  }
  [[nodiscard]] bool waits(const std::string& tag) const {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](const Waiting& w) { return w.tag == tag; });
  }
  /// Counts a job that an earlier daemon started, regardless of the limit. Must be followed by one release().
  void hold() {
    ++running_;
    ++granted_;
    halves_ += 2;
  }
  void release(Share share = Share::whole) {
    --running_;
    halves_ -= taken_by(share);
    exclusive_ = false;
    grant();
  }
  /// Removes waiting jobs with this tag; returns their number.
  int drop(const std::string& tag) {
    const auto before = waiting_.size();
    waiting_.remove_if([&](const Waiting& w) { return w.tag == tag; });
    return static_cast<int>(before - waiting_.size());
  }
  [[nodiscard]] int running() const { return running_; }
  /// Returns how many jobs ever got a slot. If this number is equal at a job's start and end, and running()
  /// was 1 at its start, the job ran alone.
  [[nodiscard]] std::uint64_t granted() const { return granted_; }

 private:
  struct Waiting {
    std::string tag;
    int priority;
    bool exclusive;
    Start start;
    std::int64_t age = 0;
    int halves = 2;
  };

  [[nodiscard]] int taken_by(Share share) const { return divisible_ ? halves(share) : 2; }

  void grant() {
    while (!waiting_.empty() && !exclusive_ && halves_ + waiting_.front().halves <= 2 * limit_) {
      if (waiting_.front().exclusive && running_ > 0) return;
      auto next = std::move(waiting_.front());
      waiting_.pop_front();
      ++running_;
      ++granted_;
      halves_ += next.halves;
      exclusive_ = next.exclusive;
      next.start();
    }
  }

  int limit_;
  bool divisible_;
  int running_ = 0, halves_ = 0;  ///< running jobs, and the half slots that they take
  std::uint64_t granted_ = 0;
  bool exclusive_ = false;
  std::list<Waiting> waiting_;
};

/// Shared resources held by a step: slots, sign-ins, places. give_back() returns them, newest first; the
/// destructor does not, since their owner may be gone by then.
class Holding {
 public:
  void add(std::function<void()> give_back) { held_.push_back(std::move(give_back)); }
  void give_back() {
    for (; !held_.empty();) {
      const auto last = std::move(held_.back());
      held_.pop_back();
      last();
    }
  }

 private:
  std::vector<std::function<void()>> held_;
};

}  // namespace hydra::race
