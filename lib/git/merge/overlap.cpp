#include "base/entries.hpp"
#include "base/files.hpp"
#include "base/letter_case.hpp"
#include "base/strings.hpp"
#include "git/capture/scan.hpp"
#include "git/environment.hpp"
#include "git/merge/merge.hpp"

#include <algorithm>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {
namespace {

bool exists(const fs::path& path, mode_t& type) {
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) return false;
  type = st.st_mode & S_IFMT;
  return true;
}

}  // namespace

std::string operation_in_progress(const model::RepositoryFacts& repository) {
  const std::pair<const char*, const char*> marks[] = {
      {"MERGE_HEAD", "a merge"},
      {"CHERRY_PICK_HEAD", "a cherry-pick"},
      {"REVERT_HEAD", "a revert"},
      {"rebase-merge", "a rebase"},
      {"rebase-apply", "a rebase"},
      {"BISECT_LOG", "a bisection"},
      {"sequencer", "a cherry-pick or revert of several commits"}};
  for (const auto& [file, name] : marks)
    if (::access((fs::path(repository.git_dir) / file).c_str(), F_OK) == 0) return name;
  return {};
}

std::string checked_out_elsewhere(const Command& git, const model::RepositoryFacts& repository,
                                  std::string_view ref) {
  const auto holds = [&](const fs::path& git_dir) {
    for (const char* file : {"HEAD", "rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"}) {
      const auto text = read_file(git_dir / file, 1 << 16);
      if (!text.ok()) continue;
      auto name = trim(*text);
      if (name.starts_with("ref: ")) name = trim(name.substr(5));
      if (name == ref ||
          (std::string_view(file) == "BISECT_START" && "refs/heads/" + std::string(name) == ref))
        return true;
    }
    return false;
  };
  const fs::path common = repository.common_dir;
  // HEAD of a bare repository is no checkout, even if the repository is called `.git` for the sake of its
  // work trees.
  const auto is_bare = [&] {
    Command there = git;
    const auto asked = there.git_dir(common).cwd(common).run({"config", "--type=bool", "--get", "core.bare"});
    return asked.ok() && asked->ok() && trim(asked->out) == "true";
  };
  if (repository.git_dir != repository.common_dir && common.filename() == ".git" && holds(common) &&
      !is_bare())
    return common.parent_path().string();
  std::error_code error;
  for (const auto& entry : entries_of(common / "worktrees", error)) {
    if (entry.path() == fs::path(repository.git_dir) || !holds(entry.path())) continue;
    const auto link = read_file(entry.path() / "gitdir", 1 << 16);
    const fs::path there = link.ok() ? fs::path(std::string(trim(*link))) : fs::path{};
    if (::access(there.c_str(), F_OK) == 0) return there.parent_path().string();
  }
  return {};
}

std::vector<std::string> overlapping(const fs::path& root, const std::vector<RawEntry>& changes,
                                     const std::set<std::string, std::less<>>& dirty) {
  std::set<std::string> found;
  std::set<std::string, std::less<>> tracked;       // paths that the merge itself removes
  std::multimap<std::string, std::string> removed;  // removed paths by lower-case name
  for (const auto& change : changes) {
    if (change.status != 'A') tracked.insert(change.path);
    if (change.status == 'D') removed.emplace(to_lower(change.path), change.path);
  }
  const auto renamed = [&](const std::string& path, const std::string& own) {
    const auto [first, last] = removed.equal_range(to_lower(path));
    return std::any_of(first, last, [&](const auto& twin) {
      return !dirty.contains(twin.second) && spelled(root, twin.second) == own;
    });
  };
  for (const auto& change : changes) {
    const std::string& path = change.path;
    if (dirty.contains(path)) found.insert(path);
    if (change.status != 'A') continue;
    mode_t type = 0;
    for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      const std::string dir = path.substr(0, slash);
      if (exists(root / dir, type) && type != S_IFDIR && !tracked.contains(dir)) found.insert(dir);
    }
    if (!exists(root / path, type)) continue;
    if (type != S_IFDIR) {
      // lstat looks through a link or file of OLD that is removed: the path is not the user's.
      LeadingLinks beyond(root);
      if (beyond(path)) continue;
      // A file system may store another spelling: the merge itself removes a path renamed in letter case.
      const auto own = spelled(root, path).value_or(path);
      if (renamed(path, own)) continue;
      found.insert(own == path ? path : own + " (" + path + " in another letter case)");
      continue;
    }
    if (change.new_mode == "160000") continue;
    const auto inside = scan(root, path);
    if (!inside.ok()) {
      found.insert(path);
      continue;
    }
    for (const auto& list : {inside->files, inside->special})
      for (const auto& file : list)
        if (!tracked.contains(file)) found.insert(file);
    if (exists(root / path / ".git", type)) found.insert(path);
  }
  return {found.begin(), found.end()};
}

}  // namespace hydra::git
