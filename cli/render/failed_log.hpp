// cli: the end of what a failed step printed, of the baseline or of a result: what people ask for next.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"
#include "client/client.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

/// "RACE/@baseline/tests/2": of a baseline out of the cache the race is an earlier one.
struct StepRef {
  std::string race, kind;
};
StepRef step_of_attempt(const std::string& attempt);

struct FailedLog {
  StepRef step;
  bool there = false;              ///< else its race is gone
  std::vector<std::string> lines;  ///< the last ones that say something; foreign text
};

/// The attempt that kept the baseline from passing; empty: none that ran.
std::string failed_attempt(const wire::Baseline& baseline);
FailedLog read_failed_log(client::Client& client, const std::string& attempt);
/// Empty where the log has no line.
std::string failed_log_block(const FailedLog& log, const Style& style);

/// The step of a result that failed where the baseline's did not, or that could not be judged; of results
/// with the same tree the first one has it.
struct FailedStep {
  std::string who;
  NamedCheck check;
};
/// At most four; none of a race without a ranking.
std::vector<FailedStep> failed_steps(const wire::Results& results);
/// What it was, the last lines of its log, and what may help.
std::string failed_step_block(const FailedStep& step, const FailedLog& log, const Style& style);
/// The blocks of all of them, read from the daemon.
std::string failed_steps_text(client::Client& client, const wire::Results& results, const Style& style);

}  // namespace hydra::cli
