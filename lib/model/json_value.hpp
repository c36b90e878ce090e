// model: the configuration and events as JSON values, for callers that add other members.
#pragma once

#include "base/result.hpp"
#include "model/config.hpp"
#include "model/event.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hydra::model {

nlohmann::json config_value(const Config& config);
/// Parses a configuration; `protocol` for wrong shapes; missing members keep their defaults.
Result<Config> config_of(const nlohmann::json& value);
/// Returns the value that to_json() of json.hpp writes.
nlohmann::json event_value(const EventBody& body);

}  // namespace hydra::model
