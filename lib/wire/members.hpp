// wire, inside only: the walks over the lists of members. Each struct has one list, in the json_*.cpp of its
// family; writing, reading, strict reading and the names for docs/openapi.json derive from it.
#pragma once

#include "base/strings.hpp"
#include "model/agent_run.hpp"
#include "model/json_value.hpp"
#include "model/subject.hpp"
#include "model/words.hpp"
#include "wire/json.hpp"
#include "wire/json_value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace hydra::wire::detail {

using nlohmann::json;

template <class V, class T>
concept Is = std::same_as<std::remove_const_t<V>, T>;
template <class T>
concept Leaf = std::is_arithmetic_v<T> || std::same_as<T, std::string>;
template <class T>
concept Absent = requires(T value) {
  value.has_value();
};
template <class T>
concept Map = requires {
  typename T::mapped_type;
};
template <class T>
concept List = !Leaf<T> && !Map<T> && requires(T value) {
  value.begin();
};

/// true: members keep the order of their list instead of being sorted by name.
template <class T>
inline constexpr bool kInOrder = false;

template <class J, class T>
J made(const T& value);
template <class T>
bool read(const json& from, T& value);  ///< returns false for a value of another kind

/// Strips the final "_": "template_" is the member "template", since a C++ keyword cannot be a name.
inline std::string key_of(std::string_view name) {
  return std::string(name.substr(0, name.size() - (name.ends_with('_') ? 1 : 0)));
}

// These functions are not inline: otherwise each member of each struct would get a copy.
template <class J>
[[gnu::noinline]] void put(J& object, std::string_view name, J value) {
  object[key_of(name)] = std::move(value);
}
[[gnu::noinline]] inline const json* find(const json& object, std::string_view name) {
  const auto found = object.find(key_of(name));
  return found == object.end() ? nullptr : &*found;
}
template <class J>
[[gnu::noinline]] std::string dump(const J& value) {
  return value.dump(-1, ' ', false, J::error_handler_t::replace);
}
[[gnu::noinline]] inline json parse(std::string_view text) { return json::parse(text, nullptr, false); }

/// The common part of all walks; the lists call these functions.
template <class Self>
struct Walk {
  /// Leaves the member out when it is empty.
  template <class T>
  void sparse(const char* name, T& value) {
    self()(name, value);
  }
  /// For requests: the member must be present.
  template <class T>
  void required(const char* name, T& value) {
    self()(name, value);
  }
  /// For requests: the member is accepted on the unix socket only; local_sparse() also leaves it out when
  /// empty.
  template <class T>
  void local(const char* name, T& value) {
    self()(name, value);
  }
  template <class T>
  void local_sparse(const char* name, T& value) {
    self().sparse(name, value);
  }
  /// Converts between the member's type and its JSON form.
  template <class T, class To, class From>
  void as(const char* name, T& value, const To& to, const From& from) {
    auto said = to(value);
    self()(name, said);
    if constexpr (!std::is_const_v<T>) value = from(said);
  }
  /// JSON has seconds, the member milliseconds.
  template <class T>
  void seconds(const char* name, T& ms) {
    as(
        name, ms, [](std::int64_t kept) { return static_cast<double>(kept) / 1000; },
        [](double said) { return static_cast<std::int64_t>(std::clamp(said, -1e15, 1e15) * 1000 + 0.5); });
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

template <class J>
struct Writer : Walk<Writer<J>> {
  explicit Writer(J& to) : object(to) {}
  J& object;

  template <class T>
  void operator()(const char* name, const T& value) {
    put<J>(object, name, made<J>(value));
  }
  template <class T>
  void sparse(const char* name, const T& value) {
    if constexpr (Absent<T>) {
      if (value) (*this)(name, *value);
    } else {
      if (!(value == T{})) (*this)(name, value);
    }
  }
  /// Puts the value's members among those of this object; `name` is a member that only the value has.
  template <class T>
  void flat(const char*, const std::optional<T>& value) {
    if (value) members(*this, *value);
  }
  /// Adds the values whose names are not members yet.
  void rest(const std::map<std::string, double>& values) {
    for (const auto& [name, value] : values)
      if (!object.contains(name)) object[name] = value;
  }
};

struct Reader : Walk<Reader> {
  explicit Reader(const json& from) : object(from) {}
  const json& object;

  template <class T>
  void operator()(const char* name, T& value) {
    if (const auto* found = find(object, name)) (void)read(*found, value);
  }
  template <class T>
  void flat(const char* name, std::optional<T>& value) {
    if (object.contains(name)) members(*this, value.emplace());
  }
  void rest(std::map<std::string, double>& values) {
    for (const auto& [name, value] : object.items())
      if (value.is_number()) values[name] = value.template get<double>();
  }
};

template <class B, class Io, class V>
void base(Io& io, V& v) {
  members(io, static_cast<std::conditional_t<std::is_const_v<V>, const B&, B&>>(v));
}

#define HYDRA_MEMBER(name) io(#name, v.name);
#define HYDRA_SPARSE_MEMBER(name) io.sparse(#name, v.name);
#define HYDRA_REQUIRED_MEMBER(name) io.required(#name, v.name);
#define HYDRA_LOCAL_MEMBER(name) io.local(#name, v.name);
#define HYDRA_LOCAL_SPARSE_MEMBER(name) io.local_sparse(#name, v.name);
#define HYDRA_MEMBERS(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_MEMBER, __VA_ARGS__))
#define HYDRA_SPARSE(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_SPARSE_MEMBER, __VA_ARGS__))
#define HYDRA_REQUIRED(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_REQUIRED_MEMBER, __VA_ARGS__))
#define HYDRA_LOCAL(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_LOCAL_MEMBER, __VA_ARGS__))
#define HYDRA_LOCAL_SPARSE(...) \
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_LOCAL_SPARSE_MEMBER, __VA_ARGS__))
/// `template <…> HYDRA_LIST(Type) { lines of the macros above }`: for members of several kinds.
#define HYDRA_LIST(Type)          \
  template <class Io, Is<Type> V> \
  void members([[maybe_unused]] Io& io, [[maybe_unused]] V& v)
