#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/guard/guard.hpp"
#include "git/merge/checkout_move.hpp"
#include "git/store/layout.hpp"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace hydra::git {
namespace {

constexpr int kLockTries = 20;
constexpr int kHoldTries = 1200;  // one minute
constexpr std::chrono::milliseconds kLockPause{50};

bool same_file(const fs::path& a, const fs::path& b) {
  struct stat first {
  }, second{};
  return ::lstat(a.c_str(), &first) == 0 && ::lstat(b.c_str(), &second) == 0 &&
         first.st_ino == second.st_ino && first.st_dev == second.st_dev;
}

/// Compares our half of the lock with the lock: one file, or, on file systems without hard links, equal
/// content that only Hydra writes.
bool same_lock(const fs::path& half, const fs::path& lock) {
  if (same_file(half, lock)) return true;
  const auto first = read_file(half, 4096), second = read_file(lock, 4096);
  return first.ok() && second.ok() && first->starts_with("hydra ") && *first == *second;
}

/// Copies the lock where the file system (exfat) has no hard links. A kill between open and write leaves an
/// empty file, as a killed git does. Returns an errno, or 0.
int copy_lock(const fs::path& half, const fs::path& lock) {
  const auto text = read_file(half, 4096);
  if (!text.ok()) return EIO;
  const UniqueFd fd(::open(lock.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd) return errno;
  const auto written = ::write(fd.get(), text->data(), text->size());
  if (written == static_cast<ssize_t>(text->size()) && ::fsync(fd.get()) == 0) return 0;
  const int failed = errno != 0 ? errno : EIO;
  ::unlink(lock.c_str());
  return failed;
}

Result<void> sync_file(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return system_error("cannot sync " + path.string(), errno);
  return {};
}

/// Error for a lock of another merge, whose journal name (RACE.AGENT or RACE.AGENT.undo) is in its half
/// `half`.
Error held_by(const fs::path& half, const fs::path& lock) {
  std::string name, verb = "hydra merge ";
  const auto text = read_file(half, 1 << 12).value_or("");
  if (const auto words = split(trim(text), ' '); words.size() == 3)
    if (const auto parts = split(words[2], '.'); parts.size() > 1)
      name = sanitize(std::string(parts[0]) + "/" + std::string(parts[1]));
  if (text.find(".undo") != std::string::npos) verb += "--undo ";
  return Error{
      Errc::refused,
      "another Hydra merge holds the index of the checkout" +
          (name.empty() ? "" : ": that of " + name + ", which was cut off"),
      lock.string(),
      "leave that file: " + (name.empty() ? "`hydra daemon stop` and any hydra command finish that merge"
                                          : "`" + verb + name + "` finishes it, or says what keeps it")};
}

}  // namespace

Result<void> Journal::hold() {
  HYDRA_CHECK(make_dirs(directory_, 0700));
  const fs::path path = directory_ / "held";
  held_ = UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!held_) return system_error("cannot open " + path.string(), errno);
  // The wait is bounded: a filter of the user may hang, and a starting daemon waits here.
  for (int attempt = 0; attempt < kHoldTries; ++attempt) {
    if (::flock(held_.get(), LOCK_EX | LOCK_NB) == 0) return {};
    if (errno != EINTR && errno != EWOULDBLOCK) return system_error("cannot lock " + path.string(), errno);
    if (stopped()) break;
    std::this_thread::sleep_for(kLockPause);
  }
  return Error{Errc::timeout, "a git program of a merge that was cut off is still running", repository_.root,
               "wait for it or end it, then try again"};
}

Result<void> Journal::begin(const Move& move) {
  move_ = move;
  for (const char* name : {"go", "tree", "done", "undone"}) HYDRA_CHECK(unmark(name));
  HYDRA_CHECK(write_file_atomic(
      directory_ / "intent",
      move.old_commit + " " + move.new_commit + " " + move.ref + " " + move.from + " " + move.to + "\n",
      true));
  // Written in place: a killed daemon's temporary file would stay in the user's repository.
  return write_file(lock_file(), "hydra " + move.new_commit + " " + directory_.filename().string() + "\n");
}

Result<bool> Journal::load() {
  const auto text = read_file(directory_ / "intent", 1 << 16);
  if (!text.ok() && text.error().code == Errc::not_found) return false;
  if (!text.ok()) return text.error();
  const auto fields = split(trim(*text), ' ');
  if (fields.size() != 3 && fields.size() != 5)
    return Error{Errc::io, "the journal cannot be read", directory_.string(), {}};
  move_ = {std::string(fields[2]), std::string(fields[0]), std::string(fields[1]),
           std::string(fields[0]), std::string(fields[1]), "merge"};
  if (fields.size() == 5) move_.from = fields[3], move_.to = fields[4];
  return true;
}

// Not exposed: the merge itself moves refs.
Result<void> Journal::remember() const {
  return Guard(directory_, repository_, false, path_variable_, home_).save();
}

