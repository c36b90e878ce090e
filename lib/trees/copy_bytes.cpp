#include "trees/copy_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

namespace hydra::trees {
namespace {

constexpr std::size_t kBuffer = 128u << 10;

bool zeros(const char* at, std::size_t size) {
  return size == 0 || (*at == 0 && std::memcmp(at, at + 1, size - 1) == 0);
}

bool write_at(int out, const char* data, std::size_t size, off_t at) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::pwrite(out, data + done, size - done, at + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

/// Copies only non-zero blocks. The target has its size already.
bool sparse(int in, int out, off_t size) {
  constexpr std::size_t kBlock = 4096;
  std::vector<char> buffer(kBuffer);
  for (off_t from = 0; from < size;) {
    const ssize_t n = ::pread(in, buffer.data(), buffer.size(), from);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) return true;
    for (std::size_t at = 0; at < static_cast<std::size_t>(n); at += kBlock) {
      const std::size_t part = std::min(kBlock, static_cast<std::size_t>(n) - at);
      if (zeros(buffer.data() + at, part)) continue;
      if (!write_at(out, buffer.data() + at, part, from + static_cast<off_t>(at))) return false;
    }
    from += n;
  }
  return true;
}

/// Copies until `to`, or the end of the file if that comes first.
bool range(int in, int out, off_t from, off_t to) {
  if (to - from > static_cast<off_t>(kBuffer)) {
    off_t source = from, target = from;
    while (source < to) {
      const ssize_t n =
          ::copy_file_range(in, &source, out, &target, static_cast<std::size_t>(to - source), 0);
      if (n > 0 || (n < 0 && errno == EINTR)) continue;
      if (n == 0) break;
      if (errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return false;
      break;
    }
    from = source;
  }
  thread_local std::vector<char> buffer(kBuffer);
  while (from < to) {
    const auto want = static_cast<std::size_t>(std::min<off_t>(to - from, static_cast<off_t>(kBuffer)));
    const ssize_t n = ::pread(in, buffer.data(), want, from);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) return true;
    if (!write_at(out, buffer.data(), static_cast<std::size_t>(n), from)) return false;
    from += n;
  }
  return true;
}

}  // namespace

bool copy_bytes(int in, int out, const struct stat& facts) {
  if (facts.st_blocks * 512 >= facts.st_size) return range(in, out, 0, facts.st_size);
  // Holes stay holes. Reading finds them: SEEK_DATA was wrong for unwritten bytes on several file systems,
  // and a misplaced hole loses data.
  return ::ftruncate(out, facts.st_size) == 0 && sparse(in, out, facts.st_size);
}

void copy_attributes(int in, int out) {
  char names[4096];
  const ssize_t n = ::flistxattr(in, names, sizeof names);
  for (ssize_t at = 0; at < n;) {
    const std::string name = names + at;
    at += static_cast<ssize_t>(name.size()) + 1;
    if (name.rfind("user.", 0) != 0 || name.rfind("user.overlay.", 0) == 0) continue;
    char value[4096];
    const ssize_t size = ::fgetxattr(in, name.c_str(), value, sizeof value);
    if (size >= 0) ::fsetxattr(out, name.c_str(), value, static_cast<std::size_t>(size), 0);
  }
}

}  // namespace hydra::trees
