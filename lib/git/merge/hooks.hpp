// git, inside only: the user's hooks and filters, asked before anything of the user's changes (core recipes,
// section 6). Both are looked up once against the user's checkout: what a result carries under their paths
// must not take their place.
#pragma once

#include "git/environment.hpp"
#include "git/merge/merge.hpp"

#include <string>
#include <vector>

namespace hydra::git {

/// What the hooks are asked about.
struct HookQuestion {
  fs::path scratch;    ///< directory that gets a checkout of the merged tree
  fs::path index;      ///< of that checkout
  fs::path file;       ///< gets the message
  std::string commit;  ///< merged commit, in the user's repository
  std::string branch;  ///< for messages
};

class Hooks {
 public:
  /// `user` is a git in the user's checkout `root`.
  static Result<Hooks> find(const Command& user, const fs::path& root);

  [[nodiscard]] bool asks() const { return commit_msg_ || pre_merge_; }
  [[nodiscard]] bool post_merge() const { return post_merge_; }
  /// Paths below the checkout, relative to it, that git runs something of: the directory of the hooks (ends
  /// in '/'), and files that commands of filters and merge drivers name.
  [[nodiscard]] const std::vector<std::string>& run_from_tree() const { return run_from_tree_; }

  /// Runs pre-merge-commit and commit-msg; `message` becomes what the second left. `refused` where one of
  /// them refuses, changes the index or empties the message.
  Result<void> ask(const Command& user, const HookQuestion& question, std::string& message) const;
  /// git that runs these hooks, whatever the directory that it stands in holds.
  [[nodiscard]] Command with_hooks(const Command& user) const;

 private:
  fs::path directory_;
  std::vector<std::string> run_from_tree_;
  bool commit_msg_ = false, pre_merge_ = false, post_merge_ = false;
};

/// A message as git makes it: no blank lines around it, one newline at its end; empty where nothing is left.
std::string clean_message(std::string_view text);

/// Writes the files of `changes` that a filter makes into `scratch`, as git in the user's checkout would:
/// `refused`, naming the file, where that fails. `git` reads the user's configuration; `index` is made.
Result<void> ask_filters(const Command& git, const fs::path& scratch, const fs::path& index,
                         const std::string& commit, const std::vector<RawEntry>& changes);

/// git that reads the attributes of `commit` and of no half-moved tree: over a directory that holds nothing
/// but those files.
Result<Command> with_attributes_of(const Command& git, const fs::path& directory, const std::string& commit);
bool is_attributes(const std::string& path);

}  // namespace hydra::git
