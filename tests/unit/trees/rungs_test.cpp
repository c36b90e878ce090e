// How workspaces can be made here: found by trying, said with the reason, and true.
#include "trees/rungs.hpp"

#include "base/files.hpp"
#include "trees/btrfs.hpp"
#include "unit/exec/job_harness.hpp"

#include <sys/mount.h>
#include <sys/stat.h>

namespace hydra::trees {
namespace {

fs::path bwrap() { return exec::find_program("bwrap", exec::test::search_path()); }

const RungTrial& trial(const TreeFacts& facts, TreeRung rung) {
  for (const auto& t : facts.trials)
    if (t.rung == rung) return t;
  ADD_FAILURE() << "no trial of " << name(rung);
  return facts.trials.front();
}

TEST(Trees, TheProbeAgreesWithWhatJobsCanDo) {
  exec::test::TempDir dir;
  const auto facts = probe_trees(dir.path, exec::test::shim_path(), bwrap());
  ASSERT_EQ(facts.trials.size(), 4U);
  EXPECT_TRUE(fs::is_empty(dir.path)) << "something was left";
  HYDRA_NEEDS("bwrap");
  for (const auto rung : {TreeRung::overlay_root, TreeRung::overlay_userns}) {
    const auto& t = trial(facts, rung);
    if (!t.tried) continue;
    exec::test::Jobs jobs;
    auto spec = jobs.shell({exec::Isolation::bwrap, overlay_as(rung)}, "echo x > f");
    EXPECT_EQ(jobs.run(spec).end == exec::End::exited, t.problem.empty()) << t.problem;
  }
  const bool overlays = facts.rung == TreeRung::overlay_root || facts.rung == TreeRung::overlay_userns;
  EXPECT_EQ(facts.problem().empty(), overlays) << facts.problem();
  EXPECT_EQ(facts.rung == TreeRung::overlay_root, trial(facts, TreeRung::overlay_root).problem.empty());
}

TEST(Trees, WithoutBwrapThereAreCopiesAndARemedy) {
  exec::test::TempDir dir;
  const auto facts = probe_trees(dir.path, exec::test::shim_path(), {});
  EXPECT_EQ(facts.rung, on_btrfs(dir.path) ? TreeRung::btrfs_snapshot : TreeRung::copy);
  EXPECT_EQ(facts.problem(), "bubblewrap is not installed");
  EXPECT_EQ(facts.remedy, "apt install bubblewrap");
}

TEST(Trees, ADirectoryWhereNothingCanBeMadeSaysSo) {
  const auto facts = probe_trees("/proc", exec::test::shim_path(), bwrap());
  EXPECT_EQ(facts.rung, TreeRung::copy);
  EXPECT_NE(facts.problem().find("/proc"), std::string::npos) << facts.problem();
}

TEST(Trees, AShimThatDoesNothingIsNoProof) {
  exec::test::TempDir dir;
  const auto facts = probe_trees(dir.path, "/bin/true", bwrap());
  EXPECT_NE(facts.rung, TreeRung::overlay_root);
  EXPECT_NE(facts.rung, TreeRung::overlay_userns);
  EXPECT_FALSE(facts.problem().empty());
}

TEST(Trees, TheMachinesFactsNameTheRung) {
  exec::test::TempDir dir;
  const auto facts = probe_machine(exec::test::search_path(), dir.path, exec::test::shim_path());
  EXPECT_NE(facts.tree_rung, TreeRung::unshared);
  EXPECT_EQ(model::overlays(facts.tree_rung), facts.tree_problem.empty());
  EXPECT_EQ(exec::probe_machine(exec::test::search_path()).tree_rung, TreeRung::unshared);
}

/// A small file system in a file, mounted where root may do that.
class Disk {
 public:
  explicit Disk(const std::vector<std::string>& mkfs) {
    image_ = dir_.path / "image";
    exec::test::spill(image_, "");
    fs::resize_file(image_, 300u << 20);
    machine::Need program(mkfs.front());
    program.path = kPath;
    lack_ = machine::lack({machine::Ability::mounts, program});
    if (!lack_.text.empty()) return;
    fs::create_directory(path());
    auto make = mkfs;
    make.push_back(image_);
    if (!run(make) || !run({"mount", "-o", "loop", image_, path()}))
      lack_.text = "no loop device";
    else
      mounted_ = true;
  }
  ~Disk() {
    if (mounted_) run({"umount", path()});
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  [[nodiscard]] fs::path path() const { return dir_.path / "disk"; }
  [[nodiscard]] const machine::Lack& lack() const { return lack_; }

 private:
  static constexpr const char* kPath = "/usr/sbin:/sbin:/usr/bin:/bin";
  static bool run(const std::vector<std::string>& argv) {
    exec::ToolCall call;
    call.argv = argv;
    call.env = {{"PATH", kPath}};
    const auto ran = exec::run_tool(call);
    return ran.ok() && ran->ok();
  }
  exec::test::TempDir dir_;
  fs::path image_;
  machine::Lack lack_;
  bool mounted_ = false;
};

TEST(TreesOnBtrfs, SubvolumesAreMadeSnapshotAndGone) {
  const Disk disk({"mkfs.btrfs", "-q"});
  HYDRA_SKIP_LACKING(disk.lack());
  const auto from = disk.path() / "template", to = disk.path() / "snapshot";
  EXPECT_TRUE(on_btrfs(disk.path()));
  ASSERT_TRUE(create_subvolume(from).ok());
  EXPECT_FALSE(create_subvolume(from).ok());
  EXPECT_TRUE(is_subvolume(from));
  fs::create_directory(from / "directory");
  EXPECT_FALSE(is_subvolume(from / "directory"));
  exec::test::spill(from / "directory" / "file", "one");
  const timespec times[2] = {{1, 2}, {1234567890, 123456789}};
  ::utimensat(AT_FDCWD, (from / "directory" / "file").c_str(), times, 0);
  ASSERT_TRUE(snapshot_subvolume(from, to).ok());
  struct stat facts {};
  ::stat((to / "directory" / "file").c_str(), &facts);
  EXPECT_EQ(facts.st_mtim.tv_nsec, 123456789);
  exec::test::spill(to / "directory" / "file", "two");
  EXPECT_EQ(exec::test::slurp(from / "directory" / "file"), "one");
  EXPECT_FALSE(snapshot_subvolume(from / "directory", disk.path() / "no").ok());
  ASSERT_TRUE(delete_subvolume(to).ok());
  EXPECT_FALSE(fs::exists(to));
  EXPECT_TRUE(delete_subvolume(to).ok());  // nothing there is success
  // The way of an ordinary user: emptied, then removed.
  ASSERT_TRUE(remove_tree(from).ok());
  EXPECT_FALSE(fs::exists(from));
}

TEST(TreesOnBtrfs, ASnapshotIsTheWayOutWithoutOverlays) {
  const Disk disk({"mkfs.btrfs", "-q"});
  HYDRA_SKIP_LACKING(disk.lack());
  const auto without = probe_trees(disk.path(), exec::test::shim_path(), {});
  EXPECT_EQ(without.rung, TreeRung::btrfs_snapshot);
  EXPECT_TRUE(trial(without, TreeRung::btrfs_snapshot).problem.empty());
  EXPECT_EQ(probe_trees(disk.path(), exec::test::shim_path(), bwrap()).without_overlay,
            TreeRung::btrfs_snapshot);
}

TEST(TreesOnAFullDisk, TheProbeFailsWithWords) {
  const Disk disk({"mkfs.ext4", "-q", "-F"});
  HYDRA_SKIP_LACKING(disk.lack());
  {
    const std::string block(1 << 20, 'x');
    for (const std::size_t size : {block.size(), std::size_t{512}}) {
      std::ofstream out(disk.path() / ("ballast" + std::to_string(size)), std::ios::binary);
      while (out.write(block.data(), static_cast<std::streamsize>(size)).flush()) {
      }
    }
  }
  // Directories may still fit, files with content do not.
  const auto facts = probe_trees(disk.path(), exec::test::shim_path(), bwrap());
  EXPECT_EQ(facts.rung, TreeRung::copy);
  EXPECT_NE(facts.problem().find("No space left"), std::string::npos) << facts.problem();
}

}  // namespace
}  // namespace hydra::trees
