// cli: races as resources of `hydra mcp`: hydra://races/RACE/results, …/status, …/diff/AGENT, …/explain/AGENT
// and …/logs/SUBJECT/KIND, each part percent-encoded.
#pragma once

#include "cli/mcp/call.hpp"

#include <string>

namespace hydra::cli {

/// Returns one page of the last races of the server's directory; `cursor`: from the previous page.
Result<Json> list_mcp_resources(McpCall& call, const std::string& cursor);
Json mcp_resource_templates();
/// Returns {uri, mimeType, text}; `usage` for an unknown address.
Result<Json> read_mcp_resource(McpCall& call, const std::string& uri);

}  // namespace hydra::cli
