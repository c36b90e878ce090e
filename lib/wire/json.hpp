// wire: the daemon's requests (requests.hpp) and answers as JSON and back; each struct has one list of its
// members, in the json_*.cpp of its family. Reading is tolerant, so that a newer daemon stays readable:
// unknown members are ignored, and missing or mistyped members keep their defaults.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace hydra::wire {

/// Returns one line of JSON, members by name. Invalid UTF-8 is replaced. Instantiated only in json_*.cpp.
template <class T>
std::string to_json(const T& answer);

/// Returns a text as a JSON string with its quotes. Invalid UTF-8 is replaced.
std::string quoted(std::string_view text);

/// Parses JSON; `protocol` if the text is not a JSON object.
template <class T>
Result<T> from_json(std::string_view text);

}  // namespace hydra::wire
