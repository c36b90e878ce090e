// checks: tells tests that failed because the code lacks the interface that they call from tests that failed
// by the code's behaviour. The runner's log gives only an estimate: a missing name is a finding only when the
// failing frame, if the log names one, is in a test file. Pure; linear in the log.
#pragma once

#include "model/check.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

struct MissingInterface {
  std::vector<std::string> tests;         ///< failed by a missing module, name, method or parameter
  std::vector<std::string> by_arguments;  ///< of these, by the parameters of a function that exists
};
/// Finds the failed tests of `report` whose failure in `log` is a missing interface. `files`: the test
/// author's files.
MissingInterface without_contact(std::string_view log, const model::TestReport& report,
                                 const std::vector<std::string>& files);

}  // namespace hydra::checks
