// cli: the tools of `hydra mcp` (docs/ci.md): arguments and functions.
#pragma once

#include "cli/mcp/call.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

struct McpTool {
  std::string name, title, description;
  Json properties;  ///< JSON Schema of the input: string, boolean, integer, array of strings
  Result<McpAnswer> (*run)(McpCall&);
  Json annotations{{"readOnlyHint", true}, {"openWorldHint", false}};
  std::vector<std::string> required{};
};

const std::vector<McpTool>& mcp_tools();
const McpTool* find_mcp_tool(std::string_view name);
/// Returns the tool's entry in `tools/list`.
Json mcp_tool_json(const McpTool& tool);
/// Returns an error for an argument that the tool does not accept.
Result<void> check_mcp_arguments(const McpTool& tool, const Json& arguments);

// The tools, grouped by source file.
Result<McpAnswer> mcp_race(McpCall& call);
Result<McpAnswer> mcp_cancel(McpCall& call);
Result<McpAnswer> mcp_results(McpCall& call);
Result<McpAnswer> mcp_merge_preview(McpCall& call);
Result<McpAnswer> mcp_merge(McpCall& call);

/// Returns the target below /v1/races for argument `race`: an id, a prefix, or empty for the last race of the
/// directory.
Result<std::string> mcp_race_target(const McpCall& call, std::string_view tail = {});

}  // namespace hydra::cli
