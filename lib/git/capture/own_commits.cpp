#include "base/entries.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/capture.hpp"
#include "git/merge/import.hpp"
#include "git/store/layout.hpp"

#include <map>
#include <set>
#include <sys/stat.h>

namespace hydra::git {
namespace {

constexpr std::size_t kMostEntries = 300'000, kMostRefs = 20'000;
constexpr std::size_t kMostPackedRefs = 16u << 20;
constexpr std::size_t kMostBranches = 20;
constexpr std::string_view kBranches = "refs/heads/", kOnBranch = "ref: refs/heads/", kStash = "refs/stash";

struct Tips {
  std::set<std::string> ids;                    ///< ids named by HEAD, branches and tags
  std::map<std::string, std::string> branches;  ///< ids by name; also a stash, and HEADs of worktrees
  std::string head;                             ///< commit that is checked out; empty: none
};

/// Stashes are named and not counted: nobody committed them.
Tips tips_of(const fs::path& git_dir) {
  Tips tips;
  const auto add = [&](std::string_view name, std::string_view text) {
    const std::string id(trim(text));
    if (!is_object_id(id) || tips.ids.size() >= kMostRefs) return;
    if (name != kStash) tips.ids.insert(id);
    if (name.starts_with(kBranches)) tips.branches.emplace(name.substr(kBranches.size()), id);
    if (name == kStash || name.starts_with("worktrees/")) tips.branches.emplace(name, id);
  };
  const auto add_file = [&](const fs::path& path) {
    if (is_kind(path, S_IFREG))
      add(path.lexically_relative(git_dir).string(), read_file(path, 4096).value_or(""));
  };
  add_file(git_dir / "HEAD");
  add_file(git_dir / kStash);
  std::error_code none;
  if (is_kind(git_dir / "worktrees", S_IFDIR))
    for (const auto& worktree : entries_of(git_dir / "worktrees", none)) add_file(worktree.path() / "HEAD");
  for (const char* space : {"refs/heads", "refs/tags"}) {
    std::error_code error;
    std::size_t seen = 0;
    if (!is_kind(git_dir / "refs", S_IFDIR)) break;
    for (fs::recursive_directory_iterator entry(git_dir / space, error), end;
         !error && entry != end && ++seen < kMostRefs; entry.increment(error))
      add_file(entry->path());
  }
  const auto packed = is_kind(git_dir / "packed-refs", S_IFREG)
                          ? read_file(git_dir / "packed-refs", kMostPackedRefs).value_or("")
                          : std::string();
  for (const auto line : lines(packed)) {
    const auto blank = std::min(line.find(' '), line.size());
    const auto name = line.substr(std::min(blank + 1, line.size()));
    if (name.starts_with(kBranches) || name.starts_with("refs/tags/") || name == kStash)
      add(name, line.substr(0, blank));
  }
  const auto text =
      is_kind(git_dir / "HEAD", S_IFREG) ? read_file(git_dir / "HEAD", 4096).value_or("") : std::string();
  const std::string head(trim(text));
  const auto on =
      head.starts_with(kOnBranch) ? tips.branches.find(head.substr(kOnBranch.size())) : tips.branches.end();
  if (on != tips.branches.end()) tips.head = on->second;
  if (is_object_id(head)) tips.head = head;
  return tips;
}

/// Branches with commits that the checked-out commit has neither in its history nor, taken in as one commit
/// or as files, in its content.
Result<std::vector<std::string>> branches_beside(const Command& git, const Tips& tips,
                                                 const std::string& base, const std::string& result_tree) {
  std::vector<std::string> names;
  std::set<std::string> trees{result_tree};
  std::string not_these = "^" + base + "\n";
  if (!tips.head.empty() && tips.head != base) {
    HYDRA_TRY(const auto own, git.output({"log", "--format=%T", "--ignore-missing", "--stdin"},
                                         tips.head + "\n" + not_these));
    for (const auto line : lines(own)) trees.emplace(line);
    not_these += "^" + tips.head + "\n";
  }
  for (const auto& [name, id] : tips.branches) {
    if (id == base || id == tips.head) continue;
    if (names.size() == kMostBranches) break;
    HYDRA_TRY(const auto beside,
              git.output({"log", "-1", "--format=%T", "--ignore-missing", "--stdin"}, id + "\n" + not_these));
    if (!trim(beside).empty() && !trees.contains(std::string(trim(beside)))) names.push_back(name);
  }
  return names;
}

/// Accepts files and directories only, without a way out of the store: git would block for ever at a FIFO.
bool can_be_read(const fs::path& objects, const fs::path& lender) {
  if (!is_kind(objects, S_IFDIR)) return false;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator entry(objects, error), end; entry != end; entry.increment(error)) {
    if (error || ++seen > kMostEntries) return false;
    if (!is_kind(entry->path(), S_IFREG) && !is_kind(entry->path(), S_IFDIR)) return false;
  }
  const auto borrowed = read_file(objects / "info/alternates", 1 << 16);
  return !error && (!borrowed.ok() || *borrowed == alternates_line(lender));
}

}  // namespace

