#include "checks/gating.hpp"

#include "base/strings.hpp"
#include "checks/changes.hpp"

#include <fmt/format.h>

#include <map>
#include <sys/stat.h>

namespace hydra::checks {
namespace {

constexpr std::size_t kMostManifestBytes = 8u << 20;
constexpr std::string_view kLink = "120000";
constexpr std::string_view kAbsent = "000000";

std::string underscored(std::string_view words) { return replace_all(std::string(words), " ", "_"); }

CheckCommands commands_of(const model::Config& config) {
  return {config.scoring.build_command.value_or(""), config.scoring.test_command.value_or(""),
          config.scoring.lint_command.value_or(""), config.workspace.setup.value_or("")};
}

/// Byte code says in its second word whether it is ever compared with its source.
bool is_looked_at(const std::string& path, const std::string& bytes) {
  return path.ends_with(".pyc") || bytes.find('\0') == std::string::npos;
}

/// Bytes of both sides of every change.
struct Texts {
  std::vector<std::optional<std::string>> base, candidate;
};

Result<Texts> read_texts(const git::Store& store, const std::vector<git::TreeChange>& changes) {
  Texts texts{std::vector<std::optional<std::string>>(changes.size()),
              std::vector<std::optional<std::string>>(changes.size())};
  std::vector<std::string> ids;
  std::vector<std::optional<std::string>*> places;
  std::vector<const std::string*> paths;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& change = changes[i];
    if (change.old_mode != kAbsent)
      ids.push_back(change.old_id), places.push_back(&texts.base[i]), paths.push_back(&change.path);
    if (change.mode != kAbsent)
      ids.push_back(change.id), places.push_back(&texts.candidate[i]), paths.push_back(&change.path);
  }
  HYDRA_TRY(auto found, store.blobs(ids, kMostFileBytes));
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] && is_looked_at(*paths[i], *found[i])) *places[i] = std::move(found[i]);
  return texts;
}

std::optional<std::int64_t> mtime_of(const std::filesystem::path& workspace, const std::string& path) {
  struct stat st {};
  if (workspace.empty() || ::lstat((workspace / path).c_str(), &st) != 0 || !S_ISREG(st.st_mode))
    return std::nullopt;
  return st.st_mtim.tv_sec;
}

// The steps of the plan as edits of the candidate's tree, and as rows for people.
class Restoring {
 public:
  Restoring(const std::vector<git::TreeChange>& changes, const Texts& texts, const CheckCommands& commands)
      : texts_(texts), commands_(commands) {
    for (std::size_t i = 0; i < changes.size(); ++i) changes_[changes[i].path] = {&changes[i], i};
  }

  Result<void> take(const RestoreStep& step) {
    const auto found = changes_.find(step.path);
    const auto kind = underscored(name(step.kind));
    const auto reason = step.reason.empty() ? kind : kind + ": " + step.reason;
    switch (step.action) {
      case RestoreAction::flag:
        unrestored.push_back(step.path);
        return {};
      case RestoreAction::remove:
        edits.push_back({step.path, "", "", {}});
        rows.push_back({step.path, "removed", reason});
        return {};
      case RestoreAction::base:
        return restore(step.path, found == changes_.end() ? nullptr : found->second.first, reason);
      case RestoreAction::keys:
        if (found == changes_.end()) return {};
        return restore_by_key(*found->second.first, found->second.second, reason);
    }
    return {};
  }

  std::vector<git::TreeEdit> edits;
  std::vector<model::RestoredPath> rows;
  std::vector<std::string> unrestored;
  std::vector<model::TamperFinding> findings;

 private:
  Result<void> restore(const std::string& path, const git::TreeChange* change, const std::string& reason) {
    if (!change || change->old_mode == kAbsent) {
      // The plan speaks of a path that the base has and the diff does not name: nothing to put back.
      if (change) edits.push_back({path, "", "", {}}), rows.push_back({path, "removed", reason});
      return {};
    }
    edits.push_back({path, change->old_mode, change->old_id, {}});
    rows.push_back({path, "base", reason});
    return {};
  }

