#include "base/regular_file.hpp"

#include "base/fd.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra {
namespace {

Error refused(std::string reason, const std::filesystem::path& path) {
  return {Errc::refused, std::move(reason), path.string(), {}};
}

Error not_opened(int errnum, const std::filesystem::path& path) {
  if (errnum == ENOENT) return {Errc::not_found, "does not exist", path.string(), {}};
  if (errnum == ELOOP || errnum == EMLINK) return refused("is a symbolic link", path);
  if (errnum == ENOTDIR) return refused("is below something that is no directory", path);
  if (errnum == ENXIO) return refused("is no regular file", path);  // a socket or FIFO
  auto error = system_error("cannot be read", errnum);
  error.where = path.string();
  return error;
}

enum class Longer { refuse, tail, from };  // from: read at an offset

Result<std::string> read_open(const UniqueFd& fd, const std::filesystem::path& path, std::size_t max_bytes,
                              Longer longer = Longer::refuse, std::uint64_t offset = 0) {
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0) return not_opened(errno, path);
  if (S_ISDIR(st.st_mode)) return refused("is a directory", path);
  if (S_ISFIFO(st.st_mode)) return refused("is a FIFO", path);
  if (!S_ISREG(st.st_mode)) return refused("is no regular file", path);
  const auto too_large = [&] {
    return refused("is larger than " + std::to_string(max_bytes) + " bytes", path);
  };
  const auto size = static_cast<std::size_t>(st.st_size);
  if (longer == Longer::from) {
    if (offset >= size) return std::string();
    if (::lseek(fd.get(), static_cast<off_t>(offset), SEEK_SET) < 0) return not_opened(errno, path);
  } else if (size > max_bytes) {
    if (longer == Longer::refuse) return too_large();
    if (::lseek(fd.get(), static_cast<off_t>(size - max_bytes), SEEK_SET) < 0) return not_opened(errno, path);
  }
  std::string bytes;
  bytes.reserve(std::min(size, max_bytes));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return not_opened(errno, path);
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
    if (bytes.size() <= max_bytes) continue;
    if (longer == Longer::refuse) return too_large();  // the file grew
    bytes.resize(max_bytes);
    return bytes;
  }
}

constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

Result<std::string> read_at(int directory, const std::filesystem::path& relative, std::size_t max_bytes,
                            Longer longer, std::uint64_t offset = 0) {
  UniqueFd holder;
  int at = directory;
  for (auto part = relative.begin(); part != relative.end();) {
    const auto name = part->string();
    if (name.empty() || name == "." || name == ".." || name == "/")
      return refused("is no plain relative path", relative);
    const bool last = ++part == relative.end();
    UniqueFd next(::openat(at, name.c_str(), last ? kFlags : kFlags | O_DIRECTORY));
    if (!next) {
      // With O_DIRECTORY the kernel reports a symlink as ENOTDIR.
      struct stat st {};
      const int errnum = errno;
      if (::fstatat(at, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
        return not_opened(ELOOP, relative);
      return not_opened(errnum, relative);
    }
    if (last) return read_open(next, relative, max_bytes, longer, offset);
    holder = std::move(next);
    at = holder.get();
  }
  return refused("is no plain relative path", relative);
}

}  // namespace

Result<std::string> read_regular_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const UniqueFd fd(::open(path.c_str(), kFlags));
  if (!fd) return not_opened(errno, path);
  return read_open(fd, path, max_bytes);
}

Result<std::string> read_regular_file_at(int directory, const std::filesystem::path& relative,
                                         std::size_t max_bytes) {
  return read_at(directory, relative, max_bytes, Longer::refuse);
}

Result<std::string> read_regular_tail_at(int directory, const std::filesystem::path& relative,
                                         std::size_t max_bytes) {
  return read_at(directory, relative, max_bytes, Longer::tail);
}

Result<std::string> read_regular_range_at(int directory, const std::filesystem::path& relative,
                                          std::uint64_t offset, std::size_t max_bytes) {
  return read_at(directory, relative, max_bytes, Longer::from, offset);
}

}  // namespace hydra
