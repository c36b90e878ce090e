// Changes of a result against the base.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/ignored_paths.hpp"
#include "git/environment.hpp"
#include "git/letter_case.hpp"
#include "git/repository.hpp"
#include "git/store/diff.hpp"
#include "git/store/objects.hpp"

#include <algorithm>

namespace hydra::git {
namespace {

constexpr std::string_view kGitlink = "160000";
constexpr std::string_view kAbsent = "000000";

/// Returns whether an ignore file has any rule.
bool has_rules(std::string_view text) {
  const auto all = lines(text);
  return std::any_of(all.begin(), all.end(),
                     [](std::string_view line) { return !trim(line).empty() && !line.starts_with('#'); });
}

Result<std::vector<TreeChange>> ask_git(const Command& git, const std::string& base,
                                        const std::string& commit) {
  std::vector<TreeChange> changes;
  HYDRA_TRY(const auto entries, changes_between(git, base, commit));
  for (const auto& e : entries)
    changes.push_back({e.path, e.status, e.old_mode, e.new_mode, e.new_id, e.old_id});
  return changes;
}

}  // namespace

ObjectDatabase Store::database() const { return ObjectDatabase(directory_ / "objects"); }

Result<std::vector<TreeChange>> Store::changes(const std::string& commit) const {
  std::vector<TreeChange> changes;
  if (commit == repository_.base) return changes;
  auto found = database().changes(repository_.base, commit);
  if (!found) {
    HYDRA_TRY(found, ask_git(command(), repository_.base, commit));
  }
  for (auto& change : *found) {
    // A submodule's directory is empty in every workspace: a submodule that became files is an addition,
    // files that became a submodule are a deletion.
    if (change.mode == kGitlink && change.old_mode == kAbsent) continue;
    if (change.old_mode == kGitlink && (change.mode == kAbsent || change.mode == kGitlink)) continue;
    if (change.mode == kGitlink) change.mode = kAbsent, change.status = 'D';
    if (change.old_mode == kGitlink) change.old_mode = kAbsent, change.status = 'A';
    changes.push_back(std::move(change));
  }
  return changes;
}

Result<std::shared_ptr<const Store::Paths>> Store::paths_of_base() const {
  if (auto known = base_paths_->load()) return known;
  auto files = database().files(repository_.base);
  if (!files) {
    HYDRA_TRY(files, ask_for_files(command(), repository_.base));
  }
  auto paths = std::make_shared<Paths>();
  for (auto& file : *files) paths->push_back(std::move(file.path));
  std::shared_ptr<const Paths> made = std::move(paths);
  base_paths_->store(made);  // two concurrent calls make equal lists
  return made;
}

Result<std::vector<std::string>> Store::base_paths() const {
  HYDRA_TRY(const auto paths, paths_of_base());
  return *paths;
}

Result<IgnoredPaths::Paths> IgnoredPaths::among(const Paths& paths,
                                                const std::function<Result<Paths>(const Paths&)>& ask) {
  const std::lock_guard lock(mutex_);
  Paths unknown;
  for (const auto& path : paths)
    if (!known_.contains(path)) unknown.push_back(path);
  if (!unknown.empty()) {
    HYDRA_TRY(const auto ignored, ask(unknown));
    for (const auto& path : unknown) known_.try_emplace(path, false);
    for (const auto& path : ignored) known_[path] = true;
  }
  Paths found;
  for (const auto& path : paths)
    if (known_.at(path)) found.push_back(path);
  return found;
}

Result<std::vector<std::string>> Store::ignored_by_base(const std::vector<std::string>& paths) const {
  if (paths.empty() || !has_rules(read_file(directory_ / "ignore").value_or("?")))
    return std::vector<std::string>{};
  // The rules are the base's, so an answer holds for the whole race.
  return ignored_->among(paths, [this](const auto& unknown) { return ask_ignored(unknown); });
}

Result<std::vector<std::string>> Store::ask_ignored(const std::vector<std::string>& paths) const {
  std::vector<std::string> ignored;
  std::string input;
  for (const auto& path : paths) input += path + '\0';
  // git reads the base's rules as the user's exclude file over an empty work tree: no rule file of a result
  // is read.
  Command git = command();
  git.config("core.excludesFile", (directory_ / "ignore").string());
  if (ignores_case(repository_)) git.config(kIgnoreCase, "true");
  HYDRA_TRY(const auto answer, git.run({"check-ignore", "-z", "--stdin", "--no-index"}, input));
  if (answer.exit_code > 1) return git_error("reading ignore rules", answer);
  for (const auto record : records(answer.out)) ignored.emplace_back(record);
  return ignored;
}

}  // namespace hydra::git
