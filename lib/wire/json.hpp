// wire: requests and answers as JSON and back; each struct has one list of members, in its family's
// json_*.cpp. Unknown members are ignored, missing or mistyped ones keep defaults: a newer daemon stays
// readable.
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
