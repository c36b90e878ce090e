// exec: what the process has started, for people and for tests that hold its cost.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hydra::exec {

/// Programs that this process started, by the name of their file. Any thread.
std::map<std::string, std::uint64_t> started_programs();
/// One more; `program` is a name or a path.
void count_started(std::string_view program);

}  // namespace hydra::exec
