#include "config/json_scan.hpp"

#include <optional>

namespace hydra::config {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// Calls `visit(key)` with the scanner before each value; the visitor must read or skip it.
  template <class Visit>
  bool object(Visit visit) {
    if (!take('{')) return false;
    if (take('}')) return true;
    for (;;) {
      const auto key = string();
      if (!key || !take(':') || !visit(*key)) return false;
      if (take(',')) continue;
      return take('}');
    }
  }

  std::optional<std::string> string() {
    if (!take('"')) return std::nullopt;
    std::string out;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return out;
      if (c == '\\' && at_ < text_.size())
        out += text_[at_++];  // good enough to recognise a script
      else
        out += c;
    }
    return std::nullopt;
  }

  /// Over one value of any kind, without recursion.
  bool skip() {
    int depth = 0;
    do {
      blanks();
      if (at_ >= text_.size()) return false;
      const char c = text_[at_];
      if (c == '"') {
        if (!string()) return false;
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (--depth < 0) return false;
        ++at_;
      } else if (c == ',' || c == ':') {
        if (depth == 0) return false;
        ++at_;
      } else {
        while (at_ < text_.size() &&
               std::string_view(",]}: \t\r\n\"{[").find(text_[at_]) == std::string_view::npos)
          ++at_;
      }
    } while (depth > 0);
    return true;
  }

  bool next_is(char c) {
    blanks();
    return at_ < text_.size() && text_[at_] == c;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

}  // namespace

std::map<std::string, std::string> json_strings(std::string_view json, std::string_view key) {
  std::map<std::string, std::string> found;
  Scanner scan(without_mark(json));
  scan.object([&](const std::string& name) {
    if (name != key || !scan.next_is('{')) return scan.skip();
    return scan.object([&](const std::string& inner) {
      if (!scan.next_is('"')) {
        found[inner] = "";
        return scan.skip();
      }
      const auto value = scan.string();
      if (value) found[inner] = *value;
      return value.has_value();
    });
  });
  return found;
}

bool json_has_key(std::string_view json, std::string_view key) {
  bool found = false;
  Scanner scan(without_mark(json));
  scan.object([&](const std::string& name) {
    found = found || name == key;
    return scan.skip();
  });
  return found;
}

}  // namespace hydra::config
