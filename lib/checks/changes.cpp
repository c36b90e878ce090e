#include "checks/changes.hpp"

#include "checks/rebuild.hpp"
#include "checks/workspace.hpp"

#include <fmt/format.h>

#include <charconv>
#include <unordered_map>
#include <unordered_set>

namespace hydra::checks {
namespace {

std::uint32_t octal(const std::string& text) {
  std::uint32_t mode = 0;
  std::from_chars(text.data(), text.data() + text.size(), mode, 8);
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

// Configured paths as patterns, and what "**/NAME" comes to in the checkout: a candidate may make one more.
std::vector<std::string> patterns(const model::RaceSpec& spec, const std::vector<std::string>& configured) {
  auto all = configured;
  for (auto& path : expand_paths(spec.repository.root, configured)) all.push_back(std::move(path));
  return all;
}

}  // namespace

Result<ChangePlan> plan_changes(const git::Store& store, const model::RaceSpec& spec,
                                const std::string& commit) {
  ChangePlan plan;
  HYDRA_TRY(const auto changed, store.changes(commit));
  if (changed.empty()) return plan;
  std::vector<Change> changes;
  std::vector<std::string> paths;
  std::unordered_map<std::string, const git::TreeChange*> by_path;
  for (const auto& change : changed) {
    changes.push_back({change.path, kind_of(change.status), {}, octal(change.mode), octal(change.old_mode)});
    paths.push_back(change.path);
    by_path[change.path] = &change;
  }
  HYDRA_TRY(const auto ignored_list, store.ignored_by_base(paths));
  const std::unordered_set<std::string> ignored(ignored_list.begin(), ignored_list.end());
  HYDRA_TRY(auto tracked, store.base_paths());
  const BaseTree base(std::move(tracked));
  const auto& config = spec.config;
  RebuildContext context;
  context.base = &base;
  context.ignored = [&ignored](std::string_view path) { return ignored.contains(std::string(path)); };
  context.share = patterns(spec, config.workspace.share);
  context.outputs = patterns(spec, config.workspace.outputs);
  context.copy = patterns(spec, config.workspace.copy);
  context.setup = config.workspace.setup.value_or("");
  for (const auto& command :
       {config.scoring.build_command, config.scoring.test_command, config.workspace.warm})
    if (command) context.commands.push_back(*command);
  auto rebuild = plan_rebuild(changes, context);
  plan.cold = rebuild.drop_outputs;
  plan.setup = rebuild.setup_again;
  plan.reasons = std::move(rebuild.reasons);
  for (const auto* list : {&rebuild.dropped, &rebuild.not_applied})
    for (const auto& path : *list) plan.left_out.push_back(fmt::format("{} ({})", path.path, path.reason));
  for (const auto& path : rebuild.deletions) {
    git::TreeChange change = *by_path.at(path);
    change.status = 'D';
    plan.apply.push_back(std::move(change));
  }
  for (const auto& path : rebuild.writes) plan.apply.push_back(*by_path.at(path));
  return plan;
}

}  // namespace hydra::checks
