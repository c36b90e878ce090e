// model: the configuration as a JSON value, for who puts it among other members.
#pragma once

#include "base/result.hpp"
#include "model/config.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hydra::model {

nlohmann::json config_value(const Config& config);
/// `protocol` for wrong shapes; members that are missing keep their defaults.
Result<Config> config_of(const nlohmann::json& value);

}  // namespace hydra::model
