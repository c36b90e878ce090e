#include "trees/rungs.hpp"

#include "base/files.hpp"
#include "base/scratch_directory.hpp"
#include "base/strings.hpp"
#include "exec/attempt.hpp"
#include "exec/bwrap.hpp"
#include "exec/machine.hpp"
#include "exec/tool.hpp"
#include "trees/btrfs.hpp"
#include "trees/layers.hpp"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace hydra::trees {
namespace {

class OverlayTrial {
 public:
  OverlayTrial(fs::path base, const fs::path& shim, const fs::path& bwrap, exec::OverlayAs as)
      : base_(std::move(base)), host_{bwrap, shim, ::geteuid(), ::getegid()}, as_(as) {
    overlay_ = {{base_ / "lower"}, base_ / "upper", base_ / "work", base_ / "mount"};
  }

  /// Describes the failure; empty: works.
  std::string run() {
    if (auto made = prepare(); !made.ok()) return describe(made.error());
    // Operations of jobs.
    if (auto problem =
            job("1",
                "set -e; test \"$(cat kept)\" = lower; echo more >> kept; rm gone; mv renamed other; "
                "mv directory moved; mkdir new; echo x > new/file; rm -r replaced; mkdir replaced");
        !problem.empty())
      return problem;
    if (auto problem = look(); !problem.empty()) return problem;
    // Writes from outside.
    if (auto written = write(); !written.ok()) return describe(written.error());
    return job(
        "2",
        "set -e; test \"$(ls)\" = \"$(printf 'kept\\nmade\\nmoved\\nother\\nreplaced')\"; "
        "test \"$(cat replaced/again)\" = again; test ! -e replaced/old; test \"$(cat made)\" = outside");
  }

 private:
  Result<void> prepare() {
    for (const char* dir : {"lower/directory", "lower/replaced", "upper", "work", "mount"})
      HYDRA_CHECK(make_dirs(base_ / dir));
    for (const char* file : {"kept", "gone", "renamed", "directory/in", "replaced/old"})
      HYDRA_CHECK(write_file(base_ / "lower" / file, "lower\n"));
    return {};
  }

  std::string job(const std::string& number, const std::string& script) {
    exec::JobSpec spec;
    spec.key = "probe/" + number;
    spec.token = "probe-" + number;
    spec.argv = {"/bin/sh", "-c", script};
    spec.workdir = "/run/hydra-probe";
    spec.attempt_dir = base_ / ("attempt" + number);
    spec.limits.wall = std::chrono::seconds(10);
    spec.sandbox.isolation = exec::Isolation::bwrap;
    spec.sandbox.overlays = {overlay_};
    spec.sandbox.overlay_as = as_;
    spec.sandbox.binds = {{overlay_.mount, spec.workdir, true, false}};
    spec.durable = false;
    spec.merge_output = true;
    if (auto made = make_dirs(spec.attempt_dir, 0700); !made.ok()) return describe(made.error());
    if (auto made = exec::write_spec(spec, exec::job_argv(spec, host_), host_); !made.ok())
      return describe(made.error());
    exec::ToolCall shim;
    shim.argv = {host_.shim.string(), "--attempt", spec.attempt_dir.string()};
    shim.env = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}};
    shim.deadline = std::chrono::seconds(20);
    if (const auto ran = exec::run_tool(shim); !ran.ok()) return describe(ran.error());
    exec::JobResult result;
    if (exec::read_result(spec.attempt_dir, spec, result) != exec::FileState::good)
      return "the trial left no result";
    if (result.end == exec::End::exited && result.code == 0) return {};
    if (!result.message.empty()) return result.message;
    return "a job in the overlay did not find what it should: " +
           std::string(trim(exec::read_log(spec.attempt_dir / "stdout.log", result.out)));
  }

  /// Checks the first job's changes, and that nothing else has changed.
  std::string look() {
    struct stat facts {};
    const auto lower = read_file(base_ / "lower" / "kept");
    if (!lower.ok() || *lower != "lower\n" || !fs::exists(base_ / "lower" / "gone"))
      return "a job in the overlay changed the layer below";
    if (::lstat((base_ / "upper" / "gone").c_str(), &facts) != 0 || !S_ISCHR(facts.st_mode) ||
        facts.st_rdev != makedev(0, 0))
      return "a deletion left no mark in the overlay's layer";
    // mv copies when rename(2) is refused.
    if (as_ == exec::OverlayAs::root &&
        ::lgetxattr((base_ / "upper" / "moved").c_str(), "trusted.overlay.redirect", nullptr, 0) <= 0)
      return "directories can't be renamed";
    return {};
  }

  Result<void> write() {
    HYDRA_TRY(const auto writer, layer_writer(overlay_, as_));
    HYDRA_CHECK(writer->put("made", 0100644, "outside\n"));
    HYDRA_CHECK(writer->remove("new/file"));
    HYDRA_CHECK(writer->remove("replaced"));
    HYDRA_CHECK(writer->put("replaced/again", 0100644, "again\n"));
    return writer->finish();
  }

  fs::path base_;
  exec::BwrapHost host_;
  exec::OverlayAs as_;
  exec::OverlayMount overlay_;
};

