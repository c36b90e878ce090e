// cli: members of an answer of the daemon, whatever it sent: what is missing or of another kind is empty.
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

}  // namespace hydra::cli
