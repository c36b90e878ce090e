// git, inside only: the one place that starts the git program. Every call gets a whole environment of its
// own, so that neither the machine's configuration nor an agent's repository decides what runs.
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

/// One prepared way of calling git; copy it and refine the copy.
class Command {
 public:
  /// Configuration of the user and the machine cleared.
  Command(std::string_view path_variable, std::string_view home);

  /// In the user's repository, configuration cleared but for the repository's own; hooks and monitors off.
  static Command in_repository(const model::RepositoryFacts& repository, std::string_view path_variable,
                               std::string_view home);

  /// Reads the user's configuration too: for steps where their filters, remotes or hooks are wanted.
  Command& with_user_configuration();
  /// Lets git run the user's hooks (they are off otherwise).
  Command& with_hooks();
  /// What it starts may stay (an agent that holds keys, a server of a hook): the next daemon does not end it.
  Command& of_the_user();
  Command& git_dir(const fs::path& path) { return variable("GIT_DIR", path.string()); }
  Command& work_tree(const fs::path& path) { return variable("GIT_WORK_TREE", path.string()); }
  Command& index(const fs::path& path) { return variable("GIT_INDEX_FILE", path.string()); }
  Command& cwd(const fs::path& path);
  Command& config(std::string_view key, std::string_view value);
  Command& variable(std::string name, std::string value);
  Command& identity(const std::string& name, const std::string& email, std::int64_t unix_seconds);
  /// Another place of objects to read from, and never to write to; each call adds one.
  Command& also_reads(const fs::path& objects);
  Command& inherit(int fd);
  /// Asked for: git and what it started are killed, and nothing is started any more.
  Command& stop(std::stop_token token);

  /// Runs `git <options> args`; any exit code is a value.
  [[nodiscard]] Result<exec::ToolOutput> run(const std::vector<std::string>& args,
                                             std::string input = {}) const;
  /// Standard output of a call that must end with 0; otherwise an Error with what git said.
  [[nodiscard]] Result<std::string> output(const std::vector<std::string>& args,
                                           std::string input = {}) const;
  /// The same; the Error calls it `what`.
  [[nodiscard]] Result<std::string> step(std::string_view what, const std::vector<std::string>& args,
                                         std::string input = {}) const;
  /// Whether it ends with 0.
  [[nodiscard]] Result<bool> succeeds(const std::vector<std::string>& args) const;
  /// The same as output() without its final newline.
  [[nodiscard]] Result<std::string> line(const std::vector<std::string>& args, std::string input = {}) const;

 private:
  std::vector<std::string> options_;
  std::vector<std::pair<std::string, std::string>> env_;
  fs::path cwd_;
  int inherit_fd_ = -1;
  bool hooks_ = false, of_the_user_ = false;
  std::stop_token stop_;
};

/// An Error that names the step and what git said last.
Error git_error(std::string_view step, const exec::ToolOutput& output);
/// The line of `err` that says what failed, fit for people: the last one that git marks as fatal, or else as
/// an error, or else the last that says something.
std::string last_words(std::string_view err);

/// `work` on a thread of its own, or by get() where none can be started (a limit on processes).
template <class Work>
auto side_by_side(Work work) -> std::future<std::invoke_result_t<Work>> {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, std::move(work));
  }
}

/// Whether it is a whole id of an object, in digits.
bool is_object_id(std::string_view text);
/// The parts of NUL-terminated output.
std::vector<std::string_view> records(std::string_view text);

}  // namespace hydra::git
