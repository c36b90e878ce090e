// cli: other programs run without a terminal, their output kept.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

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
