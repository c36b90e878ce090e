#include "base/files.hpp"

#include "base/fd.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra {
namespace {

/// Removes trees of any depth with a bounded number of open directories: deep subtrees are moved to the root
/// and removed there.
class Remover {
 public:
  Result<void> remove(int parent, const char* name, const std::string& shown) {
    do {
      moved_ = false;
      HYDRA_CHECK(remove_at(parent, name, shown, 0));
    } while (moved_);
    return {};
  }

 private:
  static constexpr int kDepth = 64;

  Result<void> remove_at(int parent, const char* name, const std::string& shown, int depth) {
    struct stat st {};
    if (::fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) return {};
      return system_error("cannot look at " + shown, errno);
    }
    if (!S_ISDIR(st.st_mode)) {
      if (::unlinkat(parent, name, 0) != 0 && errno != ENOENT)
        return system_error("cannot remove " + shown, errno);
      return {};
    }
    UniqueFd fd(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd && errno == EACCES) {
      ::fchmodat(parent, name, 0700, 0);
      fd.reset(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    }
    if (!fd) return system_error("cannot open " + shown, errno);
    if ((st.st_mode & 0700) != 0700) ::fchmod(fd.get(), 0700);
    if (depth == kDepth && move_up(parent, name)) return {};
    if (depth == 0) top_ = fd.get();
    const UniqueDir dir(::fdopendir(fd.get()));
    if (!dir) return system_error("cannot read " + shown, errno);
    fd.release();
    while (const dirent* entry = ::readdir(dir.get())) {
      const std::string_view child = entry->d_name;
      if (child == "." || child == "..") continue;
      HYDRA_CHECK(remove_at(::dirfd(dir.get()), entry->d_name, shown + "/" + entry->d_name, depth + 1));
    }
    if (::unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return {};
    // Deep subtrees may have been moved to the root after readdir passed their place.
    if (depth == 0 && moved_ && (errno == ENOTEMPTY || errno == EEXIST)) return {};
    return system_error("cannot remove " + shown, errno);
  }

  bool move_up(int parent, const char* name) {
    const std::string place = ".hydra-deep-" + std::to_string(count_++);
    // RENAME_NOREPLACE protects an existing entry.
    if (::renameat2(parent, name, top_, place.c_str(), RENAME_NOREPLACE) != 0) return false;
    moved_ = true;
    return true;
  }

  int top_ = -1;  ///< descriptor of the removed root
  bool moved_ = false;
  unsigned count_ = 0;
};

}  // namespace

Result<std::string> read_file(const fs::path& path, std::size_t max_bytes) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) {
    auto error = system_error("cannot read " + path.string(), errno);
    if (errno == ENOENT) error.code = Errc::not_found;
    return error;
  }
  std::string bytes;
  struct stat st {};
  if (::fstat(fd.get(), &st) == 0 && S_ISREG(st.st_mode)) bytes.reserve(static_cast<std::size_t>(st.st_size));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot read " + path.string(), errno);
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
    if (bytes.size() > max_bytes) return Error{Errc::io, "file is too large", path.string(), {}};
  }
}

Result<void> write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot write " + path.string(), errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view bytes, mode_t mode) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (!fd) return system_error("cannot write " + path.string(), errno);
  return write_all(fd.get(), bytes, path);
}

Result<void> write_file_atomic(const fs::path& path, std::string_view bytes, bool durable, mode_t mode) {
  static std::atomic<unsigned> counter{0};
  const fs::path temporary =
      path.parent_path() / ("." + path.filename().string() + "." + std::to_string(::getpid()) + "." +
                            std::to_string(counter.fetch_add(1)) + ".tmp");
  {
    UniqueFd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!fd) return system_error("cannot write " + temporary.string(), errno);
    auto written = write_all(fd.get(), bytes, temporary);
    if (written.ok() && durable && ::fsync(fd.get()) != 0)
      written = system_error("cannot sync " + path.string(), errno);
    if (!written.ok()) {
      ::unlink(temporary.c_str());
      return written;
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const auto error = system_error("cannot write " + path.string(), errno);
    ::unlink(temporary.c_str());
    return error;
  }
  return durable ? sync_dir(path.parent_path()) : Result<void>{};
}

Result<void> make_dirs(const fs::path& path, mode_t mode) {
  if (path.empty() || path == path.root_path()) return {};
  if (::mkdir(path.c_str(), mode) == 0) return {};
  if (errno == EEXIST) {
    struct stat st {};
    if (::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) return {};
    return system_error("cannot make directory " + path.string(), EEXIST);
  }
  if (errno != ENOENT) return system_error("cannot make directory " + path.string(), errno);
  HYDRA_CHECK(make_dirs(path.parent_path(), mode));
  if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST)
    return system_error("cannot make directory " + path.string(), errno);
  return {};
}

Result<void> remove_tree(const fs::path& path) {
  UniqueFd parent(::open(path.parent_path().empty() ? "." : path.parent_path().c_str(),
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent) {
    if (errno == ENOENT) return {};
    return system_error("cannot open " + path.parent_path().string(), errno);
  }
  return Remover().remove(parent.get(), path.filename().c_str(), path.string());
}

Result<void> sync_dir(const fs::path& dir) {
  UniqueFd fd(::open(dir.empty() ? "." : dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return system_error("cannot open " + dir.string(), errno);
  if (::fsync(fd.get()) != 0 && errno != EINVAL) return system_error("cannot sync " + dir.string(), errno);
  return {};
}

}  // namespace hydra
