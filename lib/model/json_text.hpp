// model, inside only: nouns as JSON text without a value of the JSON library between, which made a third of
// what it costs to store an event. Whatever this does not know goes through the library, and so do texts that
// it would escape.
#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

/// Agents' text may be no UTF-8: replaced, never thrown over.
inline std::string dump(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class T>
void write_json(std::string& out, const T& value) {
  out += dump(nlohmann::json(value));
}

inline void write_json(std::string& out, const std::string& text) {
  for (const char c : text)
    if (c < ' ' || c > '~' || c == '"' || c == '\\') {
      out += dump(text);
      return;
    }
  out += '"';
  out += text;
  out += '"';
}

inline void write_json(std::string& out, bool value) { out += value ? "true" : "false"; }

template <std::integral T>
requires(!std::same_as<T, char>) void write_json(std::string& out, const T& value) {
  std::array<char, 24> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

template <class T>
void write_json(std::string& out, const std::vector<T>& list);
template <class T>
void write_json(std::string& out, const std::map<std::string, T>& object);

template <class T>
void write_json(std::string& out, const std::optional<T>& value) {
  if (value)
    write_json(out, *value);
  else
    out += "null";
}

template <class T>
void write_json(std::string& out, const std::vector<T>& list) {
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ',';
    write_json(out, list[i]);
  }
  out += ']';
}

template <class T>
void write_json(std::string& out, const std::map<std::string, T>& object) {
  char before = '{';
  for (const auto& [name, value] : object) {
    out += before;
    write_json(out, name);
    out += ':';
    write_json(out, value);
    before = ',';
  }
  out += object.empty() ? "{}" : "}";
}

/// `before` is what stands before the member: the brace of the object, or a comma.
template <class T>
void write_member(std::string& out, char& before, std::string_view name, const T& value) {
  out += before;
  out += '"';
  out += name;
  out += "\":";
  write_json(out, value);
  before = ',';
}

}  // namespace hydra::model
