#include "checks/gating.hpp"

#include "base/strings.hpp"
#include "checks/effect.hpp"
#include "git/letter_case.hpp"
#include "integrity/protect/known_rules.hpp"
#include "integrity/protect/test_items.hpp"
#include "integrity/report/tamper.hpp"
#include "trees/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

namespace hydra::checks {
namespace {

constexpr std::size_t kMostManifestBytes = 8u << 20;
constexpr std::string_view kLink = "120000";
constexpr std::string_view kSubmodule = "160000";
constexpr std::string_view kAbsent = "000000";

std::string underscored(std::string_view words) { return replace_all(std::string(words), " ", "_"); }

/// Bytes of both sides of every change.
struct Texts {
  std::vector<std::optional<std::string>> base, candidate;
};

// Manifests of the base come first and separately: a large number of other changes must not prevent their
// restoring. Sources come next, for that reason too.
int turn(const git::TreeChange& change) {
  if (integrity::has_restorable_keys(change.path)) return change.old_mode != kAbsent ? 0 : 1;
  return integrity::is_source(change.path) ? 2 : 3;
}

/// Returns whether bytes contain NUL and are no UTF-16 source.
bool is_binary(std::string_view path, std::string_view bytes) {
  const bool utf16 = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  return bytes.find('\0') != std::string_view::npos && !(utf16 && integrity::is_source(path));
}

Result<Texts> read_texts(const git::Store& store, const std::vector<git::TreeChange>& changes) {
  Texts texts{std::vector<std::optional<std::string>>(changes.size()),
              std::vector<std::optional<std::string>>(changes.size())};
  std::vector<std::size_t> order(changes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return turn(changes[a]) < turn(changes[b]); });
  for (const bool manifests : {true, false}) {
    std::vector<std::string> ids;
    std::vector<std::optional<std::string>*> places;
    for (const auto i : order) {
      if ((turn(changes[i]) == 0) != manifests) continue;
      if (changes[i].old_mode != kAbsent) ids.push_back(changes[i].old_id), places.push_back(&texts.base[i]);
      if (changes[i].mode != kAbsent) ids.push_back(changes[i].id), places.push_back(&texts.candidate[i]);
    }
    HYDRA_TRY(auto found, store.blobs(ids, manifests ? kMostManifestBytes : integrity::kMostFileBytes));
    for (std::size_t i = 0; i < found.size(); ++i) *places[i] = std::move(found[i]);
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    // The second word of byte code tells whether it is ever compared with its source.
    if (changes[i].path.ends_with(".pyc")) continue;
    for (auto* text : {&texts.base[i], &texts.candidate[i]})
      if (*text && is_binary(changes[i].path, **text)) text->reset();
  }
  return texts;
}

// Finding for a protected path that the checks use unchanged.
model::TamperFinding used_as_it_is(const integrity::RestoreStep& step, const char* why) {
  return {underscored(integrity::name(step.kind)),
          model::Severity::info,
          sanitize(step.path),
          0,
          step.reason + "; used as it is" + why,
          ""};
}

// Converts the plan's steps to edits of the candidate's tree, and to rows for people.
class Restoring {
 public:
  Restoring(const std::vector<git::TreeChange>& changes, const Texts& texts,
            const integrity::CheckCommands& commands)
      : texts_(texts), commands_(commands) {
    for (std::size_t i = 0; i < changes.size(); ++i) changes_[changes[i].path] = {&changes[i], i};
  }

