#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/environment.hpp"
#include "git/layout.hpp"
#include "git/letter_case.hpp"
#include "git/modules.hpp"
#include "git/repository.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace hydra::git {
namespace {

// Below this, starting checkout workers costs more than they save.
constexpr std::uint64_t kParallelFiles = 2000;

/// Fills a work tree at `commit`: one git.
Result<void> populate(Command git, const model::RepositoryFacts& facts, const std::string& commit) {
  if (facts.file_count > kParallelFiles) git.config("checkout.workers", "2");
  HYDRA_TRY(auto done, git.run({"reset", "-q", "--hard", "--no-recurse-submodules", commit}));
  if (!done.ok()) return git_error("filling the workspace", done);
  return {};
}

/// Metadata of linked worktrees races in git itself: one lock for the repository, across processes.
Result<UniqueFd> lock_repository(const model::RepositoryFacts& facts) {
  const fs::path path = fs::path(facts.common_dir) / "hydra.lock";
  for (;;) {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd) return system_error("cannot open " + path.string(), errno);
    while (::flock(fd.get(), LOCK_EX) != 0)
      if (errno != EINTR) return system_error("cannot lock " + path.string(), errno);
    // A clean may have removed the file while we waited: then the lock is nobody's.
    struct stat held {
    }, named{};
    if (::fstat(fd.get(), &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino)
      return fd;
  }
}

}  // namespace

Result<void> Store::make_workspace(const fs::path& directory, const std::string& name) const {
  HYDRA_CHECK(move_away(directory));
  HYDRA_CHECK(make_dirs(directory.parent_path()));
  if (isolation_ == model::WorkspaceIsolation::linked) {
    HYDRA_CHECK(make_linked(directory));
  } else {
    RepositoryFiles files;
    files.head = "ref: refs/heads/main";
    files.main_branch = true;
    files.objects = {agent_objects().front()};
    if (auto tags = read_file(directory_ / "packed-refs"); tags.ok()) files.packed_refs = std::move(*tags);
    HYDRA_CHECK(write_repository(directory / ".git", files, repository_));
    Command git(path_variable_, home_);
    git.git_dir(directory / ".git").work_tree(directory).cwd(directory);
    HYDRA_CHECK(populate(git, repository_, repository_.base));
    HYDRA_CHECK(fill_submodules(git, repository_, repository_.base, directory));
  }
  fs::path index = directory / ".git" / "index";
  if (isolation_ == model::WorkspaceIsolation::linked) {
    HYDRA_TRY(auto link, read_file(directory / ".git", 1 << 16));
    if (!link.starts_with("gitdir: "))
      return Error{Errc::git, "the linked worktree has no gitdir", directory, {}};
    index = fs::path(std::string(trim(std::string_view(link).substr(8)))) / "index";
  }
  return copy_index(index, directory_ / ("seed." + name));
}

Result<void> Store::make_linked(const fs::path& directory) const {
  const Command git = Command::in_repository(repository_, path_variable_, home_);
  {
    HYDRA_TRY(const UniqueFd lock, lock_repository(repository_));
    HYDRA_TRY(auto made, git.run({"worktree", "add", "--no-checkout", "--detach", "-f", directory.string(),
                                  repository_.base}));
    if (!made.ok()) return git_error("git worktree add", made);
  }
  Command inside(path_variable_, home_);
  HYDRA_TRY(auto link, read_file(directory / ".git", 1 << 16));
  if (!link.starts_with("gitdir: "))
    return Error{Errc::git, "the linked worktree has no gitdir", directory, {}};
  inside.git_dir(fs::path(std::string(trim(std::string_view(link).substr(8)))))
      .work_tree(directory)
      .cwd(directory);
  for (const auto& [key, value] : repository_.conversion)
    if (key != kIgnoreCase) inside.config(key, value);
  inside.config(kIgnoreCase, "false");
  HYDRA_CHECK(populate(inside, repository_, repository_.base));
  return fill_submodules(inside, repository_, repository_.base, directory);
}

Result<void> Store::checkout(const fs::path& directory, const std::string& commit,
                             const std::vector<fs::path>& objects_inside) const {
  struct stat st {};
  if (::lstat((directory / ".git").c_str(), &st) == 0)
    return Error{Errc::conflict, "there is a checkout already", directory.string(), {}};
  RepositoryFiles files;
  files.head = commit;
  files.objects = objects_dirs();
  if (auto tags = read_file(directory_ / "packed-refs"); tags.ok()) files.packed_refs = std::move(*tags);
  // The tree's own attribute files may be an agent's: the base's decide here as they did in the capture.
  HYDRA_TRY(files.attributes, read_file(directory_ / "info/attributes"));
  HYDRA_CHECK(make_dirs(directory));
  HYDRA_CHECK(write_repository(directory / ".git", files, repository_));
  Command git(path_variable_, home_);
  git.git_dir(directory / ".git").work_tree(directory).cwd(directory);
  HYDRA_CHECK(populate(git, repository_, commit));
  HYDRA_CHECK(fill_submodules(git, repository_, commit, directory));
  if (objects_inside.empty()) return {};
  std::string alternates;
  for (const auto& path : objects_inside) alternates += alternates_line(path);
  return write_file(directory / ".git/objects/info/alternates", alternates);
}

}  // namespace hydra::git
