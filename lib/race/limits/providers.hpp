// race: limits on agents of all races: a total, and per provider a number and a delay between starts, since
// rate limits are shared (docs/adapters.md, "Agents of one provider"). Loop thread only; no locks, no clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>

namespace hydra::race {

class ProviderQueue {
 public:
  using Start = std::function<void()>;
  /// 0: no limit.
  struct Limits {
    int provider = 0;                     ///< agents of the same provider at once
    std::int64_t stagger_ms = 0;          ///< between two starts of the same provider's agents
    int total = 0;                        ///< agents at once, of all providers
    std::uint64_t tokens_per_minute = 0;  ///< of the provider; no start while the last minute used so many
  };

  /// Queues a start, in the order of calls. Without a provider (empty) only `total` applies. Nothing starts
  /// before grant().
  void ask(std::string tag, std::string provider, Limits limits, Start start) {
    if (provider.empty()) limits.provider = 0, limits.stagger_ms = 0, limits.tokens_per_minute = 0;
    waiting_.push_back({std::move(tag), std::move(provider), limits, std::move(start)});
  }
  /// Counts an agent that an earlier daemon started and that still runs.
  void hold(const std::string& provider) { ++providers_[provider].running, ++running_; }
  /// Releases the place of a granted or held agent.
  void leave(const std::string& provider) { --providers_[provider].running, --running_; }
  /// Removes a waiting agent from the queue.
  bool drop(const std::string& tag) {
    return waiting_.remove_if([&](const Waiting& w) { return w.tag == tag; }) > 0;
  }

  /// Adds tokens used up to `now_ms`, by any agent or judge of the provider.
  void used(const std::string& provider, std::uint64_t tokens, std::int64_t now_ms) {
    auto& used = providers_[provider].used;
    forget_old(used, now_ms);
    if (!used.empty() && now_ms - used.back().at_ms < kTick)
      used.back().tokens += tokens;
    else
      used.push_back({now_ms, tokens});
  }
  /// Returns the tokens used in the minute before `now_ms`.
  [[nodiscard]] std::uint64_t tokens_of_minute(const std::string& provider, std::int64_t now_ms) const {
    const auto found = providers_.find(provider);
    std::uint64_t sum = 0;
    if (found == providers_.end()) return 0;
    for (const auto& each : found->second.used)
      if (each.at_ms + kMinute > now_ms) sum += each.tokens;
    return sum;
  }

  /// Starts agents that may start at `now_ms` (of a monotonic clock). Returns after how many milliseconds to
  /// call again even if no agent leaves; nullopt: no agent waits for time alone.
  std::optional<std::int64_t> grant(std::int64_t now_ms) {
    std::optional<std::int64_t> again;
    std::list<Waiting> granted;
    std::map<std::string, bool> blocked;  // a provider's first agent that can't start blocks its later ones
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      auto& provider = providers_[at->provider];
      auto& is_blocked = blocked[at->provider];
      const auto& limits = at->limits;
      const bool full = (limits.provider > 0 && provider.running >= limits.provider) ||
                        (limits.total > 0 && running_ >= limits.total);
      auto left = rate_left(provider.used, limits.tokens_per_minute, now_ms);
      if (provider.last_start && limits.stagger_ms > 0)
        left = std::max(left, *provider.last_start + limits.stagger_ms - now_ms);
      if (is_blocked || full || left > 0) {
        if (!is_blocked && !full) again = again ? std::min(*again, left) : left;
        is_blocked = true;
        ++at;
        continue;
      }
      ++provider.running;
      ++running_;
      provider.last_start = now_ms;
      const auto next = std::next(at);
      granted.splice(granted.end(), waiting_, at);
      at = next;
    }
    for (const auto& one : granted) one.start();  // callbacks may call ask() and leave()
    return again;
  }

  [[nodiscard]] int running(const std::string& provider) const {
    const auto found = providers_.find(provider);
    return found == providers_.end() ? 0 : found->second.running;
  }
  /// Agents of all providers, and without one.
  [[nodiscard]] int running() const { return running_; }

 private:
  struct Waiting {
    std::string tag, provider;
    Limits limits;
    Start start;
  };
  static constexpr std::int64_t kMinute = 60'000, kTick = 1000;  ///< milliseconds
  struct Used {
    std::int64_t at_ms = 0;
    std::uint64_t tokens = 0;
  };
  struct Provider {
    int running = 0;
    std::optional<std::int64_t> last_start;
    std::deque<Used> used;  ///< usage of the last minute, oldest first, at most one entry a second
  };

  static void forget_old(std::deque<Used>& used, std::int64_t now_ms) {
    while (!used.empty() && used.front().at_ms + kMinute <= now_ms) used.pop_front();
  }
  /// Returns the milliseconds until the previous minute holds fewer tokens than `limit`.
  static std::int64_t rate_left(std::deque<Used>& used, std::uint64_t limit, std::int64_t now_ms) {
    if (limit == 0) return 0;
    forget_old(used, now_ms);
    std::uint64_t newer = 0;
    for (auto at = used.rbegin(); at != used.rend(); ++at)
      if ((newer += at->tokens) >= limit) return at->at_ms + kMinute - now_ms;
    return 0;
  }

  std::list<Waiting> waiting_;
  std::map<std::string, Provider> providers_;
  int running_ = 0;
};

}  // namespace hydra::race
