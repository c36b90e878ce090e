#include "base/files.hpp"
#include "base/letter_case.hpp"
#include "base/strings.hpp"
#include "git/capture/scan.hpp"
#include "git/merge/hooks.hpp"
#include "git/merge/import.hpp"
#include "git/merge/merge.hpp"
#include "git/store/layout.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>

namespace hydra::git {
namespace {

/// Content of a path after an interrupted move.
enum class Holds { nothing, old_content, our_content, directory, something_else };

struct Side {
  bool present = false, link = false, executable = false;
  bool unknown = false;  ///< a filter cannot make the content
  std::string bytes;
};

Result<Side> side(const Command& git, const std::string& mode, const std::string& id,
                  const std::string& path) {
  Side result;
  if (mode == "000000" || mode == "160000") return result;
  result.present = true;
  result.link = mode == "120000";
  result.executable = mode == "100755";
  // Content as it is on disk: filters and line ends applied.
  std::vector<std::string> args{"cat-file", "blob", id};
  if (!result.link) args = {"cat-file", "--filters", "--path=" + path, id};
  HYDRA_TRY(auto made, git.run(args));
  if (made.ok()) {
    result.bytes = std::move(made.out);
    return result;
  }
  if (result.link) return git_error("git cat-file", made);
  // If the blob exists, the filter is to blame: a failing program of the user's must not lock the repository.
  HYDRA_TRY(const bool there, git.succeeds({"cat-file", "-e", id}));
  if (!there) return git_error("git cat-file", made);
  result.unknown = true;
  return result;
}

/// Returns whether a file still has its old content although no filter makes it: the clean filter decides.
bool cleans_to(const Command& git, const fs::path& root, const std::string& path, const std::string& id) {
  const auto cleaned = git.line({"hash-object", "--path=" + path, (root / path).string()});
  return cleaned.ok() && *cleaned == id;
}

Result<Holds> look(const fs::path& file, const Side& old_side, const Side& new_side) {
  struct stat st {};
  if (::lstat(file.c_str(), &st) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Holds::nothing;
    return system_error("cannot look at " + file.string(), errno);
  }
  if (S_ISDIR(st.st_mode)) return Holds::directory;
  if (S_ISLNK(st.st_mode)) {
    std::error_code error;
    const std::string target = fs::read_symlink(file, error).string();
    if (old_side.present && old_side.link && old_side.bytes == target) return Holds::old_content;
    if (new_side.present && new_side.link && new_side.bytes == target) return Holds::our_content;
    return Holds::something_else;
  }
  if (!S_ISREG(st.st_mode)) return Holds::something_else;
  HYDRA_TRY(auto bytes, read_file(file, std::size_t{1} << 30));
  const bool executable = (st.st_mode & 0100) != 0;
  const bool as_old = old_side.present && !old_side.unknown && !old_side.link && bytes == old_side.bytes;
  if (as_old && executable == old_side.executable) return Holds::old_content;
  if (new_side.present && !new_side.link && new_side.bytes.starts_with(bytes)) return Holds::our_content;
  return as_old ? Holds::old_content : Holds::something_else;
}

void remove_added(const fs::path& root, const std::string& path) {
  ::unlink((root / path).c_str());
  for (fs::path dir = fs::path(path).parent_path(); !dir.empty(); dir = dir.parent_path())
    if (::rmdir((root / dir).c_str()) != 0) break;
}

/// Undoes a merge whose tree may have been moved in part, and releases the lock. Runs filters.
Result<std::string> undo(const Journal& journal, bool accept_changes) {
  if (!accept_changes) HYDRA_CHECK(journal.as_remembered());
  HYDRA_TRY(auto left, journal.back());
  HYDRA_CHECK(journal.mark("undone"));
  journal.unlock_index();
  std::string text = "undid an unfinished merge into " + journal.move().ref;
  if (!left.empty())
    text += "; left as they are, because they hold other content or a filter fails: " + join(left, ", ");
  return text;
}

Result<std::string> finish(const Journal& journal) {
  HYDRA_CHECK(journal.move_index());
  HYDRA_CHECK(journal.mark("done"));
  journal.unlock_index();
  return "finished the merge into " + journal.move().ref;
}

/// Paths that a sparse checkout leaves out: absent before the move.
Result<std::unordered_set<std::string>> left_out_by_sparse(const Command& git) {
  std::unordered_set<std::string> paths;
  HYDRA_TRY(const auto text, git.output({"ls-files", "-z", "-t"}));
  for (const auto record : records(text))
    if (record.size() > 2 && (record.front() == 'S' || record.front() == 's'))
      paths.emplace(record.substr(2));
  return paths;
}

/// Actions of `back` for the paths of a move.
struct Undoing {
  std::vector<std::string> left, restore, remove;
};

/// Case-insensitive file system: undoing `a` -> `A` must not delete the only file.
void spare_twins(const fs::path& root, const std::vector<RawEntry>& changes, Undoing& undoing) {
  std::multimap<std::string, std::string> old_paths;  // removed paths by lower-case name
  for (const auto& change : changes)
    if (change.status == 'D') old_paths.emplace(to_lower(change.path), change.path);
  const auto twin_of = [&](const std::string& path) -> std::string {
    const auto [first, last] = old_paths.equal_range(to_lower(path));
    for (auto at = first; at != last; ++at)
      if (const auto own = spelled(root, path); own && own == spelled(root, at->second)) return at->second;
    return {};
  };
  std::erase_if(undoing.remove, [&](const std::string& path) {
    const auto twin = twin_of(path);
    if (twin.empty()) return false;
    if (std::erase(undoing.left, twin) == 0) return true;
    undoing.restore.push_back(twin);
    return false;
  });
}

/// Ids of the files at `paths` as git would store them; empty: git can't tell (a failing filter).
std::unordered_map<std::string, std::string> ids_on_disk(const Command& git,
                                                         const std::vector<std::string>& paths) {
  std::unordered_map<std::string, std::string> ids;
  std::string input;
  for (const auto& path : paths) input += in_quotes(path) + "\n";
  const auto said = git.output({"hash-object", "--stdin-paths"}, std::move(input));
  if (!said.ok()) return ids;
  const auto found = lines(*said);
  for (std::size_t i = 0; i < paths.size() && i < found.size(); ++i) ids[paths[i]] = found[i];
  return ids;
}

/// Content of most files of a move, found by two programs for all: files that equal one side exactly. A
/// partly written file, or the user's own, equals neither and is examined alone.
class Known {
 public:
  Known(const fs::path& root, const std::vector<RawEntry>& changes, const Command& old_git,
        const Command& new_git, bool one_git)
      : root_(root), beyond_(root) {
    std::vector<std::string> paths;
    for (const auto& change : changes)
      if (is_plain(change) && !beyond_(change.path) && regular(change.path)) paths.push_back(change.path);
    if (paths.empty()) return;
    old_ids_ = ids_on_disk(old_git, paths);
    new_ids_ = one_git ? old_ids_ : ids_on_disk(new_git, paths);
  }
  /// Absent: unknown without the sides' content.
  [[nodiscard]] std::optional<Holds> holds(const RawEntry& change) {
    if (!is_plain(change)) return std::nullopt;
    struct stat st {};
    if (beyond_(change.path) ||
        (::lstat((root_ / change.path).c_str(), &st) != 0 && (errno == ENOENT || errno == ENOTDIR)))
      return Holds::nothing;
    const auto was = old_ids_.find(change.path), is = new_ids_.find(change.path);
    if (was == old_ids_.end() || is == new_ids_.end()) return std::nullopt;
    const bool as_old = was->second == change.old_id;
    if (as_old && ((st.st_mode & 0100) != 0) == (change.old_mode == "100755")) return Holds::old_content;
    if (is->second == change.new_id) return Holds::our_content;
    return as_old ? std::optional(Holds::old_content) : std::nullopt;
  }

