// adapters, inside the room: reads JSON in chunks and keeps only requested values. Memory is bounded by the
// number of pointers, not by the length of a line or string.
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

/// The value at one pointer.
struct Found {
  enum class Kind { none, null, boolean, number, text, object, array };
  Kind kind = Kind::none;
  bool truth = false;
  double number = 0;     ///< value of a number; with `*`: the sum
  std::string text;      ///< first 4 KiB of a string, raw bytes; a number as written
  std::string tail;      ///< last 4 KiB of a string longer than 4 KiB
  std::size_t size = 0;  ///< number of members of an object or array

  [[nodiscard]] bool scalar_equals(std::string_view other) const;
};

/// The requested pointers. `*` means every member, `-1` the last element of an array.
class Interest {
 public:
  using Slot = std::size_t;
  static constexpr Slot kNone = std::numeric_limits<std::size_t>::max();

  Interest() : nodes_(1) {}
  /// Returns kNone for an empty pointer, and one slot for equal pointers.
  Slot add(std::string_view pointer);
  [[nodiscard]] std::size_t slots() const { return slots_; }

 private:
  friend class JsonSkimmer;
  struct Node {
    std::map<std::string, std::size_t, std::less<>> children;
    Slot slot = kNone;
    std::vector<Slot> below;  ///< slots of this node and its descendants that hold no sum
  };
  std::vector<Node> nodes_;
  std::size_t slots_ = 0;
};

class JsonSkimmer {
 public:
  /// `interest` must outlive the skimmer and must not grow after this call.
  explicit JsonSkimmer(const Interest& interest);

  /// Resets the skimmer for a new object.
  void begin();
  /// Returns false once the bytes cannot be a JSON object. Blanks around the object are allowed.
  bool feed(std::string_view bytes);
  /// Whether a whole object was read, followed by blanks only.
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
  std::vector<Interest::Slot> touched_;  ///< indices set in `dirty_`
  State state_ = State::start;
  std::vector<Frame> frames_;
  std::vector<std::size_t> current_;  ///< nodes that match the next value
  bool is_key_ = false;
  bool wanted_ = false;  ///< whether a pointer needs the current string
  std::string key_;
  std::string scalar_;  ///< text of a number or literal
  Found text_;
  unsigned code_ = 0, digits_ = 0, high_ = 0;
};

}  // namespace hydra::adapters
