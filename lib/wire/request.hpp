// wire: parses requests (requests.hpp) from bodies of untrusted origin. Parsing is strict: a request with an
// unknown member is refused, and nothing is done.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::wire {

/// The origin of a request. A browser may set no path, configuration or environment: members marked
/// `HYDRA_LOCAL` are known and refused.
enum class Asker { program, browser };

/// Parses a request. `usage`, with the member's name: an unknown, missing, mistyped or duplicate member; the
/// body is not an object, or nested deeper than 64. An empty body is an empty object.
template <class T>
Result<T> request_from(std::string_view body, Asker asker);

/// Returns the JSON names of a request's members.
template <class T>
std::vector<std::string> member_names();

}  // namespace hydra::wire
