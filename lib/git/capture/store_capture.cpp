#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/capture.hpp"
#include "git/letter_case.hpp"
#include "git/repository.hpp"
#include "git/store/object_database.hpp"

#include <cerrno>
#include <dirent.h>
#include <sys/stat.h>

namespace hydra::git {
namespace {

Result<std::vector<Gitlink>> read_gitlinks(const fs::path& store) {
  HYDRA_TRY(auto text, read_file(store / "gitlinks"));
  std::vector<Gitlink> links;
  for (const auto record : records(text)) {
    const auto blank = record.find(' ');
    if (blank != std::string_view::npos)
      links.push_back({std::string(record.substr(blank + 1)), std::string(record.substr(0, blank))});
  }
  return links;
}

/// Converts entries of a comparison with renames to changes without renames.
std::vector<TreeChange> without_renames(const std::vector<RawEntry>& entries) {
  std::vector<TreeChange> changes;
  for (const auto& entry : entries) {
    const std::string none(entry.new_id.size(), '0');
    if (entry.status == 'R') changes.push_back({entry.old_path, 'D', entry.old_mode, "000000", none, none});
    changes.push_back({entry.path, entry.status, entry.old_mode, entry.new_mode, entry.new_id, none});
  }
  return changes;
}

}  // namespace

/// Tree of an index whose differences from the base are `entries`.
Result<std::string> Store::tree_with(const Command& git, const std::vector<RawEntry>& entries) const {
  if (auto tree = database().write_tree(repository_.base_tree, without_renames(entries)))
    return std::move(*tree);
  return git.line({"write-tree"});
}

Result<model::Capture> Store::commit_tree(const Command& store, const std::string& tree,
                                          const std::string& name) const {
  const std::string message = "hydra: result of " + name + "\n\nRace: " + race_ + "\n";
  model::Capture capture;
  capture.tree = tree;
  if (auto id = database().write_commit(repository_, tree, message, created_seconds_)) {
    capture.commit = std::move(*id);
  } else {
    Command git = store;
    git.identity(repository_.user_name, repository_.user_email, created_seconds_);
    HYDRA_TRY(capture.commit, git.line({"commit-tree", tree, "-p", repository_.base}, message));
  }
  capture.changed = tree != repository_.base_tree;
  return capture;
}

Result<model::Capture> Store::capture_removed(const std::string& name) const {
  const Command git = command();
  HYDRA_TRY(auto tree, git.line({"mktree"}));
  HYDRA_TRY(auto capture, commit_tree(git, tree, name));
  HYDRA_TRY(const auto entries, compare_trees(git, repository_.base, capture.commit));
  capture.diff = sum(entries);
  capture.flags.push_back({model::FlagKind::worktree_removed});
  return capture;
}

Result<model::Capture> Store::capture(const Worktree& worktree, const std::string& name,
                                      const std::vector<std::string>& litter) const {
  const auto directory = worktree.written();
  struct stat st {};
  if (::lstat(directory.c_str(), &st) != 0) {
    if (errno == ENOENT) return capture_removed(name);
    return system_error("cannot look at " + directory.string(), errno);
  }
  if (!S_ISDIR(st.st_mode))
    return Error{Errc::git, "the agent's directory is no directory any more", directory.string(), {}};
  HYDRA_TRY(const auto gitlinks, read_gitlinks(directory_));
  Capturing work(command(), directory_, worktree, name);
  bool in_process = worktree.layered();
  if (in_process) {
    HYDRA_TRY(const auto base, paths_of_base());
    HYDRA_CHECK(work.list_layer(*base));
  } else if (gitlinks.empty()) {
    HYDRA_TRY(in_process, work.list_in_process());
  }
  if (in_process) {
    HYDRA_TRY(const auto ignored, ignored_by_base(work.untracked()));
    work.drop(ignored);
  } else {
    HYDRA_CHECK(work.list(gitlinks));
    HYDRA_CHECK(work.add_nested());
  }
  if (ignores_case(repository_)) HYDRA_CHECK(work.drop_ignored_in_any_case());
  const bool own = is_kind(directory / ".git", S_IFDIR);
  work.drop_worktrees((own ? directory / ".git" : fs::path(repository_.common_dir)) / "worktrees");
  work.drop_litter(litter);
  work.drop_copied(copied_, repository_.root);
  work.drop_large();
  HYDRA_CHECK(work.drop_generated(generated_));
  work.drop_largest(max_new_bytes_);

  model::Capture capture;
  capture.tree = repository_.base_tree;
  capture.commit = repository_.base;
  if (!work.nothing_changed()) {
    const Command& git = work.git();
    auto compared = work.compare_in_process(repository_);
    if (!compared) {
      HYDRA_CHECK(work.update());
      HYDRA_TRY(compared, diff_text(git, {"diff-index", "--cached"}, {repository_.base_tree}));
    }
    const auto& text = *compared;
    HYDRA_TRY(auto entries, parse_diff(text));
    HYDRA_CHECK(work.verify(entries));
    HYDRA_TRY(const auto tree, tree_with(git, entries));
    if (tree != repository_.base_tree) {
      HYDRA_TRY(capture, commit_tree(git, tree, name));
      HYDRA_CHECK(keep_diff(capture.commit, text));
      capture.diff = sum(entries);
      HYDRA_TRY(capture.trivial, work.only_white_space(entries, repository_.base_tree, tree));
      HYDRA_CHECK(work.add_flags(entries, capture));
      HYDRA_CHECK(work.flag_hiding_rules(entries, capture));
    }
  }
  HYDRA_CHECK(work.add_submodules(gitlinks, repository_, "refs/hydra/" + race_ + "/" + name, capture));
  work.report(capture);
  const auto commits =
      own_commits(command(), directory_, directory, repository_, agent_objects().front(), capture.tree);
  capture.agent_commits = commits.count;
  capture.warnings.insert(capture.warnings.end(), commits.warnings.begin(), commits.warnings.end());
  for (const auto& branch : commits.beside)
    capture.flags.push_back({model::FlagKind::commits_beside, branch});
  for (const auto& text : commits.refused) capture.flags.push_back({model::FlagKind::commits_refused, text});
  return capture;
}

}  // namespace hydra::git
