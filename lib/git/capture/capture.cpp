#include "git/capture/capture.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/letter_case.hpp"
#include "git/repository.hpp"
#include "git/store/diff.hpp"
#include "git/store/layout.hpp"
#include "git/store/object_database.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace hydra::git {

using model::FlagKind;
using model::LeftReason;
namespace {

constexpr std::size_t kMaxRows = 200;

std::string joined(const std::vector<std::string>& paths) {
  std::string text;
  for (const auto& path : paths) text += path + '\0';
  return text;
}

bool is_litter(const std::string& path, const std::vector<std::string>& patterns) {
  for (std::string pattern : patterns) {
    while (pattern.ends_with('/')) pattern.pop_back();
    if (pattern.find('/') != std::string::npos) {
      if (pattern.starts_with('/')) pattern.erase(0, 1);
      if (path.starts_with(pattern + "/")) return true;
      if (::fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0) return true;
      continue;
    }
    for (const auto part : split(path, '/'))
      if (::fnmatch(pattern.c_str(), std::string(part).c_str(), 0) == 0) return true;
  }
  return false;
}

std::string without_space(std::string_view text) {
  std::string rest;
  rest.reserve(text.size());
  for (const char c : text)
    if (std::string_view(" \t\r\n\v\f").find(c) == std::string_view::npos) rest += c;
  return rest;
}

/// A tracked file that became a FIFO, socket or device counts as removed.
bool is_special(const fs::path& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode) &&
         !S_ISDIR(st.st_mode);
}

}  // namespace

Capturing::Capturing(Command store, fs::path directory, const Worktree& tree, std::string name)
    : git_(std::move(store)),
      store_(std::move(directory)),
      work_(tree.written()),
      base_(tree.base),
      name_(std::move(name)),
      index_(store_ / ("idx." + name_)) {
  git_.work_tree(work_).index(index_).cwd(work_);
}

Result<void> Capturing::note(const exec::ToolOutput& output, std::string_view step) {
  if (!output.ok()) return git_error(step, output);
  for (const auto line : lines(output.err)) {
    // git exits with 0 when it skips an unreadable file; a partial capture is a failed capture.
    if (line.find("could not open") != std::string_view::npos ||
        line.find("Permission denied") != std::string_view::npos)
      return git_error(step, output);
    if (!trim(line).empty()) warn(sanitize(trim(line)));
  }
  return {};
}

void Capturing::warn(std::string text) {
  if (warnings_.size() < kMaxRows) warnings_.push_back(std::move(text));
}

Result<void> Capturing::list(const std::vector<Gitlink>& gitlinks) {
  HYDRA_CHECK(copy_index(store_ / ("seed." + name_), index_));
  HYDRA_TRY(scan_, scan(work_));
  ::clock_gettime(CLOCK_REALTIME, &listed_at_);
  HYDRA_TRY(auto listed, git_.run({"ls-files", "-t", "-z", "-c", "-m", "-d", "-o",
                                   "--exclude-from=" + (store_ / "ignore").string()}));
  HYDRA_CHECK(note(listed, "listing the directory"));
  std::unordered_set<std::string_view> links;
  for (const auto& link : gitlinks) links.insert(link.path);
  std::unordered_set<std::string> removed;
  LeadingLinks beyond_link(work_);
  for (const auto record : records(listed.out)) {
    if (record.size() < 3) continue;
    const std::string path(record.substr(2));
    const char tag = record.front();
    if (tag == 'H') tracked_.insert(path);
    if (tag == '?') (path.ends_with('/') ? nested_ : untracked_).push_back(path);
    if (tag == 'R' || (tag == 'C' && (beyond_link(path) || is_special(work_ / path)))) {
      if (removed.insert(path).second) removed_.push_back(path);
      continue;
    }
    if (tag == 'C' && !links.contains(path) && !removed.contains(path)) changed_.push_back(path);
  }
  return {};
}

Result<void> Capturing::add_nested() {
  if (nested_.empty()) return {};
  std::vector<std::string> found;
  for (std::string path : nested_) {
    path.pop_back();
    HYDRA_TRY(auto inside, scan(work_, path));
    found.insert(found.end(), inside.files.begin(), inside.files.end());
  }
  HYDRA_TRY(auto ignored, ignored_paths(rules_of_base(), found, true));
  for (auto& path : found)
    if (!ignored.contains(path)) untracked_.push_back(std::move(path));
  return {};
}

/// The base's rules for single paths: git reads them as the user's exclude file, over an empty work tree.
Command Capturing::rules_of_base() const {
  Command rules = git_;
  rules.work_tree(store_ / "empty")
      .cwd(store_ / "empty")
      .config("core.excludesFile", (store_ / "ignore").string());
  return rules;
}

