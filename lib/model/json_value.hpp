// model: the configuration and events as JSON values, for who puts them among other members.
#pragma once

#include "base/result.hpp"
#include "model/config.hpp"
#include "model/event.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hydra::model {

nlohmann::json config_value(const Config& config);
/// `protocol` for wrong shapes; members that are missing keep their defaults.
Result<Config> config_of(const nlohmann::json& value);
/// What to_json() of json.hpp writes.
nlohmann::json event_value(const EventBody& body);

}  // namespace hydra::model
