// Disks that refuse: full ones, and those without holes. Needs the right to mount, else it is skipped.
#include "job_harness.hpp"

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
  if (!mount.ok) GTEST_SKIP() << "mounting is not allowed here";
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
  EXPECT_LT(text.size(), 2U << 20);
  EXPECT_EQ(text.substr(0, 32), "000000000000000\n000000000000001\n");
  EXPECT_EQ(text.substr(text.size() - 16), "000000001048575\n");
  EXPECT_EQ(text.find('\0'), std::string::npos);
}

TEST(Disk, C18_AFullDiskIsSaid) {
  Jobs jobs;
  const Mount mount(jobs.dir.path / "small", "tmpfs", "size=512k");
  if (!mount.ok) GTEST_SKIP() << "mounting is not allowed here";
  auto spec = jobs.shell(Isolation::none, "head -c 3000000 /dev/zero | tr '\\0' 'a'; exit 3");
  spec.attempt_dir = mount.at / "attempt";
  spec.limits.publish = std::chrono::milliseconds(300);
  auto result = jobs.run(spec);
  // The payload is not stopped by it. Whether the result still fits is the disk's choice: no guess either
  // way.
  if (result.end == End::exited) {
    EXPECT_EQ(result.code, 3);
    EXPECT_NE(result.message.find("No space left"), std::string::npos) << result.message;
    EXPECT_EQ(result.out.total, 3000000U);
    bool cut = false;
    EXPECT_LT(read_log(spec.attempt_dir / "stdout.log", result.out, &cut).size(), 512U << 10);
    EXPECT_TRUE(cut);
  } else {
    EXPECT_EQ(name(result.end), "lost");
    EXPECT_FALSE(result.message.empty());
  }
  auto later = jobs.shell(Isolation::none, "echo ran > ran");
  later.attempt_dir = mount.at / "later";
  later.limits.publish = std::chrono::milliseconds(300);
  const auto submitted = jobs.submit(later);
  if (submitted.ok()) {
    EXPECT_NE(name(jobs.wait(later.key).end), "exited");
    EXPECT_FALSE(fs::exists(jobs.work() / "ran"));
  } else {
    EXPECT_NE(submitted.error().message.find("No space left"), std::string::npos)
        << submitted.error().message;
  }
}

}  // namespace
}  // namespace hydra::exec::test
