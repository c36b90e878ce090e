// race: limits on agents of all races: a total, and per provider a number and a delay between starts, since
// rate limits are shared (docs/adapters.md, "Agents of one provider"). Loop thread only; no locks, no clock.
#pragma once

#include <algorithm>
#include <cstdint>
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
    int provider = 0;             ///< agents of the same provider at once
    std::int64_t stagger_ms = 0;  ///< between two starts of the same provider's agents
    int total = 0;                ///< agents at once, of all providers
  };

  /// Queues a start, in the order of calls. Without a provider (empty) only `total` applies. Nothing starts
  /// before grant().
  void ask(std::string tag, std::string provider, Limits limits, Start start) {
    if (provider.empty()) limits.provider = 0, limits.stagger_ms = 0;
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
      const auto left = provider.last_start && limits.stagger_ms > 0
                            ? *provider.last_start + limits.stagger_ms - now_ms
                            : 0;
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
  struct Provider {
    int running = 0;
    std::optional<std::int64_t> last_start;
  };

  std::list<Waiting> waiting_;
  std::map<std::string, Provider> providers_;
  int running_ = 0;
};

}  // namespace hydra::race
