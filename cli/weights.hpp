// cli: weights as users type them, for `hydra rescore --weights`.
#pragma once

#include "base/result.hpp"

#include <map>
#include <string>
#include <string_view>

namespace hydra::cli {

/// "tests=50,lint=0", by name. Numbers are finite; whether a name is one of a dimension and a number is one
/// of a weight is the daemon's affair. `usage` names what can't be read.
Result<std::map<std::string, double>> read_weights(std::string_view text);

}  // namespace hydra::cli
