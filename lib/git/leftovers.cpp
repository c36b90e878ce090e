// What of Hydra's may be left in a user's repository, and taking it away.
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/landing.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace hydra::git {
namespace {

/// The race in "refs/hydra/base/RACE" or "refs/hydra/RACE/…".
std::string race_of(std::string_view ref) {
  auto parts = split(ref, '/');
  if (parts.size() < 4) return {};
  return std::string(parts[2] == "base" ? parts[3] : parts[2]);
}

/// The race in STATE/races/RACE/….
std::string race_below(const fs::path& state, const fs::path& path) {
  const auto relative = path.lexically_relative(state / "races");
  return relative.empty() || *relative.begin() == ".." ? std::string{} : relative.begin()->string();
}

Result<void> remove_worktree(const fs::path& metadata) {
  const auto link = read_file(metadata / "gitdir", 1 << 16);
  if (link.ok() && ::access(std::string(trim(*link)).c_str(), F_OK) == 0)
    return refused("the linked work tree is still there: " + std::string(trim(*link)),
                   "remove its directory first");
  return remove_tree(metadata);
}

Result<void> remove_lock(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!fd && errno == ENOENT) return {};
  if (!fd) return system_error("cannot open " + path.string(), errno);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
    return refused("a race is using " + path.string(), "try again when it is done");
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return system_error("cannot remove " + path.string(), errno);
  return {};
}

}  // namespace

Result<std::vector<Leftover>> leftovers(const model::RepositoryFacts& repository, const fs::path& state,
                                        const std::string& path_variable, const std::string& home) {
  std::vector<Leftover> found;
  const Command git = Command::in_repository(repository, path_variable, home);
  HYDRA_TRY(const auto refs, git.output({"for-each-ref", "--format=%(refname)", "refs/hydra"}));
  for (const auto ref : lines(refs))
    if (!ref.empty()) found.push_back({"ref", std::string(ref), race_of(ref)});
  const fs::path common = repository.common_dir;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(common / "worktrees", error)) {
    const auto link = read_file(entry.path() / "gitdir", 1 << 16);
    if (!link.ok()) continue;
    const auto race = race_below(state, std::string(trim(*link)));
    if (!race.empty()) found.push_back({"worktree", entry.path().filename().string(), race});
  }
  if (::access((common / "hydra.lock").c_str(), F_OK) == 0)
    found.push_back({"lock", (common / "hydra.lock").string(), {}});
  for (const auto& entry : fs::directory_iterator(repository.git_dir, error)) {
    const auto name = entry.path().filename().string();
    const bool merging = name.starts_with("hydra-") && name.ends_with(".lock");
    if (merging || name == "hydra-index.tmp") found.push_back({"file", entry.path().string(), {}});
  }
  return found;
}

Result<void> remove_leftovers(const model::RepositoryFacts& repository, const std::vector<Leftover>& which,
                              const std::string& path_variable, const std::string& home) {
  const Command git = Command::in_repository(repository, path_variable, home);
  std::string orders;
  for (const auto& [kind, name, race] : which) {
    if (kind == "ref" && name.starts_with("refs/hydra/")) orders += "delete " + name + "\n";
    if (kind == "worktree" && name.find('/') == std::string::npos && name != "..")
      HYDRA_CHECK(remove_worktree(fs::path(repository.common_dir) / "worktrees" / name));
    if (kind == "lock") HYDRA_CHECK(remove_lock(fs::path(repository.common_dir) / "hydra.lock"));
    const fs::path file = name;
    const bool ours =
        file.filename().string().starts_with("hydra-") && file.parent_path() == repository.git_dir;
    if (kind == "file" && ours && ::unlink(file.c_str()) != 0 && errno != ENOENT)
      return system_error("cannot remove " + file.string(), errno);
  }
  if (!orders.empty()) HYDRA_CHECK(git.output({"update-ref", "--stdin"}, orders));
  ::rmdir((fs::path(repository.common_dir) / "worktrees").c_str());  // as git does when the last one goes
  return {};
}

}  // namespace hydra::git
