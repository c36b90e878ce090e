// checks: tests that failed because the code has not the interface that they talk to, told from tests that
// failed by what the code does. A reading of the runner's log, and so an estimate: a missing name is a
// finding only where the failing frame, as far as the log names one, is in a test file. Pure; linear in the
// log.
#pragma once

#include "model/check.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Names of failed tests of `report` whose failure in `log` is a missing module, name, method or parameter.
/// `files`: those of the tests' author.
std::vector<std::string> without_contact(std::string_view log, const model::TestReport& report,
                                         const std::vector<std::string>& files);

}  // namespace hydra::checks
