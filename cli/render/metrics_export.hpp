// cli: `hydra export --format prometheus`: the daemon's own text of GET /metrics.
#pragma once

#include "cli/context.hpp"

#include <string>

namespace hydra::cli {

/// Of the races that `query` names (percent-encoded; empty: all), to `file`, or to the output where that is
/// empty. The exit code.
int export_metrics(Context& context, client::Client& client, const std::string& query,
                   const std::string& file);

}  // namespace hydra::cli
