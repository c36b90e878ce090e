// cli: the end of what a failed step of the baseline printed: what people ask for next.
#pragma once

#include "cli/style.hpp"
#include "cli/views.hpp"
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
std::string failed_attempt(const BaselineView& baseline);
FailedLog read_failed_log(client::Client& client, const std::string& attempt);
/// Empty where the log has no line.
std::string failed_log_block(const FailedLog& log, const Style& style);

}  // namespace hydra::cli
