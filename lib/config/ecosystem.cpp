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

// The tables are queried for every path of a base, so common patterns are matched without allocation.
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

constexpr std::string_view kSpecial = "*?[\\";

std::string_view extension(std::string_view name) {
  return name.substr(std::min(name.rfind('.'), name.size()));
}

}  // namespace

std::span<const Ecosystem> ecosystems() { return toolchains().ecosystems; }
const Ecosystem& common_ecosystem() { return toolchains().common; }

const Ecosystem* find_ecosystem(std::string_view name) {
  for (const auto& ecosystem : ecosystems())
    if (ecosystem.name == name) return &ecosystem;
  return nullptr;
}

Texts dropped_kinds() {
  Texts kinds;
  for (const auto& ecosystem : ecosystems())
    kinds.insert(kinds.end(), ecosystem.dropped.begin(), ecosystem.dropped.end());
  return kinds;
}

Texts unmerged_kinds() {
  auto kinds = dropped_kinds();
  for (const auto* more : {&toolchains().vendored, &toolchains().ignored})
    kinds.insert(kinds.end(), more->begin(), more->end());
  return kinds;
}

bool names_one_of(Patterns patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return matches(pattern, path); });
}

void PatternIndex::add(std::string_view pattern, std::size_t number) {
  const auto first = pattern.substr(0, pattern.find('/'));
  const bool plain =
      first.find_first_of(kSpecial) == std::string_view::npos && !first.empty() && first != ".";
  const auto ending = extension(pattern);
  if (first.size() < pattern.size())
    (plain ? directories_[first] : others_).push_back({pattern, number});
  else if (plain)
    names_[pattern].push_back({pattern, number});
  else if (!ending.empty() && ending.find_first_of(kSpecial) == std::string_view::npos)
    endings_[ending].push_back({pattern, number});
  else
    others_.push_back({pattern, number});
}

std::vector<std::size_t> PatternIndex::of(std::string_view path) const {
  std::vector<std::size_t> found;
  const auto try_all = [&](const std::vector<Entry>& entries) {
    for (const auto& entry : entries)
      if (matches(entry.pattern, path)) found.push_back(entry.number);
  };
  const auto look_up = [&](const Entries& entries, std::string_view key) {
    if (const auto at = entries.find(key); at != entries.end()) try_all(at->second);
  };
  const auto name = path.substr(path.rfind('/') + 1);
  look_up(names_, name);
  if (const auto ending = extension(name); !ending.empty()) look_up(endings_, ending);
  for (auto rest = path; !rest.empty();) {
    const auto slash = rest.find('/');
    look_up(directories_, rest.substr(0, slash));
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
  try_all(others_);
  return found;
}

bool is_test_data(std::string_view path) { return has_directory(path, toolchains().test_data); }

bool is_no_project(std::string_view path) {
  return has_directory(path, toolchains().foreign) || is_test_data(path);
}

EcosystemSet detect_ecosystems(std::span<const std::string> paths) {
  const auto table = ecosystems();
  PatternIndex markers;
  for (std::size_t i = 0; i < table.size(); ++i) markers.add(table[i].markers, i);
  std::vector<bool> found(table.size()), own(table.size());
  for (const auto& path : paths) {
    if (is_no_project(path)) continue;
    for (const auto i : markers.of(path)) {
      found[i] = true;
      own[i] = own[i] || !names_one_of(table[i].weak_markers, path);
    }
  }
  // A manifest alone does not count if another tool's lock file exists.
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
