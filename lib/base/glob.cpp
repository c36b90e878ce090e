#include "base/glob.hpp"

#include "base/strings.hpp"

#include <algorithm>

namespace hydra {
namespace {

using Parts = std::vector<std::string_view>;

Parts components(std::string_view path) {
  Parts parts;
  for (const auto part : split(path, '/'))
    if (!part.empty() && part != ".") parts.push_back(part);
  return parts;
}

/// Whether `pattern` matches the first `length` items; a part that `is_star` matches any run of items.
/// Only the last star needs backtracking: earlier parts matched in the shortest way, and a longer match could
/// only take items that the last star can match as well.
template <class Pattern, class Items, class IsStar, class Fits>
bool match(const Pattern& pattern, const Items& items, std::size_t length, IsStar is_star, Fits fits) {
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::size_t p = 0, s = 0, star = kNone, resume = 0;
  while (s < length) {
    if (p < pattern.size() && is_star(pattern[p])) {
      star = p++;
      resume = s;
    } else if (p < pattern.size() && fits(pattern[p], items[s])) {
      ++p;
      ++s;
    } else if (star != kNone) {
      p = star + 1;
      s = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && is_star(pattern[p])) ++p;
  return p == pattern.size();
}

bool match_parts(const Parts& pattern, const Parts& path, std::size_t length) {
  return match(
      pattern, path, length, [](std::string_view part) { return part == "**"; }, match_component);
}

}  // namespace

bool match_component(std::string_view pattern, std::string_view name) {
  return match(
      pattern, name, name.size(), [](char part) { return part == '*'; },
      [](char part, char c) { return part == '?' || part == c; });
}

bool match_path(std::string_view pattern, std::string_view path) {
  const auto parts = components(path);
  return match_parts(components(pattern), parts, parts.size());
}

bool covered_by(const std::vector<std::string>& patterns, std::string_view path) {
  const auto parts = components(path);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& text) {
    const auto pattern = components(text);
    if (pattern.empty()) return false;
    for (std::size_t length = 1; length <= parts.size(); ++length)
      if (match_parts(pattern, parts, length)) return true;
    return false;
  });
}

bool covered_in_any_case(const std::vector<std::string>& patterns, std::string_view path) {
  const auto folded = to_lower(path);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    const auto wanted = to_lower(pattern);
    return covered_by({wanted}, folded) || wanted.starts_with(folded + "/");
  });
}

}  // namespace hydra
