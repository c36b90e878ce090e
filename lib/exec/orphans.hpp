// exec: tools of a daemon that died. They go on by themselves: a checkout would write into a workspace that
// the next daemon makes anew. So every tool bears its daemon's mark, and the next one ends them first.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace hydra::exec {

/// From now on run_tool() gives every tool HYDRA_TOOL_OF=`owner`. Call it before any thread is started.
void mark_tools(const std::string& owner);
/// The mark; empty: none.
const std::string& tool_mark();

struct Orphans {
  int killed = 0;  ///< worked in Hydra's own directory, where everything is made anew
  int ended = 0;   ///< worked elsewhere (the user's repository) and came to their end by themselves
  int left = 0;    ///< still at it after `patience`
};

/// Tools that bear the mark `owner` and are not below this process. Those that stand or work in `own` are
/// killed, all others are waited for. Blocking.
Orphans end_orphan_tools(const std::string& owner, const std::filesystem::path& own,
                         std::chrono::milliseconds patience);

}  // namespace hydra::exec