bool is_kind(const fs::path& path, mode_t kind) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

OwnCommits own_commits(const Command& store, const fs::path& store_dir, const fs::path& work,
                       const model::RepositoryFacts& facts, const fs::path& lender,
                       const std::string& result_tree) {
  OwnCommits own;
  fs::path git_dir = work / ".git";
  Command git = store;
  if (is_kind(git_dir, S_IFREG)) {
    // A linked worktree uses the repository's objects.
    const auto link = read_file(git_dir, 1 << 16).value_or("");
    git_dir = link.starts_with("gitdir: ") ? fs::path(std::string(trim(link.substr(8)))) : fs::path();
    if (git_dir.parent_path() != fs::path(facts.common_dir) / "worktrees") return own;
  } else if (!is_kind(git_dir, S_IFDIR)) {
    return own;
  }
  auto all = tips_of(git_dir);
  auto& tips = all.ids;
  // The base and refs given to the agent do not count.
  std::set<std::string> given{facts.base};
  const auto packed = read_file(store_dir / "packed-refs", kMostPackedRefs).value_or("");
  for (const auto line : lines(packed)) given.emplace(line.substr(0, std::min(line.find(' '), line.size())));
  std::erase_if(tips, [&](const auto& id) { return given.contains(id); });
  std::erase_if(all.branches, [&](const auto& branch) { return given.contains(branch.second); });
  if (tips.empty() && all.branches.empty()) return own;
  if (git_dir == work / ".git") {
    if (!can_be_read(git_dir / "objects", lender)) {
      own.warnings.emplace_back(
          "its own commits were not read, because its object store is not as git makes it");
      return own;
    }
    git.variable("GIT_ALTERNATE_OBJECT_DIRECTORIES",
                 in_quotes((git_dir / "objects").string()));  // quotes: a colon would divide the path
  }
  std::string wanted;
  for (const auto& tip : tips) wanted += tip + "\n";
  wanted += "^" + facts.base + "\n";
  const auto counted = git.run({"rev-list", "--count", "--ignore-missing", "--stdin"}, wanted);
  if (!counted.ok() || !counted->ok()) {
    own.warnings.emplace_back("its own commits cannot be read" +
                              (counted.ok() ? ": " + last_words(counted->err) : std::string()));
    return own;
  }
  own.count = parse_int(trim(counted->out)).value_or(0);
  if (auto beside = branches_beside(git, all, facts.base, result_tree); beside.ok())
    own.beside = std::move(*beside);
  else
    own.warnings.push_back("its own branches cannot be read: " + beside.error().message);
  if (own.count == 0) return own;
  const auto found = what_git_refuses(git, store_dir / "objects", wanted, "own-" + work.filename().string());
  if (!found.ok())
    own.warnings.push_back("its own commits cannot be checked: " + found.error().message);
  else
    own.refused = *found;
  return own;
}

}  // namespace hydra::git