Result<void> Capturing::drop_ignored_in_any_case() {
  HYDRA_TRY(const auto ignored, ignored_paths(rules_of_base().config(kIgnoreCase, "true"), untracked_, true));
  std::erase_if(untracked_, [&](const std::string& path) { return ignored.contains(path); });
  return {};
}

Result<std::unordered_set<std::string>> Capturing::ignored_paths(const Command& git,
                                                                 const std::vector<std::string>& paths,
                                                                 bool no_index) const {
  std::unordered_set<std::string> ignored;
  if (paths.empty()) return ignored;
  std::vector<std::string> args{"check-ignore", "-z", "--stdin"};
  if (no_index) args.emplace_back("--no-index");
  HYDRA_TRY(auto answer, git.run(args, joined(paths)));
  if (answer.exit_code > 1) return git_error("reading ignore rules", answer);
  for (const auto record : records(answer.out)) ignored.emplace(record);
  return ignored;
}

Result<void> Capturing::drop_generated(const std::vector<std::string>& generated) {
  std::vector<std::string> candidates;
  for (const auto& path : untracked_) {
    auto parts = split(path, '/');
    parts.pop_back();
    if (std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
          return std::find(generated.begin(), generated.end(), part) != generated.end();
        }))
      candidates.push_back(path);
  }
  if (candidates.empty()) return {};
  // A file that the agent added by force (`git add -f`) is in the agent's index and counts; an unreadable
  // index is ignored.
  HYDRA_TRY(const Command rules, rules_of_agent());
  const fs::path agents = store_ / ("agent." + name_);
  bool indexed = false;
  struct stat st {};
  const fs::path theirs = work_ / ".git" / "index";
  if (::lstat(theirs.c_str(), &st) == 0 && S_ISREG(st.st_mode)) indexed = copy_index(theirs, agents).ok();
  auto ignored = Result<std::unordered_set<std::string>>(Error{});
  if (indexed) ignored = ignored_paths(Command(rules).index(agents), candidates, false);
  if (!ignored.ok()) ignored = ignored_paths(rules, candidates, true);
  if (!ignored.ok()) return std::move(ignored).error();
  take_out(untracked_, hidden_, [&](const std::string& path) { return ignored->contains(path); });
  return {};
}

void Capturing::drop_large() {
  const auto too_large = [&](const std::string& path) {
    struct stat st {};
    if (::lstat((work_ / path).c_str(), &st) != 0 || !S_ISREG(st.st_mode) ||
        st.st_size <= model::kLargestFile)
      return false;
    warn("too large to be captured: " + sanitize(path) + ", " + std::to_string(st.st_size >> 20) + " MiB");
    return true;
  };
  take_out(untracked_, large_, too_large);
  take_out(changed_, large_, too_large);
}

void Capturing::drop_largest(std::uint64_t most) {
  if (most == 0) return;
  std::uint64_t sum = 0;
  std::vector<std::pair<std::uint64_t, std::string>> files;
  for (const auto& path : untracked_) {
    struct stat st {};
    if (::lstat((work_ / path).c_str(), &st) != 0 || !S_ISREG(st.st_mode)) continue;
    files.emplace_back(static_cast<std::uint64_t>(st.st_size), path);
    sum += files.back().first;
  }
  std::sort(files.rbegin(), files.rend());
  std::unordered_set<std::string> gone;
  for (const auto& [bytes, path] : files) {
    if (sum <= most) break;
    sum -= bytes;
    gone.insert(path);
    warn("above the disk limit, not captured: " + sanitize(path) + ", " + std::to_string(bytes >> 20) +
         " MiB");
  }
  take_out(untracked_, above_, [&](const std::string& path) { return gone.contains(path); });
}

void Capturing::drop_litter(const std::vector<std::string>& patterns) {
  take_out(untracked_, litter_, [&](const std::string& path) { return is_litter(path, patterns); });
}

void Capturing::drop_copied(std::vector<std::string> patterns, fs::path checkout) {
  copies_ = std::move(patterns);
  checkout_ = std::move(checkout);
  take_out(untracked_, copied_, [&](const std::string& path) { return is_litter(path, copies_); });
  std::erase_if(copied_, [&](const std::string& path) { return as_copied(path); });
}

bool Capturing::as_copied(const std::string& path) const {
  return is_litter(path, copies_) && same_content(work_ / path, checkout_ / path);
}

