// wire: what the daemon is asked (requests.hpp) and answers, as JSON and back: each struct has one list of
// its members, in the json_*.cpp of its family. Reading is tolerant: members that are not known are ignored,
// and those that are missing or of another kind keep their defaults, so that a newer daemon stays readable.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace hydra::wire {

/// One line; members by name. Bytes that are no UTF-8 are replaced. For the structs that json_*.cpp name.
template <class T>
std::string to_json(const T& answer);

/// A text as JSON has it, quotes included. Bytes that are no UTF-8 are replaced.
std::string quoted(std::string_view text);

/// `protocol` when the text is no JSON object.
template <class T>
Result<T> from_json(std::string_view text);

}  // namespace hydra::wire
