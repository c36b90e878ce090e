// race: a bounded number of jobs at once. Lives on the loop's thread; no locks.
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

/// How much of a slot a job takes (ADR 5).
enum class Share { whole, half };
constexpr int halves(Share share) { return share == Share::half ? 1 : 2; }

/// What a check of a result takes, by what the same check of the base showed: half where one thread did the
/// work, or it was over at once. Whole where there is nothing to go by.
inline Share share_of(const std::optional<model::CheckEvidence>& base) {
  constexpr std::int64_t kShortMs = 100;  // its CPU time is that of being started, and it disturbs nobody
  if (!base || base->status == model::CheckStatus::not_started) return Share::whole;
  const bool one_thread = base->cpu_ms > 0 && base->cpu_ms * 5 <= base->wall_ms * 6;
  return one_thread || base->wall_ms <= kShortMs ? Share::half : Share::whole;
}

/// Grants slots to waiting jobs, those of the lowest age first, then lowest priority number first, then in
/// the order of asking. An exclusive job runs alone.
class SlotPool {
 public:
  using Start = std::function<void()>;

  /// `limit` >= 1. `divisible`: a slot has room for two jobs that take half of one.
  explicit SlotPool(int limit, bool divisible = false) : limit_(limit), divisible_(divisible) {}
  [[nodiscard]] int limit() const { return limit_; }
  /// Slots that something of is taken.
  [[nodiscard]] int held() const { return (halves_ + 1) / 2; }

  /// Calls `start` at once or later. Each start must be followed by one release() of the same share. `age`:
  /// when what it belongs to began; a newer race does not hold up an older one.
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
  /// What runs already has its slot, whatever the limit says: it was started by an earlier daemon. Must be
  /// followed by one release().
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
  /// Forgets waiting jobs with this tag; returns how many there were.
  int drop(const std::string& tag) {
    const auto before = waiting_.size();
    waiting_.remove_if([&](const Waiting& w) { return w.tag == tag; });
    return static_cast<int>(before - waiting_.size());
  }
  [[nodiscard]] int running() const { return running_; }
  /// How many have ever had a slot: the same at a job's start and at its end, and running() 1 at its start,
  /// mean that it ran alone.
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
  int running_ = 0, halves_ = 0;  ///< what runs, and what it takes
  std::uint64_t granted_ = 0;
  bool exclusive_ = false;
  std::list<Waiting> waiting_;
};

/// What a step holds of what is shared: slots, sign-ins, places. Given back in one place, the newest first;
/// never by its end, since what it is of may be gone by then.
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
