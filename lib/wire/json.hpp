// wire: what the daemon is asked (requests.hpp) and answers, as JSON and back: each struct has one list of
// its members, in json.cpp. Reading is tolerant: members that are not known are ignored, and those that are
// missing or of another kind keep their defaults, so that a newer daemon stays readable.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace hydra::wire {

/// One line; members by name. Bytes that are no UTF-8 are replaced. For the structs that json.cpp names.
template <class T>
std::string to_json(const T& answer);

/// `protocol` when the text is no JSON object.
template <class T>
Result<T> from_json(std::string_view text);

}  // namespace hydra::wire
