#include "base/fd.hpp"
#include "files.hpp"
#include "launch.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <unistd.h>

namespace shim {
namespace {

using hydra::UniqueFd;

std::string because(const std::string& what) { return what + ": " + std::strerror(errno); }

/// No mount of ours reaches the machine; the machine's unmounts propagate here, or a job would keep disks
/// busy.
bool cut_off() { return ::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0; }

std::string enter_namespaces(const Spec& spec) {
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  if (::unshare(CLONE_NEWNS | (spec.overlay_user ? CLONE_NEWUSER : 0)) != 0)
    return because(spec.overlay_user ? "a user namespace for the overlay can't be made"
                                     : "a mount namespace for the overlay can't be made") +
           (errno == ENOSPC ? " (the limit of namespaces is reached, or is 0)" : "");
  if (spec.overlay_user) {
    const auto line = [](unsigned inside, unsigned outside) {
      return std::to_string(inside) + " " + std::to_string(outside) + " 1";
    };
    if (!write_once("/proc/self/setgroups", "deny") ||
        !write_once("/proc/self/uid_map", line(spec.inside_uid, uid)) ||
        !write_once("/proc/self/gid_map", line(spec.inside_gid, gid)))
      return because("the ids of the overlay's user namespace can't be set");
  }
  if (!cut_off()) return because("the mount namespace can't be cut off");
  return {};
}

/// The kernel leaves two mounts of one upper directory undefined but allows them; the flock forbids them.
bool lock_upper(const std::string& upper) {
  const int fd = ::open(upper.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (fd < 0) return false;
  // Children of the previous holder may still have a copy of the descriptor; a second is enough for them.
  for (int tries = 0; tries < 100; ++tries) {
    // On a file system without locks on directories, no lock is taken.
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    ::usleep(10'000);
  }
  return false;
}

/// Mount options name directories by descriptor: one page must hold all paths, and mount would interpret `:`,
/// `,` and `\` in a path.
std::string named(const UniqueFd& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

std::string mount_one(const Overlay& overlay, bool user) {
  const auto cant = [&](const std::string& path) { return because("the overlay can't use " + path); };
  if (!lock_upper(overlay.upper))
    return errno == EWOULDBLOCK ? "the overlay's layer is in use by another job: " + overlay.upper
                                : cant(overlay.upper);
  std::vector<UniqueFd> open;
  std::string options;
  const auto add = [&](const char* before, const std::string& path) {
    if (!open.emplace_back(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))) return false;
    options += before + named(open.back());
    return true;
  };
  for (const auto& lower : overlay.lower)
    if (!add(open.empty() ? "lowerdir=" : ":", lower)) return cant(lower);
  if (!add(",upperdir=", overlay.upper)) return cant(overlay.upper);
  if (!add(",workdir=", overlay.work)) return cant(overlay.work);
  options += ",index=off,metacopy=off";
  options += user ? ",userxattr" : overlay.renames ? ",redirect_dir=on" : ",redirect_dir=off";
  if (::mount("overlay", overlay.mount.c_str(), "overlay", MS_NODEV | MS_NOSUID, options.c_str()) == 0)
    return {};
  std::string lowers;
  for (const auto& lower : overlay.lower) lowers += (lowers.empty() ? "" : " ") + lower;
  return because("an overlay can't be mounted on " + overlay.mount + " (lower " + lowers + ", upper " +
                 overlay.upper + ", work " + overlay.work + ")");
}

}  // namespace

std::string mount_overlays(const Spec& spec) {
  if (auto problem = enter_namespaces(spec); !problem.empty()) return problem;
  for (const auto& overlay : spec.overlays)
    if (auto problem = mount_one(overlay, spec.overlay_user); !problem.empty()) return problem;
  return {};
}

void guard_devices(const Spec& spec) {
  if (spec.overlays.empty() && (::unshare(CLONE_NEWNS) != 0 || !cut_off())) return;
  for (const char* node : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"})
    if (::mount(node, node, nullptr, MS_BIND, nullptr) == 0)
      (void)::mount(nullptr, node, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC,
                    nullptr);
}

}  // namespace shim
