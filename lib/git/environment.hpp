// git, inside only: the only code that starts the git program. Every call gets a complete environment, so
// that neither the machine's configuration nor an agent's repository decides which programs run.
#pragma once

#include "base/result.hpp"
#include "exec/tool.hpp"
#include "model/race_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <future>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace hydra::git {

namespace fs = std::filesystem;

/// A prepared git call; callers copy and refine a Command.
class Command {
 public:
  /// Ignores the configuration of the user and the machine.
  Command(std::string_view path_variable, std::string_view home);

  /// git in the user's repository with that repository's configuration only; hooks and monitors are off.
  static Command in_repository(const model::RepositoryFacts& repository, std::string_view path_variable,
                               std::string_view home);

  /// Reads the user's configuration too: for steps that need the user's filters, remotes or hooks.
  Command& with_user_configuration();
  /// Lets git run the user's hooks, which are off by default.
  Command& with_hooks();
  /// Lets programs started by git stay (an agent that holds keys, a server of a hook): the next daemon does
  /// not end them.
  Command& of_the_user();
  Command& git_dir(const fs::path& path) { return variable("GIT_DIR", path.string()); }
  Command& work_tree(const fs::path& path) { return variable("GIT_WORK_TREE", path.string()); }
  Command& index(const fs::path& path) { return variable("GIT_INDEX_FILE", path.string()); }
  Command& cwd(const fs::path& path);
  Command& config(std::string_view key, std::string_view value);
  Command& variable(std::string name, std::string value);
  Command& identity(const std::string& name, const std::string& email, std::int64_t unix_seconds);
  /// Adds an object directory that git reads from and never writes to.
  Command& also_reads(const fs::path& objects);
  Command& inherit(int fd);
  /// On a stop request git and its children are killed, and no further call starts.
  Command& stop(std::stop_token token);

  /// Runs `git <options> args`; any exit code is a value.
  [[nodiscard]] Result<exec::ToolOutput> run(const std::vector<std::string>& args,
                                             std::string input = {}) const;
  /// Returns the standard output of a call that must exit with 0; otherwise an Error with git's message.
  [[nodiscard]] Result<std::string> output(const std::vector<std::string>& args,
                                           std::string input = {}) const;
  /// output() whose Error names the step `what`.
  [[nodiscard]] Result<std::string> step(std::string_view what, const std::vector<std::string>& args,
                                         std::string input = {}) const;
  /// Returns whether git exits with 0.
  [[nodiscard]] Result<bool> succeeds(const std::vector<std::string>& args) const;
  /// output() without the final newline.
  [[nodiscard]] Result<std::string> line(const std::vector<std::string>& args, std::string input = {}) const;

 private:
  std::vector<std::string> options_;
  std::vector<std::pair<std::string, std::string>> env_;
  fs::path cwd_;
  int inherit_fd_ = -1;
  bool hooks_ = false, of_the_user_ = false;
  std::stop_token stop_;
};

/// An Error that names the step and git's last message.
Error git_error(std::string_view step, const exec::ToolOutput& output);
/// Returns the line of `err` that explains the failure to people: the last one marked fatal, or else the last
/// error, or else the last non-empty line.
std::string last_words(std::string_view err);

/// Runs `work` on a new thread, or inside get() when no thread can be started (a limit on processes).
template <class Work>
auto side_by_side(Work work) -> std::future<std::invoke_result_t<Work>> {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, std::move(work));
  }
}

/// Returns whether `text` is a full object id in hex digits.
bool is_object_id(std::string_view text);
/// Splits NUL-terminated output.
std::vector<std::string_view> records(std::string_view text);

}  // namespace hydra::git
