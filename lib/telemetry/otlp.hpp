// telemetry: a race as OpenTelemetry traces and metrics, in the JSON encoding of OTLP/HTTP 1.x with the GenAI
// semantic conventions (docs/telemetry.md). Pure: events in, request bodies out.
#pragma once

#include "model/event.hpp"

#include <string>
#include <vector>

namespace hydra::telemetry {

struct OtlpOptions {
  std::string version;  ///< of Hydra
  bool task = false;    ///< the words of the task, too
};

struct OtlpBodies {
  std::vector<std::string> traces;   ///< of POST /v1/traces: a span of the race, of each run and each check
  std::vector<std::string> metrics;  ///< of POST /v1/metrics
};

/// What happened in a race until it ended last, since it had ended before (a retry makes an ended race go
/// on). `events`: all of the race, oldest first. Nothing where the race has not ended, and of checks and
/// verifications, which are no races. Ids of trace and spans follow from the race: the same events give the
/// same bytes. Of texts there are names of agents, models and providers, states and ids.
OtlpBodies otlp_of(const std::vector<model::Event>& events, const OtlpOptions& options);

/// The kinds of events that otlp_of() reads.
const std::vector<std::string>& otlp_kinds();

/// "a=b,c=d%20e" of OTEL_EXPORTER_OTLP_HEADERS; what can be no header is left out.
std::vector<std::pair<std::string, std::string>> otlp_headers(std::string_view text);

}  // namespace hydra::telemetry