  Result<void> restore_by_key(const git::TreeChange& change, std::size_t index, const std::string& reason) {
    const auto& candidate = texts_.candidate[index];
    const bool removed = change.mode == kAbsent;
    if (removed || change.mode == kLink || change.old_mode == kLink)
      return restore(change.path, &change, reason);
    const auto base = texts_.base[index].value_or("");
    if (candidate) {
      const auto keys = restore_keys(change.path, base, *candidate, commands_);
      if (keys.ok()) {
        if (keys->keys.empty()) return {};
        edits.push_back({change.path, change.mode, "", keys->text});
        rows.push_back({change.path, "by_key", join(keys->keys, ", ")});
        return {};
      }
    }
    // A file of the base that can't be read either says nothing about the candidate.
    if (!base.empty() && !restore_keys(change.path, base, base, commands_).ok())
      return restore(change.path, &change, reason);
    // The base's bytes would hide that the candidate broke it; its own may hold other commands for the
    // checks. So it is run as it is, and can't win.
    unrestored.push_back(change.path);
    findings.push_back({"configuration", std::string(name(Severity::block)), sanitize(change.path), 0,
                        "a manifest that can't be read: what it says about checks could not be restored",
                        ""});
    return {};
  }

  const Texts& texts_;
  const CheckCommands& commands_;
  std::map<std::string, std::pair<const git::TreeChange*, std::size_t>> changes_;
};

model::TamperFinding to_finding(const Signal& signal) {
  return {std::string(name(signal.kind)),
          std::string(name(signal.severity)),
          signal.path,
          signal.line,
          signal.reason,
          signal.excerpt};
}

// Paths whose new content nobody read: binary, too large, or beyond what is read of one candidate.
std::vector<std::string> unseen_of(const std::vector<git::TreeChange>& changes,
                                   const std::vector<std::optional<std::string>>& texts) {
  constexpr std::size_t kMost = 50;
  std::vector<std::string> unseen;
  std::size_t more = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].mode == kAbsent || texts[i]) continue;
    if (unseen.size() == kMost)
      ++more;
    else
      unseen.push_back("what stands in " + sanitize(changes[i].path) + ": binary, or too large to be read");
  }
  if (more > 0) unseen.push_back(fmt::format("what stands in {} further binary or too large files", more));
  return unseen;
}

}  // namespace

Result<model::Integrity> inspect_candidate(const git::Store& store, const model::RaceSpec& spec,
                                           const Candidate& candidate) {
  model::Integrity integrity;
  integrity.commit = candidate.commit;
  HYDRA_TRY(const auto tree_changes, store.changes(candidate.commit));
  if (tree_changes.empty() && candidate.calls.empty()) return integrity;
  HYDRA_TRY(auto paths, store.base_paths());
  const BaseTree base(std::move(paths));
  HYDRA_TRY(const auto texts, read_texts(store, tree_changes));
  HYDRA_TRY(auto planned, plan_changes(store, spec, tree_changes, base));

  ProtectionContext context;
  context.base = &base;
  context.commands = commands_of(spec.config);
  context.protect = spec.config.evaluation.protected_paths;
  context.unprotect = spec.config.evaluation.unprotected_paths;
  context.base_text = [&store](std::string_view path) {
    return store.base_file(std::string(path), kMostManifestBytes);
  };
  const ProtectedPaths rules(std::move(context));
  const auto changes = to_changes(tree_changes);

  if (candidate.restore) {
    const auto plan = plan_restore(changes, rules);
    Restoring restoring(tree_changes, texts, rules.commands());
    for (const auto& step : plan.steps) HYDRA_CHECK(restoring.take(step));
    integrity.own_run = plan.own_tests && !restoring.edits.empty();
    integrity.restored = std::move(restoring.rows);
    integrity.unrestored = std::move(restoring.unrestored);
    integrity.findings = std::move(restoring.findings);
    if (!restoring.edits.empty()) {
      HYDRA_TRY(integrity.commit,
                store.edited(candidate.commit, restoring.edits, candidate.name + ".checks"));
    }
  }

  integrity.unseen = unseen_of(tree_changes, texts.candidate);
  std::vector<ChangedFile> files;
  for (std::size_t i = 0; i < changes.size(); ++i)
    files.push_back(
        {changes[i], texts.base[i], texts.candidate[i], mtime_of(candidate.workspace, changes[i].path)});
  TamperInput input;
  input.rules = &rules;
  input.files = files;
  input.calls = candidate.calls;
  input.hidden_tests = spec.hidden_tests;
  input.left_out = std::move(planned.left_out);
  input.base_seconds = candidate.began;
  const auto report = find_tampering(input);
  for (const auto& signal : report.signals) integrity.findings.push_back(to_finding(signal));
  integrity.suppressions = report.suppressions;
  integrity.not_shown = report.not_shown;
  return integrity;
}

}  // namespace hydra::checks