void Capturing::drop_worktrees(const fs::path& registry) {
  if (!is_kind(registry, S_IFDIR)) return;
  std::unordered_set<std::string> seen;
  const auto look_at = [&](const std::string& directory) {
    const auto link = work_ / directory / ".git";
    if (!seen.insert(directory).second || !is_kind(link, S_IFREG)) return;
    const fs::path of(std::string(trim(read_file(link, 1 << 16).value_or(""))));
    const auto back = registry / of.filename() / "gitdir";
    if (of.parent_path().filename() == "worktrees" && is_kind(back, S_IFREG) &&
        trim(read_file(back, 1 << 16).value_or("")).ends_with("/" + directory + "/.git"))
      worktrees_.push_back(directory);
  };
  for (const auto& path : untracked_)
    for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      look_at(path.substr(0, slash));
  std::erase_if(untracked_, [&](const std::string& path) { return in_worktree(path); });
}

bool Capturing::in_worktree(const std::string& path) const {
  return std::any_of(worktrees_.begin(), worktrees_.end(),
                     [&](const std::string& directory) { return path.starts_with(directory + "/"); });
}

/// Every git that reads this index compares files checked out in the second of its writing by content. The
/// listing has just compared them; files found equal are equal as of the listing's start, so the index gets
/// that time. Skipped when a changed file's time could equal its entry's: git would take it for unchanged.
void Capturing::spare_second_comparison() const {
  struct stat saved {};
  if (::stat(index_.c_str(), &saved) != 0) return;
  for (const auto& path : changed_) {
    struct stat st {};
    if (::lstat((work_ / path).c_str(), &st) != 0 || st.st_mtim.tv_sec <= saved.st_mtim.tv_sec) return;
  }
  const timespec times[2] = {listed_at_, listed_at_};
  ::utimensat(AT_FDCWD, index_.c_str(), times, 0);  // failure: slower only
}

bool Capturing::removed_below_file() const {
  std::unordered_set<std::string_view> now(changed_.begin(), changed_.end());
  now.insert(untracked_.begin(), untracked_.end());
  return std::any_of(removed_.begin(), removed_.end(), [&](const std::string& path) {
    for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      if (now.contains(std::string_view(path).substr(0, slash))) return true;
    return false;
  });
}

bool Capturing::must_remove_first() const {
  if (!base_.empty()) return !removed_.empty();  // git would find the layer's marks
  LeadingLinks beyond_link(work_);
  return removed_below_file() || std::any_of(removed_.begin(), removed_.end(), [&](const std::string& path) {
           return beyond_link(path) || is_special(work_ / path);
         });
}