#define HYDRA_WIRE(Type, ...)                     \
  HYDRA_LIST(Type) { HYDRA_MEMBERS(__VA_ARGS__) } \
  static_assert(true)

template <class J, class T>
J made(const T& value) {
  if constexpr (Leaf<T>) {
    return value;
  } else if constexpr (model::Worded<T>) {
    return std::string(model::name(value));
  } else if constexpr (std::same_as<T, model::Subject> || std::same_as<T, model::CaptureFlag>) {
    return text(value);
  } else if constexpr (std::same_as<T, model::Config>) {
    return model::config_value(value);
  } else if constexpr (Absent<T>) {
    return value ? made<J>(*value) : J(nullptr);
  } else if constexpr (Map<T>) {
    auto object = J::object();
    for (const auto& [name, each] : value) object[name] = made<J>(each);
    return object;
  } else if constexpr (List<T>) {
    auto list = J::array();
    for (const auto& each : value) list.push_back(made<J>(each));
    return list;
  } else {
    auto object = J::object();
    Writer<J> io(object);
    members(io, value);
    return object;
  }
}

inline bool read_leaf(const json& from, bool& value) {
  return from.is_boolean() && (value = from.get<bool>(), true);
}
inline bool read_leaf(const json& from, double& value) {
  return from.is_number() && (value = from.get<double>(), true);
}
inline bool read_leaf(const json& from, std::string& value) {
  return from.is_string() && (value = from.get<std::string>(), true);
}
inline bool read_leaf(const json& from, model::Subject& value) {
  return from.is_string() && (value = model::subject_of(from.get_ref<const std::string&>()), true);
}
inline bool read_leaf(const json& from, model::CaptureFlag& value) {
  return from.is_string() && (value = model::flag_of(from.get_ref<const std::string&>()), true);
}
template <model::Worded T>
bool read_leaf(const json& from, T& value) {
  return from.is_string() && (value = model::of_name<T>(from.get_ref<const std::string&>()), true);
}
template <std::integral T>
bool read_leaf(const json& from, T& value) {
  if (from.is_number_float()) {
    const auto number = from.get<double>();
    // The bounds are powers of two, which a double holds exactly; NaN is in no range.
    constexpr double kEnd = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
    if (!(number >= static_cast<double>(std::numeric_limits<T>::min()) && number < kEnd)) return false;
    value = static_cast<T>(number);
    return true;
  }
  if (from.is_number_unsigned())
    return std::in_range<T>(from.get<std::uint64_t>()) && (value = from.get<T>(), true);
  return from.is_number_integer() && std::in_range<T>(from.get<std::int64_t>()) &&
         (value = from.get<T>(), true);
}

template <class T>
bool read_list(const json& from, std::vector<T>& list) {
  list.clear();
  for (const auto& each : from)
    if (T value{}; read(each, value)) list.push_back(std::move(value));
  return true;
}
template <class T, std::size_t N>
bool read_list(const json& from, std::array<T, N>& list) {
  bool good = from.size() == N;
  for (std::size_t i = 0; good && i < N; ++i) good = read(from[i], list[i]);
  return good;
}

template <class T>
bool read(const json& from, T& value) {
  if constexpr (requires(T & leaf) { read_leaf(from, leaf); }) {
    return read_leaf(from, value);
  } else if constexpr (std::same_as<T, model::Config>) {
    auto config = model::config_of(from);
    if (config.ok()) value = std::move(*config);
    return config.ok();
  } else if constexpr (Absent<T>) {
    value.reset();
    return from.is_null() || read(from, value.emplace()) || (value.reset(), false);
  } else if constexpr (List<T>) {
    return from.is_array() && read_list(from, value);
  } else if constexpr (Map<T>) {
    for (const auto& [name, each] : from.items())
      if (!read(each, value[name])) value.erase(name);
    return from.is_object();
  } else {
    if (!from.is_object()) return false;
    Reader io(from);
    members(io, value);
    return true;
  }
}

inline Error unexpected() {
  return {Errc::protocol,
          "the daemon's answer is not the JSON that was expected",
          {},
          "are `hydra` and `hydrad` of the same version?"};
}

}  // namespace hydra::wire::detail

namespace hydra::wire {

template <class T>
std::string to_json(const T& answer) {
  using J = std::conditional_t<detail::kInOrder<T>, nlohmann::ordered_json, nlohmann::json>;
  return detail::dump<J>(detail::made<J>(answer));
}

template <class T>
nlohmann::json json_value(const T& answer) {
  return detail::made<nlohmann::json>(answer);
}

template <class T>
Result<T> from_json(std::string_view text) {
  const auto parsed = detail::parse(text);
  T answer;
  if (!parsed.is_object() || !detail::read(parsed, answer)) return detail::unexpected();
  return answer;
}

}  // namespace hydra::wire

#define HYDRA_ANSWER(Type)                         \
  template std::string to_json(const Type&);       \
  template nlohmann::json json_value(const Type&); \
  template Result<Type> from_json(std::string_view);
#define HYDRA_ANSWERS(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_ANSWER, __VA_ARGS__))
