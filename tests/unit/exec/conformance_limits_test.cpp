// The conformance suite, C14: what a job may take of the machine.
#include "conformance.hpp"

#include <algorithm>
#include <signal.h>
#include <sys/resource.h>

namespace hydra::exec::test {
namespace {

/// Isolations whose jobs inherit the priority; docker's daemon starts its containers itself.
class ConformanceNice : public Conformance {};

TEST_P(ConformanceNice, C14_NiceIsAdded) {
  auto spec = owned->program(GetParam(), {"nice"});
  spec.limits.nice = 7;
  const int own = ::getpriority(PRIO_PROCESS, 0);
  EXPECT_EQ(owned->out(spec, owned->run(spec)), std::to_string(std::min(own + 5 + 7, 19)) + "\n");
}

/// Isolations in which no engine sets the score.
class ConformanceOomScore : public Conformance {};

// When memory runs out, the kernel ends a job before the process that watches it.
TEST_P(ConformanceOomScore, C14_AJobIsOfferedToTheKernelFirst) {
  const auto spec = owned->program(GetParam(), {"cat", "/proc/self/oom_score_adj"});
  const int own = std::stoi(slurp("/proc/self/oom_score_adj"));
  EXPECT_EQ(owned->out(spec, owned->run(spec)), std::to_string(std::min(own + 300, 1000)) + "\n");
}

TEST_P(Conformance, C14_MemoryAboveTheLimitIsOom) {
  auto spec = shell("awk 'BEGIN { s = \"x\"; for (i = 0; i < 27; ++i) s = s s; system(\"sleep 600\") }'");
  spec.limits.memory_bytes = 64u << 20;
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "oom") << result.message;
  EXPECT_NE(result.message.find("memory"), std::string::npos);
  EXPECT_TRUE(processes(spec).empty());
  spec = shell("sleep 0.6");
  spec.limits.memory_bytes = 64u << 20;
  EXPECT_EQ(name(owned->run(spec).end), "exited");
}

TEST_P(Conformance, C14_TooManyProcessesNeverHang) {
  auto spec = shell("i=0; while [ $i -lt 60 ]; do sleep 600 & i=$((i+1)); done; wait");
  spec.limits.processes = 40;
  const auto result = owned->run(spec);
  // The shell itself fails where the kernel enforces the limit; else the process tree is ended.
  EXPECT_TRUE(result.end == End::oom || (result.end == End::exited && result.code != 0)) << name(result.end);
  EXPECT_TRUE(processes(spec).empty());
}

TEST_P(Conformance, C14_GrowthAboveTheDiskLimitEndsTheJobAndKeepsItsFiles) {
  spill(owned->work() / "before", std::string(20'000'000, 'x'));
  auto spec = shell("head -c 40000000 /dev/zero > big; exec sleep 600");
  spec.limits.disk_bytes = 8'000'000;
  spec.limits.disk_paths = {owned->made(spec, "").parent_path()};
  auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "disk") << result.message;
  EXPECT_EQ(result.message, "more than 8000000 bytes of disk");
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_TRUE(processes(spec).empty());
  EXPECT_GT(fs::file_size(owned->made(spec, "big")), 8'000'000u);

  // A file without a name takes room, too.
  spec = shell("exec 3> gone; rm gone; head -c 40000000 /dev/zero >&3; exec sleep 600");
  spec.limits.disk_bytes = 8'000'000;
  spec.limits.disk_paths = {owned->made(spec, "").parent_path()};
  EXPECT_EQ(name(owned->run(spec).end), "disk");

  spec = shell("head -c 4000000 /dev/zero > small; sleep 0.6");
  spec.limits.disk_bytes = 8'000'000;
  spec.limits.disk_paths = {owned->made(spec, "").parent_path(), owned->dir.path / "missing"};
  result = owned->run(spec);
  EXPECT_EQ(name(result.end), "exited") << result.message;
}

INSTANTIATE_TEST_SUITE_P(Isolations, ConformanceNice, testing::ValuesIn(variants_where([](const Variant& v) {
                           return v.isolation != Isolation::docker;
                         })),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Isolations, ConformanceOomScore,
                         testing::ValuesIn(variants_where([](const Variant& v) {
                           return !v.slurm && !v.contained();
                         })),
                         variant_name);

}  // namespace
}  // namespace hydra::exec::test
