// cli: the `hydra` program without its main(): verbs, dispatch, exit codes.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// Exit codes of `hydra` (`hydra --help`).
enum Exit { kDone = 0, kNoWinner = 1, kUsage = 2, kFailed = 3, kInterrupted = 130 };

/// The exit code for a failure of this kind.
int exit_code(Errc code);

/// All verbs, in the order of the help.
std::vector<Verb> all_verbs();
/// One of them, without making the others.
std::optional<Verb> find_verb(std::string_view name);

/// Runs one command line (argv[0] included). Returns the exit code; prints to the standard streams.
int run(int argc, const char* const* argv);

}  // namespace hydra::cli
