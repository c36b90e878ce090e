#include "checks/tamper_impl.hpp"

namespace hydra::checks {

void find_in_texts(const TamperInput& /*input*/, Signals& /*signals*/, std::int64_t& /*suppressions*/) {}

}  // namespace hydra::checks
