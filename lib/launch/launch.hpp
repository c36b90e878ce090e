// launch: the only way for the daemon and the command line to start a program
// (docs/adr/0009-starting-programs.md).
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace hydra::launch {

/// Process group of the program: decides whether it gets our terminal's signals and outlives the terminal.
enum class Group {
  ours,
  own,          ///< a new process group
  own_session,  ///< a new session, without a terminal
};

/// Signals that we ignore and that the program finds at their defaults.
enum class Defaults {
  all,
  of_terminal,  ///< SIGINT and SIGPIPE; a signal that a parent nohup ignores stays ignored
};

struct Program {
  std::filesystem::path file;                             ///< without a slash: searched in our PATH
  std::vector<std::string> arguments;                     ///< without argv[0]
  std::optional<std::vector<std::string>> environment{};  ///< "KEY=VALUE"; nothing: ours
  std::filesystem::path directory{};                      ///< empty: ours
  /// Our descriptor and its number in the program, in this order; -1 is /dev/null. Other descriptors stay
  /// unchanged.
  std::vector<std::pair<int, int>> descriptors{};
  bool only_these = false;  ///< true: closes all above the highest number in `descriptors`, at least above 2
  Group group = Group::ours;
  Defaults defaults = Defaults::all;
  std::vector<int> held{};  ///< signals blocked until the program unblocks them; nothing else is blocked
};

/// Starts the program by posix_spawn (Boost.Process): no page table is copied. Returns its pid; the caller
/// waits for it. `io` with errno (base/result.hpp) when it can't start, also when exec failed.
Result<pid_t> start(const Program& program);

/// start() in a new session, with /dev/null for all streams; the caller need not wait: for programs that a
/// desktop shows.
Result<void> start_detached(const std::filesystem::path& file, const std::vector<std::string>& arguments);

}  // namespace hydra::launch
