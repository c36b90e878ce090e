// model: enumerations and their words in JSON, in the store and for people.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace hydra::model {

template <class E, std::size_t N>
struct Words {
  E other;                              ///< value of a word from another version
  std::array<std::string_view, N> all;  ///< in the order of the enumerators
};

template <class E, class... Text>
constexpr Words<E, sizeof...(Text)> words_or(E other, Text... all) {
  return {other, {all...}};
}
template <class E, class... Text>
constexpr Words<E, sizeof...(Text)> words(Text... all) {
  return {E{}, {all...}};
}

/// Specialised beside each enumeration that has words; its values count from 0.
template <class E>
inline constexpr auto kWords = nullptr;

template <class E>
concept Worded = requires {
  kWords<E>.other;
};

template <Worded E>
constexpr std::string_view name(E value) {
  return kWords<E>.all[static_cast<std::size_t>(value)];
}

template <Worded E>
constexpr std::optional<E> from_name(std::string_view text) {
  for (std::size_t i = 0; i < kWords<E>.all.size(); ++i)
    if (kWords<E>.all[i] == text) return static_cast<E>(i);
  return std::nullopt;
}

/// Returns the value of a word that another version may have stored or sent.
template <Worded E>
constexpr E of_name(std::string_view text) {
  return from_name<E>(text).value_or(kWords<E>.other);
}

/// Assigns the value of an optional word; `value` stays if the text is not one of the words.
template <Worded E>
constexpr void take_name(std::string_view text, E& value) {
  value = from_name<E>(text).value_or(value);
}

}  // namespace hydra::model
