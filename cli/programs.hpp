// cli: programs that a verb runs, on its terminal or with captured output, and repositories made by Hydra.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

/// Runs a program on this terminal and returns its exit code, or 128 + signal. `quiet`: its standard output
/// is discarded. `environment` if the program cannot be started.
Result<int> run_program(const std::vector<std::string>& argv, bool quiet);

/// Starts a program on this terminal in its own process group, so that terminal signals do not reach the
/// program. Returns the pid.
Result<int> start_program(const std::vector<std::string>& argv);
/// Waits for a started program; returns its exit code, or 128 + signal.
Result<int> wait_program(int pid);

/// Makes a git repository in `directory` with one commit of all files. Its configuration disables the user's
/// signing, hooks and autocrlf.
Result<void> make_repository(const std::filesystem::path& directory, const std::string& message);

struct CapturedRun {
  int exit = 0;  ///< exit code, or 128 + signal
  std::string out, err;
};

/// Runs a program in `directory` with `input` on standard input and waits. `environment` if the program
/// cannot be started. Keeps at most 64 MiB of each stream.
Result<CapturedRun> run_captured(const std::vector<std::string>& argv, const std::filesystem::path& directory,
                                 const std::string& input = {});

/// Returns the path of this executable; "hydra" if unknown.
std::string own_program();

}  // namespace hydra::cli
