// race: runs a job once for all callers that asked before it began.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

/// A caller that asks during a run gets the answer of the next run, since the state may have changed since.
/// Loop thread only.
template <class Answer>
class Joined {
 public:
  using Then = std::function<void(const Answer&)>;
  /// Begins the job, which must answer once, and not before this function has returned.
  using Begin = std::function<void(Then)>;

  /// `key` identifies the job.
  void ask(const std::string& key, Begin begin, Then then) {
    auto& waiting = waiting_[key];
    waiting.push_back(std::move(then));
    if (under_way_.try_emplace(key, std::move(begin)).second) run(key);
  }

 private:
  void run(const std::string& key) {
    const auto found = waiting_.find(key);
    if (found == waiting_.end()) {
      under_way_.erase(key);
      return;
    }
    auto asked = std::move(found->second);
    waiting_.erase(found);
    under_way_.at(key)([this, key, asked = std::move(asked)](const Answer& answer) {
      run(key);  // before the callbacks, so that the next run does not wait for them
      for (const auto& then : asked) then(answer);
    });
  }

  std::map<std::string, std::vector<Then>> waiting_;
  std::map<std::string, Begin> under_way_;
};

}  // namespace hydra::race
