// integrity: the command lines that an agent's transcript shows, for the tamper report.
#pragma once

#include "integrity/report/tamper.hpp"
#include "model/agent_descriptor.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

inline constexpr std::size_t kMostToolCalls = 20'000;
inline constexpr std::size_t kMostToolCallBytes = 8192;  ///< of one; the rest is cut off

struct ToolCalls {
  std::vector<ToolCall> calls;
  std::string missing;  ///< one clause: why these may not be all; empty: nothing was left out
};

/// Values of members called "command", "cmd" or "script", texts or lists of words, and of "url" (the name of
/// a fetching tool stands before it), in JSON lines. Other lines and formats tell no tool calls.
ToolCalls tool_calls(std::string_view jsonl);

struct Transcript {
  std::vector<ToolCall> calls;
  std::vector<std::string> unseen;  ///< what of it is not known, one clause each
};

/// The same of the logs of an agent's attempts, where its format is JSON lines.
Transcript read_transcript(const model::AgentDescriptor& descriptor,
                           const std::vector<std::filesystem::path>& logs);

}  // namespace hydra::integrity
