// parsers, inside: the text that every parser reads, cleaned of escapes and of wrappers' prefixes. A clean
// log is never copied; Lines stores one offset per 64 lines.
#pragma once

#include "parsers/markers.hpp"
#include "parsers/parsers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// Lines of a text without LF or CRLF; a final newline adds no empty line. Not thread-safe. Access in order,
/// or to near lines, is cheap; any other access scans up to kStep lines.
class Lines {
 public:
  Lines() = default;
  explicit Lines(std::string_view text, LeftBehind left = {});
  /// Indexes the next piece, up to `end`. The caller must reach the text's end before it uses any other
  /// member.
  void read_to(std::size_t end);

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::string_view text() const { return text_; }
  std::string_view operator[](std::size_t i) const {
    const Slot& slot = slots_[i % kSlots];
    return slot.index == i ? view(slot) : seek(i);
  }
  /// Offset of the line's first byte in the text.
  std::size_t offset(std::size_t i) const {
    return static_cast<std::size_t>((*this)[i].data() - text_.data());
  }
  /// Returns whether the text contains `what`.
  bool contains(std::string_view what) const;
  /// Reports the whole text as passed; readers that skip far ahead call this now and then.
  void let_go() const {
    if (left_) left_(text_);
  }

  class Iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    Iterator(const Lines& lines, std::size_t i) : lines_(&lines), i_(i) {}
    std::string_view operator*() const { return (*lines_)[i_]; }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return i_ == other.i_; }

   private:
    const Lines* lines_;
    std::size_t i_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, count_}; }

 private:
  static constexpr std::size_t kStep = 64, kSlots = 8, kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kPiece = std::size_t{4} << 20;
  struct Slot {
    std::size_t index = kNone, begin = 0, end = 0;  ///< `end`: offset of the newline
  };
  std::string_view view(const Slot& slot) const {
    auto n = slot.end - slot.begin;
    if (n > 0 && text_[slot.end - 1] == '\r') --n;
    return text_.substr(slot.begin, n);
  }
  std::string_view seek(std::size_t i) const;
  void leave(std::size_t upto) const;
  std::size_t end_from(std::size_t begin) const;

  std::string_view text_;
  std::size_t count_ = 0;  ///< lines; newlines until the text is read to its end
  std::size_t read_ = 0;
  std::vector<std::size_t> marks_;  ///< begins of every kStep-th line
  mutable std::array<Slot, kSlots> slots_{};
  LeftBehind left_;
  mutable std::size_t left_at_ = 0, leave_at_ = kPiece;  ///< end of the reported part; next report's offset
};

/// Returns the length of the well-formed visible character at s[i]; 0 for anything else.
std::size_t visible_at(std::string_view s, std::size_t i);

struct Input {
  std::string_view text;  ///< valid UTF-8; control characters: only tabs and line ends (LF or CRLF)
  Lines lines;            ///< of `text`
  ExitFacts exit;
  std::string_view command;
  std::vector<std::size_t> origin;  ///< line of the output, from 0, for each of `lines`; empty: equal
  std::vector<bool> groups;         ///< which marker groups occur in `text`
  std::vector<bool> rows;           ///< which rows of the summaries' table may match; empty: unknown

  std::shared_ptr<const std::string> storage;  ///< owns `text` if the text had to be copied
};
/// `output` must outlive the result. make_input() uses the command and the text callbacks of `hints`.
Input make_input(std::string_view output, const ExitFacts& exit, const Hints& hints,
                 std::span<const MarkerGroup> groups = {});

/// Removes the marks that CI timestamps or concurrently put before each line, and groups the lines by marked
/// stream. Nothing when no such mark dominates the log.
struct Unwrapped {
  std::string text;
  std::vector<std::size_t> origin;
};
std::optional<Unwrapped> unwrap(const Lines& lines);

}  // namespace hydra::parsers
