#include "config/ecosystem.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace hydra::config {
namespace {

constexpr std::array<std::string_view, 9> kTestData{"fixtures",      "fixture",       "__fixtures__",
                                                    "testdata",      "test-data",     "test_data",
                                                    "test-fixtures", "__snapshots__", "golden"};
constexpr std::array<std::string_view, 5> kForeign{"node_modules", "vendor", "third_party",
                                                   "bower_components", ".venv"};

template <std::size_t N>
bool has_directory(std::string_view path, const std::array<std::string_view, N>& names) {
  const auto parts = split(path, '/');
  return std::any_of(parts.begin(), parts.end() - 1, [&](std::string_view part) {
    return std::find(names.begin(), names.end(), part) != names.end();
  });
}

// The tables are asked for every path of a base: the usual forms are matched without taking memory.
bool matches(std::string_view pattern, std::string_view path) {
  constexpr std::string_view kBelow = "/**";
  const auto head = pattern.substr(0, pattern.find('/'));
  if (pattern.ends_with(kBelow) && head.size() + kBelow.size() == pattern.size()) {
    while (!path.empty()) {
      const auto slash = path.find('/');
      if (match_component(head, path.substr(0, slash))) return true;
      path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    }
    return false;
  }
  if (pattern.find('/') != std::string_view::npos) return match_path("**/" + std::string(pattern), path);
  return match_component(pattern, path.substr(path.rfind('/') + 1));
}

/// A bare manifest belongs to another tool's lock file where there is one.
bool has_any(const EcosystemSet& set, std::initializer_list<std::string_view> names) {
  return std::any_of(set.begin(), set.end(), [&](const Ecosystem* ecosystem) {
    return std::find(names.begin(), names.end(), ecosystem->name) != names.end();
  });
}

}  // namespace

const Ecosystem* find_ecosystem(std::string_view name) {
  for (const auto& ecosystem : ecosystems())
    if (ecosystem.name == name) return &ecosystem;
  return nullptr;
}

bool names_one_of(Patterns patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return matches(pattern, path); });
}

bool is_test_data(std::string_view path) { return has_directory(path, kTestData); }

EcosystemSet detect_ecosystems(std::span<const std::string> paths) {
  const auto table = ecosystems();
  std::vector<bool> found(table.size()), own(table.size());
  for (const auto& path : paths) {
    if (has_directory(path, kForeign) || is_test_data(path)) continue;
    const auto name = std::string_view(path).substr(path.rfind('/') + 1);
    const bool shared = name == "package.json" || name == "pyproject.toml";
    for (std::size_t i = 0; i < table.size(); ++i) {
      if ((found[i] && own[i]) || !names_one_of(table[i].markers, path)) continue;
      found[i] = true;
      own[i] = own[i] || !shared;
    }
  }
  EcosystemSet set;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!found[i]) continue;
    if (table[i].name == "npm" && !own[i] && has_any(set, {"pnpm", "yarn", "bun"})) continue;
    if (table[i].name == "pip" && !own[i] && has_any(set, {"uv", "poetry"})) continue;
    set.push_back(&table[i]);
  }
  return set;
}

std::optional<bool> may_move(std::string_view share) {
  const auto last = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  while (share.ends_with('/')) share.remove_suffix(1);
  std::optional<bool> answer;
  for (const auto& ecosystem : ecosystems())
    for (const auto& directory : ecosystem.directories) {
      const bool deep =
          directory.path.find('/') != std::string_view::npos && !directory.path.starts_with("**/");
      const bool same = deep ? matches(directory.path, share) : last(directory.path) == last(share);
      // "build" is CMake's and gradle's: one that does not move decides.
      if (same) answer = answer.value_or(true) && directory.moves;
    }
  return answer;
}

Environment check_environment(const EcosystemSet& set, Environment user, bool network) {
  const auto apply = [&](const Variable& variable) {
    const auto at = std::find_if(user.begin(), user.end(),
                                 [&](const auto& entry) { return entry.first == variable.name; });
    if (at == user.end()) {
      user.emplace_back(variable.name, variable.value);
    } else if (!variable.append || at->second.empty()) {
      at->second = variable.value;
    } else {
      const auto words = split(at->second, ' ');
      if (std::find(words.begin(), words.end(), variable.value) == words.end())
        at->second += " " + std::string(variable.value);
    }
  };
  for (const auto* ecosystem : set) {
    for (const auto& variable : ecosystem->always) apply(variable);
    if (network) continue;
    for (const auto& variable : ecosystem->offline) apply(variable);
  }
  return user;
}

}  // namespace hydra::config
