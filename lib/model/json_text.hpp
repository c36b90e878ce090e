// model, inside only: nouns to JSON text and back. Only texts with escapes use the JSON library, which makes
// storing an event a third cheaper; the library's own conversions of 150 structs would compile for a minute.
#pragma once

#include "model/subject.hpp"
#include "model/test_list.hpp"
#include "model/words.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hydra::model {

/// Replaces invalid UTF-8 in agents' text instead of throwing.
inline std::string dump(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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

inline void write_json(std::string& out, const Subject& subject) { write_json(out, text(subject)); }
inline void write_json(std::string& out, bool value) { out += value ? "true" : "false"; }
inline void write_json(std::string& out, double value) { out += dump(value); }

template <Worded E>
void write_json(std::string& out, const E& value) {
  out.append(1, '"').append(name(value)).append(1, '"');
}

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
void write_json(std::string& out, const std::map<int, T>& pairs);
template <class A, class B>
void write_json(std::string& out, const std::pair<A, B>& pair);

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

// The next two functions are not inline: a thousand members call them, and inlining cost a quarter of this
// room's compile time.
/// `before` is the character before the member: the brace of the object, or a comma.
[[gnu::noinline]] inline void begin_member(std::string& out, char& before, std::string_view name) {
  out += before;
  out += '"';
  out += name;
  out += "\":";
  before = ',';
}
[[gnu::noinline]] inline const nlohmann::json* find_member(const nlohmann::json::object_t& from,
                                                           const char* name) {
  const auto at = from.find(name);
  return at == from.end() ? nullptr : &at->second;
}

template <class T>
void write_member(std::string& out, char& before, std::string_view name, const T& value) {
  begin_member(out, before, name);
  write_json(out, value);
}

// All of these throw the library's exceptions for values of another kind.
template <class T>
void read_json(const nlohmann::json& from, std::vector<T>& list);
template <class T>
void read_json(const nlohmann::json& from, std::map<std::string, T>& object);
template <class A, class B>
void read_json(const nlohmann::json& from, std::pair<A, B>& pair);

template <class T>
requires(std::is_arithmetic_v<T> || std::same_as<T, std::string>)  //
    void read_json(const nlohmann::json& from, T& value) {
  from.get_to(value);
}

inline void read_json(const nlohmann::json& from, Subject& value) {
  value = subject_of(from.get_ref<const std::string&>());
}

template <Worded E>
void read_json(const nlohmann::json& from, E& value) {
  value = of_name<E>(from.get_ref<const std::string&>());
}

template <class T>
void read_json(const nlohmann::json& from, std::optional<T>& value) {
  value.reset();
  if (!from.is_null()) read_json(from, value.emplace());
}

template <class T>
void read_json(const nlohmann::json& from, std::vector<T>& list) {
  list.clear();
  for (const auto& value : from.get_ref<const nlohmann::json::array_t&>())
    read_json(value, list.emplace_back());
}

template <class T>
void read_json(const nlohmann::json& from, std::map<std::string, T>& object) {
  object.clear();
  for (const auto& [name, value] : from.get_ref<const nlohmann::json::object_t&>())
    read_json(value, object[name]);
}

// An array always has all its items.
template <class T, std::size_t N>
void write_json(std::string& out, const std::array<T, N>& list) {
  write_json(out, std::vector<T>(list.begin(), list.end()));
}
template <class T, std::size_t N>
void read_json(const nlohmann::json& from, std::array<T, N>& list) {
  for (std::size_t i = 0; i < N; ++i) read_json(from.at(i), list[i]);
}

// Pairs, and maps with integer keys, are JSON arrays, since JSON keys are strings.
template <class A, class B>
void write_json(std::string& out, const std::pair<A, B>& pair) {
  out += '[';
  write_json(out, pair.first);
  out += ',';
  write_json(out, pair.second);
  out += ']';
}
template <class A, class B>
void read_json(const nlohmann::json& from, std::pair<A, B>& pair) {
  read_json(from.at(0), pair.first);
  read_json(from.at(1), pair.second);
}
template <class T>
void write_json(std::string& out, const std::map<int, T>& pairs) {
  write_json(out, std::vector<std::pair<int, T>>(pairs.begin(), pairs.end()));
}
template <class T>
void read_json(const nlohmann::json& from, std::map<int, T>& pairs) {
  std::vector<std::pair<int, T>> list;
  read_json(from, list);
  pairs = {list.begin(), list.end()};
}

/// Reads a member; a missing member keeps its default.
template <class T>
void read_member(const nlohmann::json::object_t& from, const char* name, T& value) {
  if (const auto* found = find_member(from, name)) read_json(*found, value);
}

}  // namespace hydra::model
