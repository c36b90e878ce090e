// launch: the one way in which the daemon and the command line start a program (ADR 9).
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace hydra::launch {

/// Who gets the signals of our terminal, and whether it outlives it.
enum class Group {
  ours,
  own,          ///< a process group of its own
  own_session,  ///< and no terminal
};

/// Signals that it finds ignored by us and has at their default again.
enum class Defaults {
  all,
  of_terminal,  ///< SIGINT and SIGPIPE: what a nohup above us ignores stays ignored
};

struct Program {
  std::filesystem::path file;                             ///< without a slash: searched in our PATH
  std::vector<std::string> arguments;                     ///< without its own name
  std::optional<std::vector<std::string>> environment{};  ///< "KEY=VALUE"; nothing: ours
  std::filesystem::path directory{};                      ///< empty: ours
  /// Ours and the number that it has there, in this order; -1 is /dev/null. What is not named stays as it is.
  std::vector<std::pair<int, int>> descriptors{};
  bool only_these = false;  ///< closes everything above the highest number in `descriptors`, 2 at least
  Group group = Group::ours;
  Defaults defaults = Defaults::all;
  std::vector<int> held{};  ///< signals that wait until it asks for them; nothing else is blocked
};

/// Starts it by posix_spawn, behind Boost.Process: no page table is copied. Its process, which the caller has
/// to wait for. `io` (base/result.hpp, system_error) with errno where it can't be started, also where only
/// exec failed.
Result<pid_t> start(const Program& program);

/// The same in a session of its own, with /dev/null for everything, and nobody has to wait for it: what a
/// desktop shows.
Result<void> start_detached(const std::filesystem::path& file, const std::vector<std::string>& arguments);

}  // namespace hydra::launch
