// cli: the end of a failed step's log, of the baseline or of a result, which users ask for next.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"
#include "client/client.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

/// "RACE/@baseline/tests/2"; for a cached baseline the race is an earlier race.
struct StepRef {
  std::string race, kind;
};
StepRef step_of_attempt(const std::string& attempt);

struct FailedLog {
  StepRef step;
  bool there = false;              ///< false: the log's race was removed
  std::vector<std::string> lines;  ///< last lines with content; untrusted text
};

/// Returns the attempt that made the baseline fail; empty: none ran.
std::string failed_attempt(const wire::Baseline& baseline);
FailedLog read_failed_log(client::Client& client, const std::string& attempt);
/// Returns an empty text if the log has no lines.
std::string failed_log_block(const FailedLog& log, const Style& style);

/// A step of a result that failed although the baseline's passed, or that could not be judged. The first of
/// several results with the same tree has it.
struct FailedStep {
  std::string who;
  NamedCheck check;
};
/// Returns at most four steps; none for a race without a ranking.
std::vector<FailedStep> failed_steps(const wire::Results& results);
/// Returns a line for each check without points whose log failed_steps() does not show, with the reason:
/// "  Codex: tests timed out after 120 s".
std::string unscored_lines(const wire::Results& results, const Style& style);
/// Returns the step, the last lines of its log, and possible remedies.
std::string failed_step_block(const FailedStep& step, const FailedLog& log, const Style& style);
/// Reads the logs from the daemon and returns the blocks of all failed steps.
std::string failed_steps_text(client::Client& client, const wire::Results& results, const Style& style);

}  // namespace hydra::cli
