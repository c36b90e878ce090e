// cli: the tools of `hydra mcp` (docs/mcp.md): what each takes, and what it does.
#pragma once

#include "cli/mcp/call.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

struct McpTool {
  std::string name, title, description;
  Json properties;  ///< of its input, JSON Schema: string, boolean, integer, array of strings
  Result<McpAnswer> (*run)(McpCall&);
  Json annotations{{"readOnlyHint", true}, {"openWorldHint", false}};
  std::vector<std::string> required{};
};

const std::vector<McpTool>& mcp_tools();
const McpTool* find_mcp_tool(std::string_view name);
/// As `tools/list` shows it.
Json mcp_tool_json(const McpTool& tool);
/// What of these arguments the tool does not take; nothing where all is well.
Result<void> check_mcp_arguments(const McpTool& tool, const Json& arguments);

// The tools, by file.
Result<McpAnswer> mcp_race(McpCall& call);
Result<McpAnswer> mcp_cancel(McpCall& call);
Result<McpAnswer> mcp_results(McpCall& call);
Result<McpAnswer> mcp_merge_preview(McpCall& call);
Result<McpAnswer> mcp_merge(McpCall& call);

/// The race that `race` of the arguments names (an id, the begin of one, or nothing for the last one of the
/// directory): its target below /v1/races.
Result<std::string> mcp_race_target(const McpCall& call, std::string_view tail = {});

}  // namespace hydra::cli
