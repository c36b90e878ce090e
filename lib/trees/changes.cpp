#include "trees/changes.hpp"

#include "base/glob.hpp"
#include "git/letter_case.hpp"
#include "trees/workspace.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace hydra::trees {
namespace {

std::uint32_t mode_of(std::string_view octal) {
  std::uint32_t mode = 0;
  (void)std::from_chars(octal.data(), octal.data() + octal.size(), mode, 8);
  return mode;
}

ChangeKind kind_of(char status) {
  switch (status) {
    case 'A':
      return ChangeKind::added;
    case 'D':
      return ChangeKind::deleted;
    case 'T':
      return ChangeKind::type_changed;
    default:
      return ChangeKind::modified;
  }
}

/// Returns whether a change may replace a directory: only then the real places of shared directories matter.
bool replaces_directory(const std::vector<Change>& changes, const BaseTree& base) {
  return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
    return change.kind != ChangeKind::deleted && (change.mode == 0120000 || base.tracks_below(change.path));
  });
}

void add_expanded(const fs::path& root, std::vector<std::string>& patterns) {
  auto found = expand_paths(root, patterns);
  patterns.insert(patterns.end(), std::make_move_iterator(found.begin()),
                  std::make_move_iterator(found.end()));
}

}  // namespace

std::vector<Change> to_changes(const std::vector<git::TreeChange>& tree_changes) {
  std::vector<Change> changes;
  for (const auto& change : tree_changes)
    changes.push_back(
        {change.path, kind_of(change.status), {}, mode_of(change.mode), mode_of(change.old_mode)});
  return changes;
}

Result<ChangePlan> plan_changes(const git::Store& store, const model::RaceSpec& spec,
                                std::vector<git::TreeChange> tree_changes, const BaseTree& base) {
  ChangePlan result;
  auto changes = to_changes(tree_changes);
  std::vector<std::string> unknown;
  for (const auto& change : tree_changes)
    if (change.status != 'D' && !base.tracks(change.path)) unknown.push_back(change.path);
  HYDRA_TRY(const auto ignored_list, store.ignored_by_base(unknown));
  const std::unordered_set<std::string> ignored(ignored_list.begin(), ignored_list.end());

  const auto& workspace = spec.config.workspace;
  RebuildContext context;
  context.base = &base;
  context.ignored = [&](std::string_view path) { return ignored.contains(std::string(path)); };
  context.share = workspace.share;
  context.copy = workspace.copy;
  context.outputs = workspace.outputs;
  if (replaces_directory(changes, base)) {
    add_expanded(spec.repository.root, context.share);
    add_expanded(spec.repository.root, context.copy);
  }
  context.setup = workspace.setup.value_or("");
  for (const auto& command :
       {spec.config.scoring.build_command, spec.config.scoring.test_command, workspace.warm})
    if (command) context.commands.push_back(*command);

  std::unordered_set<std::string> left_out;
  if (git::ignores_case(spec.repository)) {
    std::vector<std::string> warm = context.share;
    for (const auto* list : {&context.copy, &context.outputs})
      warm.insert(warm.end(), list->begin(), list->end());
    std::erase_if(changes, [&](const Change& change) {
      if (change.kind == ChangeKind::deleted || base.tracks(change.path)) return false;
      if (covered_by(warm, change.path) || !covered_in_any_case(warm, change.path)) return false;
      left_out.insert(change.path);
      result.left_out.push_back({change.path, "in your checkout the same as a shared or built path", true});
      return true;
    });
  }
  const auto plan = plan_rebuild(changes, context);
  for (const auto* list : {&plan.dropped, &plan.not_applied})
    for (const auto& entry : *list) {
      left_out.insert(entry.path);
      result.left_out.push_back(entry);
    }
  for (auto& change : tree_changes)
    if (!left_out.contains(change.path)) result.apply.push_back(std::move(change));
  result.cold = plan.drop_outputs;
  result.setup = plan.setup_again;
  result.reasons = plan.reasons;
  return result;
}

}  // namespace hydra::trees
