#include "trees/btrfs.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

namespace hydra::trees {
namespace {

/// Inode number of every subvolume's root.
constexpr ino_t kSubvolumeRoot = 256;

Result<UniqueFd> open_parent(const fs::path& path) {
  UniqueFd fd(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return system_error("cannot open " + path.parent_path().string(), errno);
  return fd;
}

template <std::size_t N>
bool set_name(char (&target)[N], const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.empty() || name.size() >= N) return false;
  std::copy(name.begin(), name.end(), target);
  return true;
}

Error bad_name(const fs::path& path) {
  return {Errc::usage, "not a name for a subvolume", path.string(), {}};
}

}  // namespace

bool on_btrfs(const fs::path& directory) {
  struct statfs facts {};
  return ::statfs(directory.c_str(), &facts) == 0 &&
         static_cast<unsigned long>(facts.f_type) == BTRFS_SUPER_MAGIC;
}

bool is_subvolume(const fs::path& path) {
  struct stat facts {};
  return on_btrfs(path) && ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_ino == kSubvolumeRoot;
}

Result<void> create_subvolume(const fs::path& path) {
  HYDRA_TRY(const UniqueFd parent, open_parent(path));
  btrfs_ioctl_vol_args_v2 args{};
  if (!set_name(args.name, path)) return bad_name(path);
  if (::ioctl(parent.get(), BTRFS_IOC_SUBVOL_CREATE_V2, &args) != 0)
    return system_error("cannot make the subvolume " + path.string(), errno);
  return {};
}

Result<void> snapshot_subvolume(const fs::path& from, const fs::path& to) {
  const UniqueFd source(::open(from.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!source) return system_error("cannot open " + from.string(), errno);
  HYDRA_TRY(const UniqueFd parent, open_parent(to));
  btrfs_ioctl_vol_args_v2 args{};
  if (!set_name(args.name, to)) return bad_name(to);
  args.fd = source.get();
  if (::ioctl(parent.get(), BTRFS_IOC_SNAP_CREATE_V2, &args) != 0)
    return system_error("cannot make a snapshot of " + from.string() + " at " + to.string(), errno);
  return {};
}

Result<void> delete_subvolume(const fs::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 && errno == ENOENT) return {};
  HYDRA_TRY(const UniqueFd parent, open_parent(path));
  btrfs_ioctl_vol_args args{};
  if (!set_name(args.name, path)) return bad_name(path);
  if (::ioctl(parent.get(), BTRFS_IOC_SNAP_DESTROY, &args) == 0) return {};
  // Most systems allow that to root only, but an owner may empty a subvolume and remove the empty directory.
  return remove_tree(path);
}

}  // namespace hydra::trees
