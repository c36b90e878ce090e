// Disks that refuse: full ones, and those without holes. Needs the right to mount, else it is skipped.
#include "base/fd.hpp"
#include "job_harness.hpp"

#include <fcntl.h>
#include <sys/mount.h>

namespace hydra::exec::test {
namespace {

struct Mount {
  fs::path at;
  bool ok = false;
  Mount(fs::path where, const char* type, const char* options) : at(std::move(where)) {
    fs::create_directories(at);
    ok = ::mount("none", at.c_str(), type, 0, options) == 0;
  }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  ~Mount() {
    if (ok) ::umount2(at.c_str(), MNT_DETACH);
  }
};

TEST(Disk, WhereHolesCantBePunchedHeadAndTailAreKept) {
  Jobs jobs;
  const Mount mount(jobs.dir.path / "ramfs", "ramfs", "");
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_TRUE(mount.ok);
  auto spec =
      jobs.shell(Isolation::none, "awk 'BEGIN { for (i = 0; i < 1048576; ++i) printf \"%015d\\n\", i }'");
  spec.attempt_dir = mount.at / "attempt";
  spec.limits.log_head = 10000;
  spec.limits.log_tail = 20000;
  const auto result = jobs.run(spec);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.out.total, 16U << 20);
  EXPECT_EQ(fs::file_size(spec.attempt_dir / "stdout.log"), result.out.total);
  const auto text = jobs.out(spec, result);
  EXPECT_EQ(text.size(), result.out.hole_from + 20000);
  EXPECT_LE(text.size(), 10000U + 20000U + 4096U);
  EXPECT_EQ(text.substr(0, 32), "000000000000000\n000000000000001\n");
  EXPECT_EQ(text.substr(text.size() - 16), "000000001048575\n");
  EXPECT_EQ(text.find('\0'), std::string::npos);
}

TEST(Disk, C18_AFullDiskIsSaid) {
  Jobs jobs;
  const Mount mount(jobs.dir.path / "small", "tmpfs", "size=512k");
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_TRUE(mount.ok);
  auto spec = jobs.shell(Isolation::none, "head -c 3000000 /dev/zero | tr '\\0' 'a'; exit 3");
  spec.attempt_dir = mount.at / "attempt";
  spec.limits.publish = std::chrono::milliseconds(300);
  auto result = jobs.run(spec);
  // The payload is not stopped by it, and the room for its result was taken before it began.
  EXPECT_EQ(name(result.end), "exited") << result.message;
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.message.find("No space left"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("the disk is full: " + spec.attempt_dir.string()), std::string::npos)
      << result.message;
  EXPECT_EQ(result.out.total, 3000000U);
  bool cut = false;
  EXPECT_LT(read_log(spec.attempt_dir / "stdout.log", result.out, &cut).size(), 512U << 10);
  EXPECT_TRUE(cut);
  auto later = jobs.shell(Isolation::none, "echo ran > ran");
  later.attempt_dir = mount.at / "later";
  later.limits.publish = std::chrono::milliseconds(300);
  const auto submitted = jobs.submit(later);
  if (submitted.ok()) {
    const auto refused = jobs.wait(later.key);
    EXPECT_EQ(name(refused.end), "start_failed");
    EXPECT_NE(refused.message.find("is full"), std::string::npos) << refused.message;
    EXPECT_FALSE(fs::exists(jobs.work() / "ran"));
  } else {
    EXPECT_NE(submitted.error().message.find("No space left"), std::string::npos)
        << submitted.error().message;
  }
}

TEST(Disk, ASupervisorThatIsLostOnAFullDiskSaysSo) {
  Jobs jobs;
  const Mount mount(jobs.dir.path / "small", "tmpfs", "size=512k");
  HYDRA_NEEDS(machine::Ability::mounts);
  ASSERT_TRUE(mount.ok);
  auto spec = jobs.shell(Isolation::none, "head -c 3000000 /dev/zero > " + (mount.at / "full").string() +
                                              "; kill -9 $PPID; sleep 600");
  spec.attempt_dir = mount.at / "attempt";
  const auto result = jobs.run(spec);
  EXPECT_EQ(name(result.end), "lost");
  EXPECT_EQ(result.message, "the supervisor vanished without a result: the disk of " +
                                spec.attempt_dir.string() + " is full");
}

// However the growth is made: a step of the walk sees a part only, paths grow longer than the kernel takes.
TEST(Disk, GrowthIsSeenInManyFilesAndBelowLongPaths) {
  const auto run = [](const std::string& script) {
    Jobs jobs;
    auto spec = jobs.shell(Isolation::none, script + "; exec sleep 600");
    spec.limits.disk_bytes = 4'000'000;
    spec.limits.disk_paths = {jobs.work()};
    const auto result = jobs.run(spec);
    return std::string(name(result.end)) + " " + result.message;
  };
  EXPECT_EQ(run("seq 10000 | xargs touch"), "disk more than 4000000 bytes of disk");
  EXPECT_EQ(run("d=$(printf '%0200d' 1); i=0; while [ $i -lt 30 ]; do mkdir $d; cd $d; i=$((i+1)); done; "
                "head -c 8000000 /dev/zero > big"),
            "disk more than 4000000 bytes of disk");
}

TEST(Disk, AFileWithNamesElsewhereCountsInPart) {
  Jobs jobs;
  // Written where nobody looks; two of its five names are here, so 2.4 of 6 MB.
  auto spec = jobs.shell(Isolation::none,
                         "head -c 6000000 /dev/zero > ../0; for i in 1 2; do ln ../0 ../$i; done; "
                         "ln ../0 one; ln ../0 two; head -c 1000000 /dev/zero > own; sleep 0.6");
  spec.limits.disk_bytes = 4'000'000;
  spec.limits.disk_paths = {jobs.work()};
  EXPECT_EQ(name(jobs.run(spec).end), "exited");
}

// A sandbox's private directories are in memory; the same number bounds them.
TEST(Disk, PrivateDirectoriesOfASandboxAreBounded) {
  HYDRA_SKIP_LACKING(lack_for(Isolation::bwrap));
  Jobs jobs(Isolation::bwrap);
  auto spec = jobs.shell(Isolation::bwrap, "head -c 8000000 /dev/zero > /tmp/big; stat -c %s /tmp/big");
  spec.limits.disk_bytes = 4'096'000;
  spec.limits.disk_paths = {jobs.work()};
  const auto result = jobs.run(spec);
  EXPECT_EQ(jobs.out(spec, result), "4096000\n");
  EXPECT_NE(jobs.err(spec, result).find("No space left"), std::string::npos);
}

TEST(Disk, WhoTakesTheRoomOfAllIsEndedAndTheOthersGoOn) {
  HYDRA_NEEDS(machine::Ability::mounts);
  struct Way {
    const char *options, *take, *words;
  };
  // Bytes, and files: what is left is less than the floor.
  for (const Way& way : {Way{"size=64m", "head -c 45000000 /dev/zero > taken", "are free on its disk"},
                         Way{"size=64m,nr_inodes=8000",
                             "i=0; while [ $i -lt 7500 ]; do : > f$i; i=$((i+1)); done", "more files"}}) {
    SCOPED_TRACE(way.options);
    Jobs jobs;
    const Mount mount(jobs.dir.path / "shared", "tmpfs", way.options);
    ASSERT_TRUE(mount.ok);
    const auto job = [&](const std::string& who, const std::string& script) {
      fs::create_directories(mount.at / who);
      auto spec = jobs.shell(Isolation::none, "cd '" + (mount.at / who).string() + "'; " + script);
      spec.key = "r/" + who + "/agent/1";
      spec.attempt_dir = jobs.dir.path / ("attempt-" + who);
      spec.limits.disk_paths = {mount.at / who};
      spec.limits.free_percent = 5;
      spec.limits.free_bytes = 512u << 20;
      return spec;
    };
    const auto honest = job("honest", "echo mine > work; while [ ! -e stop ]; do sleep 0.05; done");
    const auto greedy = job("greedy", std::string(way.take) + "; exec sleep 600");
    ASSERT_TRUE(jobs.submit(honest).ok());
    jobs.until(honest.key, [&] { return fs::exists(mount.at / "honest/work"); });
    ASSERT_TRUE(jobs.submit(greedy).ok());
    const auto taken = jobs.wait(greedy.key);
    EXPECT_EQ(name(taken.end), "no_room") << taken.message;
    EXPECT_NE(taken.message.find(way.words), std::string::npos) << taken.message;
    spill(mount.at / "honest/stop", "");
    const auto left = jobs.wait(honest.key);
    EXPECT_EQ(name(left.end), "exited") << left.message;
    EXPECT_EQ(left.code, 0);
  }
}

TEST(Disk, WhoTookNoRoomIsHeldUntilThereIsRoom) {
  HYDRA_NEEDS(machine::Ability::mounts);
  Jobs jobs;
  const Mount mount(jobs.dir.path / "shared", "tmpfs", "size=64m");
  ASSERT_TRUE(mount.ok);
  fs::create_directories(mount.at / "own");
  auto spec =
      jobs.shell(Isolation::none, "cd '" + (mount.at / "own").string() +
                                      "'; echo mine > work; while [ ! -e stop ]; do sleep 0.05; done");
  spec.attempt_dir = jobs.dir.path / "attempt";
  spec.limits.disk_paths = {mount.at / "own"};
  spec.limits.free_percent = 5;
  spec.limits.free_bytes = 512u << 20;
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return fs::exists(mount.at / "own/work"); });
  const auto filler = mount.at / "filler";
  {
    std::ofstream(filler).close();
    const UniqueFd fd(::open(filler.c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_EQ(::fallocate(fd.get(), 0, 0, static_cast<off_t>(fs::space(mount.at).available - (1u << 20))), 0);
  }
  jobs.until(spec.key, [&] { return is_held(spec.attempt_dir); });
  EXPECT_TRUE(jobs.results.empty()) << "ended";
  fs::remove(filler);
  jobs.until(spec.key, [&] { return !is_held(spec.attempt_dir); });
  spill(mount.at / "own/stop", "");
  const auto left = jobs.wait(spec.key);
  EXPECT_EQ(name(left.end), "exited") << left.message;
  EXPECT_EQ(left.code, 0);
}

}  // namespace
}  // namespace hydra::exec::test
