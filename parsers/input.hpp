// parsers, inside: the text that every parser reads. Cleaned of escapes and of wrappers' prefixes, cut into
// lines on demand: a clean log is never copied, and its lines cost no memory.
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

/// Lines of a text without their ends (LF or CRLF); no empty last line after a final newline. Looks like a
/// vector of views; reading forwards, backwards, or a few lines ahead and back, is cheap, any other access
/// costs at most kStep lines. Not for several threads at once.
class Lines {
 public:
  Lines() = default;
  explicit Lines(std::string_view text, LeftBehind left = {});
  /// Finds the lines of the text, piece by piece: up to `end`, the text's own in the end. Nothing else may be
  /// asked before.
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
  /// Whether `what` stands anywhere in the text.
  bool contains(std::string_view what) const;
  /// Who reads lines far from each other says now and then that it is past them all.
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
    std::size_t index = kNone, begin = 0, end = 0;  ///< `end` is where the newline is
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
  std::size_t count_ = 0;  ///< of the lines; while they are read, of the newlines
  std::size_t read_ = 0;
  std::vector<std::size_t> marks_;  ///< where every kStep-th line begins
  mutable std::array<Slot, kSlots> slots_{};
  LeftBehind left_;
  mutable std::size_t left_at_ = 0, leave_at_ = kPiece;  ///< what lies before is told, and told next
};

/// Length of the well-formed sequence at s[i], a visible character; 0 for anything else.
std::size_t visible_at(std::string_view s, std::size_t i);

struct Input {
  std::string_view text;  ///< valid UTF-8 without control characters but tabs and line ends (LF or CRLF)
  Lines lines;            ///< of `text`
  ExitFacts exit;
  std::string_view command;
  std::vector<std::size_t> origin;  ///< line of the output for each of `lines`; empty: the same
  std::vector<bool> groups;         ///< which of the groups of markers occur in `text`
  std::vector<bool> rows;           ///< which rows of the summaries' table may match at all; empty: not known

  std::shared_ptr<const std::string> storage;  ///< of `text` where it had to be copied
};
/// `output` must outlive the result. Of `hints` it takes the command and who holds the texts.
Input make_input(std::string_view output, const ExitFacts& exit, const Hints& hints,
                 std::span<const MarkerGroup> groups = {});

/// Sees through what starts runners and marks each of their lines: CI's timestamps, concurrently. Gives the
/// lines of each marked stream together, without marks; nothing where no such mark rules the log.
struct Unwrapped {
  std::string text;
  std::vector<std::size_t> origin;
};
std::optional<Unwrapped> unwrap(const Lines& lines);

}  // namespace hydra::parsers
