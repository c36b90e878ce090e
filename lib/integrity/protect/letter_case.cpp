#include "integrity/protect/letter_case.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace hydra::integrity {
namespace {

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
      plan.steps.push_back({path, RestoreAction::remove, why->kind, std::move(why->reason), false});
  }
  std::stable_sort(plan.steps.begin(), plan.steps.end(), [](const RestoreStep& a, const RestoreStep& b) {
    const bool first = a.action == RestoreAction::remove, second = b.action == RestoreAction::remove;
    return first != second ? first : first && a.path < b.path;
  });
}

}  // namespace hydra::integrity
