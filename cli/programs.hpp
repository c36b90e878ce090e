// cli: other programs run by a verb, with its terminal, and repositories of Hydra's own that they make.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

struct Spawn {
  std::filesystem::path directory;  ///< empty: ours
  std::vector<int> streams;         ///< its first descriptors; empty: ours, and our terminal
  bool quiet = false;               ///< its standard output goes nowhere
  bool own_group = false;           ///< signals of the terminal are not its
};
/// The pid of a program that runs; `environment` when it can't be started.
Result<int> spawn_program(const std::vector<std::string>& argv, const Spawn& how);

/// Runs a program with our terminal and waits for it. `quiet`: its standard output goes nowhere. Its exit
/// code; 128 + signal. `environment` when it can't be started.
Result<int> run_program(const std::vector<std::string>& argv, bool quiet);

/// Starts a program with our terminal, in a process group of its own: signals of the terminal are not its.
/// Its pid.
Result<int> start_program(const std::vector<std::string>& argv);
/// Waits for the end of one that was started. Its exit code; 128 + signal.
Result<int> wait_program(int pid);

/// A git repository in `directory` with everything there in one commit: nothing of the user's configuration
/// can stop or sign it.
Result<void> make_repository(const std::filesystem::path& directory, const std::string& message);

}  // namespace hydra::cli
