#include "parsers/names.hpp"

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

}  // namespace

void make_stable(std::vector<model::TestCase>& tests, std::string_view root) {
  while (root.ends_with('/')) root.remove_suffix(1);
  if (root.starts_with('/'))
    for (auto& t : tests) take_off(t.name, root);
  std::unordered_set<std::string_view> seen;
  seen.reserve(tests.size());
  std::vector<std::size_t> again;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (!seen.insert(tests[i].name).second) again.push_back(i);
  if (again.empty()) return;
  std::unordered_set<std::string> taken;
  for (const auto& t : tests) taken.insert(t.name);
  std::unordered_map<std::string, std::size_t> last;
  for (const auto i : again) {
    auto& n = last.try_emplace(tests[i].name, 1).first->second;
    std::string name;
    do {
      name = tests[i].name + " #" + std::to_string(++n);
    } while (!taken.insert(name).second);  // a test may itself be called "a #2"
    tests[i].name = std::move(name);
  }
}

}  // namespace hydra::parsers
