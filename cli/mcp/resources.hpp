// cli: races as resources of `hydra mcp`: hydra://races/RACE/results, …/status, …/diff/AGENT, …/explain/AGENT
// and …/logs/SUBJECT/KIND, each part percent-encoded.
#pragma once

#include "cli/mcp/call.hpp"

#include <string>

namespace hydra::cli {

/// The last races of the place where the server stands, a page each; `cursor` as the last page named it.
Result<Json> list_mcp_resources(McpCall& call, const std::string& cursor);
Json mcp_resource_templates();
/// {uri, mimeType, text}. `usage` where nothing has this address.
Result<Json> read_mcp_resource(McpCall& call, const std::string& uri);

}  // namespace hydra::cli
