#include "git/ignored_paths.hpp"

namespace hydra::git {

std::vector<std::string> IgnoredPaths::unknown(const std::vector<std::string>& paths) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> rest;
  for (const auto& path : paths)
    if (!known_.contains(path)) rest.push_back(path);
  return rest;
}

void IgnoredPaths::learn(const std::vector<std::string>& asked, const std::vector<std::string>& ignored) {
  const std::lock_guard lock(mutex_);
  for (const auto& path : asked) known_.try_emplace(path, false);
  for (const auto& path : ignored) known_[path] = true;
}

std::vector<std::string> IgnoredPaths::among(const std::vector<std::string>& paths) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> found;
  for (const auto& path : paths)
    if (const auto at = known_.find(path); at != known_.end() && at->second) found.push_back(path);
  return found;
}

}  // namespace hydra::git
