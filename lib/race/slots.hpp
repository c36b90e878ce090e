// race: a bounded number of jobs at once. Lives on the loop's thread; no locks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <string>

namespace hydra::race {

/// Grants slots to waiting jobs, those of the lowest age first, then lowest priority number first, then in
/// the order of asking. An exclusive job runs alone.
class SlotPool {
 public:
  using Start = std::function<void()>;

  /// `limit` >= 1.
  explicit SlotPool(int limit) : limit_(limit) {}
  [[nodiscard]] int limit() const { return limit_; }

  /// Calls `start` at once or later. Each start must be followed by one release(). `age`: when what it
  /// belongs to began; a newer race does not hold up an older one.
  void acquire(std::string tag, int priority, bool exclusive, Start start, std::int64_t age = 0) {
    const auto before = [&](const Waiting& w) { return w.age != age ? w.age < age : w.priority <= priority; };
    auto at = waiting_.begin();
    while (at != waiting_.end() && before(*at)) ++at;
    waiting_.insert(at, {std::move(tag), priority, exclusive, std::move(start), age});
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
  }
  void release() {
    --running_;
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
  };

  void grant() {
    while (!waiting_.empty() && !exclusive_ && running_ < limit_) {
      if (waiting_.front().exclusive && running_ > 0) return;
      auto next = std::move(waiting_.front());
      waiting_.pop_front();
      ++running_;
      ++granted_;
      exclusive_ = next.exclusive;
      next.start();
    }
  }

  int limit_;
  int running_ = 0;
  std::uint64_t granted_ = 0;
  bool exclusive_ = false;
  std::list<Waiting> waiting_;
};

}  // namespace hydra::race
