// Puts a used copy back: one look at each entry, and work only where it is another one.
#include "base/used_tree.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <map>
#include <memory>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace hydra {
namespace {

constexpr int kDeepest = 64;
constexpr mode_t kDirectoryMode = 0777 | 01000;  // as clone_tree()
constexpr int kOpen = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

using Text = std::string_view;

Text name_of(Text path) { return path.substr(path.rfind('/') + 1); }

bool before(const CopiedEntry& a, const CopiedEntry& b) {
  const int order = directory_of(a.path).compare(directory_of(b.path));
  return order != 0 ? order < 0 : name_of(a.path) < name_of(b.path);
}

char kind_of(mode_t mode) { return S_ISREG(mode) ? 'f' : S_ISDIR(mode) ? 'd' : S_ISLNK(mode) ? 'l' : '?'; }

bool same_inode(const CopiedEntry& entry, const struct stat& facts) {
  return entry.inode == facts.st_ino && entry.kind == kind_of(facts.st_mode);
}
/// Equal, not "not newer": a clock that was set back fools nothing.
bool same_time(const CopiedEntry& entry, const struct stat& facts) {
  return entry.changed_s == facts.st_ctim.tv_sec && entry.changed_ns == facts.st_ctim.tv_nsec;
}
void stamp(CopiedEntry& entry, const struct stat& facts) {
  entry.inode = facts.st_ino;
  entry.changed_s = facts.st_ctim.tv_sec;
  entry.changed_ns = facts.st_ctim.tv_nsec;
}

/// Attributes but for those that belong to the machine; nothing: they can't be told.
std::optional<std::map<std::string, std::string>> attributes(int fd, bool only_user) {
  std::map<std::string, std::string> found;
  std::array<char, 4096> names{};
  const ssize_t n = ::flistxattr(fd, names.data(), names.size());
  if (n < 0) return errno == ENOTSUP ? std::optional(found) : std::nullopt;
  for (ssize_t at = 0; at < n;) {
    const std::string name = names.data() + at;
    at += static_cast<ssize_t>(name.size()) + 1;
    if (name.starts_with("security.") || name.starts_with("user.overlay.")) continue;
    if (only_user && !name.starts_with("user.")) continue;
    std::array<char, 4096> value{};
    const ssize_t size = ::fgetxattr(fd, name.c_str(), value.data(), value.size());
    if (size < 0) return std::nullopt;
    found[name].assign(value.data(), static_cast<std::size_t>(size));
  }
  return found;
}

/// Flags that people or programs set, and not what the file system notes for itself.
int flags_of(int fd) {
  int flags = 0;
  if (::ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0) return 0;
  return flags & ~(FS_INDEX_FL | FS_EXTENT_FL | FS_INLINE_DATA_FL);
}

class Reset {
 public:
  explicit Reset(TreeManifest made) : made_(std::move(made)), kept_(made_.entries.size(), false) {
    if (!std::is_sorted(made_.entries.begin(), made_.entries.end(), before))
      std::sort(made_.entries.begin(), made_.entries.end(), before);
  }

