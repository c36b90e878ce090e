// cli: the `hydra` program without main(): verbs, dispatch, exit codes.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// Exit codes of `hydra`, as in `hydra --help`.
enum Exit { kDone = 0, kNoWinner = 1, kUsage = 2, kFailed = 3, kInterrupted = 130 };

/// Returns the exit code for an error code.
int exit_code(Errc code);

/// Returns all verbs in the order of the help.
std::vector<Verb> all_verbs();
/// Makes only the verb of that name.
std::optional<Verb> find_verb(std::string_view name);

/// Runs one command line (argv[0] included) and returns the exit code; prints to the standard streams.
int run(int argc, const char* const* argv);

}  // namespace hydra::cli