std::string try_snapshot(const fs::path& base) {
  if (!on_btrfs(base)) return "the file system is not btrfs";
  const auto attempt = [&]() -> Result<void> {
    HYDRA_CHECK(create_subvolume(base / "template"));
    HYDRA_CHECK(write_file(base / "template" / "file", "x"));
    HYDRA_CHECK(snapshot_subvolume(base / "template", base / "snapshot"));
    HYDRA_TRY(const auto text, read_file(base / "snapshot" / "file"));
    HYDRA_CHECK(write_file(base / "snapshot" / "file", text + "y"));
    HYDRA_CHECK(delete_subvolume(base / "snapshot"));
    return delete_subvolume(base / "template");
  };
  const auto done = attempt();
  return done.ok() ? "" : describe(done.error());
}

std::string remedy_for(const std::string& problem, const fs::path& shim) {
  const auto has = [&](const char* text) { return problem.find(text) != std::string::npos; };
  const auto restricted = read_file("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 64);
  if (has("namespace")) {
    if (exec::is_zero("/proc/sys/user/max_user_namespaces") ||
        exec::is_zero("/proc/sys/kernel/unprivileged_userns_clone"))
      return "sysctl user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1, or ask the "
             "administrator of "
             "this container";
    if (restricted.ok() && trim(*restricted) == "1")
      return "give hydra-shim an AppArmor profile: in /etc/apparmor.d/hydra-shim: `abi <abi/4.0>, include "
             "<tunables/global> profile hydra-shim " +
             shim.string() +
             " flags=(unconfined) { userns, }`, then: apparmor_parser -r /etc/apparmor.d/hydra-shim";
    return "in a container allow user namespaces and mounts (docker: --security-opt seccomp=unconfined "
           "--security-opt apparmor=unconfined)";
  }
  if (has("No such device")) return "modprobe overlay";
  if (has("can't be mounted"))
    return "put Hydra's state on ext4, xfs, btrfs or tmpfs (XDG_STATE_HOME), on Linux 5.11 or later";
  return {};
}

}  // namespace

exec::OverlayAs overlay_as(TreeRung rung) {
  return rung == TreeRung::overlay_root ? exec::OverlayAs::root : exec::OverlayAs::user;
}

std::string TreeFacts::problem() const {
  if (rung == TreeRung::overlay_root || rung == TreeRung::overlay_userns) return {};
  for (const auto& trial : trials)
    if (trial.rung == TreeRung::overlay_userns) return trial.problem;
  return {};
}

TreeFacts probe_trees(const fs::path& directory, const fs::path& shim, const fs::path& bwrap) {
  TreeFacts facts;
  const ScratchDirectory scratch(directory / ".hydra-probe-XXXXXX");
  const auto trial = [&](TreeRung rung, const std::string& problem) {
    facts.trials.push_back({rung, true, sanitize(problem)});
    return problem.empty();
  };
  const auto overlay = [&](TreeRung rung) -> std::string {
    if (scratch.path().empty())
      return "nothing can be made in " + directory.string() + ": " + std::strerror(scratch.error());
    if (bwrap.empty()) return "bubblewrap is not installed";
    if (rung == TreeRung::overlay_root && !exec::may_mount())
      return "needs root with CAP_SYS_ADMIN outside of a user namespace";
    const fs::path base = scratch.path() / std::string(name(rung));
    return OverlayTrial(base, shim, bwrap, overlay_as(rung)).run();
  };
  const bool root = trial(TreeRung::overlay_root, overlay(TreeRung::overlay_root));
  bool user = false;
  if (root)
    facts.trials.push_back({TreeRung::overlay_userns, false, {}});
  else
    user = trial(TreeRung::overlay_userns, overlay(TreeRung::overlay_userns));
  const bool snapshot =
      trial(TreeRung::btrfs_snapshot,
            scratch.path().empty() ? facts.trials.front().problem : try_snapshot(scratch.path()));
  facts.trials.push_back({TreeRung::copy, false, {}});
  facts.without_overlay = snapshot ? TreeRung::btrfs_snapshot : TreeRung::copy;
  facts.rung = root ? TreeRung::overlay_root : user ? TreeRung::overlay_userns : facts.without_overlay;
  if (!root && !user)
    facts.remedy = bwrap.empty() ? "apt install bubblewrap" : remedy_for(facts.trials[1].problem, shim);
  return facts;
}

exec::MachineFacts probe_machine(const std::string& path_variable, const fs::path& directory,
                                 const fs::path& shim) {
  auto facts = exec::probe_machine(path_variable);
  auto found = probe_trees(directory, shim, facts.bwrap);
  facts.tree_rung = found.rung;
  facts.tree_problem = found.problem();
  facts.tree_remedy = std::move(found.remedy);
  return facts;
}

}  // namespace hydra::trees