  Result<void> take(const integrity::RestoreStep& step) {
    const auto found = changes_.find(step.path);
    const auto kind = underscored(integrity::name(step.kind));
    const auto reason = step.reason.empty() ? kind : kind + ": " + step.reason;
    switch (step.action) {
      case integrity::RestoreAction::flag:
        if (show_unrestored(step.path))
          findings.push_back(used_as_it_is(step, ", tests are compared by name"));
        return {};
      case integrity::RestoreAction::remove:
        edits.push_back({step.path, "", "", {}});
        show({step.path, model::Restored::removed, reason, is_test(step)});
        return {};
      case integrity::RestoreAction::base:
        return restore(step.path, found == changes_.end() ? nullptr : found->second.first, reason,
                       is_test(step), step.is_data);
      case integrity::RestoreAction::items:
        if (found != changes_.end()) restore_items(*found->second.first, found->second.second);
        return {};
      case integrity::RestoreAction::keys:
        if (found == changes_.end()) return {};
        return restore_by_key(*found->second.first, found->second.second, reason);
    }
    return {};
  }

  std::vector<git::TreeEdit> edits;
  std::vector<model::RestoredPath> rows;
  std::vector<std::string> unrestored;
  bool own_items = false;  ///< whether test items inside of a product file were restored
  std::int64_t more = 0;   ///< number of rows and unrestored paths not kept
  std::vector<model::TamperFinding> findings;

 private:
  // A result with a hundred thousand tests is restored completely, but shown in part.
  void show(model::RestoredPath row) {
    if (rows.size() < model::kMostRestored)
      rows.push_back(std::move(row));
    else
      ++more;
  }
  bool show_unrestored(const std::string& path) {
    const bool shown = unrestored.size() < model::kMostRestored;
    if (shown)
      unrestored.push_back(path);
    else
      ++more;
    return shown;
  }

  static bool is_test(const integrity::RestoreStep& step) {
    return step.kind == integrity::ProtectedKind::test_file;
  }

  Result<void> restore(const std::string& path, const git::TreeChange* change, const std::string& reason,
                       bool own_test = false, bool is_data = false) {
    if (!change || change->old_mode == kAbsent) {
      // A path of the base that the diff does not name needs no edit.
      if (change)
        edits.push_back({path, "", "", {}}), show({path, model::Restored::removed, reason, own_test});
      return {};
    }
    edits.push_back({path, change->old_mode, change->old_id, {}});
    show({path, model::Restored::base, reason, false, is_data});
    return {};
  }

  void restore_items(const git::TreeChange& change, std::size_t index) {
    const auto &base = texts_.base[index], &candidate = texts_.candidate[index];
    if (!base || !candidate || change.mode == kLink || change.old_mode == kLink) return;
    const auto items = integrity::restore_test_items(*base, *candidate);
    if (!items || items->heads.empty()) return;
    own_items = true;
    edits.push_back({change.path, change.mode, "", items->text});
    show({change.path, model::Restored::by_key, join(items->heads, ", ")});
  }

  Result<void> restore_by_key(const git::TreeChange& change, std::size_t index, const std::string& reason) {
    const auto& candidate = texts_.candidate[index];
    const bool removed = change.mode == kAbsent;
    if (removed || change.mode == kLink || change.old_mode == kLink)
      return restore(change.path, &change, reason);
    // Without the base's text, every key of its checks would count as added by the candidate.
    if (change.old_mode != kAbsent && !texts_.base[index]) return restore(change.path, &change, reason);
    const auto base = texts_.base[index].value_or("");
    if (candidate) {
      const auto keys = integrity::restore_keys(change.path, base, *candidate, commands_);
      if (keys.ok()) {
        if (keys->keys.empty()) return {};
        edits.push_back({change.path, change.mode, "", keys->text});
        show({change.path, model::Restored::by_key, join(keys->keys, ", "), false});
        return {};
      }
    }
    // If the base's file can't be parsed either, the candidate is not to blame.
    if (!base.empty() && !integrity::restore_keys(change.path, base, base, commands_).ok())
      return restore(change.path, &change, reason);
    // The base's bytes would hide that the candidate broke the file; the candidate's own may contain other
    // check commands. So the file is used unchanged, and the candidate can't win.
    show_unrestored(change.path);
    findings.push_back({"configuration", model::Severity::block, sanitize(change.path), 0,
                        "a manifest that can't be read: what it says about checks could not be restored",
                        ""});
    return {};
  }

