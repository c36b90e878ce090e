#include "config/ecosystem.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "config/toolchains.hpp"

#include <algorithm>
#include <unordered_map>

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
  if (pattern.find('/') != std::string_view::npos) {
    auto words = pattern.substr(0, pattern.find_first_of("*?"));
    while (words.ends_with('/')) words.remove_suffix(1);
    return path.find(words) != std::string_view::npos && match_path("**/" + std::string(pattern), path);
  }
  const auto name = path.substr(path.rfind('/') + 1);
  if (pattern.starts_with('*') && pattern.find_first_of("*?[\\", 1) == std::string_view::npos)
    return name.ends_with(pattern.substr(1));
  return match_component(pattern, name);
}

/// Which ecosystems a path is a marker of. Asked for every path of a base, and most markers are whole names.
class Markers {
 public:
  explicit Markers(std::span<const Ecosystem> table) {
    for (std::size_t i = 0; i < table.size(); ++i)
      for (const std::string_view marker : table[i].markers)
        if (marker.find_first_of("*?[/\\") == std::string_view::npos)
          names_[marker].push_back(i);
        else
          patterns_.emplace_back(marker, i);
  }
  template <class Each>
  void of(std::string_view path, const Each& each) const {
    if (const auto named = names_.find(path.substr(path.rfind('/') + 1)); named != names_.end())
      for (const auto i : named->second) each(i);
    for (const auto& [pattern, i] : patterns_)
      if (matches(pattern, path)) each(i);
  }

 private:
  std::unordered_map<std::string_view, std::vector<std::size_t>> names_;
  std::vector<std::pair<std::string_view, std::size_t>> patterns_;
};

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
  const Markers markers(table);
  std::vector<bool> found(table.size()), own(table.size());
  for (const auto& path : paths) {
    if (has_directory(path, toolchains().foreign) || is_test_data(path)) continue;
    markers.of(path, [&](std::size_t i) {
      found[i] = true;
      own[i] = own[i] || !names_one_of(table[i].weak_markers, path);
    });
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
