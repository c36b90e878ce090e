// cli: the `hydra` program without its main(): verbs, dispatch, exit codes.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// Exit codes of `hydra` (docs/api.md, "Errors").
enum Exit { kDone = 0, kNoWinner = 1, kUsage = 2, kFailed = 3, kInterrupted = 130 };

/// The exit code for a failure of this kind.
int exit_code(Errc code);

/// All verbs, in the order of the help.
std::vector<Verb> all_verbs();
/// One of them, without making the others.
std::optional<Verb> find_verb(std::string_view name);

/// Runs one command line (argv[0] included). Returns the exit code; prints to the standard streams.
int run(int argc, const char* const* argv);

// One function a file cmd_*.cpp.
Verb race_verb();
Verb watch_verb();
Verb status_verb();
Verb list_verb();
Verb results_verb();
Verb logs_verb();
Verb diff_verb();
Verb explain_verb();
Verb rescore_verb();
Verb verify_verb();
Verb merge_verb();
Verb cancel_verb();
Verb retry_verb();
Verb rate_verb();
Verb agents_verb();
Verb doctor_verb();
Verb init_verb();
Verb check_verb();
Verb config_verb();
Verb clean_verb();
Verb daemon_verb();
Verb ui_verb();
Verb report_verb();
Verb demo_verb();
Verb parse_verb();
Verb score_verb();
Verb leaderboard_verb();
Verb history_verb();
Verb export_verb();
Verb standings_verb();
Verb bench_verb();
Verb completion_verb();
Verb mcp_verb();
Verb ci_verb();
Verb pr_verb();

}  // namespace hydra::cli
