// cli: members of JSON that comes from elsewhere: what is missing or of another kind is empty.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace hydra::cli {

inline const nlohmann::json& member(const nlohmann::json& json, const char* key) {
  static const nlohmann::json kNone;
  if (!json.is_object()) return kNone;
  const auto it = json.find(key);
  return it == json.end() ? kNone : *it;
}

inline std::string text(const nlohmann::json& json, const char* key) {
  const auto& value = member(json, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// In one line; what is no UTF-8 is replaced.
inline std::string one_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace hydra::cli
