#include "git/environment.hpp"
#include "git/merge.hpp"
#include "git/scan.hpp"

#include <algorithm>
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

Result<std::vector<RawEntry>> changes_between(const Command& git, const std::string& from,
                                              const std::string& to) {
  HYDRA_TRY(auto text,
            git.output({"diff-tree", "-r", "-z", "--raw", "--numstat", "--no-abbrev", "--no-renames",
                        "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", from, to}));
  return parse_diff(text);
}

std::vector<std::string> overlapping(const fs::path& root, const std::vector<RawEntry>& changes,
                                     const std::set<std::string, std::less<>>& dirty) {
  std::set<std::string> found;
  std::set<std::string, std::less<>> tracked;  // what the merge itself takes away
  for (const auto& change : changes)
    if (change.status != 'A') tracked.insert(change.path);
  for (const auto& change : changes) {
    const std::string& path = change.path;
    if (change.status != 'A') {
      if (dirty.contains(path)) found.insert(path);
      continue;
    }
    mode_t type = 0;
    for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      const std::string dir = path.substr(0, slash);
      if (exists(root / dir, type) && type != S_IFDIR && !tracked.contains(dir)) found.insert(dir);
    }
    if (!exists(root / path, type)) continue;
    if (type != S_IFDIR) {
      // Below a link or file of OLD that goes away, lstat sees through it: not the user's.
      LeadingLinks beyond(root);
      if (!beyond(path)) found.insert(path);
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