 private:
  /// Files on both sides, or a file on one side only.
  static bool is_plain(const RawEntry& change) {
    const auto plain = [](const std::string& mode) { return mode.starts_with("100") || mode == "000000"; };
    return plain(change.old_mode) && plain(change.new_mode);
  }
  [[nodiscard]] bool regular(const std::string& path) const {
    struct stat st {};
    return ::lstat((root_ / path).c_str(), &st) == 0 && S_ISREG(st.st_mode);
  }
  fs::path root_;
  LeadingLinks beyond_;
  std::unordered_map<std::string, std::string> old_ids_, new_ids_;
};

/// Decides what to remove, to restore and to leave. `known`: null when a filter may fail; then each side's
/// content is needed.
Result<Undoing> sort_out(const fs::path& root, const std::vector<RawEntry>& changes, const Command& old_git,
                         const Command& new_git, Known* known) {
  Undoing undoing;
  LeadingLinks beyond(root);
  for (const auto& change : changes) {
    if (change.old_mode == "160000" || change.new_mode == "160000") continue;
    if (const auto holds = known != nullptr ? known->holds(change) : std::nullopt) {
      if (*holds == Holds::our_content) undoing.remove.push_back(change.path);
      if (*holds != Holds::old_content && change.old_mode != "000000") undoing.restore.push_back(change.path);
      continue;
    }
    HYDRA_TRY(const auto old_side, side(old_git, change.old_mode, change.old_id, change.path));
    HYDRA_TRY(auto new_side, side(new_git, change.new_mode, change.new_id, change.path));
    // git cannot have written a file that its filter cannot make: an existing file is not ours.
    if (new_side.unknown) new_side.present = false;
    // Below a link of the new tree (or of the user's) no old file exists, whatever lstat finds.
    Holds holds = Holds::nothing;
    if (!beyond(change.path)) {
      HYDRA_TRY(holds, look(root / change.path, old_side, new_side));
    }
    if (old_side.unknown) {
      // No filter makes the old content again: a missing file is named and left to the user.
      if (holds == Holds::something_else && cleans_to(old_git, root, change.path, change.old_id)) continue;
      if (holds == Holds::our_content) undoing.remove.push_back(change.path);
      undoing.left.push_back(change.path);
      continue;
    }
    if (holds == Holds::something_else) undoing.left.push_back(change.path);
    if (holds == Holds::our_content && new_side.present) undoing.remove.push_back(change.path);
    if (holds != Holds::old_content && holds != Holds::something_else && old_side.present)
      undoing.restore.push_back(change.path);
  }
  spare_twins(root, changes, undoing);
  return undoing;
}

}  // namespace

Result<std::vector<std::string>> Journal::back() const {
  const Command git = this->git();
  const fs::path root = repository_.root;
  HYDRA_TRY(const auto changes, changes_between(git, move_.from, move_.to));
  Command old_git = git, new_git = git;
  const bool attributes =
      std::any_of(changes.begin(), changes.end(), [](const auto& c) { return is_attributes(c.path); });
  if (attributes) {
    HYDRA_TRY(old_git, with_attributes_of(git, directory_ / "attributes.old", move_.from));
    HYDRA_TRY(new_git, with_attributes_of(git, directory_ / "attributes.new", move_.to));
  }
  Known known(root, changes, old_git, new_git, !attributes);
  HYDRA_TRY(auto undoing, sort_out(root, changes, old_git, new_git, &known));
  if (auto done = put_back(undoing.remove, undoing.restore, undoing.left); done.ok()) return undoing.left;
  // Most likely a filter fails: going file by file finds which, and restores the others.
  HYDRA_TRY(undoing, sort_out(root, changes, old_git, new_git, nullptr));
  HYDRA_CHECK(put_back(undoing.remove, undoing.restore, undoing.left));
  return undoing.left;
}

Result<void> Journal::put_back(const std::vector<std::string>& remove,
                               const std::vector<std::string>& restore,
                               std::vector<std::string>& left) const {
  const fs::path root = repository_.root;
  // Removal precedes restoring: a file may occupy a former directory's place.
  for (const auto& path : remove) {
    if (std::find(restore.begin(), restore.end(), path) != restore.end()) {
      ::unlink((root / path).c_str());
    } else {
      remove_added(root, path);
    }
  }
  Command before = this->git();
  before.index(move_.from == move_.old_commit ? fs::path(repository_.git_dir) / "index" : index_before());
  HYDRA_TRY(const auto absent, left_out_by_sparse(before));
  // Attribute files first: they decide how the other files are written.
  std::string wanted[2];
  for (const auto& path : restore) {
    if (absent.contains(path)) continue;
    struct stat st {};
    bool blocked = ::lstat((root / path).c_str(), &st) == 0;
    for (fs::path dir = fs::path(path).parent_path(); !dir.empty(); dir = dir.parent_path())
      blocked = blocked || (::lstat((root / dir).c_str(), &st) == 0 && !S_ISDIR(st.st_mode));
    if (blocked) {
      left.push_back(path);
    } else {
      wanted[is_attributes(path) ? 0 : 1] += path + '\0';
    }
  }
  for (const auto& paths : wanted)
    if (!paths.empty()) HYDRA_CHECK(before.output({"checkout-index", "-f", "-z", "--stdin"}, paths));
  return {};
}

namespace {

/// Removes a killed merge's ref that held its commit, and its keep files.
void take_import_back(const fs::path& journal, const model::RepositoryFacts& repository, const Command& git) {
  const fs::path file = journal / "import";
  const auto text = read_file(file, 1 << 12);
  if (!text.ok()) return;
  const std::string ref(trim(*text));
  if (ref.starts_with("refs/hydra/") && ref.ends_with("/merge")) {
    release_all(fs::path(repository.common_dir) / "objects", ref);
    const auto now = git.run({"rev-parse", "--verify", "-q", ref});
    if (!now.ok()) return;
    if (now->ok()) {
      if (!git.succeeds({"update-ref", "-d", ref, std::string(trim(now->out))}).value_or(false)) return;
    }
  }
  ::unlink(file.c_str());
}

Result<std::string> recover_move(Journal& journal, const model::RepositoryFacts& repository,
                                 bool accept_changes) {
  HYDRA_TRY(const bool begun, journal.load());
  if (!begun) return std::string{};
  if (journal.has("done") || journal.has("undone")) {
    journal.unlock_index();
    return std::string{};
  }
  if (!journal.has("go")) {
    const bool locked = journal.owns_lock();
    HYDRA_CHECK(journal.mark("undone"));
    journal.unlock_index();
    return locked ? "released the lock of a merge that had changed nothing" : std::string{};
  }
  if (!journal.owns_lock())
    return Error{Errc::conflict, "a merge was cut off, and its lock is gone: nothing was touched",
                 repository.root,
                 "compare the checkout with `git status`; `git reset --hard` goes back to the branch"};
  if (!journal.has("tree")) return undo(journal, accept_changes);
  journal.remove_stale_ref_locks();
  HYDRA_TRY(const auto now, journal.git().run({"rev-parse", "--verify", "-q", journal.move().ref}));
  if (trim(now.out) == journal.move().new_commit) return finish(journal);
  if (journal.move_ref().ok()) return finish(journal);
  // Later commits build on the merge: it had arrived.
  const auto is_above = [&](const std::string& below, const std::string& above) {
    return journal.git().succeeds({"merge-base", "--is-ancestor", below, above}).value_or(false);
  };
  const auto& move = journal.move();
  if (is_above(move.old_commit, move.new_commit) && is_above(move.new_commit, move.ref))
    return finish(journal);
  HYDRA_CHECK(journal.unmark("tree"));
  return undo(journal, accept_changes);
}

}  // namespace

Result<std::string> recover_merge(const fs::path& journal_directory, const model::RepositoryFacts& repository,
                                  const std::string& path_variable, const std::string& home,
                                  const Recovery& how) {
  if (::access(journal_directory.c_str(), F_OK) != 0) return std::string{};
  // A missing repository has nothing to finish.
  if (::access(repository.git_dir.c_str(), F_OK) != 0) return std::string{};
  Journal journal(journal_directory, repository, path_variable, home, how.stop);
  HYDRA_CHECK(journal.hold());
  HYDRA_TRY(auto done, recover_move(journal, repository, how.accept_changes));
  if (merge_settled(journal_directory))
    take_import_back(journal_directory, repository, Command::in_repository(repository, path_variable, home));
  return done;
}

}  // namespace hydra::git
