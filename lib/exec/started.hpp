// exec: counts the programs that the process has started, for people and for tests that bound the number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hydra::exec {

/// Starts so far, by the program's file name. Thread-safe.
std::map<std::string, std::uint64_t> started_programs();
/// Counts one start; `program` is a name or a path.
void count_started(std::string_view program);

}  // namespace hydra::exec
