// git, inside only: what the base's ignore rules have said of paths. Each candidate asks twice about its new
// files, and candidates make files of the same names; every question is a program.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace hydra::git {

/// Thread-safe.
class IgnoredPaths {
 public:
  /// Those that nobody has asked about yet.
  [[nodiscard]] std::vector<std::string> unknown(const std::vector<std::string>& paths) const;
  /// `ignored` are those of `asked` that the rules name.
  void learn(const std::vector<std::string>& asked, const std::vector<std::string>& ignored);
  /// The ignored ones of paths that are all known.
  [[nodiscard]] std::vector<std::string> among(const std::vector<std::string>& paths) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, bool> known_;
};

}  // namespace hydra::git
