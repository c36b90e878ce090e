#include "git/capture/ignored_paths.hpp"

namespace hydra::git {

Result<IgnoredPaths::Paths> IgnoredPaths::among(const Paths& paths,
                                                const std::function<Result<Paths>(const Paths&)>& ask) {
  const std::lock_guard lock(mutex_);
  Paths unknown;
  for (const auto& path : paths)
    if (!known_.contains(path)) unknown.push_back(path);
  if (!unknown.empty()) {
    HYDRA_TRY(const auto ignored, ask(unknown));
    for (const auto& path : unknown) known_.try_emplace(path, false);
    for (const auto& path : ignored) known_[path] = true;
  }
  Paths found;
  for (const auto& path : paths)
    if (known_.at(path)) found.push_back(path);
  return found;
}

}  // namespace hydra::git