  const Texts& texts_;
  const integrity::CheckCommands& commands_;
  std::map<std::string, std::pair<const git::TreeChange*, std::size_t>> changes_;
};

std::string files_command_of(const integrity::RaceRules& race, const TestCommand& test) {
  std::vector<std::string> files;
  for (const auto& path : race.base.paths())
    if (race.paths.is_test(path)) files.push_back(path);
  return one_by_one(test, files);
}

// Returns the command for the result's own test files, if nothing but these was restored.
std::string own_command_of(const TestCommand& test, const std::vector<git::TreeChange>& changes,
                           const Texts& texts, const integrity::RestorePlan& plan,
                           const integrity::ProtectedPaths& rules) {
  std::map<std::string, std::size_t, std::less<>> own;  // index of the change
  for (const auto& step : plan.steps) {
    if (step.action == integrity::RestoreAction::items) continue;
    if (step.kind != integrity::ProtectedKind::test_file || !rules.is_test(step.path)) return {};
    for (std::size_t i = 0; i < changes.size(); ++i)
      if (changes[i].path == step.path && changes[i].mode != kAbsent) own.emplace(step.path, i);
  }
  std::vector<std::string> files;
  for (const auto& [path, index] : own) files.push_back(path);
  auto command = cross_command(test, files, [&](std::string_view path) {
    const auto found = own.find(path);
    return found == own.end() ? std::nullopt : texts.candidate[found->second];
  });
  return command.whole ? std::string() : std::move(command.command);
}

// Lists paths whose new content was not read: binary, too large, or beyond the limit for one candidate. An
// unread source is a warning, unless the checks take the base's.
void find_unread(const std::vector<git::TreeChange>& changes, const Texts& texts,
                 const integrity::ProtectedPaths& rules, bool restored, model::Integrity& integrity) {
  constexpr std::size_t kMost = 50, kMostSources = 20;
  std::size_t unread = 0, sources = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& change = changes[i];
    if (change.mode == kAbsent || texts.candidate[i]) continue;
    if (++unread <= kMost)
      integrity.unseen.push_back("contents of " + sanitize(change.path) +
                                 ": binary, or too large to be read");
    if (!integrity::is_source(change.path) || change.mode == kLink || change.mode == kSubmodule ||
        integrity::has_restorable_keys(change.path))  // restore_by_key() reports these
      continue;
    const auto protection = rules.of(change.path);
    if (restored && protection && protection->on_change == integrity::RestoreAction::base) continue;
    if (++sources > kMostSources) {
      ++integrity.not_shown;
      continue;
    }
    integrity.findings.push_back({"not_inspected", model::Severity::warning, sanitize(change.path), 0,
                                  "a source that could not be looked at: it holds NUL bytes, is larger than "
                                  "2 MiB, or beyond the 64 MiB that are read of one result",
                                  ""});
  }
  if (unread > kMost)
    integrity.unseen.push_back(
        fmt::format("contents of {} further binary or too large files", unread - kMost));
}

// Returns whether the change has any effect after these edits. An edit whose text equals the base's counts as
// no change.
bool leaves_something(const std::vector<git::TreeChange>& changes, const Texts& texts,
                      const std::vector<git::TreeEdit>& edits, const integrity::ProtectedPaths& rules,
                      model::TaskKind kind) {
  std::unordered_map<std::string_view, const git::TreeEdit*> edited;
  for (const auto& edit : edits) edited[edit.path] = &edit;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& change = changes[i];
    if (const auto found = edited.find(change.path); found != edited.end()) {
      const auto& text = found->second->text;
      if (!text || text == texts.base[i]) continue;
      return true;
    }
    if (!has_no_effect(change, {texts.base[i], texts.candidate[i]}, rules, kind)) return true;
  }
  return changes.empty();  // a submodule is in no tree
}

}  // namespace

