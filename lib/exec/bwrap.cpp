#include "exec/bwrap.hpp"

#include <algorithm>

namespace hydra::exec {
namespace {

using Argv = std::vector<std::string>;

/// Below the tmpfs over /run, so that bwrap never makes the mount point in a directory of the host.
constexpr const char* kStage2 = "/run/.hydra-stage2";

void add(Argv& argv, std::initializer_list<std::string> words) { argv.insert(argv.end(), words); }

void add_tmpfs(Argv& argv, const std::string& at, std::uint64_t bytes) {
  if (bytes > 0) add(argv, {"--size", std::to_string(bytes)});
  add(argv, {"--tmpfs", at});
}

void add_home(Argv& argv, const Sandbox& sandbox, std::uint64_t bytes) {
  if (sandbox.home.empty() || sandbox.home == "/") return;
  if (sandbox.private_home.empty())
    add_tmpfs(argv, sandbox.home.string(), bytes);
  else
    add(argv, {"--bind", sandbox.private_home.string(), sandbox.home.string()});
}

void add_root(Argv& argv, const Sandbox& sandbox) {
  if (sandbox.root_entries.empty()) return add(argv, {"--ro-bind", "/", "/"});
  add(argv, {"--tmpfs", "/"});
  for (const auto& [path, link] : sandbox.root_entries)
    if (link.empty())
      add(argv, {"--ro-bind-try", path.string(), path.string()});
    else
      add(argv, {"--symlink", link.string(), path.string()});
}

void add_network(Argv& argv, const Sandbox& sandbox) {
  if (!sandbox.network) return add(argv, {"--unshare-net"});
  // /etc/resolv.conf is often a link into /run, which is private here: name resolution needs these binds.
  for (const char* dir : {"/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"})
    add(argv, {"--ro-bind-try", dir, dir});
}

std::vector<std::pair<fs::path, fs::path>> entries_of_root() {
  std::vector<std::pair<fs::path, fs::path>> entries;
  std::error_code ec;
  for (fs::directory_iterator at("/", ec), end; !ec && at != end; at.increment(ec)) {
    std::error_code failed;
    const bool link = at->is_symlink(failed);
    entries.emplace_back(at->path(), link ? fs::read_symlink(at->path(), failed) : fs::path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

// As uid 0 inside, agents' own sandboxes and programs that refuse root would fail.
unsigned inside_uid(const BwrapHost& host) { return host.uid == 0 ? 1000U : host.uid; }
unsigned inside_gid(const BwrapHost& host) { return host.uid == 0 ? 1000U : host.gid; }

Argv bwrap_flags(const BwrapHost& host, const Sandbox& sandbox, std::uint64_t disk_bytes) {
  Argv argv{host.bwrap.string(), "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"};
  add(argv, {"--uid", std::to_string(inside_uid(host)), "--gid", std::to_string(inside_gid(host))});
  add(argv, {"--die-with-parent", "--new-session", "--cap-drop", "ALL", "--as-pid-1"});
  add_root(argv, sandbox);
  add(argv, {"--dev", "/dev", "--proc", "/proc"});
  // The kernel still lets the host's root write /proc files inside: `core_pattern` names a program that runs
  // outside. Other users may not write them anyway. bwrap itself makes /proc/irq, /proc/bus and
  // /proc/sysrq-trigger read-only, which the machine's probe verifies; a second bind would cost time, since
  // bwrap reads the mount table for each.
  if (host.uid == 0)
    for (const char* path : {"/proc/sys", "/proc/acpi"}) add(argv, {"--ro-bind-try", path, path});
  add(argv, {"--perms", "1777"});
  add_tmpfs(argv, "/tmp", disk_bytes);
  add_tmpfs(argv, "/run", disk_bytes);
  add_network(argv, sandbox);
  add_home(argv, sandbox, disk_bytes);
  return argv;
}

Argv job_argv(const JobSpec& spec, const BwrapHost& host) {
  if (spec.sandbox.isolation == Isolation::none) return spec.argv;
  Argv argv = bwrap_flags(host, spec.sandbox, spec.limits.disk_bytes);
  // Binds follow the tmpfs lines, which would hide a workspace below /tmp or the home.
  for (const auto& b : spec.sandbox.binds) {
    std::string flag = b.writable ? "--bind" : "--ro-bind";
    if (b.optional) flag += "-try";
    add(argv, {flag, b.host.string(), b.inside.string()});
  }
  add(argv, {"--ro-bind", host.shim.string(), kStage2});
  if (!spec.sandbox.root_entries.empty()) add(argv, {"--remount-ro", "/"});
  add(argv, {"--chdir", "/", "--", kStage2, "--stage2", std::to_string(spec.limits.processes),
             spec.workdir.string(), "--"});
  argv.insert(argv.end(), spec.argv.begin(), spec.argv.end());
  return argv;
}

Sandbox resolve_targets(Sandbox sandbox) {
  const auto resolve = [](fs::path& path) {
    std::error_code failed;
    if (path.empty()) return;
    auto real = fs::weakly_canonical(path, failed);
    if (!failed) path = std::move(real);
  };
  resolve(sandbox.home);
  for (auto& b : sandbox.binds) resolve(b.inside);
  const bool new_place = std::any_of(sandbox.binds.begin(), sandbox.binds.end(), [](const auto& bind) {
    std::error_code failed;
    const auto relative = bind.inside.relative_path();
    return !relative.empty() && !fs::exists(fs::path("/") / *relative.begin(), failed) && !failed;
  });
  if (new_place) sandbox.root_entries = entries_of_root();
  return sandbox;
}

}  // namespace hydra::exec
