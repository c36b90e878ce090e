#include "trees/clone_tree.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "trees/copy_bytes.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <memory>
#include <mutex>
#include <optional>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace hydra::trees {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatch = 256;     // names of one job
constexpr mode_t kMode = 0777 | 01000;  // never setuid, never setgid

/// Reads the umask from /proc: umask(2) would change it for every thread.
mode_t current_umask() {
  const auto status = read_file("/proc/self/status", 1u << 16);
  const auto at = status.ok() ? status->find("\nUmask:") : std::string::npos;
  return at == std::string::npos ? mode_t{0777}
                                 : static_cast<mode_t>(std::strtoul(status->c_str() + at + 7, nullptr, 8));
}

class Copy;

/// A directory of both trees. Its mode and times are set after its last entry is made.
struct Pair {
  Pair(Copy& c, std::string n) : copy(c), name(std::move(n)) {}
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair();
  Copy& copy;
  std::string name;  ///< relative to the tree; empty: the tree itself
  UniqueFd from, to;
  struct stat facts {};
};
using PairPtr = std::shared_ptr<Pair>;

/// `type` as readdir(3) reports it: another stat costs a twentieth of copying a file.
struct Entry {
  std::string name;
  unsigned char type = DT_UNKNOWN;
};

/// Entries of one directory, or one subdirectory opened when its turn comes, so that few of a tree's
/// directories are open at once.
struct Job {
  PairPtr parent;
  std::vector<Entry> entries;
  bool subdirectory = false;
};

class Copy {
 public:
  Copy(fs::path from, fs::path to, unsigned threads)
      : from_(std::move(from)), to_(std::move(to)), threads_(threads) {}

  Result<void> run() {
    struct stat facts {};
    if (::lstat(from_.c_str(), &facts) != 0) return system_error("cannot look at " + from_.string(), errno);
    struct stat there {};
    if (::lstat(to_.c_str(), &there) == 0) return system_error("cannot copy to " + to_.string(), EEXIST);
    if (S_ISDIR(facts.st_mode)) {
      if (auto root = open_pair(AT_FDCWD, from_.c_str(), AT_FDCWD, to_.c_str(), ""))
        queue_entries(std::move(root));
      work_all();
    } else {
      entry(AT_FDCWD, from_.c_str(), AT_FDCWD, to_.c_str(), "", facts);
    }
    if (!error_) return {};
    (void)remove_tree(to_);
    return std::move(*error_);
  }

  void fail(const std::string& what, const std::string& name, int error) {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    error_ = system_error(what + " " + (name.empty() ? to_ : to_ / name).string(), error);
    if (error == ENOSPC || error == EDQUOT) error_->hint = "make room on that disk";
    failed_ = true;
    wake_.notify_all();
  }

 private:
  // --- threads
  void work_all() {
    work(true);
    for (auto& helper : helpers_) helper.join();
    jobs_.clear();
  }

  void work(bool first) {
    std::unique_lock lock(mutex_);
    while (!failed_) {
      if (jobs_.empty()) {
        if (busy_ == 0) break;
        wake_.wait(lock);
        continue;
      }
      // A thread costs more than a small tree.
      if (first && threads_ > 1 && helpers_.empty() && jobs_.size() >= 4) hire();
      // Newest first: keeps the depth, and with it the number of open directories, small.
      Job job = std::move(jobs_.back());
      jobs_.pop_back();
      ++busy_;
      lock.unlock();
      if (job.subdirectory)
        subdirectory(job);
      else
        entries(job);
      job = Job();  // may set a directory's times
      lock.lock();
      --busy_;
      if (jobs_.empty() && busy_ == 0) wake_.notify_all();
    }
  }

  /// Starts as many threads as possible: the copy also works without any.
  void hire() {
    try {
      for (unsigned i = 1; i < threads_; ++i) helpers_.emplace_back([this] { work(false); });
    } catch (const std::system_error&) {
      threads_ = static_cast<unsigned>(helpers_.size()) + 1;
    }
  }

  void push(Job job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    wake_.notify_one();
  }

  // --- directories
  /// Null: failed, or the original has vanished meanwhile.
  PairPtr open_pair(int from_at, const char* from, int to_at, const char* to, const std::string& name) {
    auto pair = std::make_shared<Pair>(*this, name);
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    pair->from = UniqueFd(::openat(from_at, from, kFlags));
    if (!pair->from && !name.empty() && gone(errno)) return nullptr;
    if (!pair->from || ::fstat(pair->from.get(), &pair->facts) != 0) {
      fail("cannot read the original of", name, errno);
      return nullptr;
    }
    if (::mkdirat(to_at, to, 0700) != 0) {
      fail("cannot make directory", name, errno);
      return nullptr;
    }
    pair->to = UniqueFd(::openat(to_at, to, kFlags));
    if (!pair->to) {
      fail("cannot open directory", name, errno);
      return nullptr;
    }
    return pair;
  }

