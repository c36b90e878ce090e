// Texts as lines, the way that what runs them reads them: a line that a reader takes for another one, or for
// a comment, hides what stands in it.
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "integrity/report/tamper_impl.hpp"

namespace hydra::integrity {
namespace {

/// Text with a byte order mark of UTF-16, as UTF-8. A half pair becomes U+FFFD.
std::string from_utf16(Text bytes, bool big) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]),
               second = static_cast<unsigned char>(bytes[at + 1]);
    return big ? char32_t{first} << 8U | second : char32_t{second} << 8U | first;
  };
  std::string out;
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    auto c = unit(i);
    if (c >= 0xD800 && c < 0xE000) {
      const bool pair = c < 0xDC00 && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000;
      if (pair) c = 0x10000 + ((c - 0xD800) << 10U) + (unit(i + 2) - 0xDC00), i += 2;
      if (!pair) c = 0xFFFD;
    }
    append_utf8(out, c);
  }
  return out;
}

/// Where the line ends before its line feed: at a lone carriage return, and in JavaScript at U+2028 and
/// U+2029.
std::size_t inner_end(Text line, Language language, std::size_t& skip) {
  skip = 1;
  if (language != Language::script) return line.find('\r');
  for (auto at = line.find_first_of("\r\xE2"); at != Text::npos; at = line.find_first_of("\r\xE2", at + 1)) {
    if (line[at] == '\r') return at;
    const auto mark = line.substr(at, 3);
    skip = 3;
    if (mark == "\xE2\x80\xA8" || mark == "\xE2\x80\xA9") return at;
    skip = 1;
  }
  return Text::npos;
}

bool has_hash_comments(Language language) {
  return language == Language::python || language == Language::ruby || language == Language::shell ||
         language == Language::make || language == Language::cmake;
}

/// Is there nothing but a comment in this line? `open`: the line above leaves a "/*" open; then this one's
/// own.
bool is_comment(Text line, Language language, bool& open) {
  const bool was_open = open;
  open = false;
  if (language == Language::cmake && line.starts_with("#[")) return false;  // "#[[ … ]] code"
  if (has_hash_comments(language)) return line.starts_with('#');
  if (language == Language::configuration)
    return line.starts_with('#') || line.starts_with(';') || line.starts_with("//");
  // Java reads "\u000a" as the end of a line, comment or not.
  if (language == Language::jvm && has(line, "\\u")) return false;
  if (line.starts_with("//")) return true;
  if (language == Language::php && line.starts_with('#')) return !line.starts_with("#[");
  const bool begins = line.starts_with("/*");
  if (!begins && !(was_open && line.starts_with('*'))) return false;
  const auto end = line.find("*/", begins ? 2 : 0);
  open = end == Text::npos;
  return open || end + 2 == line.size();
}

}  // namespace

std::vector<TextLine> text_lines(Text text, Language language, std::unique_ptr<std::string>& decoded) {
  text = text.substr(0, kMostFileBytes);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const bool big = text.starts_with("\xFE\xFF");
  if (big || text.starts_with("\xFF\xFE")) {
    decoded = std::make_unique<std::string>(from_utf16(text, big));
    text = *decoded;
  }
  std::vector<TextLine> out;
  std::int64_t number = 0;
  bool open = false;
  for (auto line : lines(text)) {
    ++number;
    for (bool more = true; more;) {
      std::size_t skip = 0;
      const auto end = inner_end(line, language, skip);
      const auto piece = line.substr(0, end);
      more = end != Text::npos;
      if (more) line.remove_prefix(end + skip);
      const auto shown = trim(piece);
      if (shown.empty()) continue;
      const auto indent = static_cast<std::size_t>(shown.data() - piece.data());
      out.push_back({number, shown, indent, is_comment(shown, language, open)});
    }
  }
  return out;
}

}  // namespace hydra::integrity
