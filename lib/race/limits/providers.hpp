// race: what agents of all races share: so many run at once; and those of one provider share its rate limits,
// so fewer of them, some seconds apart (agent-clis reference, section 6). Lives on the loop's thread; no
// locks, no clock.
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
  /// 0: none.
  struct Limits {
    int provider = 0;                     ///< agents of its provider at once
    std::int64_t stagger_ms = 0;          ///< between two starts of them
    int total = 0;                        ///< agents at once, of whatever provider
    std::uint64_t tokens_per_minute = 0;  ///< of its provider: none starts while so many were used
  };

  /// Waits in the order of asking. Without a provider (empty) only `total` counts. Nothing starts before
  /// grant().
  void ask(std::string tag, std::string provider, Limits limits, Start start) {
    if (provider.empty()) limits.provider = 0, limits.stagger_ms = 0, limits.tokens_per_minute = 0;
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

  /// So many tokens more were used by then, whoever used them.
  void used(const std::string& provider, std::uint64_t tokens, std::int64_t now_ms) {
    auto& used = providers_[provider].used;
    forget_old(used, now_ms);
    if (!used.empty() && now_ms - used.back().at_ms < kTick)
      used.back().tokens += tokens;
    else
      used.push_back({now_ms, tokens});
  }
  /// Tokens of the minute before `now_ms`.
  [[nodiscard]] std::uint64_t tokens_of_minute(const std::string& provider, std::int64_t now_ms) const {
    const auto found = providers_.find(provider);
    std::uint64_t sum = 0;
    if (found == providers_.end()) return 0;
    for (const auto& each : found->second.used)
      if (each.at_ms + kMinute > now_ms) sum += each.tokens;
    return sum;
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
  static constexpr std::int64_t kMinute = 60'000, kTick = 1000;  ///< milliseconds
  struct Used {
    std::int64_t at_ms = 0;
    std::uint64_t tokens = 0;
  };
  struct Provider {
    int running = 0;
    std::optional<std::int64_t> last_start;
    std::deque<Used> used;  ///< of the last minute, oldest first, one a second at most
  };

  static void forget_old(std::deque<Used>& used, std::int64_t now_ms) {
    while (!used.empty() && used.front().at_ms + kMinute <= now_ms) used.pop_front();
  }
  /// Milliseconds until the minute before holds fewer tokens than `limit`.
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
