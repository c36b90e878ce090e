// Removes escape sequences from a log and resolves carriage returns within each line. Cursors never return to
// a line above: the old line stays, and the redrawn line follows.
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "parsers/input.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace hydra::parsers {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kPiece = std::size_t{1} << 18;  ///< bytes of the log per piece

/// An escape sequence.
struct Sequence {
  std::size_t end = 0;  ///< offset at which the text continues
  char command = 0;  ///< final letter of "ESC [ n command"; 0: any other sequence, which never changes text
  std::size_t n = 0;
};

/// `i` is behind the ESC. A line end stops an unfinished sequence, which cannot swallow the log.
Sequence read_sequence(std::string_view s, std::size_t i) {
  if (i >= s.size()) return {i};
  const char c = s[i];
  if (c == '[') {
    Sequence out;
    bool first = true;
    for (++i; i < s.size() && s[i] >= ' ' && s[i] <= '?'; ++i) {
      first = first && s[i] >= '0' && s[i] <= '9';
      if (first) out.n = std::min<std::size_t>(out.n * 10 + static_cast<std::size_t>(s[i] - '0'), 100000);
    }
    if (i < s.size() && s[i] >= '@' && s[i] <= '~') out.command = s[i++];
    out.end = i;
    return out;
  }
  if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_') {
    // A string up to BEL or ESC \, or to the line end.
    for (++i; i < s.size() && s[i] != '\n'; ++i) {
      if (s[i] == '\a') return {i + 1};
      if (s[i] == kEscape) return {i + 1 < s.size() && s[i + 1] == '\\' ? i + 2 : i};
    }
    return {i};
  }
  while (i < s.size() && s[i] >= ' ' && s[i] <= '/') ++i;
  return {i < s.size() && s[i] >= '0' && s[i] <= '~' ? i + 1 : i};
}

/// A line with backward cursor movements, as characters.
class Row {
 public:
  explicit Row(std::string& out) : out_(out) {}

  void read(std::string_view line) {
    for (std::size_t i = 0; i < line.size();) {
      char32_t c = 0;
      const auto n = std::max<std::size_t>(decode_utf8(line, i, c), 1);
      if (c == static_cast<char32_t>(kEscape)) {
        const auto sequence = read_sequence(line, i + 1);
        move(sequence);
        i = sequence.end;
        continue;
      }
      if (c == '\n')
        end_row();
      else if (c == '\r')
        at_ = 0;
      else if (c == '\b')
        at_ -= std::min<std::size_t>(at_, 1);
      else if (c == '\t' || (c >= ' ' && c < 0x7F) || c >= 0xA0)
        put(c);
      i += n;
    }
    append();
  }

 private:
  void put(char32_t c) {
    if (at_ < row_.size())
      row_[at_] = c;
    else
      row_.push_back(c);
    ++at_;
  }
  void append() {
    for (const char32_t c : row_) append_utf8(out_, c);
    row_.clear();
    at_ = 0;
  }
  void end_row() {
    append();
    out_ += '\n';
  }
  void move(const Sequence& sequence) {
    const auto steps = std::max<std::size_t>(sequence.n, 1);
    switch (sequence.command) {
      case 'A':
      case 'B':
      case 'E':
      case 'F':
      case 'H':
        if (!row_.empty()) end_row();
        break;
      case 'C':
        // Beyond the end a single blank stands for any gap: an escape must not buy memory.
        at_ = std::min(at_ + steps, row_.size() + 1);
        if (at_ > row_.size()) row_.push_back(' ');
        break;
      case 'D':
        at_ -= std::min(at_, steps);
        break;
      case 'G':
        at_ = std::min(steps - 1, row_.size());
        break;
      case 'K':
        if (sequence.n == 2) at_ = 0;
        if (sequence.n != 1) row_.resize(at_);
        break;
      default:
        break;
    }
  }

  std::string& out_;
  std::u32string row_;
  std::size_t at_ = 0;
};

/// Copies a line without cursor movements; false: the line needs a Row.
bool copy_line(std::string_view line, std::string& out) {
  for (std::size_t i = 0; i < line.size();) {
    const auto begin = i;
    while (i < line.size() && ((line[i] >= ' ' && line[i] < '\x7f') || line[i] == '\t')) ++i;
    out.append(line, begin, i - begin);
    if (i == line.size()) break;
    const char c = line[i];
    if (c == kEscape) {
      const auto sequence = read_sequence(line, i + 1);
      const bool cleared = sequence.command == 'K' && sequence.n != 0;
      if (cleared || std::string_view("ABCDEFGH").find(sequence.command) != std::string_view::npos)
        return false;
      i = sequence.end;
    } else if (const auto n = visible_at(line, i); n > 0) {
      if (c != '\r') out.append(line, i, n);
      i += n;
    } else if (static_cast<unsigned char>(c) >= 0x80 || c == '\r' || c == '\b') {
      return false;
    } else {
      ++i;
    }
  }
  return true;
}

void clean(std::string_view piece, std::string& out) {
  while (!piece.empty()) {
    const auto line = piece.substr(0, std::min(piece.find('\n'), piece.size() - 1) + 1);
    piece.remove_prefix(line.size());
    const auto begin = out.size();
    if (copy_line(line, out)) continue;
    out.resize(begin);
    Row(out).read(to_utf8(line));
  }
}

}  // namespace

void write_plain(std::string_view output, const std::function<void(std::string_view)>& out,
                 const LeftBehind& left) {
  std::string text;
  // No sequence continues behind a newline, so the text can be cut there.
  while (!output.empty()) {
    const auto end = output.find('\n', std::min(kPiece, output.size()) - 1);
    const auto piece = output.substr(0, end == std::string_view::npos ? output.size() : end + 1);
    text.clear();
    clean(piece, text);
    out(text);
    if (left) left(piece);
    output.remove_prefix(piece.size());
  }
}

std::string plain_text(std::string_view output) {
  std::string text;
  text.reserve(output.size());
  write_plain(output, [&text](std::string_view part) { text += part; });
  return text;
}

}  // namespace hydra::parsers
