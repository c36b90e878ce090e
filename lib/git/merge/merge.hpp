// git, inside only: the parts of a merge into the user's checkout (core recipes, section 6).
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

/// For tests: asked after every step with its name; true makes the merge stop there as if the process had
/// died.
extern std::function<bool(std::string_view)> stop_merge_after;

/// Where a checkout goes. `from` is what its files hold and `to` what they shall hold: OLD and NEW, unless
/// the uncommitted state of a race's start is part of the way (then `from` of a merge, or `to` of its
/// undoing, is the commit of that state).
struct Move {
  std::string ref, old_commit, new_commit, from, to;
  std::string word = "merge";  ///< in the reflog
};

/// The journal of one merge: a directory in Hydra's state, and our lock beside the user's index.
class Journal {
 public:
  Journal(fs::path directory, model::RepositoryFacts repository, std::string path_variable, std::string home,
          std::stop_token stop)
      : directory_(std::move(directory)),
        repository_(std::move(repository)),
        path_variable_(std::move(path_variable)),
        home_(std::move(home)),
        stop_(std::move(stop)) {}

  /// Takes the journal's own lock, which git children inherit; waits for the children of a dead process.
  Result<void> hold();
  Result<void> begin(const Move& move);
  /// Remembers the repository's configuration and hooks as the merge found them.
  [[nodiscard]] Result<void> remember() const;
  /// `refused` where they are others by now: what they would run is not what the merge began with.
  [[nodiscard]] Result<void> as_remembered() const;
  /// False: there is no intent.
  Result<bool> load();
  [[nodiscard]] bool has(std::string_view mark) const;
  Result<void> mark(std::string_view name) const;
  Result<void> unmark(std::string_view name) const;

  /// Makes index.lock ours; `refused` when it stays somebody else's.
  Result<void> lock_index() const;
  [[nodiscard]] bool owns_lock() const;
  void unlock_index() const;

  /// Brings the files to `to` and the private index to NEW.
  Result<void> move_tree() const;
  Result<void> move_ref() const;
  Result<void> move_index() const;
  /// Undoes move_tree. Returns the paths that hold somebody else's content and were left.
  [[nodiscard]] Result<std::vector<std::string>> back() const;
  /// A ref lock that a killed git left behind with our value, or empty.
  void remove_stale_ref_locks() const;

  /// git in the user's checkout with the private index; the journal's lock is inherited.
  [[nodiscard]] Command git() const;
  [[nodiscard]] fs::path index() const { return directory_ / "index"; }
  /// What the files held before: the private index as it was. Where `from` is OLD the user's own index does.
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

/// Names an operation that is going on in the checkout ("a rebase"); empty: none.
std::string operation_in_progress(const model::RepositoryFacts& repository);
/// Another work tree of the repository that has `ref` checked out or is rebasing it; empty: none. `git` reads
/// its configuration.
std::string checked_out_elsewhere(const Command& git, const model::RepositoryFacts& repository,
                                  std::string_view ref);

/// Paths that a move from OLD to NEW (`changes`, without renames) would write over although the user has
/// something of their own there: files in the way of added ones, and tracked paths in `dirty`.
std::vector<std::string> overlapping(const fs::path& root, const std::vector<RawEntry>& changes,
                                     const std::set<std::string, std::less<>>& dirty);

}  // namespace hydra::git
