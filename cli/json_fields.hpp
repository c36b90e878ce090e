// cli: members of foreign JSON: a missing member or one of another type is empty.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace hydra::cli {

using OrderedJson = nlohmann::ordered_json;

template <class J>
const J& member(const J& json, const char* key) {
  static const J kNone;
  if (!json.is_object()) return kNone;
  const auto it = json.find(key);
  return it == json.end() ? kNone : *it;
}

template <class J>
std::string text(const J& json, const char* key) {
  const auto& value = member(json, key);
  return value.is_string() ? value.template get<std::string>() : std::string();
}

template <class T>
OrderedJson or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

/// Returns the JSON on one line; invalid UTF-8 is replaced.
inline std::string one_line(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace hydra::cli
