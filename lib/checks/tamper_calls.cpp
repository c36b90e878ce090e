#include "checks/tamper_impl.hpp"

namespace hydra::checks {

void find_in_calls(const TamperInput& /*input*/, Signals& /*signals*/) {}

}  // namespace hydra::checks
