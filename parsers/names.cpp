#include "parsers/names.hpp"

#include <algorithm>
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

}  // namespace

void make_stable(std::vector<model::TestCase>& tests, std::string_view root) {
  while (root.ends_with('/')) root.remove_suffix(1);
  if (root.starts_with('/'))
    for (auto& t : tests) take_off(t.name, root);
  std::unordered_map<std::string_view, std::size_t> first;
  first.reserve(tests.size());
  std::unordered_map<std::string, std::vector<std::size_t>> equal;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (const auto [at, fresh] = first.try_emplace(tests[i].name, i); !fresh) {
      auto& all = equal[tests[i].name];
      if (all.empty()) all.push_back(at->second);
      all.push_back(i);
    }
  if (equal.empty()) return;
  std::unordered_set<std::string> taken;
  for (const auto& t : tests) taken.insert(t.name);
  std::vector<std::pair<std::string, std::size_t>> renamed;
  for (auto& [name, all] : equal) {
    // The better ones first: which of two equal tests fails must not depend on the order of a parallel run.
    std::stable_sort(all.begin(), all.end(),
                     [&tests](auto a, auto b) { return rank(tests[a].status) < rank(tests[b].status); });
    std::size_t n = 1;
    for (std::size_t k = 1; k < all.size(); ++k) {
      std::string own;
      do {
        own = name + " #" + std::to_string(++n);
      } while (!taken.insert(own).second);  // a test may itself be called "a #2"
      renamed.emplace_back(std::move(own), all[k]);
    }
  }
  for (auto& [name, i] : renamed) tests[i].name = std::move(name);
}

}  // namespace hydra::parsers
