// Stable test names: equal names mean the same test in two runs.
#include "parsers/registry.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

namespace hydra::parsers {
namespace {

void take_off(std::string& name, std::string_view root) {
  for (std::size_t at = name.find(root); at != std::string::npos; at = name.find(root, at)) {
    const auto after = at + root.size();
    const bool begins = at == 0 || std::string_view(" ([\"'=:,").find(name[at - 1]) != std::string_view::npos;
    if (begins && after < name.size() && name[after] == '/')
      name.erase(at, root.size() + 1);
    else
      at = after;
  }
}

int rank(model::TestStatus s) {
  if (s == model::TestStatus::passed) return 0;
  return s == model::TestStatus::skipped ? 1 : 2;
}

/// Returns whether the name looks like "a #2", the form of a numbered repetition.
bool is_numbered(std::string_view name) {
  const auto end = name.find_last_not_of("0123456789");
  return end != std::string_view::npos && end + 1 < name.size() && name.substr(0, end + 1).ends_with(" #");
}

/// The first test of each name, in a table of four bytes per entry: a set of nodes would need more memory
/// than the list itself.
class FirstOf {
 public:
  explicit FirstOf(const std::vector<model::TestCase>& tests) : tests_(tests) {
    std::size_t size = 16;
    while (size < tests.size() + tests.size() / 2) size *= 2;
    slots_.assign(size, kNone);
  }
  /// Returns the test of this name; without one, stores and returns `fresh` (kNone leaves the slot empty).
  std::uint32_t find(std::string_view name, std::uint32_t fresh = kNone) {
    auto at = std::hash<std::string_view>{}(name) & (slots_.size() - 1);
    for (; slots_[at] != kNone; at = (at + 1) & (slots_.size() - 1))
      if (tests_[slots_[at]].name == name) return slots_[at];
    slots_[at] = fresh;
    return fresh;
  }
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

 private:
  const std::vector<model::TestCase>& tests_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace

void make_stable(std::vector<model::TestCase>& tests, std::string_view root) {
  while (root.ends_with('/')) root.remove_suffix(1);
  if (root.starts_with('/'))
    for (auto& t : tests) take_off(t.name, root);
  FirstOf first(tests);
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> equal;
  for (std::uint32_t i = 0; i < tests.size(); ++i)
    if (const auto at = first.find(tests[i].name, i); at != i) {
      auto& all = equal[at];
      if (all.empty()) all.push_back(at);
      all.push_back(i);
    }
  if (equal.empty()) return;
  const bool numbered =
      std::any_of(tests.begin(), tests.end(), [](const auto& t) { return is_numbered(t.name); });
  std::vector<std::pair<std::string, std::uint32_t>> later;
  for (auto& [at, all] : equal) {
    const auto name = tests[at].name;
    // Number passed tests first: which of two equal tests fails must not depend on the order of a parallel
    // run.
    std::vector<std::uint32_t> ordered;
    ordered.reserve(all.size());
    for (const int r : {0, 1, 2})
      for (const auto i : all)
        if (rank(tests[i].status) == r) ordered.push_back(i);
    std::size_t n = 1;
    for (std::size_t k = 1; k < ordered.size(); ++k) {
      // A test may itself be called "a #2". Two new names never collide: their ends differ.
      std::string own;
      do own = name + " #" + std::to_string(++n);
      while (numbered && first.find(own) != FirstOf::kNone);
      // The table compares names of first tests, so rename these at the end.
      if (ordered[k] == at)
        later.emplace_back(std::move(own), at);
      else
        tests[ordered[k]].name = std::move(own);
    }
  }
  for (auto& [name, i] : later) tests[i].name = std::move(name);
}

}  // namespace hydra::parsers
