// model: what is told of races to programs of the user's own (docs/telemetry.md). It acts for whoever wrote
// it, so it is read from the user's own file only, by the daemon itself, and is no part of a race.
#pragma once

#include <string>

namespace hydra::model {

struct TelemetryConfig {
  std::string otlp_endpoint;  ///< http or https URL of an OTLP receiver, "environment", or empty: none
  bool otlp_task = false;     ///< the task's words are sent, too
  int metrics_port = 0;       ///< 127.0.0.1 gives /metrics there; 0: nobody listens
};

}  // namespace hydra::model
