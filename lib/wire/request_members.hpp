// wire, inside only: strict walks over the lists of members, and their names.
#pragma once

#include "wire/members.hpp"
#include "wire/request.hpp"

#include <utility>

namespace hydra::wire::detail {

/// State of a strict read, which stops at the first error.
struct Strictly {
  Asker asker;
  std::optional<Error> wrong{};

  /// Records the error unless `good`; returns `good`.
  bool expect(bool good, std::string message) {
    if (!good && !wrong) wrong = Error{Errc::usage, std::move(message), {}, {}};
    return good;
  }
};
/// `where`: the member, "agents[2].name"; empty: the whole body.
template <class T>
void read_strictly(const json& from, T& value, const std::string& where, Strictly& how);

struct Names : Walk<Names> {
  std::vector<std::string> names;
  template <class T>
  void operator()(const char* name, const T&) {
    names.push_back(key_of(name));
  }
};
template <class T>
std::vector<std::string> names_of() {
  Names io;
  const T none{};
  members(io, none);
  return std::move(io.names);
}

struct StrictReader : Walk<StrictReader> {
  StrictReader(const json& from, std::string path, Strictly& strictly)
      : object(from), within(std::move(path)), how(strictly) {}
  const json& object;
  std::string within;  ///< path with a final dot; empty: the whole body
  Strictly& how;

  template <class T>
  void operator()(const char* name, T& value) {
    if (const auto found = object.find(key_of(name)); found != object.end() && !how.wrong)
      read_strictly(*found, value, within + key_of(name), how);
  }
  template <class T>
  void required(const char* name, T& value) {
    how.expect(object.contains(key_of(name)), "bad request: '" + within + key_of(name) + "' is missing");
    (*this)(name, value);
  }
  template <class T>
  void local(const char* name, T& value) {
    if (how.asker == Asker::program) (*this)(name, value);
  }
  template <class T>
  void local_sparse(const char* name, T& value) {
    local(name, value);
  }
};

template <std::integral T>
bool whole(const json& from) {
  if (!from.is_number_integer()) return false;
  return from.is_number_unsigned() ? std::in_range<T>(from.get<std::uint64_t>())
                                   : std::in_range<T>(from.get<std::int64_t>());
}

/// Returns whether the member accepts the value, and the expected kind in words.
template <class T>
std::pair<bool, const char*> kind_of(const json& from) {
  if constexpr (std::same_as<T, bool>) return {from.is_boolean(), "true or false"};
  if constexpr (std::same_as<T, std::string> || model::Worded<T>) return {from.is_string(), "a string"};
  if constexpr (std::floating_point<T>) return {from.is_number(), "a number"};
  if constexpr (std::integral<T> && !std::same_as<T, bool>)
    return {whole<T>(from), std::unsigned_integral<T> ? "a whole number from 0" : "a whole number"};
  if constexpr (List<T>) return {from.is_array(), "a list"};
  return {from.is_object(), "an object"};
}

template <class T>
void read_strictly(const json& from, T& value, const std::string& where, Strictly& how) {
  if constexpr (Absent<T>) {
    if (!from.is_null()) read_strictly(from, value.emplace(), where, how);
  } else {
    const auto [good, what] = kind_of<T>(from);
    if (!how.expect(good, "bad request: '" + sanitize(where) + "' must be " + what + ", but is " +
                              (from.is_number() ? from.dump() : from.type_name())))
      return;
    if constexpr (Leaf<T>) {
      value = from.get<T>();
    } else if constexpr (model::Worded<T>) {
      value = model::of_name<T>(from.get_ref<const std::string&>());
    } else if constexpr (std::same_as<T, model::Config>) {
      auto config = model::config_of(from);
      if (!config.ok()) how.wrong = std::move(config).error();
      if (config.ok()) value = std::move(*config);
    } else if constexpr (List<T>) {
      for (std::size_t i = 0; i < from.size() && !how.wrong; ++i)
        read_strictly(from[i], value.emplace_back(), where + "[" + std::to_string(i) + "]", how);
    } else if constexpr (Map<T>) {
      for (const auto& [name, each] : from.items())
        if (!how.wrong) read_strictly(each, value[name], where + "." + name, how);
    } else {
      const auto known = names_of<T>();
      const auto within = where.empty() ? where : where + ".";
      for (const auto& [name, each] : from.items())
        how.expect(std::find(known.begin(), known.end(), name) != known.end(),
                   "unknown member '" + sanitize(within + name) + "'");
      StrictReader io(from, within, how);
      members(io, value);
    }
  }
}

/// Parses an untrusted body as an object: `usage` if it is not an object, has a duplicate member anywhere, or
/// is nested deeper than 64. An empty text is an empty object.
Result<json> strict_object(std::string_view text);

}  // namespace hydra::wire::detail

namespace hydra::wire {

template <class T>
Result<T> request_from(std::string_view body, Asker asker) {
  HYDRA_TRY(const auto parsed, detail::strict_object(body));
  T request;
  detail::Strictly how{asker};
  detail::read_strictly(parsed, request, {}, how);
  if (how.wrong) return std::move(*how.wrong);
  return request;
}

template <class T>
std::vector<std::string> member_names() {
  return detail::names_of<T>();
}

}  // namespace hydra::wire

#define HYDRA_REQUEST(Type)                                    \
  HYDRA_ANSWER(Type)                                           \
  template Result<Type> request_from(std::string_view, Asker); \
  template std::vector<std::string> member_names<Type>();
#define HYDRA_REQUESTS(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_REQUEST, __VA_ARGS__))
