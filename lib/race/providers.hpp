// race: what agents of all races share: so many run at once; and those of one provider share its rate limits,
// so fewer of them, some seconds apart (agent-clis reference, section 6). Lives on the loop's thread; no
// locks, no clock.
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
  /// 0: none.
  struct Limits {
    int provider = 0;             ///< agents of its provider at once
    std::int64_t stagger_ms = 0;  ///< between two starts of them
    int total = 0;                ///< agents at once, of whatever provider
  };

  /// Waits in the order of asking. Without a provider (empty) only `total` counts. Nothing starts before
  /// grant().
  void ask(std::string tag, std::string provider, Limits limits, Start start) {
    if (provider.empty()) limits.provider = 0, limits.stagger_ms = 0;
    waiting_.push_back({std::move(tag), std::move(provider), limits, std::move(start)});
  }
  /// An agent of that provider runs already: it was started by an earlier daemon.
  void hold(const std::string& provider) { ++providers_[provider].running, ++running_; }
  /// One that was granted or held is gone.
  void leave(const std::string& provider) { --providers_[provider].running, --running_; }
  /// Forgets a waiting one.
  bool drop(const std::string& tag) {
    return waiting_.remove_if([&](const Waiting& w) { return w.tag == tag; }) > 0;
  }

  /// Starts what may start at `now_ms` (of a clock that never goes back). Returns the milliseconds after
  /// which it is worth asking again although nobody leaves; nothing: none waits for time alone.
  std::optional<std::int64_t> grant(std::int64_t now_ms) {
    std::optional<std::int64_t> again;
    std::list<Waiting> granted;
    std::map<std::string, bool> blocked;  // the first of a provider that can't start holds back the rest
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      auto& provider = providers_[at->provider];
      auto& is_blocked = blocked[at->provider];
      const auto& limits = at->limits;
      const bool full = (limits.provider > 0 && provider.running >= limits.provider) ||
                        (limits.total > 0 && running_ >= limits.total);
      const auto left = provider.last_start ? *provider.last_start + limits.stagger_ms - now_ms : 0;
      if (is_blocked || full || (limits.stagger_ms > 0 && left > 0)) {
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
    for (const auto& one : granted) one.start();  // they may ask and leave
    return again;
  }

  [[nodiscard]] int running(const std::string& provider) const {
    const auto found = providers_.find(provider);
    return found == providers_.end() ? 0 : found->second.running;
  }
  /// Of all providers, and of none.
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
