// cli: other programs run by a verb, with its terminal or their output kept, and repositories of Hydra's own
// that they make.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

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

struct CapturedRun {
  int exit = 0;  ///< 128 + signal where one ended it
  std::string out, err;
};

/// Runs a program in `directory` with `input` on its standard input, and waits for its end. `environment`
/// where it can't be started. At most 64 MiB of each stream are kept.
Result<CapturedRun> run_captured(const std::vector<std::string>& argv, const std::filesystem::path& directory,
                                 const std::string& input = {});

/// This program's own file; "hydra" where nobody knows.
std::string own_program();

}  // namespace hydra::cli
