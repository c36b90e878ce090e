// cli: one line of JSON as a flat list of values, and a writer for one line. Nothing here recurses, whatever
// the nesting; memory is kept from line to line and bounded by kMostValues and the length of a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli::score {

inline constexpr std::size_t kMostValues = 1'000'000;  ///< in one line

/// Why a line has no result. The first one counts.
struct Problem {
  std::string label;    ///< stable, see docs/scoring.md
  std::string message;  ///< for people, naming the field
  [[nodiscard]] bool none() const { return label.empty(); }
};
/// `field` as it may stand in a message: short and printable.
std::string shown(std::string_view field);

enum class Kind : std::uint8_t { null, boolean, integer, real, text, array, object };

/// A value, or a member of an object (then with a key). An array or object is followed by its content.
struct Value {
  Kind kind = Kind::null;
  bool flag = false;      ///< of a boolean; of a real: written as a whole number, too large for 64 bits
  std::uint32_t end = 0;  ///< index of the value after this one and its content
  std::uint32_t key_at = 0, key_size = 0;
  std::uint32_t text_at = 0, text_size = 0;
  std::int64_t integer = 0;
  double number = 0;  ///< of an integer too
};

class Document {
 public:
  /// The line as an object in at(0); false with a problem: malformed_json, not_an_object, duplicate_key,
  /// out_of_range (a number beyond a double), too_many_values.
  bool parse(std::string_view line, Problem& problem);

  [[nodiscard]] const Value& at(std::uint32_t index) const { return values_[index]; }
  [[nodiscard]] std::string_view key(const Value& v) const { return {text_.data() + v.key_at, v.key_size}; }
  [[nodiscard]] std::string_view text(const Value& v) const {
    return {text_.data() + v.text_at, v.text_size};
  }
  /// The member of that name; nothing (0) where there is none.
  [[nodiscard]] std::uint32_t find(std::uint32_t object, std::string_view name) const;

 private:
  class Reader;
  std::vector<Value> values_;
  std::string text_;                 // keys and texts
  std::vector<std::uint32_t> open_;  // while reading: arrays and objects that have not ended
};

/// Writes one JSON object, member by member, to the end of a string. Doubles in their shortest form that
/// reads back as the same double; never a negative zero.
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
  /// JSON as it stands.
  void raw(std::string_view json);

  // Members: a name and its value.
  void flag(std::string_view name, bool value) { key(name), flag(value); }
  void whole(std::string_view name, std::int64_t value) { key(name), whole(value); }
  void number(std::string_view name, double value) { key(name), number(value); }
  void text(std::string_view name, std::string_view value) { key(name), text(value); }
  /// null where there is none.
  void number(std::string_view name, std::optional<double> value) {
    key(name);
    value ? number(*value) : null();
  }
  /// An array, each element of which is written by `each`.
  template <class List, class Each>
  void array(std::string_view name, const List& list, Each each) {
    key(name);
    begin_array();
    for (const auto& element : list) each(element);
    end_array();
  }
  /// false: a number was not finite and stands as null.
  [[nodiscard]] bool finite() const { return finite_; }

 private:
  void separate();
  std::string& out_;
  bool finite_ = true;
};

}  // namespace hydra::cli::score
