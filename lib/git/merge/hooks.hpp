// git, inside only: the user's hooks and filters, asked before any of the user's files change
// (docs/merging.md). Both are looked up once in the user's checkout, so that a result's files under the same
// paths cannot replace them.
#pragma once

#include "git/environment.hpp"
#include "git/merge/merge.hpp"

#include <string>
#include <vector>

namespace hydra::git {

/// Input of the hooks.
struct HookQuestion {
  fs::path scratch;    ///< directory that gets a checkout of the merged tree
  fs::path index;      ///< index of `scratch`
  fs::path file;       ///< file that gets the message
  std::string commit;  ///< merged commit, in the user's repository
  std::string branch;  ///< for messages
};

class Hooks {
 public:
  /// `user` is a git in the user's checkout `root`.
  static Result<Hooks> find(const Command& user, const fs::path& root);

  [[nodiscard]] bool asks() const { return commit_msg_ || pre_merge_; }
  [[nodiscard]] bool post_merge() const { return post_merge_; }
  /// Paths relative to the checkout that git runs programs from: the hooks directory (ends in '/'), and files
  /// named by commands of filters and merge drivers.
  [[nodiscard]] const std::vector<std::string>& run_from_tree() const { return run_from_tree_; }

  /// Runs pre-merge-commit and commit-msg; `message` becomes the text that commit-msg left. `refused` when a
  /// hook refuses, changes the index or empties the message.
  Result<void> ask(const Command& user, const HookQuestion& question, std::string& message) const;
  /// git that runs these hooks, whatever its working directory contains.
  [[nodiscard]] Command with_hooks(const Command& user) const;

 private:
  fs::path directory_;
  std::vector<std::string> run_from_tree_;
  bool commit_msg_ = false, pre_merge_ = false, post_merge_ = false;
};

/// Cleans a message as git does: no blank lines around it, one newline at its end; empty when no text
/// remains.
std::string clean_message(std::string_view text);

/// Writes those files of `changes` that a filter makes into `scratch`, as git in the user's checkout would;
/// `refused`, naming the file, when a filter fails. `git` reads the user's configuration; `index` is created.
Result<void> ask_filters(const Command& git, const fs::path& scratch, const fs::path& index,
                         const std::string& commit, const std::vector<RawEntry>& changes);

/// git that reads the attributes of `commit` and never those of a half-moved tree: its work tree is a
/// directory with only the attribute files.
Result<Command> with_attributes_of(const Command& git, const fs::path& directory, const std::string& commit);
bool is_attributes(const std::string& path);

}  // namespace hydra::git