  void queue_entries(PairPtr pair) {
    UniqueFd own(::openat(pair->from.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const UniqueDir dir(own ? ::fdopendir(own.get()) : nullptr);
    if (!dir) return fail("cannot read the original of", pair->name, errno);
    own.release();
    Job job{pair, {}, false};
    errno = 0;
    while (const dirent* found = ::readdir(dir.get())) {
      std::string name = found->d_name;
      if (name == "." || name == "..") continue;
      job.entries.push_back({std::move(name), found->d_type});
      if (job.entries.size() < kBatch) continue;
      push(std::move(job));
      job = Job{pair, {}, false};
      errno = 0;
    }
    if (errno != 0) fail("cannot read the original of", pair->name, errno);
    if (!job.entries.empty()) push(std::move(job));
  }

  void entries(const Job& job) {
    Pair& parent = *job.parent;
    for (const auto& [name, type] : job.entries) {
      if (failed_) return;
      const std::string path = parent.name.empty() ? name : parent.name + "/" + name;
      if (type == DT_REG) {
        file(parent.from.get(), name.c_str(), parent.to.get(), name.c_str(), path);
        continue;
      }
      if (type == DT_DIR) {
        push({job.parent, {{name, type}}, true});
        continue;
      }
      struct stat facts {};
      if (::fstatat(parent.from.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
        if (gone(errno)) continue;
        return fail("cannot look at the original of", path, errno);
      }
      if (S_ISDIR(facts.st_mode)) {
        push({job.parent, {{name, DT_DIR}}, true});
      } else {
        entry(parent.from.get(), name.c_str(), parent.to.get(), name.c_str(), path, facts);
      }
    }
  }

  void subdirectory(const Job& job) {
    Pair& parent = *job.parent;
    const std::string& name = job.entries.front().name;
    const std::string path = parent.name.empty() ? name : parent.name + "/" + name;
    if (auto pair = open_pair(parent.from.get(), name.c_str(), parent.to.get(), name.c_str(), path))
      queue_entries(std::move(pair));
  }

  /// The entry was removed or replaced after its directory was read.
  static bool gone(int error) { return error == ENOENT || error == ENOTDIR || error == ELOOP; }

  // --- files
  void entry(int from_at, const char* from, int to_at, const char* to, const std::string& path,
             const struct stat& facts) {
    if (S_ISLNK(facts.st_mode)) return link(from_at, from, to_at, to, path, facts);
    if (S_ISREG(facts.st_mode)) file(from_at, from, to_at, to, path);
  }

  void link(int from_at, const char* from, int to_at, const char* to, const std::string& path,
            const struct stat& facts) {
    std::string target(static_cast<std::size_t>(facts.st_size) + 1, '\0');
    const ssize_t n = ::readlinkat(from_at, from, target.data(), target.size());
    if (n < 0 || static_cast<std::size_t>(n) >= target.size())
      return fail("cannot read the original of", path, n < 0 ? errno : EAGAIN);
    target.resize(static_cast<std::size_t>(n));
    if (::symlinkat(target.c_str(), to_at, to) != 0) return fail("cannot make the link", path, errno);
    const timespec times[2] = {facts.st_atim, facts.st_mtim};
    ::utimensat(to_at, to, times, AT_SYMLINK_NOFOLLOW);
  }

  void file(int from_at, const char* from, int to_at, const char* to, const std::string& path) {
    // O_NONBLOCK: a FIFO may have replaced the file.
    const UniqueFd in(::openat(from_at, from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat facts {};
    if (!in && gone(errno)) return;
    if (!in || ::fstat(in.get(), &facts) != 0) return fail("cannot read the original of", path, errno);
    if (!S_ISREG(facts.st_mode)) return;
    // Set the final mode at creation if possible: a later change is one more journal entry.
    const mode_t mode = facts.st_mode & kMode;
    const bool plain = (mode & 01777 & (umask_ | 01000)) == 0;
    const UniqueFd out(::openat(to_at, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                plain ? mode : mode_t{0600}));
    if (!out) return fail("cannot write", path, errno);
    if (!content(in.get(), out.get(), facts)) return fail("cannot copy", path, errno);
    copy_attributes(in.get(), out.get());
    const timespec times[2] = {facts.st_atim, facts.st_mtim};
    if ((!plain && ::fchmod(out.get(), mode) != 0) || ::futimens(out.get(), times) != 0)
      return fail("cannot set mode and time of", path, errno);
  }

  bool content(int in, int out, const struct stat& facts) {
    if (facts.st_size == 0) return true;
    if (!no_reflink_ && ::ioctl(out, FICLONE, in) == 0) {
      reflinked_ = true;
      return true;
    }
    if (!reflinked_) no_reflink_ = true;  // the first refusal applies to the whole tree
    return copy_bytes(in, out, facts);
  }

 private:
  fs::path from_, to_;
  unsigned threads_;
  mode_t umask_ = current_umask();
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Job> jobs_;
  std::vector<std::thread> helpers_;  ///< threads besides the first
  unsigned busy_ = 0;
  std::atomic<bool> failed_{false};
  std::atomic<bool> reflinked_{false}, no_reflink_{false};
  std::optional<Error> error_;
};

Pair::~Pair() {
  if (!to) return;
  copy_attributes(from.get(), to.get());
  const timespec times[2] = {facts.st_atim, facts.st_mtim};
  if (::fchmod(to.get(), facts.st_mode & kMode) != 0 || ::futimens(to.get(), times) != 0)
    copy.fail("cannot set mode and time of", name, errno);
}

}  // namespace

Result<void> clone_tree(const fs::path& from, const fs::path& to, unsigned threads) {
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 2U, 4U);
  return Copy(from, to, std::min(threads, 16U)).run();
}

Result<void> copy_over(const fs::path& from, const fs::path& to) {
  HYDRA_CHECK(remove_tree(to));
  HYDRA_CHECK(make_dirs(to.parent_path()));
  return clone_tree(from, to);
}

}  // namespace hydra::trees
