#include "git/capture/scan.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/overlay_marks.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {
namespace {

constexpr int kMaxDepth = 1000;  // each level holds a descriptor
// With its parent directory, a path must stay below PATH_MAX (4,096 bytes) for git and for a check-out.
constexpr std::size_t kMostPathBytes = 3072;

constexpr int kListFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Opens a directory; first gives the owner missing rights to list and enter it.
int open_listed(int parent, const char* name) {
  int fd = ::openat(parent, name, kListFlags);
  if (fd < 0 && errno == EACCES && ::fchmodat(parent, name, 0700, 0) == 0)
    fd = ::openat(parent, name, kListFlags);
  struct stat st {};
  if (fd >= 0 && ::fstat(fd, &st) == 0 && (st.st_mode & 0700) != 0700)
    ::fchmod(fd, (st.st_mode & 07777) | 0700);
  return fd;
}

unsigned char type_of(int parent, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type;
  struct stat st {};
  if (::fstatat(parent, entry.d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
  return static_cast<unsigned char>(IFTODT(st.st_mode));
}

class Walk {
 public:
  explicit Walk(bool layer, bool in_use = false) : layer_(layer), in_use_(in_use) {}

  Result<void> into(int parent, const char* name, const std::string& prefix, int depth) {
    const int fd = in_use_ ? ::openat(parent, name, kListFlags) : open_listed(parent, name);
    if (fd < 0 && in_use_) return {};
    if (fd < 0) return system_error("cannot read the directory " + sanitize(prefix), errno);
    UniqueDir dir(::fdopendir(fd));
    if (!dir) {
      const int error = errno;
      ::close(fd);
      return system_error("cannot read the directory " + sanitize(prefix), error);
    }
    if (layer_) note_directory(fd, prefix);
    errno = 0;
    while (const dirent* entry = ::readdir(dir.get())) {
      const std::string_view child = entry->d_name;
      if (child == "." || child == ".." || child == ".git") continue;
      const std::string path = prefix + std::string(child);
      // Only this entry is left out; the rest of the directory is the agent's work.
      if (depth == kMaxDepth || path.size() > kMostPathBytes) {
        found_.too_deep.push_back(path);
        continue;
      }
      switch (type_of(fd, *entry)) {
        case DT_DIR:
          HYDRA_CHECK(into(fd, entry->d_name, path + "/", depth + 1));
          break;
        case DT_REG:
        case DT_LNK:
          found_.files.push_back(path);
          break;
        default:
          (layer_ && removed_here(fd, entry->d_name) ? found_.whiteouts : found_.special).push_back(path);
      }
      errno = 0;
    }
    if (errno != 0) return system_error("cannot list the directory " + sanitize(prefix), errno);
    return {};
  }

  [[nodiscard]] Scan found() && { return std::move(found_); }

 private:
  void note_directory(int fd, const std::string& prefix) {
    const auto path = prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1);
    if (!path.empty()) found_.directories.push_back(path);
    if (is_opaque(fd)) found_.opaque.push_back(path);
  }
  static bool removed_here(int parent, const char* name) {
    struct stat st {};
    return ::fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && is_whiteout(st);
  }

  bool layer_, in_use_;
  Scan found_;
};

}  // namespace

Result<Scan> scan(const fs::path& root, const std::string& below) {
  Walk walk(false);
  const fs::path start = below.empty() ? root : root / below;
  HYDRA_CHECK(walk.into(AT_FDCWD, start.c_str(), below.empty() ? "" : below + "/", 0));
  return std::move(walk).found();
}

Result<Scan> scan_layer(const fs::path& upper, bool in_use) {
  Walk walk(true, in_use);
  HYDRA_CHECK(walk.into(AT_FDCWD, upper.c_str(), "", 0));
  return std::move(walk).found();
}

bool leads_outside(std::string_view link_path, std::string_view target) {
  if (target.starts_with('/')) return true;
  int depth = static_cast<int>(std::count(link_path.begin(), link_path.end(), '/'));
  for (const auto part : split(target, '/')) {
    if (part.empty() || part == ".") continue;
    depth += part == ".." ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}

bool LeadingLinks::operator()(const std::string& path) {
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string dir = path.substr(0, slash);
    if (plain_.contains(dir)) continue;
    if (links_.contains(dir)) return true;
    struct stat st {};
    const bool plain = ::lstat((root_ / dir).c_str(), &st) == 0 && S_ISDIR(st.st_mode);
    (plain ? plain_ : links_).insert(dir);
    if (!plain) return true;
  }
  return false;
}

std::vector<model::LeftOut> left_out_rows(const fs::path& root, const std::vector<std::string>& files,
                                          const std::unordered_set<std::string_view>& kept,
                                          model::LeftReason reason) {
  // A directory is one row when nothing below it was kept.
  std::unordered_set<std::string_view> kept_dirs;
  for (const std::string_view path : kept)
    for (auto slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
         slash = path.rfind('/', slash - 1))
      if (!kept_dirs.insert(path.substr(0, slash)).second) break;
  std::map<std::string, std::uint64_t> rows;
  for (const auto& path : files) {
    if (kept.contains(path)) continue;
    std::string row = path;
    for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      if (kept_dirs.contains(std::string_view(path).substr(0, slash))) continue;
      row = path.substr(0, slash + 1);
      break;
    }
    struct stat st {};
    const bool there = ::lstat((root / path).c_str(), &st) == 0;
    rows[row] += there ? static_cast<std::uint64_t>(st.st_size) : 0;
  }
  std::vector<model::LeftOut> result;
  for (const auto& [path, bytes] : rows) result.push_back({path, bytes, reason});
  return result;
}

bool same_content(const fs::path& one, const fs::path& other) {
  constexpr std::size_t kMostBytes = 64u << 20;
  struct stat a {
  }, b{};
  if (::lstat(one.c_str(), &a) != 0 || ::lstat(other.c_str(), &b) != 0) return false;
  if ((a.st_mode & S_IFMT) != (b.st_mode & S_IFMT) || a.st_size != b.st_size) return false;
  std::error_code ec;
  if (S_ISLNK(a.st_mode)) return fs::read_symlink(one, ec) == fs::read_symlink(other, ec);
  if (!S_ISREG(a.st_mode)) return false;
  if (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec) return true;
  const auto text = read_file(one, kMostBytes), text_of_other = read_file(other, kMostBytes);
  return text.ok() && text_of_other.ok() && *text == *text_of_other;
}

}  // namespace hydra::git
