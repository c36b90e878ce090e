#include "parsers/pattern.hpp"

#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;  ///< more is no count of tests

std::optional<std::int64_t>* figure_of(char c, Figures& f) {
  switch (c) {
    case 'p':
      return &f.passed;
    case 'f':
      return &f.failed;
    case 's':
      return &f.skipped;
    case 'e':
      return &f.errors;
    case 't':
      return &f.total;
    case 'r':
      return &f.ran;
    case 'u':
      return &f.remaining;
    default:
      return nullptr;
  }
}

bool placeholder(char c, std::string_view& line, Figures& f) {
  if (c == '%') return eat(line, "%");
  if (c == '*') {
    line = {};
    return true;
  }
  if (c == 'w') {
    const auto n = std::min(line.find_first_of(" \t"), line.size());
    line.remove_prefix(n);
    return n > 0;
  }
  if (c == 'd') return eat_decimal(line);
  const auto n = eat_number(line);
  if (!n || *n > kMost) return false;
  if (auto* figure = figure_of(c, f)) *figure = figure->value_or(0) + *n;
  return true;
}

/// `pattern` without optional parts, at the begin of `line`.
bool eat_plain(std::string_view pattern, std::string_view& line, Figures& f) {
  while (!pattern.empty()) {
    const char c = pattern[0];
    pattern.remove_prefix(1);
    if (c == '%' && !pattern.empty()) {
      if (!placeholder(pattern[0], line, f)) return false;
      pattern.remove_prefix(1);
    } else if (c == ' ') {
      if (eat_blanks(line) == 0) return false;
    } else {
      if (line.empty() || line[0] != c) return false;
      line.remove_prefix(1);
    }
  }
  return true;
}

}  // namespace

bool match(std::string_view pattern, std::string_view line, Figures& figures) {
  line = trim_end(line);
  Figures found = figures;
  while (!pattern.empty()) {
    const auto open = pattern.find('{');
    if (!eat_plain(pattern.substr(0, open), line, found)) return false;
    if (open == std::string_view::npos) break;
    const auto close = pattern.find('}', open);
    if (close == std::string_view::npos) return false;
    auto rest = line;
    Figures more = found;
    if (eat_plain(pattern.substr(open + 1, close - open - 1), rest, more)) {
      line = rest;
      found = more;
    }
    pattern.remove_prefix(close + 1);
  }
  if (!line.empty()) return false;
  figures = found;
  return true;
}

}  // namespace hydra::parsers