Result<void> Capturing::update() {
  spare_second_comparison();
  std::vector<std::string> fed = changed_;
  fed.insert(fed.end(), untracked_.begin(), untracked_.end());
  const bool by_force = must_remove_first();
  for (const auto& path : fed) {
    struct stat st {};
    const fs::path file = work_ / path;
    if (::lstat(file.c_str(), &st) != 0) return system_error("cannot look at " + sanitize(path), errno);
    if (S_ISREG(st.st_mode) && (st.st_mode & 0400) == 0) ::chmod(file.c_str(), (st.st_mode & 07777) | 0400);
  }
  if (by_force) {
    HYDRA_TRY(auto done, git_.run({"update-index", "-z", "--force-remove", "--stdin"}, joined(removed_)));
    HYDRA_CHECK(note(done, "recording removed files"));
    if (fed.empty()) return {};
  } else {
    fed.insert(fed.begin(), removed_.begin(), removed_.end());
  }
  HYDRA_TRY(auto done,
            git_.run({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, joined(fed)));
  return note(done, "recording changed files");
}

Result<void> Capturing::verify(const std::vector<RawEntry>& entries) {
  std::unordered_set<std::string_view> now, gone;
  for (const auto& entry : entries) {
    if (entry.status != 'D') now.insert(entry.path);
    if (entry.status == 'D') gone.insert(entry.path);
    if (entry.status == 'R') gone.insert(entry.old_path);
  }
  bool unsure = false;
  for (const auto& path : untracked_)
    if (!now.contains(path)) missed_.push_back(path);
  for (const auto& path : removed_)
    if (!gone.contains(path) && !now.contains(path)) missed_.push_back(path);
  for (const auto& path : changed_) unsure = unsure || !now.contains(path);
  if (unsure) {
    // The entry was touched only, or git skipped the file silently: a refreshed entry is no longer listed as
    // changed.
    HYDRA_TRY(auto again, git_.run({"ls-files", "-z", "-m"}));
    HYDRA_CHECK(note(again, "listing the directory again"));
    std::unordered_set<std::string_view> still;
    for (const auto record : records(again.out)) still.insert(record);
    for (const auto& path : changed_)
      if (still.contains(path)) missed_.push_back(path);
  }
  for (const auto& path : missed_) warn("not captured: " + sanitize(path));
  return {};
}

Result<bool> Capturing::only_white_space(const std::vector<RawEntry>& entries, const std::string& base_tree,
                                         const std::string& tree) const {
  bool same_bytes = true;
  for (const auto& entry : entries) {
    if (entry.binary || entry.status != 'M') return false;
    if (entry.new_mode.substr(0, 3) != "100" || entry.old_mode.substr(0, 3) != "100") return false;
    same_bytes = same_bytes && entry.old_id == entry.new_id;
  }
  if (same_bytes) return true;
  // Most changes show in their first file: comparing it here saves a program.
  for (const auto& entry : entries) {
    if (entry.old_id == entry.new_id) continue;
    const ObjectDatabase objects(store_ / "objects");
    const auto before = objects.blob(entry.old_id);
    const auto after = objects.blob(entry.new_id);
    if (before && after && without_space(*before) != without_space(*after)) return false;
    break;
  }
  HYDRA_TRY(auto text, git_.output({"diff-tree", "-r", "--numstat", "-z", "-w", "--ignore-blank-lines",
                                    "--no-renames", "--no-ext-diff", "--no-textconv", base_tree, tree}));
  for (const auto record : records(text))
    if (!record.starts_with("0\t0\t")) return false;
  return true;
}

Result<void> Capturing::add_flags(const std::vector<RawEntry>& entries, model::Capture& capture) const {
  for (const auto& entry : entries) {
    for (const std::string& path : {entry.path, entry.old_path}) {
      const auto name = path.substr(path.rfind('/') + 1);
      const model::CaptureFlag flag{path == ".gitmodules"      ? FlagKind::gitmodules_changed
                                    : name == ".gitattributes" ? FlagKind::gitattributes_changed
                                                               : FlagKind::other};
      if (flag.kind != FlagKind::other &&
          std::find(capture.flags.begin(), capture.flags.end(), flag) == capture.flags.end())
        capture.flags.push_back(flag);
    }
    if (entry.new_mode == "160000" || entry.old_mode == "160000")
      capture.flags.push_back({FlagKind::submodule_changed, entry.path});
    if (entry.status == 'D' || entry.new_mode != "120000" || entry.new_id == entry.old_id) continue;
    std::error_code error;
    const auto target = fs::read_symlink(work_ / entry.path, error);
    if (error || leads_outside(entry.path, target.string()))
      capture.flags.push_back({FlagKind::link_outside, entry.path});
  }
  return {};
}

void Capturing::report(model::Capture& capture) const {
  std::unordered_set<std::string_view> known;
  for (const auto* paths : {&untracked_, &hidden_, &litter_, &copied_, &large_, &above_})
    known.insert(paths->begin(), paths->end());
  std::vector<std::string> ignored;
  for (const auto& path : scan_.files)
    if (!tracked_.contains(path) && !known.contains(path) && !in_gitlink(path) && !in_worktree(path) &&
        !as_copied(path))
      ignored.push_back(path);
  std::unordered_set<std::string_view> kept;
  if (!(ignored.empty() && hidden_.empty() && litter_.empty() && copied_.empty())) {
    kept.insert(untracked_.begin(), untracked_.end());
    kept.insert(tracked_.begin(), tracked_.end());
  }
  const auto add = [&](model::LeftOut row) {
    if (capture.left_out.size() < kMaxRows) capture.left_out.push_back(std::move(row));
  };
  const auto append = [&](const std::vector<std::string>& paths, LeftReason reason) {
    if (paths.empty()) return;
    for (auto& row : left_out_rows(work_, paths, kept, reason)) add(std::move(row));
  };
  // Files lost otherwise come first: the number of rows is bounded.
  for (const auto& path : missed_) add({path, 0, LeftReason::refused_by_git});
  for (const auto& [paths, reason] :
       {std::pair{&large_, LeftReason::too_large}, {&above_, LeftReason::above_limit}})
    for (const auto& path : *paths) {
      struct stat st {};
      const auto bytes =
          ::lstat((work_ / path).c_str(), &st) == 0 ? static_cast<std::uint64_t>(st.st_size) : 0;
      add({path, bytes, reason});
    }
  for (const auto& directory : worktrees_) add({directory + "/", 0, LeftReason::worktree});
  append(copied_, LeftReason::copied);
  append(hidden_, LeftReason::ignored_by_own);
  append(litter_, LeftReason::left_behind);
  for (const auto& path : scan_.special) add({path, 0, LeftReason::no_file});
  for (const auto& path : scan_.too_deep) add({path, 0, LeftReason::too_deep});
  append(ignored, LeftReason::ignored);
  capture.warnings = warnings_;
}

}  // namespace hydra::git
