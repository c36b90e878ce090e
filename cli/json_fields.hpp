// cli: members of an answer of the daemon, whatever it sent: what is missing or of another kind is empty.
#pragma once

#include "base/result.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// An answer of the daemon; `protocol` where it is none.
inline Result<nlohmann::json> parse_object(std::string_view text) {
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object())
    return Error{Errc::protocol,
                 "the daemon's answer is not the JSON that was expected",
                 {},
                 "are `hydra` and `hydrad` of the same version?"};
  return json;
}

inline bool truth(const nlohmann::json& json, const char* key) {
  const auto& value = member(json, key);
  return value.is_boolean() && value.get<bool>();
}
inline std::optional<double> real(const nlohmann::json& json, const char* key) {
  const auto& value = member(json, key);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}
inline std::optional<std::int64_t> whole(const nlohmann::json& json, const char* key) {
  const auto& value = member(json, key);
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (!(number > -9e18 && number < 9e18)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}
inline std::int64_t count(const nlohmann::json& json, const char* key) {
  return whole(json, key).value_or(0);
}

inline std::vector<std::string> texts(const nlohmann::json& json, const char* key) {
  std::vector<std::string> out;
  const auto& list = member(json, key);
  if (!list.is_array()) return out;
  for (const auto& item : list) {
    if (item.is_string())
      out.push_back(item.get<std::string>());
    else if (item.is_object() && item.contains("path"))
      out.push_back(text(item, "path"));
  }
  return out;
}
template <class F>
void each(const nlohmann::json& json, const char* key, F&& f) {
  const auto& list = member(json, key);
  if (!list.is_array()) return;
  for (const auto& item : list)
    if (item.is_object()) f(item);
}

}  // namespace hydra::cli
