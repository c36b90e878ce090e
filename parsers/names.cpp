#include "parsers/names.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>

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

/// The first test of each name, in a table of four bytes an entry: a set of nodes would need more memory than
/// the list itself.
class FirstOf {
 public:
  explicit FirstOf(const std::vector<model::TestCase>& tests) : tests_(tests) {
    std::size_t size = 16;
    while (size < tests.size() + tests.size() / 2) size *= 2;
    slots_.assign(size, kNone);
  }
  /// The test of this name; `fresh` is entered where there is none, if it is one.
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
  std::unordered_set<std::string> taken;  // by the new names
  std::vector<std::pair<std::string, std::uint32_t>> renamed;
  for (auto& [at, all] : equal) {
    const auto& name = tests[at].name;
    // The better ones first: which of two equal tests fails must not depend on the order of a parallel run.
    std::stable_sort(all.begin(), all.end(),
                     [&tests](auto a, auto b) { return rank(tests[a].status) < rank(tests[b].status); });
    std::size_t n = 1;
    for (std::size_t k = 1; k < all.size(); ++k) {
      std::string own;
      do {
        own = name + " #" + std::to_string(++n);
        // A test may itself be called "a #2".
      } while (first.find(own) != FirstOf::kNone || !taken.insert(own).second);
      renamed.emplace_back(std::move(own), all[k]);
    }
  }
  for (auto& [name, i] : renamed) tests[i].name = std::move(name);
}

}  // namespace hydra::parsers
