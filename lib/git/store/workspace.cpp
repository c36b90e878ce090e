#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/environment.hpp"
#include "git/repository.hpp"
#include "git/store/layout.hpp"
#include "git/store/modules.hpp"
#include "git/store/plain_checkout.hpp"
#include "git/store/rules.hpp"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <time.h>

namespace hydra::git {
namespace {

// With fewer files, starting checkout workers costs more than they save.
constexpr std::uint64_t kParallelFiles = 2000;

/// Fills a work tree at `commit` with one git.
Result<void> populate(Command git, const model::RepositoryFacts& facts, const std::string& commit) {
  if (facts.file_count > kParallelFiles) git.config("checkout.workers", "2");
  HYDRA_CHECK(
      git.step("filling the workspace", {"reset", "-q", "--hard", "--no-recurse-submodules", commit}));
  return {};
}

/// Every git compares files of an index's own second by content. A shared base does not change, so after that
/// second its index may carry the next one; files of agents are younger.
Result<void> vouch_for_second(const fs::path& index) {
  struct stat written {};
  if (::stat(index.c_str(), &written) != 0) return system_error("cannot look at " + index.string(), errno);
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  if (now.tv_sec < written.st_mtim.tv_sec + 2) return {};
  const timespec time{written.st_mtim.tv_sec + 1, 0};
  const timespec times[2] = {time, time};
  ::utimensat(AT_FDCWD, index.c_str(), times, 0);  // failure: slower only
  return {};
}

/// Waits a few milliseconds, until later writes get another time than earlier ones; list_in_process() relies
/// on that.
void wait_for_tick() {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return time;
  };
  for (const auto before = now(); before.tv_sec == now().tv_sec && before.tv_nsec == now().tv_nsec;)
    std::this_thread::sleep_for(std::chrono::microseconds(500));
}

}  // namespace

Result<void> Store::make_repository(const fs::path& directory) const {
  RepositoryFiles files;
  files.commit = repository_.base;
  files.branch = repository_.head_ref.empty() ? "refs/heads/main" : repository_.head_ref;
  files.objects = {agent_objects().front()};
  if (auto refs = read_file(directory_ / "packed-refs"); refs.ok()) files.packed_refs = std::move(*refs);
  return write_repository(directory / ".git", files, repository_);
}

Result<void> Store::fill(const fs::path& directory, const std::string& commit) const {
  if (!holds_conversion(directory_, repository_)) {
    const auto files = commit == repository_.base ? base_files_->get(database(), commit)
                                                  : PlainFiles::read(database(), commit);
    if (files && files->check_out(directory, directory / ".git/index")) return {};
  }
  Command git(path_variable_, home_);
  git.git_dir(directory / ".git").work_tree(directory).cwd(directory);
  HYDRA_CHECK(populate(git, repository_, commit));
  return fill_submodules(git, repository_, commit, directory);
}

Result<void> Store::make_workspace(const Worktree& tree, const std::string& name) const {
  const auto& directory = tree.directory;
  const auto seed = directory_ / ("seed." + name);
  HYDRA_CHECK(move_aside(directory));
  if (tree.layered()) {
    HYDRA_CHECK(make_dirs(tree.written()));
    HYDRA_CHECK(make_dirs(directory / "work"));
    HYDRA_CHECK(make_repository(tree.written()));
    HYDRA_CHECK(copy_index(tree.base.parent_path() / "index", seed));
    HYDRA_CHECK(vouch_for_second(seed));
    return copy_index(seed, tree.written() / ".git/index");
  }
  HYDRA_CHECK(make_dirs(directory.parent_path()));
  HYDRA_CHECK(make_repository(directory));
  HYDRA_CHECK(fill(directory, repository_.base));
  HYDRA_CHECK(copy_index(directory / ".git" / "index", seed));
  wait_for_tick();
  return {};
}

Result<void> Store::make_shared_base(const fs::path& directory) const {
  const fs::path fresh = directory.string() + ".new";
  const auto tree = fresh / "tree";
  HYDRA_CHECK(remove_tree(fresh));
  HYDRA_CHECK(make_dirs(tree));
  HYDRA_CHECK(make_repository(tree));
  Command git(path_variable_, home_);
  git.git_dir(tree / ".git").work_tree(tree).cwd(tree);
  HYDRA_CHECK(populate(git, repository_, repository_.base));
  HYDRA_CHECK(copy_index(tree / ".git/index", fresh / "index"));
  HYDRA_CHECK(remove_tree(tree / ".git"));
  if (::rename(fresh.c_str(), directory.c_str()) != 0)
    return system_error("cannot rename " + fresh.string(), errno);
  return {};
}

Result<void> Store::checkout(const fs::path& directory, const std::string& commit,
                             const std::vector<fs::path>& objects_inside) const {
  struct stat st {};
  if (::lstat((directory / ".git").c_str(), &st) == 0)
    return Error{Errc::conflict, "there is a checkout already", directory.string(), {}};
  RepositoryFiles files;
  files.commit = commit;
  files.branch = repository_.head_ref;
  files.objects = objects_dirs();
  if (auto refs = read_file(directory_ / "packed-refs"); refs.ok()) files.packed_refs = std::move(*refs);
  // The tree may have an agent's attribute files: the base's attributes decide here, as in the capture.
  HYDRA_TRY(files.attributes, read_file(directory_ / "info/attributes"));
  HYDRA_CHECK(make_dirs(directory));
  HYDRA_CHECK(write_repository(directory / ".git", files, repository_));
  HYDRA_CHECK(fill(directory, commit));
  if (objects_inside.empty()) return {};
  std::string alternates;
  for (const auto& path : objects_inside) alternates += alternates_line(path);
  return write_file(directory / ".git/objects/info/alternates", alternates);
}

}  // namespace hydra::git
