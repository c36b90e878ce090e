#include "base/strings.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace hydra::integrity {
namespace {

constexpr std::size_t kMostLines = 200'000;  // of all added files, to recognise moved tests by

/// Lines that tell files apart: blank ones and lone brackets don't.
bool tells(std::string_view line) { return line.size() > 3; }

/// Lines of all files that came into being.
std::unordered_set<std::string_view> added_lines(std::span<const ChangedFile> files) {
  std::unordered_set<std::string_view> out;
  for (const auto& file : files) {
    if (!file.candidate ||
        (file.change.kind != trees::ChangeKind::added && file.change.kind != trees::ChangeKind::renamed))
      continue;
    for (const auto line : lines(std::string_view(*file.candidate).substr(0, kMostFileBytes))) {
      if (out.size() >= kMostLines) return out;
      if (const auto text = trim(line); tells(text)) out.insert(text);
    }
  }
  return out;
}

/// Is most of this text found in them?
bool mostly_in(std::string_view text, const std::unordered_set<std::string_view>& pool) {
  std::size_t all = 0, found = 0;
  for (const auto line : lines(text.substr(0, kMostFileBytes))) {
    const auto shown = trim(line);
    if (!tells(shown)) continue;
    ++all;
    if (pool.contains(shown)) ++found;
  }
  return all > 0 && found * 2 >= all;
}

/// Pictures, settings and empty package files lie beside tests.
bool holds_tests(const ChangedFile& file) {
  const auto path = file.change.kind == trees::ChangeKind::renamed ? file.change.from : file.change.path;
  const auto language = language_of(path);
  const bool data = language == Language::none || language == Language::configuration;
  const bool by_name = path.ends_with(".snap") || path.ends_with(".feature") || path.ends_with(".t");
  return (!data || by_name) && !(file.base && trim(*file.base).empty());
}

SignalKind kind_of(ProtectedKind kind) {
  switch (kind) {
    case ProtectedKind::runner_hook:
      return SignalKind::runner_hook;
    case ProtectedKind::check_script:
      return SignalKind::check_script;
    case ProtectedKind::build_file:
      return SignalKind::build_file;
    default:
      return SignalKind::configuration;
  }
}

std::string what_happened(const RestoreStep& step) {
  switch (step.action) {
    case RestoreAction::base:
      return step.reason + "; the base's is used";
    case RestoreAction::remove:
      return step.reason + "; left out of the gating run";
    case RestoreAction::keys:
      return step.reason + "; those are the base's";
    case RestoreAction::flag:
      break;
  }
  return step.reason + "; used as it is, tests are compared by name";
}

void find_protected(const TamperInput& input, Signals& signals) {
  std::vector<trees::Change> changes;
  std::unordered_map<std::string_view, const ChangedFile*> by_path;
  for (const auto& file : input.files) {
    changes.push_back(file.change);
    by_path[file.change.path] = &file;
    if (file.change.kind == trees::ChangeKind::renamed) by_path[file.change.from] = &file;
  }
  const auto pool = added_lines(input.files);
  for (const auto& step : plan_restore(changes, *input.rules).steps) {
    const auto found = by_path.find(step.path);
    const ChangedFile* file = found == by_path.end() ? nullptr : found->second;
    const bool gone = file != nullptr &&
                      (file->change.kind == trees::ChangeKind::deleted || file->change.path != step.path);
    if (step.kind == ProtectedKind::test_file && step.in_base && gone) {
      const bool moved = file->change.path != step.path || (file->base && mostly_in(*file->base, pool));
      if (moved)
        signals.add(SignalKind::deleted_test, Severity::info, step.path, 0, {},
                    "a test of the base was moved; it runs at its old place");
      else if (input.rules->is_test(step.path))
        signals.add(SignalKind::deleted_test, holds_tests(*file) ? Severity::warning : Severity::info,
                    step.path, 0, {}, "a test of the base was deleted; it runs all the same");
      continue;
    }
    if (step.kind == ProtectedKind::test_file) continue;  // their texts say more
    if (step.kind == ProtectedKind::runner_hook && step.reason.find("in the place") != std::string::npos)
      continue;
    if (step.kind == ProtectedKind::runner_hook && step.reason.starts_with("has the name")) continue;
    // A key file says something only where a key was put back.
    if (step.action == RestoreAction::keys && file != nullptr && file->candidate) {
      const auto restored =
          restore_keys(step.path, file->base.value_or(""), *file->candidate, input.rules->commands());
      if (restored && restored->keys.empty()) continue;
      if (restored) {
        signals.add(SignalKind::configuration, Severity::info, step.path, 0, join(restored->keys, ", "),
                    what_happened(step));
        continue;
      }
      signals.add(SignalKind::configuration, Severity::warning, step.path, 0, {},
                  "not readable: the base's file is used");
      continue;
    }
    const bool script = step.kind == ProtectedKind::check_script && step.action == RestoreAction::base;
    signals.add(kind_of(step.kind), script ? Severity::warning : Severity::info, step.path, 0, {},
                what_happened(step));
  }
}

/// Weights have this extension too, and are no text.
bool runs_lines(std::string_view text) {
  const auto all = lines(text.substr(0, kMostFileBytes));
  return std::any_of(all.begin(), all.end(), [](std::string_view line) {
    return line.starts_with("import ") || line.starts_with("import\t");
  });
}

bool in_site_directory(std::string_view path) {
  return path.find("site-packages/") != std::string_view::npos ||
         path.find("dist-packages/") != std::string_view::npos;
}

/// "test_area/__init__.py" in the place of "test_area.py", which the candidate took away.
bool replaces_gone_module(const std::string& path,
                          const std::unordered_map<std::string_view, const ChangedFile*>& files) {
  constexpr std::string_view kEnd = "/__init__.py";
  if (!path.ends_with(kEnd)) return false;
  const auto found = files.find(path.substr(0, path.size() - kEnd.size()) + ".py");
  return found != files.end() && (found->second->change.kind == trees::ChangeKind::deleted ||
                                  found->second->change.path != found->first);
}

void find_shadowing(const ChangedFile& file, const ProtectedPaths& rules,
                    const std::unordered_map<std::string_view, const ChangedFile*>& files, Signals& signals) {
  const auto& path = file.change.path;
  if (file.change.kind == trees::ChangeKind::deleted || rules.base().tracks(path)) return;
  const auto own = base_name(path);
  const auto add = [&](Severity severity, std::string reason) {
    signals.add(SignalKind::tool_shadowing, severity, path, 0, {}, std::move(reason));
  };
  if (("/" + path).find("/node_modules/.bin/") != std::string::npos ||
      ("/" + path).find("/.venv/bin/") != std::string::npos)
    return add(Severity::warning, "a program where the runner's own stand");
  if (own.find('.') == std::string_view::npos && language_beside(path, rules.base()) == Language::script)
    return add(Severity::warning, "a file without extension is loaded in the place of the one with it");
  // Python runs those lines of such a file once an installation has brought it to where it looks for them.
  if (own.ends_with(".pth") && file.candidate && runs_lines(*file.candidate))
    return add(Severity::warning, "every Python process would run lines of it, once it is installed");
  const auto protection = rules.of(path);
  if (!protection || protection->kind != ProtectedKind::runner_hook) return;
  // Without the module the package is left out all the same, and the module is there again.
  if (replaces_gone_module(path, files)) return add(Severity::warning, protection->reason);
  if (protection->reason.starts_with("stands in the place") ||
      protection->reason.starts_with("has the name") || own == "sitecustomize.py" ||
      own == "usercustomize.py" || own.ends_with(".pth"))
    add(Severity::warning, protection->reason);
}

void find_old(const ChangedFile& file, std::int64_t base_seconds, Signals& signals) {
  if (!file.mtime_seconds || file.change.kind == trees::ChangeKind::deleted) return;
  // A moved file keeps its time, which is the workspace's own; only what is clearly older was dated on
  // purpose or copied with its time.
  constexpr std::int64_t kSlack = 3600;
  if (*file.mtime_seconds >= base_seconds - kSlack) return;
  const bool edited = file.change.kind == trees::ChangeKind::modified;
  signals.add(SignalKind::old_mtime, edited ? Severity::warning : Severity::info, file.change.path, 0, {},
              "its time lies before the race; it is built as a new file");
}

void find_left_out(const trees::LeftOutPath& entry, const ChangedFile* file, Signals& signals) {
  auto severity = Severity::info;
  auto reason = entry.reason + "; not applied";
  const bool forced = entry.reason.find("ignored by") != std::string::npos ||
                      entry.reason.find("shared") != std::string::npos;
  const bool byte_code = entry.path.ends_with(".pyc") || entry.path.ends_with(".pyo");
  if (forced) severity = Severity::warning;
  if (byte_code && ("/" + entry.path).find("/__pycache__/") == std::string::npos)
    severity = Severity::warning;
  // PEP 552: the second word of byte code; 1 means "never compared with the source".
  if (byte_code && file != nullptr && file->candidate && file->candidate->size() >= 8 &&
      file->candidate->substr(4, 4) == std::string_view("\1\0\0\0", 4)) {
    severity = Severity::warning;
    reason = "byte code that is never compared with its source; not applied";
  }
  if (base_name(entry.path) == "sitecustomize.py") severity = Severity::warning;
  if (entry.path.ends_with(".pth") &&
      (in_site_directory(entry.path) || (file != nullptr && file->candidate && runs_lines(*file->candidate))))
    severity = Severity::warning;
  signals.add(SignalKind::generated_file, severity, entry.path, 0, {}, std::move(reason));
}

}  // namespace

void find_in_paths(const TamperInput& input, Signals& signals) {
  find_protected(input, signals);
  std::unordered_map<std::string_view, const ChangedFile*> by_path;
  for (const auto& file : input.files) {
    by_path[file.change.path] = &file;
    if (file.change.kind == trees::ChangeKind::renamed) by_path[file.change.from] = &file;
  }
  for (const auto& file : input.files) {
    find_shadowing(file, *input.rules, by_path, signals);
    if (input.base_seconds) find_old(file, *input.base_seconds, signals);
  }
  for (const auto& entry : input.left_out) {
    const auto found = by_path.find(entry.path);
    find_left_out(entry, found == by_path.end() ? nullptr : found->second, signals);
  }
}

}  // namespace hydra::integrity