Result<void> Journal::as_remembered() const {
  HYDRA_TRY(const auto changed, Guard(directory_, repository_, false, path_variable_, home_).compare(false));
  if (changed.blocking.empty()) return {};
  return refused(
      "a merge into " + move_.ref + " of " + repository_.root +
          " was cut off, and the repository itself has changed since: " + listed(changed.blocking) +
          "; nothing was touched",
      "look at it, then merge the same result again: --accept-changes takes the files back with it "
      "as it is, --repair-changes puts configuration and hooks back as they were first");
}

bool Journal::has(std::string_view mark) const { return ::access((directory_ / mark).c_str(), F_OK) == 0; }

Result<void> Journal::mark(std::string_view name) const {
  return write_file_atomic(directory_ / name, "1\n", true);
}

Result<void> Journal::unmark(std::string_view name) const {
  if (::unlink((directory_ / name).c_str()) != 0 && errno != ENOENT)
    return system_error("cannot remove " + (directory_ / name).string(), errno);
  return sync_dir(directory_);
}

// link(2) needs one file system, and the state directory may be on another: our half of the lock is in .git.
fs::path Journal::lock_file() const {
  return fs::path(repository_.git_dir) / ("hydra-" + move_.new_commit + ".lock");
}

Result<void> Journal::lock_index() const {
  const fs::path lock = fs::path(repository_.git_dir) / "index.lock";
  for (int attempt = 0; attempt < kLockTries; ++attempt) {
    if (::link(lock_file().c_str(), lock.c_str()) == 0) return {};
    int failed = errno;
    if (failed == EPERM || failed == EOPNOTSUPP || failed == ENOSYS) failed = copy_lock(lock_file(), lock);
    if (failed == 0) return {};
    if (failed != EEXIST) return system_error("cannot make " + lock.string(), failed);
    std::this_thread::sleep_for(kLockPause);
  }
  // Another journal whose half is this lock must stay: its merge could not be finished otherwise.
  std::error_code error;
  for (fs::directory_iterator entry(repository_.git_dir, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (name.starts_with("hydra-") && name.ends_with(".lock") && entry->path() != lock_file() &&
        same_lock(entry->path(), lock))
      return held_by(entry->path(), lock);
  }
  return Error{Errc::refused, "another git program holds the index of the checkout", lock.string(),
               "wait for it to end; if none is running, remove that file"};
}

bool Journal::owns_lock() const {
  return same_lock(lock_file(), fs::path(repository_.git_dir) / "index.lock");
}

void Journal::unlock_index() const {
  if (owns_lock()) ::unlink((fs::path(repository_.git_dir) / "index.lock").c_str());
  ::unlink(lock_file().c_str());
}

Command Journal::git() const {
  Command git = Command::in_repository(repository_, path_variable_, home_);
  git.with_user_configuration().index(index()).config("core.splitIndex", "false").inherit(held_.get());
  git.stop(stop_);
  return git;
}

Result<void> Journal::move_tree() const {
  HYDRA_CHECK(git().step("bringing the files in", {"read-tree", "-m", "-u", move_.from, move_.to}));
  if (move_.to != move_.new_commit)
    HYDRA_CHECK(git().step("bringing the index in", {"read-tree", "-m", move_.to, move_.new_commit}));
  return {};
}

Result<void> Journal::move_ref() const {
  HYDRA_TRY(auto moved,
            git().run({"update-ref", "-m", "hydra: " + move_.word + " " + move_.new_commit.substr(0, 12),
                       move_.ref, move_.new_commit, move_.old_commit}));
  if (!moved.ok()) {
    Error error = git_error("moving the branch", moved);
    error.code = Errc::refused;
    if (!error.hint.empty()) return error;
    const auto now = git().run({"rev-parse", "--verify", "-q", move_.ref});
    const bool elsewhere = now.ok() && now->ok() && trim(now->out) != move_.old_commit;
    error.hint = elsewhere ? "the branch moved meanwhile; try again" : "nothing was changed; try again";
    return error;
  }
  return {};
}

Result<void> Journal::move_index() const {
  const fs::path target = fs::path(repository_.git_dir) / "index";
  const fs::path temporary = fs::path(repository_.git_dir) / "hydra-index.tmp";
  HYDRA_CHECK(copy_index(index(), temporary));
  struct stat st {};
  ::chmod(temporary.c_str(), ::stat(target.c_str(), &st) == 0 ? st.st_mode & 07777 : 0644);
  HYDRA_CHECK(sync_file(temporary));
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return system_error("cannot write " + target.string(), errno);
  return sync_dir(repository_.git_dir);
}

void Journal::remove_stale_ref_locks() const {
  for (const fs::path& lock : {fs::path(repository_.common_dir) / (move_.ref + ".lock"),
                               fs::path(repository_.git_dir) / "HEAD.lock"}) {
    const auto text = read_file(lock, 1 << 16);
    if (text.ok() && (trim(*text).empty() || trim(*text) == move_.new_commit)) ::unlink(lock.c_str());
  }
}

}  // namespace hydra::git
