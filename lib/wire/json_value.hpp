// wire: an answer as a value of the JSON library, for callers that combine several answers.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace hydra::wire {

/// Returns the value that to_json() writes. Instantiated only in json_*.cpp.
template <class T>
nlohmann::json json_value(const T& answer);

}  // namespace hydra::wire
