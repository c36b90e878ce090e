// integrity: extracts command lines from an agent's transcript, for the tamper report.
#pragma once

#include "integrity/report/tamper.hpp"
#include "model/agent_descriptor.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

inline constexpr std::size_t kMostToolCalls = 20'000;
inline constexpr std::size_t kMostToolCallBytes = 8192;  ///< bytes of one call; the rest is cut off

struct ToolCalls {
  std::vector<ToolCall> calls;
  std::string missing;  ///< one clause: why calls may be missing; empty: none are
};

/// Extracts values of members "command", "cmd" or "script" (texts or lists of words), and of "url" (preceded
/// by the name of a fetching tool), from JSON lines. Other lines and formats contain no tool calls.
ToolCalls tool_calls(std::string_view jsonl);

struct Transcript {
  std::vector<ToolCall> calls;
  std::vector<std::string> unseen;  ///< unknown parts of the transcript, one clause each
};

/// tool_calls() of the logs of an agent's attempts, if its format is JSON lines.
Transcript read_transcript(const model::AgentDescriptor& descriptor,
                           const std::vector<std::filesystem::path>& logs);

}  // namespace hydra::integrity
