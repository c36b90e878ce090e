// git, inside only: the parts of a merge into the user's checkout (docs/merging.md).
#pragma once

#include "base/fd.hpp"
#include "base/result.hpp"
#include "git/environment.hpp"
#include "git/repository.hpp"
#include "git/store/diff.hpp"

#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

/// A checkout's move. The files go from `from` to `to`: OLD and NEW, unless the uncommitted state of the
/// race's start is included; its commit is then `from` of a merge, or `to` of an undo.
struct Move {
  std::string ref, old_commit, new_commit, from, to;
  std::string word = "merge";  ///< word in the reflog
};

/// The journal of one merge: a directory in Hydra's state, and Hydra's lock beside the user's index.
class Journal {
 public:
  Journal(fs::path directory, model::RepositoryFacts repository, std::string path_variable, std::string home,
          std::stop_token stop)
      : directory_(std::move(directory)),
        repository_(std::move(repository)),
        path_variable_(std::move(path_variable)),
        home_(std::move(home)),
        stop_(std::move(stop)) {}

  /// Takes the journal's lock, which git children inherit; waits for the children of a dead process.
  Result<void> hold();
  Result<void> begin(const Move& move);
  /// Remembers the repository's configuration and hooks as of the merge's begin.
  [[nodiscard]] Result<void> remember() const;
  /// `refused` when configuration or hooks have changed since: they would run other programs than the merge
  /// began with.
  [[nodiscard]] Result<void> as_remembered() const;
  /// False: the journal has no intent.
  Result<bool> load();
  [[nodiscard]] bool has(std::string_view mark) const;
  Result<void> mark(std::string_view name) const;
  Result<void> unmark(std::string_view name) const;

  /// Makes index.lock Hydra's; `refused` when another process keeps it.
  Result<void> lock_index() const;
  [[nodiscard]] bool owns_lock() const;
  void unlock_index() const;

  /// Moves the files to `to` and the private index to NEW.
  Result<void> move_tree() const;
  Result<void> move_ref() const;
  Result<void> move_index() const;
  /// Undoes move_tree. Returns the paths that were left because their content is not Hydra's.
  [[nodiscard]] Result<std::vector<std::string>> back() const;
  /// Removes a ref lock that a killed git left behind, if it has our value or is empty.
  void remove_stale_ref_locks() const;

  /// git in the user's checkout with the private index; inherits the journal's lock.
  [[nodiscard]] Command git() const;
  [[nodiscard]] fs::path index() const { return directory_ / "index"; }
  /// Private index of the files' previous content. When `from` is OLD, the user's own index has the same
  /// content.
  [[nodiscard]] fs::path index_before() const { return directory_ / "index.before"; }
  [[nodiscard]] const fs::path& directory() const { return directory_; }
  [[nodiscard]] const Move& move() const { return move_; }
  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }

 private:
  [[nodiscard]] Result<void> put_back(const std::vector<std::string>& remove,
                                      const std::vector<std::string>& restore,
                                      std::vector<std::string>& left) const;
  [[nodiscard]] fs::path lock_file() const;

  fs::path directory_;
  model::RepositoryFacts repository_;
  std::string path_variable_, home_;
  std::stop_token stop_;
  UniqueFd held_;
  Move move_;
};

/// Names an operation in progress in the checkout ("a rebase"); empty: none.
std::string operation_in_progress(const model::RepositoryFacts& repository);
/// Another work tree of the repository that has `ref` checked out or is rebasing it; empty: none. `git` reads
/// the repository's configuration.
std::string checked_out_elsewhere(const Command& git, const model::RepositoryFacts& repository,
                                  std::string_view ref);

/// Paths where a move from OLD to NEW (`changes`, without renames) would overwrite the user's own content:
/// files in the way of added ones, and tracked paths in `dirty`.
std::vector<std::string> overlapping(const fs::path& root, const std::vector<RawEntry>& changes,
                                     const std::set<std::string, std::less<>>& dirty);

}  // namespace hydra::git
