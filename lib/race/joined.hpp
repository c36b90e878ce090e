// race: one run of a job for all who asked before it began.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

/// Who asks while a run is under way gets the answer of the next one, for what has changed since that began.
/// On the loop only.
template <class Answer>
class Joined {
 public:
  using Then = std::function<void(const Answer&)>;
  /// Begins the job; it answers once, and not before this has returned.
  using Begin = std::function<void(Then)>;

  /// `key`: of what is one job.
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
      run(key);  // the next ones need not wait for what is done with this answer
      for (const auto& then : asked) then(answer);
    });
  }

  std::map<std::string, std::vector<Then>> waiting_;
  std::map<std::string, Begin> under_way_;
};

}  // namespace hydra::race
