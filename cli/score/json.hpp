// cli: one line of JSON as a flat list of values, and a writer of one line. Not recursive, so nesting cannot
// overflow the stack; memory is reused and bounded by kMostValues and the line length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli::score {

inline constexpr std::size_t kMostValues = 1'000'000;  ///< limit per line

/// The first error of a line.
struct Problem {
  std::string label;    ///< stable label, see docs/scoring.md
  std::string message;  ///< text for people that names the field
  [[nodiscard]] bool none() const { return label.empty(); }
};
/// Returns `field` short and printable, for messages.
std::string shown(std::string_view field);

enum class Kind : std::uint8_t { null, boolean, integer, real, text, array, object };

/// A value, or an object member (with a key). The contents of an array or object follow.
struct Value {
  Kind kind = Kind::null;
  bool flag = false;      ///< value of a boolean; for a real: written as a whole number beyond 64 bits
  std::uint32_t end = 0;  ///< index of the first value after this one and its contents
  std::uint32_t key_at = 0, key_size = 0;
  std::uint32_t text_at = 0, text_size = 0;
  std::int64_t integer = 0;
  double number = 0;  ///< value of a real or integer
};

class Document {
 public:
  /// Parses the line as an object at index 0. False with a problem: malformed_json, not_an_object,
  /// duplicate_key, out_of_range (a number beyond a double), too_many_values.
  bool parse(std::string_view line, Problem& problem);

  [[nodiscard]] const Value& at(std::uint32_t index) const { return values_[index]; }
  [[nodiscard]] std::string_view key(const Value& v) const { return {text_.data() + v.key_at, v.key_size}; }
  [[nodiscard]] std::string_view text(const Value& v) const {
    return {text_.data() + v.text_at, v.text_size};
  }
  /// Returns the index of a member; 0: none.
  [[nodiscard]] std::uint32_t find(std::uint32_t object, std::string_view name) const;

 private:
  class Reader;
  std::vector<Value> values_;
  std::string text_;                 // keys and texts of all values
  std::vector<std::uint32_t> open_;  // arrays and objects not yet closed, while parsing
};

/// Appends one JSON object to a string, member by member. Doubles have their shortest round-trip form;
/// negative zero is never written.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  void begin_object();
  void end_object() { out_ += '}'; }
  void begin_array();
  void end_array() { out_ += ']'; }
  void key(std::string_view name);
  void null();
  void flag(bool value);
  void whole(std::int64_t value);
  void number(double value);
  void text(std::string_view value);
  /// Appends JSON verbatim.
  void raw(std::string_view json);

  // Writers of members: a name and a value.
  void flag(std::string_view name, bool value) { key(name), flag(value); }
  void whole(std::string_view name, std::int64_t value) { key(name), whole(value); }
  void number(std::string_view name, double value) { key(name), number(value); }
  void text(std::string_view name, std::string_view value) { key(name), text(value); }
  /// Writes null for an absent value.
  void number(std::string_view name, std::optional<double> value) {
    key(name);
    value ? number(*value) : null();
  }
  /// Writes an array whose elements `each` writes.
  template <class List, class Each>
  void array(std::string_view name, const List& list, Each each) {
    key(name);
    begin_array();
    for (const auto& element : list) each(element);
    end_array();
  }
  /// Whether all numbers were finite; others are written as null.
  [[nodiscard]] bool finite() const { return finite_; }

 private:
  void separate();
  std::string& out_;
  bool finite_ = true;
};

}  // namespace hydra::cli::score
