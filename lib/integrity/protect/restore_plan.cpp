#include "base/strings.hpp"
#include "integrity/protect/protected_paths.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace hydra::integrity {
namespace {

/// Executes `remove` first: a file may replace a directory of the base.
bool comes_before(const RestoreStep& a, const RestoreStep& b) {
  const auto rank = [](const RestoreStep& step) {
    return step.action == RestoreAction::remove ? -1 : static_cast<int>(step.action);
  };
  return std::tuple(rank(a), std::string_view(a.path)) < std::tuple(rank(b), std::string_view(b.path));
}

using Folded = std::unordered_map<std::string, std::string>;  // lower case -> spelling of the base

std::optional<Protection> protection_of(const std::string& path, const Folded& base,
                                        const ProtectedPaths& rules) {
  const auto folded = to_lower(path);
  if (const auto twin = base.find(folded); twin != base.end()) {
    const auto theirs = rules.of(twin->second);
    if (!theirs) return std::nullopt;
    return Protection{theirs->kind, RestoreAction::remove,
                      "the same file as " + twin->second + " where letter case counts nothing"};
  }
  auto known = folded == path ? std::nullopt : rules.of(folded);
  if (!known || known->kind == ProtectedKind::test_file || known->kind == ProtectedKind::build_file)
    return std::nullopt;
  return Protection{known->kind, RestoreAction::remove,
                    "read as " + folded + " where letter case counts nothing"};
}

}  // namespace

RestorePlan plan_restore(std::span<const trees::Change> changes, const ProtectedPaths& rules) {
  RestorePlan plan;
  std::map<std::string, RestoreStep> steps;  // keyed by path
  const auto& base = rules.base();
  std::vector<std::string> paths;
  for (const auto& change : changes) {
    if (change.kind == trees::ChangeKind::renamed) paths.push_back(change.from);
    paths.push_back(change.path);
  }
  const auto reached = rules.only_tests_reach(paths);
  const auto add = [&](const std::string& path, bool gone) {
    auto protection = rules.of(path);
    const bool tracked = base.tracks(path);
    if (!protection && reached.contains(path)) {
      steps.insert_or_assign(path,
                             RestoreStep{path, RestoreAction::base, ProtectedKind::test_file,
                                         "of the base's files only its tests name it", !is_source(path)});
      plan.own_tests = plan.own_tests || !gone;
      return;
    }
    if (!protection && tracked && !gone && path.ends_with(".rs"))
      steps.insert_or_assign(path, RestoreStep{path, RestoreAction::items, ProtectedKind::test_file, {}});
    if (!protection) return;
    RestoreStep step{path, protection->on_change, protection->kind, std::move(protection->reason)};
    if (step.action == RestoreAction::base && !tracked) step.action = RestoreAction::remove;
    // A deleted file has no keys to restore and nothing to flag: a deleted package.json is restored whole, a
    // deleted build file stays deleted and is named.
    if (gone && step.action == RestoreAction::keys) step.action = RestoreAction::base;
    if (gone && !tracked) return;
    const bool script = step.kind == ProtectedKind::check_script && step.action == RestoreAction::base;
    if ((step.kind == ProtectedKind::test_file || script) && !gone) plan.own_tests = true;
    steps.insert_or_assign(path, std::move(step));
  };
  for (const auto& change : changes) {
    if (change.kind == trees::ChangeKind::renamed) add(change.from, true);
    add(change.path, change.kind == trees::ChangeKind::deleted);
  }

  // Removes entries in the way of a restored path: a file or link at the place of a directory of the base, or
  // a directory at the place of a file of the base.
  std::unordered_set<std::string> restored, above;
  for (const auto& [path, step] : steps)
    if (step.action == RestoreAction::base) {
      restored.insert(path);
      each_directory(path, [&](std::string_view directory) { above.emplace(directory); });
    }
  for (const auto& change : changes) {
    if (change.kind == trees::ChangeKind::deleted || base.tracks(change.path)) continue;
    bool in_the_way = above.contains(change.path);
    each_directory(change.path, [&](std::string_view directory) {
      in_the_way |= restored.contains(std::string(directory));
    });
    if (in_the_way)
      steps.insert_or_assign(change.path,
                             RestoreStep{change.path, RestoreAction::remove, ProtectedKind::test_file,
                                         "replaces a directory of protected paths"});
  }

  for (auto& [path, step] : steps) plan.steps.push_back(std::move(step));
  std::stable_sort(plan.steps.begin(), plan.steps.end(), comes_before);
  return plan;
}

void protect_other_cases(RestorePlan& plan, std::span<const trees::Change> changes,
                         const ProtectedPaths& rules) {
  std::unordered_set<std::string> known;
  for (const auto& step : plan.steps) known.insert(step.path);
  Folded base;
  for (const auto& path : rules.base().paths()) base.emplace(to_lower(path), path);
  for (const auto& change : changes) {
    const auto& path = change.path;
    if (change.kind == trees::ChangeKind::deleted || rules.base().tracks(path) || known.contains(path))
      continue;
    if (auto why = protection_of(path, base, rules))
      plan.steps.push_back({path, RestoreAction::remove, why->kind, std::move(why->reason)});
  }
  std::stable_sort(plan.steps.begin(), plan.steps.end(), comes_before);
}

}  // namespace hydra::integrity
