// wire: an answer as a value of the JSON library, for whoever puts several of them together.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace hydra::wire {

/// What to_json() writes. For the structs that json_*.cpp name.
template <class T>
nlohmann::json json_value(const T& answer);

}  // namespace hydra::wire