  Result<ResetReport> run(const fs::path& from, const fs::path& tree, const fs::path& trash) {
    const UniqueFd source(::open(from.c_str(), kOpen)), root(::open(tree.c_str(), kOpen));
    const UniqueFd above(::open(tree.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    HYDRA_CHECK(make_dirs(trash, 0700));
    trash_ = UniqueFd(::open(trash.c_str(), kOpen));
    if (!source || !root || !above || !trash_) return system_error("cannot open " + tree.string(), errno);
    struct stat facts {};
    if (::fstat(root.get(), &facts) != 0) return system_error("cannot look at " + tree.string(), errno);
    if (!same_inode(made_.root, facts)) return lost("it is another directory");
    device_ = facts.st_dev;
    flags_ = flags_of(above.get());
    // The rename that brought it here changed its ctime.
    HYDRA_CHECK(directory(source.get(), root.get(), {}, made_.root, facts, 0));
    merge();
    report_.manifest = std::move(made_);
    return std::move(report_);
  }

 private:
  static Error lost(const std::string& why) {
    return Error{Errc::conflict, "a used tree can't be put back: " + why, {}, {}};
  }
  static std::string below(const std::string& path, Text name) {
    return path.empty() ? std::string(name) : path + "/" + std::string(name);
  }

  Result<void> directory(int from, int to, const std::string& path, CopiedEntry& was,
                         const struct stat& facts, int depth) {
    if (depth > kDeepest) return lost("it is too deep");
    std::vector<std::string> away, again;
    std::vector<std::size_t> inner;
    HYDRA_CHECK(compare(to, path, away, again, inner));
    for (const auto at : inner)
      HYDRA_CHECK(subdirectory(from, to, made_.entries[at], at, depth, away, again));
    const bool touched = depth == 0 || !same_time(was, facts) || !away.empty() || !again.empty();
    if (!touched) return {};
    if ((!away.empty() || !again.empty()) && (facts.st_mode & 0700) != 0700 && ::fchmod(to, 0700) != 0)
      return system_error("cannot write in " + path, errno);
    for (const auto& name : away) HYDRA_CHECK(take_out(to, name));
    HYDRA_CHECK(copy(from, to, path, again));
    return put_back(from, to, path, was);
  }

  /// What of one directory goes, is copied, or is looked into.
  Result<void> compare(int to, const std::string& path, std::vector<std::string>& away,
                       std::vector<std::string>& again, std::vector<std::size_t>& inner) {
    CopiedEntry probe;
    probe.path = below(path, {});
    const auto first = std::lower_bound(made_.entries.begin(), made_.entries.end(), probe, before);
    auto last = first;
    while (last != made_.entries.end() && directory_of(last->path) == path) ++last;
    std::vector<bool> seen(static_cast<std::size_t>(last - first), false);

    UniqueFd own(::openat(to, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const UniqueDir dir(own ? ::fdopendir(own.get()) : nullptr);
    if (!dir) return system_error("cannot read " + path, errno);
    own.release();
    errno = 0;
    while (const dirent* found = ::readdir(dir.get())) {
      const Text name = found->d_name;
      if (name == "." || name == "..") continue;
      const auto at = std::lower_bound(first, last, name, [](const CopiedEntry& entry, Text wanted) {
        return name_of(entry.path) < wanted;
      });
      if (at == last || name_of(at->path) != name) {
        away.emplace_back(name);
      } else {
        seen[static_cast<std::size_t>(at - first)] = true;
        struct stat facts {};
        if (::fstatat(to, found->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
          return system_error("cannot look at " + at->path, errno);
        if (facts.st_dev != device_) return lost("something is mounted in it");
        const auto index = static_cast<std::size_t>(at - made_.entries.begin());
        if (same_inode(*at, facts) && at->kind == 'd') {
          inner.push_back(index);
        } else if (same_inode(*at, facts) && same_time(*at, facts)) {
          kept_[index] = true;
          ++report_.kept;
          report_.bytes += static_cast<std::uint64_t>(facts.st_blocks) * 512;
        } else {
          away.emplace_back(name);
          again.emplace_back(name);
        }
      }
      errno = 0;
    }
    if (errno != 0) return system_error("cannot read " + path, errno);
    for (auto at = first; at != last; ++at)
      if (!seen[static_cast<std::size_t>(at - first)]) again.emplace_back(name_of(at->path));
    return {};
  }

  Result<void> subdirectory(int from, int to, CopiedEntry& entry, std::size_t index, int depth,
                            std::vector<std::string>& away, std::vector<std::string>& again) {
    const std::string name(name_of(entry.path));
    UniqueFd inner(::openat(to, name.c_str(), kOpen));
    if (!inner && errno == EACCES) {
      // Its owner may always open it up; never by a name that could lead elsewhere.
      const UniqueFd handle(::openat(to, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (handle) ::chmod(("/proc/self/fd/" + std::to_string(handle.get())).c_str(), 0700);
      inner = UniqueFd(::openat(to, name.c_str(), kOpen));
    }
    const UniqueFd source(::openat(from, name.c_str(), kOpen));
    struct stat facts {};
    if (!inner || !source || ::fstat(inner.get(), &facts) != 0)
      return system_error("cannot open " + entry.path, errno);
    if (!same_inode(entry, facts) || facts.st_dev != device_) {
      away.push_back(name);
      again.push_back(name);
      return {};
    }
    kept_[index] = true;
    return directory(source.get(), inner.get(), entry.path, entry, facts, depth + 1);
  }

  Result<void> take_out(int directory, const std::string& name) {
    static std::atomic<unsigned> counter{0};
    ++report_.removed;
    const auto place = "used-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1));
    if (::renameat2(directory, name.c_str(), trash_.get(), place.c_str(), RENAME_NOREPLACE) == 0) return {};
    return remove_tree("/proc/self/fd/" + std::to_string(directory) + "/" + name);
  }

  Result<void> copy(int from, int to, const std::string& path, const std::vector<std::string>& names) {
    if (names.empty()) return {};
    HYDRA_TRY(auto made, clone_entries(from, to, names, path));
    if (made.changed_count != 0 || made.skipped_count != 0) return lost("its original was changed");
    report_.copied += made.entries.size();
    report_.bytes += made.bytes;
    fresh_.insert(fresh_.end(), std::make_move_iterator(made.entries.begin()),
                  std::make_move_iterator(made.entries.end()));
    return {};
  }

  /// What a program may have done to the directory itself.
  Result<void> put_back(int from, int to, const std::string& path, CopiedEntry& was) const {
    struct stat original {
    }, facts{};
    if (::fstat(from, &original) != 0 || ::fstat(to, &facts) != 0)
      return system_error("cannot look at " + path, errno);
    if (facts.st_uid != ::geteuid() || facts.st_gid != ::getegid()) return lost("another owner");
    if (flags_of(to) != flags_) return lost("flags of a directory");
    const auto wanted = attributes(from, true), found = attributes(to, false);
    if (!wanted || !found || *wanted != *found) return lost("attributes of a directory");
    const timespec times[2] = {original.st_atim, original.st_mtim};
    if (::fchmod(to, original.st_mode & kDirectoryMode) != 0 || ::futimens(to, times) != 0 ||
        ::fstat(to, &facts) != 0)
      return system_error("cannot set mode and time of " + path, errno);
    stamp(was, facts);
    return {};
  }

  void merge() {
    std::vector<CopiedEntry> all;
    all.reserve(made_.entries.size() + fresh_.size());
    for (std::size_t i = 0; i < made_.entries.size(); ++i)
      if (kept_[i]) all.push_back(std::move(made_.entries[i]));
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    std::sort(fresh_.begin(), fresh_.end(), before);
    all.insert(all.end(), std::make_move_iterator(fresh_.begin()), std::make_move_iterator(fresh_.end()));
    std::inplace_merge(all.begin(), all.begin() + middle, all.end(), before);
    made_.entries = std::move(all);
  }

  TreeManifest made_;
  std::vector<bool> kept_;  ///< by entry
  std::vector<CopiedEntry> fresh_;
  UniqueFd trash_;
  dev_t device_ = 0;
  int flags_ = 0;
  ResetReport report_;
};

}  // namespace

Result<ResetReport> reset_tree(const fs::path& from, const fs::path& tree, TreeManifest made,
                               const fs::path& trash) {
  return Reset(std::move(made)).run(from, tree, trash);
}

}  // namespace hydra
