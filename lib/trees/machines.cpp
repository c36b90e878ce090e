#include "trees/machines.hpp"

#include "exec/tool.hpp"
#include "trees/rungs.hpp"

#include <sys/stat.h>

namespace hydra::trees {

Machines::Machines(std::filesystem::path directory, std::filesystem::path shim)
    : directory_(std::move(directory)), shim_(std::move(shim)) {}

Machines::Key Machines::key(const std::string& path_variable) {
  const auto bwrap = exec::find_program("bwrap", path_variable);
  struct stat facts {};
  if (bwrap.empty() || ::stat(bwrap.c_str(), &facts) != 0) return {};
  return {bwrap.string(), facts.st_dev, facts.st_ino,
          facts.st_ctim.tv_sec * 1'000'000'000 + facts.st_ctim.tv_nsec};
}

Machines::Look Machines::look(const Key& key, const std::string& path_variable) {
  std::packaged_task<exec::MachineFacts()> task(
      [&] { return probe_machine(path_variable, directory_, shim_); });
  const auto mine = task.get_future().share();
  {
    const std::lock_guard lock(mutex_);
    if (const auto [at, ours] = looks_.try_emplace(key, mine); !ours) return at->second;
  }
  task();
  return mine;
}

exec::MachineFacts Machines::of(const std::string& path_variable) {
  return look(key(path_variable), path_variable).get();
}

void Machines::look_ahead(const std::string& path_variable) {
  const auto at = key(path_variable);
  const auto facts = look(at, path_variable).get();
  if (facts.bwrap_works && facts.tree_problem.empty()) return;
  const std::lock_guard lock(mutex_);
  looks_.erase(at);
}

}  // namespace hydra::trees
