// wire: what the daemon is asked (requests.hpp), out of a body that came from outside. Read strictly: whoever
// asks for what nobody knows is told so, and nothing is done.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::wire {

/// Who asks. Whoever looks at the scoreboard names neither a path nor a configuration nor an environment:
/// such members are known, and not taken (`HYDRA_LOCAL` of the lists).
enum class Asker { program, browser };

/// `usage`, with the name of the member: one that is unknown, missing, of another kind, or given twice; the
/// body is no object, or nested deeper than 64. An empty body is an empty object.
template <class T>
Result<T> request_from(std::string_view body, Asker asker);

/// Names of the members of a request, as JSON has them.
template <class T>
std::vector<std::string> member_names();

}  // namespace hydra::wire
