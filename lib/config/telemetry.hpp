// config: [telemetry], which the daemon reads of the user's own file and which is no part of a race. load()
// complains about its mistakes as about any other, and refuses it in a shared file.
#pragma once

#include "base/result.hpp"
#include "model/telemetry_config.hpp"

#include <string>
#include <string_view>

namespace hydra::config {

/// The section of a file; its defaults where there is none. `config` with the first mistake of the section,
/// or of the file where that is no TOML.
Result<model::TelemetryConfig> load_telemetry(const std::string& name, std::string_view text);

}  // namespace hydra::config
