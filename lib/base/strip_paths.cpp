#include "base/strip_paths.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <optional>

namespace hydra {
namespace {

constexpr std::string_view kScheme = "file://";
constexpr std::string_view kLocal = "localhost";

bool word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (c & 0x80) != 0;
}

/// Whether a path may continue to the left, so that the text at hand is no absolute path.
bool joins_left(char c) { return word_char(c) || c == '.' || c == '-' || c == '/' || c == '~' || c == '%'; }

/// Whether a name continues: true for "app2", "app-old", "app.bak", false for "app." at the end of a
/// sentence.
bool goes_on(std::string_view rest) {
  if (rest.empty()) return false;
  if (word_char(rest[0]) || rest[0] == '-' || rest[0] == '~') return true;
  return (rest[0] == '.' || rest[0] == '+') && rest.size() > 1 && (word_char(rest[1]) || rest[1] == '.');
}

bool ends_uri(char c) {
  return static_cast<unsigned char>(c) <= ' ' ||
         std::string_view("\"'<>()`{}|\\").find(c) != std::string_view::npos;
}

/// Returns the length of `prefix` at the start of a percent-encoded path; 0: no match.
std::size_t encoded_length(std::string_view text, std::string_view prefix) {
  std::size_t at = 0;
  for (const char wanted : prefix) {
    if (at >= text.size()) return 0;
    if (const auto byte = percent_byte(text.substr(at)); byte && *byte == wanted)
      at += 3;
    else if (text[at] == wanted)
      ++at;
    else
      return 0;
  }
  return at;
}

}  // namespace

PathStripper::PathStripper(const std::vector<std::string>& prefixes) {
  for (auto prefix : prefixes) {
    while (prefix.ends_with('/')) prefix.pop_back();
    if (prefix.size() < 2 || prefix.front() != '/') continue;
    if (std::find(prefixes_.begin(), prefixes_.end(), prefix) == prefixes_.end()) prefixes_.push_back(prefix);
  }
  std::sort(prefixes_.begin(), prefixes_.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  // The longest match: the whole prefix percent-encoded after "file://localhost", plus two bytes.
  if (!prefixes_.empty()) window_ = prefixes_.front().size() * 3 + kScheme.size() + kLocal.size() + 4;
}

std::string PathStripper::feed(std::string_view bytes) {
  if (prefixes_.empty()) return std::string(bytes);
  pending_ += bytes;
  const auto newline = pending_.rfind('\n');
  const auto whole = newline == std::string::npos ? 0 : newline + 1;
  const auto sure = pending_.size() > window_ ? pending_.size() - window_ : 0;
  return run(std::max(whole, sure));
}

std::string PathStripper::finish() { return run(pending_.size()); }

std::string PathStripper::run(std::size_t end) {
  std::string out;
  out.reserve(end);
  const std::string_view text = pending_;
  std::size_t at = 0;
  const auto take = [&](std::size_t count) {
    before_ = text[at + count - 1];
    at += count;
  };
  // Emits "src/a.c" for "PREFIX/src/a.c" and "." for "PREFIX" alone.
  const auto leave = [&](std::size_t length, std::size_t slash) {
    if (slash == 0) out += '.';
    take(length + slash);
  };
  while (at < end) {
    const auto rest = text.substr(at);
    const char c = rest[0];
    if (in_uri_) {
      if (ends_uri(c)) {
        in_uri_ = false;
      } else if (const auto byte = percent_byte(rest);
                 byte && static_cast<unsigned char>(*byte) >= ' ' && *byte != 0x7f) {
        out += *byte;
        take(3);
        continue;
      }
    } else if (c == 'f' && rest.starts_with(kScheme) && !word_char(before_)) {
      auto head = kScheme.size();
      if (rest.substr(head).starts_with(kLocal)) head += kLocal.size();
      for (const auto& prefix : prefixes_) {
        const auto length = encoded_length(rest.substr(head), prefix);
        const auto after = rest.substr(std::min(head + length, rest.size()));
        if (length == 0 || goes_on(after) || percent_byte(after)) continue;
        in_uri_ = true;
        leave(head + length, after.starts_with('/') ? 1 : 0);
        break;
      }
      if (in_uri_) continue;
    } else if ((c == '/' || (c == '\\' && rest.starts_with("\\/"))) && !joins_left(before_)) {
      const bool escaped = c == '\\';
      bool found = false;
      for (const auto& prefix : prefixes_) {
        const auto spelled = escaped ? replace_all(prefix, "/", "\\/") : prefix;
        if (!rest.starts_with(spelled)) continue;
        const auto after = rest.substr(spelled.size());
        if (goes_on(after)) continue;
        const std::string_view slash = escaped ? "\\/" : "/";
        leave(spelled.size(), after.starts_with(slash) ? slash.size() : 0);
        found = true;
        break;
      }
      if (found) continue;
    }
    out += c;
    take(1);
  }
  pending_.erase(0, at);
  return out;
}

std::string strip_paths(std::string_view text, const std::vector<std::string>& prefixes) {
  const auto occurs = [&](std::string_view part) { return text.find(part) != text.npos; };
  // Most texts are a name of a test, which has no such path.
  if (!occurs(kScheme) && !occurs("\\/") &&
      std::none_of(prefixes.begin(), prefixes.end(), [&](std::string_view each) {
        return occurs(each.substr(0, each.find_last_not_of('/') + 1));
      }))
    return std::string(text);
  PathStripper stripper(prefixes);
  auto out = stripper.feed(text);
  return out + stripper.finish();
}

}  // namespace hydra
