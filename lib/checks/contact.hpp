// checks: tells tests that failed because the code lacks the interface that they call from tests that failed
// by the code's behaviour. The runner's log gives only an estimate: a missing name is a finding only when the
// failing frame, if the log names one, is in a test file. Pure; linear in the log.
#pragma once

#include "model/check.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Names the failed tests of `report` whose failure in `log` is a missing module, name, method or parameter.
/// `files`: the test author's files.
std::vector<std::string> without_contact(std::string_view log, const model::TestReport& report,
                                         const std::vector<std::string>& files);

}  // namespace hydra::checks