TestCommand test_command_of(const integrity::RaceRules& race, const model::ScoringConfig& scoring) {
  return {
      scoring.test_command.value_or(""), race.base,
      [&race](std::string_view path) { return race.store.base_file(std::string(path), kMostManifestBytes); },
      scoring.test_reports.empty() ? Naming::by_runner : Naming::by_reports};
}

Result<model::Integrity> inspect_candidate(integrity::KnownRules& known, const git::Store& store,
                                           const model::RaceSpec& spec, const Candidate& candidate) {
  model::Integrity integrity;
  integrity.commit = candidate.commit;
  HYDRA_TRY(const auto tree_changes, store.changes(candidate.commit));
  if (tree_changes.empty()) return integrity;
  HYDRA_TRY(const auto race, known.get(store, spec));
  const auto& rules = race->paths;
  HYDRA_TRY(const auto texts, read_texts(store, tree_changes));
  HYDRA_TRY(auto planned, trees::plan_changes(store, spec, tree_changes, race->base));

  const auto changes = trees::to_changes(tree_changes);

  auto plan = integrity::plan_restore(changes, rules);
  if (!candidate.restore) {
    for (const auto& step : plan.steps) {
      if (step.action == integrity::RestoreAction::items) continue;
      if (integrity.findings.size() < model::kMostRestored)
        integrity.findings.push_back(used_as_it_is(step, ": checks run in the agent's own directory"));
      else
        ++integrity.not_shown;
    }
  } else {
    const auto test = test_command_of(*race, spec.config.scoring);
    integrity.files_command = files_command_of(*race, test);
    if (git::ignores_case(spec.repository)) integrity::protect_other_cases(plan, changes, rules);
    Restoring restoring(tree_changes, texts, rules.commands());
    for (const auto& path : candidate.hiding_rules)
      plan.steps.push_back({path, integrity::RestoreAction::base,
                            integrity::ProtectedKind::lint_configuration,
                            "its new rules hide files of the result"});
    for (const auto& step : plan.steps) HYDRA_CHECK(restoring.take(step));
    integrity.effective = leaves_something(tree_changes, texts, restoring.edits, rules, task_kind(spec));
    integrity.own_run = (plan.own_tests || restoring.own_items) && !restoring.edits.empty();
    if (integrity.own_run && !restoring.own_items)
      integrity.own_command = own_command_of(test, tree_changes, texts, plan, rules);
    integrity.restored = std::move(restoring.rows);
    integrity.unrestored = std::move(restoring.unrestored);
    integrity.more_restored = restoring.more;
    integrity.findings = std::move(restoring.findings);
    if (!restoring.edits.empty()) {
      HYDRA_TRY(integrity.commit,
                store.edited(candidate.commit, restoring.edits, candidate.name + ".checks"));
    }
  }

  find_unread(tree_changes, texts, rules, candidate.restore, integrity);

  std::vector<integrity::ChangedFile> files;
  for (std::size_t i = 0; i < changes.size(); ++i)
    files.push_back({changes[i], texts.base[i], texts.candidate[i]});
  integrity::TamperInput input;
  input.rules = &rules;
  input.files = files;
  input.left_out = std::move(planned.left_out);
  auto report = integrity::find_tampering(input);
  std::move(report.findings.begin(), report.findings.end(), std::back_inserter(integrity.findings));
  std::stable_sort(integrity.findings.begin(), integrity.findings.end(),
                   [](const auto& a, const auto& b) { return a.severity > b.severity; });
  integrity.suppressions = report.suppressions;
  integrity.not_shown += report.not_shown;
  return integrity;
}

model::Integrity or_not_inspected(Result<model::Integrity> found, const std::string& commit) {
  if (found.ok()) return std::move(*found);
  model::Integrity integrity;
  integrity.commit = commit;
  integrity.error = describe(found.error());
  return integrity;
}

}  // namespace hydra::checks
