// git, inside only: moves the user's checkout from one commit to another, journalled and with
// compare-and-swap (docs/merging.md). Merge and undo both use it.
#pragma once

#include "git/merge/merge.hpp"

#include <string>
#include <vector>

namespace hydra::git {

/// Error "refused" with a hint for the user.
Error refused(std::string message, std::string hint);
/// Lists at most `most` of the paths, for people.
std::string listed(const std::vector<std::string>& paths, std::size_t most = 10);

/// A sentence about files that a result renames into `parts` from elsewhere; empty: no such file.
std::string renamed_from_elsewhere(const std::vector<DiffEntry>& entries,
                                   const std::vector<std::string>& parts);

/// The user's branch and commit.
struct Standing {
  std::string ref;     ///< branch that HEAD names
  std::string commit;  ///< commit of `ref`
};

class CheckoutMove {
 public:
  CheckoutMove(const model::RepositoryFacts& facts, const fs::path& journal, const std::string& path_variable,
               const std::string& home, std::stop_token stop, StepObserver at_step);

  /// Finishes or undoes what a dead process left in this journal, and takes its lock. `accept_changes`: see
  /// Recovery.
  Result<void> hold(bool accept_changes);
  /// Answers `refused` for a detached HEAD, no commit, a branch other than `expected_ref` (when not empty),
  /// an operation in progress, or a branch that another work tree has checked out.
  [[nodiscard]] Result<Standing> look(const std::string& expected_ref) const;
  /// Returns the user's own paths that block `move`, and makes the private index.
  /// `reader` is a git that has the objects of both sides; null: the user's git.
  Result<std::vector<std::string>> overlap(const Move& move, const Command* reader = nullptr);
  /// On an Error the user's checkout is unchanged, unless the Error says otherwise.
  Result<void> land(const Move& move);

  [[nodiscard]] const Journal& journal() const { return journal_; }
  [[nodiscard]] static Error overlap_error(const std::vector<std::string>& paths);

 private:
  [[nodiscard]] bool abandons(std::string_view step) const { return at_step_ && at_step_(step); }
  Result<void> copy_users_index();
  Result<void> take_state_in(const Move& move);
  Result<void> check_again(const Move& move);
  [[nodiscard]] bool arrived(const Move& move) const;
  Result<void> give_up(Error error);
  Result<void> go_back(Error error);

  const model::RepositoryFacts& facts_;
  std::string path_variable_, home_;
  std::stop_token stop_;
  Journal journal_;
  StepObserver at_step_;
  Command user_;
};

}  // namespace hydra::git
