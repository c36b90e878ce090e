// parsers, inside: finished rows of a terminal on their way out. The last kHeight of them can be taken back
// one by one, what stands above those is given away: memory is that of a few thousand lines.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::parsers {

/// Rows that a cursor can go back to: no terminal is higher, and what is above them is done with.
inline constexpr std::size_t kHeight = 4096;

class Scrollback {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit Scrollback(const Sink& out) : out_(out) {}

  /// Where the next text goes: `n` bytes may be written there; advance_to() says how many were.
  char* room(std::size_t n);
  void advance_to(const char* end) { size_ = static_cast<std::size_t>(end - text_.get()); }
  void append(std::string_view part);
  /// Takes the last row back, without its newline.
  std::optional<std::string> take_row();
  /// Gives away what no cursor can reach any more, once it is enough to be worth it.
  void flush();
  void finish();

 private:
  void give(std::size_t upto);

  const Sink& out_;
  std::unique_ptr<char[]> text_;  ///< whole rows, each with its newline
  std::size_t size_ = 0, room_ = 0, limit_ = 0;
};

}  // namespace hydra::parsers
