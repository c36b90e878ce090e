#include "config/ecosystem.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "config/toolchains.hpp"

#include <algorithm>

namespace hydra::config {
namespace {

bool has_directory(std::string_view path, const Texts& names) {
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

}  // namespace

std::span<const Ecosystem> ecosystems() { return toolchains().ecosystems; }
const Ecosystem& common_ecosystem() { return toolchains().common; }

const Ecosystem* find_ecosystem(std::string_view name) {
  for (const auto& ecosystem : ecosystems())
    if (ecosystem.name == name) return &ecosystem;
  return nullptr;
}

bool names_one_of(Patterns patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return matches(pattern, path); });
}

bool is_test_data(std::string_view path) { return has_directory(path, toolchains().test_data); }

EcosystemSet detect_ecosystems(std::span<const std::string> paths) {
  const auto table = ecosystems();
  std::vector<bool> found(table.size()), own(table.size());
  for (const auto& path : paths) {
    if (has_directory(path, toolchains().foreign) || is_test_data(path)) continue;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if ((found[i] && own[i]) || !names_one_of(table[i].markers, path)) continue;
      found[i] = true;
      own[i] = own[i] || !names_one_of(table[i].weak_markers, path);
    }
  }
  // A bare manifest belongs to another tool's lock file where there is one.
  const auto yields = [&](const Ecosystem& one) {
    return std::any_of(one.yields_to.begin(), one.yields_to.end(), [&](std::string_view name) {
      const auto* other = find_ecosystem(name);
      return other != nullptr && found[static_cast<std::size_t>(other - table.data())];
    });
  };
  EcosystemSet set;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (found[i] && (own[i] || !yields(table[i]))) set.push_back(&table[i]);
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
