#include "base/strings.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cwchar>
#include <map>

namespace hydra {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::size_t width_of(char32_t cp) {
  if (cp == 0) return 0;
  if ((cp >= 0x300 && cp <= 0x36F) || (cp >= 0x1AB0 && cp <= 0x1AFF) || (cp >= 0x20D0 && cp <= 0x20FF) ||
      (cp >= 0xFE00 && cp <= 0xFE0F) || (cp >= 0xFE20 && cp <= 0xFE2F))
    return 0;
  if ((cp >= 0x1100 && cp <= 0x115F) || (cp >= 0x2E80 && cp <= 0xA4CF) || (cp >= 0xAC00 && cp <= 0xD7A3) ||
      (cp >= 0xF900 && cp <= 0xFAFF) || (cp >= 0xFE30 && cp <= 0xFE4F) || (cp >= 0xFF00 && cp <= 0xFF60) ||
      (cp >= 0xFFE0 && cp <= 0xFFE6) || (cp >= 0x1F300 && cp <= 0x1F64F) ||
      (cp >= 0x1F900 && cp <= 0x1F9FF) || (cp >= 0x20000 && cp <= 0x3FFFD))
    return 2;
  return 1;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (;;) {
    const auto at = text.find(separator, start);
    parts.push_back(text.substr(start, at == std::string_view::npos ? at : at - start));
    if (at == std::string_view::npos) return parts;
    start = at + 1;
  }
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto at = text.find('\n');
    auto line = text.substr(0, at);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    out.push_back(line);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + 1);
  }
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i) out += separator;
    out += parts[i];
  }
  return out;
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  auto at = text.find(from);
  if (at == std::string::npos) return text;
  // A new string is linear; replacing in place would move the rest each time.
  std::string out;
  std::size_t begin = 0;
  for (; at != std::string::npos; at = text.find(from, begin)) {
    out.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  return out.append(text, begin);
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t value = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string sanitize(std::string_view text, bool keep_newlines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    char32_t cp = 0;
    const auto len = decode_utf8(text, i, cp);
    if (len == 0) {
      out += kReplacement;
      ++i;
      continue;
    }
    if (cp == 0x1B) {  // drop whole CSI and OSC sequences, whose remains are noise
      std::size_t k = i + 1;
      if (k < text.size() && text[k] == '[') {
        ++k;
        while (k < text.size() &&
               (static_cast<unsigned char>(text[k]) < 0x40 || static_cast<unsigned char>(text[k]) > 0x7E))
          ++k;
        i = std::min(k + 1, text.size());
        continue;
      }
      if (k < text.size() && text[k] == ']') {
        while (k < text.size() && text[k] != '\a' && text[k] != '\x1B' && text[k] != '\n') ++k;
        i = k < text.size() && text[k] == '\a' ? k + 1 : k;
        continue;
      }
      ++i;
      continue;
    }
    if (cp == '\n' && keep_newlines)
      out += '\n';
    else if (cp == '\t' && keep_newlines)
      out += '\t';
    else if (cp == '\n' || cp == '\t')
      out += ' ';
    else if (cp == '\r') {
    } else if (is_dangerous(cp))
      out += kReplacement;
    else
      out += text.substr(i, len);
    i += len;
  }
  return out;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    char32_t cp = 0;
    const auto len = decode_utf8(text, i, cp);
    if (len == 0)
      out += kReplacement;
    else
      out += text.substr(i, len);
    i += std::max<std::size_t>(len, 1);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    char32_t cp = 0;
    const auto len = decode_utf8(text, i, cp);
    columns += len == 0 ? 1 : width_of(cp);
    i += std::max<std::size_t>(len, 1);
  }
  return columns;
}

std::string ellipsize(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size();) {
    char32_t cp = 0;
    const auto len = std::max<std::size_t>(decode_utf8(text, i, cp), 1);
    const auto w = width_of(cp);
    if (used + w > columns - 1) break;
    out += text.substr(i, len);
    used += w;
    i += len;
  }
  return out + "…";
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t up = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = up;
    }
  }
  return row[b.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  auto found = nearest(word, candidates, 1);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates,
                                 std::size_t most) {
  const std::size_t limit = std::clamp<std::size_t>(word.size() / 3, 1, 3);
  std::multimap<std::size_t, std::string> by_distance;
  for (const auto& candidate : candidates)
    if (const auto distance = edit_distance(word, candidate); distance <= limit)
      by_distance.emplace(distance, candidate);
  std::vector<std::string> found;
  for (auto& [distance, candidate] : by_distance)
    if (found.size() < most) found.push_back(std::move(candidate));
  return found;
}

std::optional<char> percent_byte(std::string_view text) {
  if (text.size() < 3 || text[0] != '%') return std::nullopt;
  unsigned char byte = 0;
  const auto* end = text.data() + 3;
  if (std::from_chars(text.data() + 1, end, byte, 16).ptr != end) return std::nullopt;
  return static_cast<char>(byte);
}

std::string fingerprint(std::string_view text) {
  std::uint64_t a = kFnvBasis;
  std::uint64_t b = 1099511628211u;
  for (const char c : text) {
    a = fnv1a(a, c);
    b = (b + static_cast<unsigned char>(c)) * 6364136223846793005u + 1442695040888963407u;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto b = static_cast<unsigned char>(c);
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

std::string shell_quote(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  return "'" + replace_all(std::string(text), "'", "'\\''") + "'";
}

}  // namespace hydra
