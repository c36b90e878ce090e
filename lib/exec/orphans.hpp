// exec: ends the tools of a dead daemon. They continue without it: a checkout would write into a workspace
// that the next daemon makes again. Every tool has its daemon's mark, and the next daemon ends marked tools
// first.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace hydra::exec {

/// From now on run_tool() sets HYDRA_TOOL_OF=`owner` for every tool. Call before any thread starts.
void mark_tools(const std::string& owner);
/// The present mark; empty: none.
const std::string& tool_mark();

struct Orphans {
  int killed = 0;  ///< worked in Hydra's own directory, where all content is made again
  int ended = 0;   ///< worked elsewhere (the user's repository) and ended by themselves
  int left = 0;    ///< still running after `patience`
};

/// Ends tools that have the mark `owner` and are not below this process: kills tools that work in `own`, and
/// waits for all others. Blocking.
Orphans end_orphan_tools(const std::string& owner, const std::filesystem::path& own,
                         std::chrono::milliseconds patience);

}  // namespace hydra::exec
