// What the test programs of a CMakeLists.txt are built of: sources by target, and whether a source of the
// base is still the one that is built.
#include "base/strings.hpp"
#include "checks/tamper_cmake.hpp"

#include <cctype>
#include <unordered_map>

namespace hydra::checks {
namespace {

constexpr std::size_t kMostWords = 100'000;  // of one text

/// Words up to the bracket that closes; `at` stands behind the one that opens, and then behind the other.
std::vector<Text> words_of_call(Text text, std::size_t& at) {
  std::vector<Text> out;
  const auto end = std::min(text.find(')', at), text.size());
  while (at < end) {
    const auto begin = std::min(text.find_first_not_of(" \t\r\n\";", at), end);
    at = std::min(text.find_first_of(" \t\r\n\";", begin), end);
    if (at > begin && out.size() < kMostWords) out.push_back(text.substr(begin, at - begin));
  }
  return out;
}

/// Every call of `command`, in its order. Names of commands have no case, and a blank may follow them.
template <class Each>
void each_call(Text text, const std::string& lower, Text command, Each each) {
  for (auto at = lower.find(command); at != std::string::npos; at = lower.find(command, at)) {
    const bool other =
        at > 0 && (std::isalnum(static_cast<unsigned char>(lower[at - 1])) != 0 || lower[at - 1] == '_');
    at = std::min(lower.find_first_not_of(" \t", at + command.size()), lower.size());
    if (other || at >= lower.size() || lower[at] != '(') continue;
    ++at;
    if (const auto words = words_of_call(text, at); !words.empty()) each(words);
  }
}

/// EXCLUDE_FROM_ALL, WIN32: an option of the command, no source.
bool is_option(Text word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || c == '3' || c == '2'; });
}

/// From the root of the repository, as far as the text tells it; a path with a variable stays as it is.
std::string resolved(Text directory, Text source) {
  for (const Text own : {"${CMAKE_CURRENT_SOURCE_DIR}/", "${CMAKE_CURRENT_LIST_DIR}/"})
    if (source.starts_with(own)) source.remove_prefix(own.size());
  for (const Text root : {"${CMAKE_SOURCE_DIR}/", "${PROJECT_SOURCE_DIR}/"})
    if (source.starts_with(root)) source.remove_prefix(root.size()), directory = {};
  if (source.find('$') != Text::npos) return std::string(source);
  std::vector<std::string> parts;
  for (const auto from : {directory, source})
    for (const auto part : split(from, '/')) {
      if (part == ".." && !parts.empty())
        parts.pop_back();
      else if (!part.empty() && part != ".")
        parts.emplace_back(part);
    }
  return join(parts, "/");
}

/// Lines that say something, whatever stands around them; not what is included from where.
std::vector<Text> telling_lines(const std::string& text) {
  std::vector<Text> out;
  for (const auto line : lines(Text(text).substr(0, kMostFileBytes)))
    if (const auto shown = trim(line);
        !shown.empty() && !shown.starts_with("#include") && !shown.starts_with("//"))
      out.push_back(shown);
  return out;
}

Kept compared(const std::string& base, const std::string& candidate) {
  const auto before = telling_lines(base), now = telling_lines(candidate);
  if (before == now) return Kept::whole;
  std::unordered_map<Text, std::int64_t> left;
  for (const auto line : now) ++left[line];
  std::size_t found = 0;
  for (const auto line : before) {
    if (--left[line] >= 0)
      ++found;
    else if (has_any(line, {"EXPECT_", "ASSERT_", "REQUIRE", "CHECK", "assert", "TEST", "return"}))
      return Kept::gone;
  }
  return found * 2 >= before.size() ? Kept::edited : Kept::gone;
}

}  // namespace

CmakeSources cmake_sources(Text text, Text path) {
  const auto slash = path.rfind('/');
  const auto directory = slash == Text::npos ? Text() : path.substr(0, slash);
  const auto lower = to_lower(text);
  std::unordered_map<Text, std::vector<Text>> lists;
  each_call(text, lower, "set", [&](const std::vector<Text>& words) {
    auto& list = lists[words.front()];
    list.assign(words.begin() + 1, words.end());
  });
  CmakeSources out;
  std::size_t all = 0;
  each_call(text, lower, "add_executable", [&](const std::vector<Text>& words) {
    auto& target = out[std::string(words.front())];
    target.clear();
    for (std::size_t i = 1; i < words.size() && all < kMostWords; ++i, ++all) {
      const auto word = words[i];
      if (is_option(word)) continue;
      const auto list = word.starts_with("${") && word.ends_with('}') && word.size() > 3
                            ? lists.find(word.substr(2, word.size() - 3))
                            : lists.end();
      if (list == lists.end()) {
        target.push_back(resolved(directory, word));
        continue;
      }
      for (const auto inner : list->second)
        if (++all < kMostWords) target.push_back(resolved(directory, inner));
    }
  });
  return out;
}

Kept kept_source(const std::string& source, const std::vector<std::string>& sources,
                 const ChangedPaths& changed) {
  if (std::find(sources.begin(), sources.end(), source) != sources.end()) return Kept::whole;
  // What still stands at its old place was not moved: something else is built instead of it.
  const auto old = changed.find(source);
  const bool moved = old != changed.end() && !old->second->candidate && old->second->base;
  auto best = Kept::gone;
  int compared_with = 0;
  for (const auto& each : sources) {
    if (has(each, "$") && old == changed.end()) best = std::max(best, Kept::edited);
    constexpr int kMostCompared = 64;
    if (!moved || compared_with >= kMostCompared) continue;
    const auto now = changed.find(each);
    if (now == changed.end() || !now->second->candidate) continue;
    ++compared_with;
    best = std::max(best, compared(*old->second->base, *now->second->candidate));
  }
  return best;
}

}  // namespace hydra::checks
