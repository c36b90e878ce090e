// git, inside only: what the base's ignore rules have said of paths. Each candidate asks twice about its new
// files, and candidates make files of the same names; every question is a program.
#pragma once

#include "base/result.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace hydra::git {

/// Thread-safe. Who asks while another does waits for that answer, which is often its own.
class IgnoredPaths {
 public:
  using Paths = std::vector<std::string>;
  /// The ignored ones of `paths`; `ask` is called for those that nobody has asked about yet, where there are
  /// any, and says which of them the rules name. Its errors are returned, and nothing is learnt of them.
  Result<Paths> among(const Paths& paths, const std::function<Result<Paths>(const Paths&)>& ask);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, bool> known_;
};

}  // namespace hydra::git
