// git, inside only: bringing the user's checkout from one commit to another, journalled and with
// compare-and-swap (core recipes, section 6, steps 1 to 7). Merging and undoing a merge are two uses of it.
#pragma once

#include "git/merge/merge.hpp"

#include <string>
#include <vector>

namespace hydra::git {

/// "refused" with what to do about it.
Error refused(std::string message, std::string hint);
/// At most so many of the paths, for people.
std::string listed(const std::vector<std::string>& paths, std::size_t most = 10);

/// A sentence about files that a result renames into `parts` from outside of them; empty: there are none.
std::string renamed_from_elsewhere(const std::vector<DiffEntry>& entries,
                                   const std::vector<std::string>& parts);

/// Where the user stands.
struct Standing {
  std::string ref;     ///< branch that HEAD names
  std::string commit;  ///< its commit
};

class CheckoutMove {
 public:
  CheckoutMove(const model::RepositoryFacts& facts, const fs::path& journal, const std::string& path_variable,
               const std::string& home, std::stop_token stop);

  /// Finishes or undoes what a dead process left in this journal, and takes its lock. `accept_changes`: see
  /// Recovery.
  Result<void> hold(bool accept_changes);
  /// Refused: detached HEAD, no commit, another branch than `expected_ref` (where it is not empty), an
  /// operation in progress, the branch checked out in another work tree as well.
  [[nodiscard]] Result<Standing> look(const std::string& expected_ref) const;
  /// What of the user's own stands in the way of `move`. Makes the private index.
  /// `reader` is a git that has the objects of both sides; null: the user's.
  Result<std::vector<std::string>> overlap(const Move& move, const Command* reader = nullptr);
  /// On an Error nothing that the user sees has changed, unless the Error says so.
  Result<void> land(const Move& move);

  [[nodiscard]] const Journal& journal() const { return journal_; }
  [[nodiscard]] static Error overlap_error(const std::vector<std::string>& paths);

 private:
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
  Command user_;
};

}  // namespace hydra::git
