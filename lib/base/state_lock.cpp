#include "base/state_lock.hpp"

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace hydra {
namespace {

// holder() of another process takes the lock for a moment, so take() retries.
constexpr int kLockTries = 5;
constexpr std::chrono::milliseconds kLockPause{20};

fs::path lock_file_of(const Paths& paths) { return paths.state / "lock"; }

/// Returns 0 or errno. A file system without flock must not prevent the start.
int try_flock(int fd, int how) {
  for (int i = 0; i < kLockTries; ++i) {
    if (::flock(fd, how | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK) return errno;
    if (i + 1 < kLockTries) std::this_thread::sleep_for(kLockPause);
  }
  return EWOULDBLOCK;
}

bool is_same_file(int fd, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(fd, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

Error lock_taken(const Paths& paths) {
  const auto who = StateLock::last_holder(paths);
  const auto text = who.text();
  return {Errc::conflict, "another daemon runs for this state directory" + (text.empty() ? "" : " " + text),
          paths.state.string(),
          who.pid > 0 ? "`kill " + std::to_string(who.pid) + "` ends it; agents that run go on" : ""};
}

}  // namespace

std::string LockHolder::text() const {
  if (pid <= 0) return {};
  const auto age = std::max<std::int64_t>(0, SystemClock().now() - since_ms);
  return "(pid " + std::to_string(pid) + ", for " + format_duration(age) +
         (socket.empty() ? "" : ", socket " + sanitize(socket.string())) + ")";
}

LockHolder StateLock::last_holder(const Paths& paths) {
  const auto text = read_file(lock_file_of(paths), 4096).value_or("");
  const auto words = lines(text);
  LockHolder who;
  if (struct stat st{}; ::stat(lock_file_of(paths).c_str(), &st) == 0)
    who.since_ms = st.st_mtim.tv_sec * 1000;
  if (!words.empty()) who.pid = parse_int(trim(words[0])).value_or(0);
  if (words.size() > 1 && words[1].starts_with('/')) who.socket = std::string(words[1]);
  return who;
}

std::optional<LockHolder> StateLock::holder(const Paths& paths) {
  for (const auto& path : {paths.state, lock_file_of(paths)}) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) return last_holder(paths);
  }
  return std::nullopt;
}

Result<StateLock> StateLock::take(const Paths& paths) {
  StateLock held;
  held.paths_ = paths;
  held.directory_ = UniqueFd(::open(paths.state.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!held.directory_) return system_error("cannot open " + paths.state.string(), errno);
  if (try_flock(held.directory_.get(), LOCK_EX) == EWOULDBLOCK) return lock_taken(paths);
  HYDRA_CHECK(held.write_file());
  return held;
}

Result<void> StateLock::write_file() {
  const auto path = lock_file_of(paths_);
  file_ = UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file_) return system_error("cannot open " + path.string(), errno);
  if (const int failed = try_flock(file_.get(), LOCK_EX); failed == EWOULDBLOCK)
    return lock_taken(paths_);
  else if (failed != 0)
    return system_error("cannot lock " + path.string(), failed);
  // The text serves people and clients with another runtime directory, so a full disk must not prevent the
  // start.
  const auto text = std::to_string(::getpid()) + "\n" + paths_.socket().string() + "\n";
  if (::ftruncate(file_.get(), 0) == 0) (void)!::pwrite(file_.get(), text.data(), text.size(), 0);
  return {};
}

bool StateLock::keep() {
  if (!is_same_file(directory_.get(), paths_.state)) return false;
  return is_same_file(file_.get(), lock_file_of(paths_)) || write_file().ok();
}

}  // namespace hydra
