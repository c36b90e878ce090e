// race: agents of one provider share its rate limits: so many run at once, in all races together, and they
// start some seconds apart (agent-clis reference, section 6). Lives on the loop's thread; no locks, no clock.
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

  /// Waits in the order of asking. `limit` 0: none. Nothing starts before grant().
  void ask(std::string tag, std::string provider, int limit, std::int64_t stagger_ms, Start start) {
    waiting_.push_back({std::move(tag), std::move(provider), limit, stagger_ms, std::move(start)});
  }
  /// An agent of that provider runs already: it was started by an earlier daemon.
  void hold(const std::string& provider) { ++providers_[provider].running; }
  /// One that was granted or held is gone.
  void leave(const std::string& provider) { --providers_[provider].running; }
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
      const bool full = at->limit > 0 && provider.running >= at->limit;
      const auto left = provider.last_start ? *provider.last_start + at->stagger_ms - now_ms : 0;
      if (is_blocked || full || left > 0) {
        if (!is_blocked && !full) again = again ? std::min(*again, left) : left;
        is_blocked = true;
        ++at;
        continue;
      }
      ++provider.running;
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

 private:
  struct Waiting {
    std::string tag, provider;
    int limit;
    std::int64_t stagger_ms;
    Start start;
  };
  struct Provider {
    int running = 0;
    std::optional<std::int64_t> last_start;
  };
  std::list<Waiting> waiting_;
  std::map<std::string, Provider> providers_;
};

}  // namespace hydra::race
