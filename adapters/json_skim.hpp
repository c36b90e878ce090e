// adapters, inside the room: reads JSON text in pieces and keeps only the values that somebody asked for. No
// line is ever held: memory is bounded by the number of pointers, whatever the length of a line or a string
// in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::adapters {

/// What stood at one pointer.
struct Found {
  enum class Kind { none, null, boolean, number, text, object, array };
  Kind kind = Kind::none;
  bool truth = false;
  double number = 0;     ///< with `*`: the sum
  std::string text;      ///< a string's first 4 KiB, raw bytes; a number as it is written
  std::string tail;      ///< the last 4 KiB of a string that is longer than 4 KiB
  std::size_t size = 0;  ///< members of an object or array

  [[nodiscard]] bool scalar_equals(std::string_view other) const;
};

/// The pointers that somebody asks for. `*` stands for every member, `-1` for the last element of an array.
class Interest {
 public:
  using Slot = std::size_t;
  static constexpr Slot kNone = std::numeric_limits<std::size_t>::max();

  Interest() : nodes_(1) {}
  /// kNone for an empty pointer. The same pointer has the same slot.
  Slot add(std::string_view pointer);
  [[nodiscard]] std::size_t slots() const { return slots_; }

 private:
  friend class JsonSkimmer;
  struct Node {
    std::map<std::string, std::size_t, std::less<>> children;
    Slot slot = kNone;
    std::vector<Slot> below;  ///< slots of this node and all under it that hold no sum
  };
  std::vector<Node> nodes_;
  std::size_t slots_ = 0;
};

/// One JSON object, fed in pieces.
class JsonSkimmer {
 public:
  /// `interest` must outlive it and must not grow any more.
  explicit JsonSkimmer(const Interest& interest);

  /// Forgets everything: a new object begins.
  void begin();
  /// False once the bytes can't be a JSON object any more. Blanks around it are allowed.
  bool feed(std::string_view bytes);
  /// A whole object was read, and nothing but blanks behind it.
  [[nodiscard]] bool complete() const { return state_ == State::done; }
  [[nodiscard]] const std::vector<Found>& values() const { return values_; }

 private:
  enum class State {
    start,
    value,
    first_value,
    first_key,
    key,
    colon,
    after,
    text,
    escape,
    unicode,
    scalar,
    done,
    bad
  };
  struct Frame {
    bool array = false;
    std::size_t count = 0;
    std::vector<std::size_t> nodes;
  };

  bool one(char c);
  bool begin_value(char c);
  void enter(bool array);
  bool leave(bool array);
  void next_element();
  void match(const Frame& frame, std::string_view name);
  void clear_below(std::size_t node);
  void begin_text(bool is_key);
  void put(std::string_view bytes);
  void put_code_point(unsigned code);
  void end_text();
  bool end_scalar();
  void store(const Found& value);

  const Interest* interest_;
  std::vector<Found> values_;
  std::vector<bool> dirty_;
  std::vector<Interest::Slot> touched_;  ///< the dirty ones
  State state_ = State::start;
  std::vector<Frame> frames_;
  std::vector<std::size_t> current_;  ///< nodes that the value about to come stands at
  bool is_key_ = false;
  bool wanted_ = false;  ///< somebody wants the string that is being read
  std::string key_;
  std::string scalar_;  ///< a number or literal
  Found text_;
  unsigned code_ = 0, digits_ = 0, high_ = 0;
};

}  // namespace hydra::adapters
