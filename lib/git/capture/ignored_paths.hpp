// git, inside only: cache of the answers of the base's ignore rules. Each agent asks twice about its new
// files, agents create files of equal names, and every question starts a program.
#pragma once

#include "base/result.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace hydra::git {

/// Thread-safe. A second caller waits for the first one's answer, which often covers both.
class IgnoredPaths {
 public:
  using Paths = std::vector<std::string>;
  /// Returns the ignored ones of `paths`. `ask` is called with the paths not asked about yet, if any, and
  /// returns those that the rules name. An Error of `ask` is returned and not cached.
  Result<Paths> among(const Paths& paths, const std::function<Result<Paths>(const Paths&)>& ask);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, bool> known_;
};

}  // namespace hydra::git
