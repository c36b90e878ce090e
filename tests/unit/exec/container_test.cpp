// Container engines: what they do to jobs, and what is said where they can't.
#include "base/strings.hpp"
#include "job_harness.hpp"

#include <signal.h>
#include <sys/stat.h>

namespace hydra::exec::test {
namespace {

TEST(Container, WithoutTheEngineTheRemedyIsNamed) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  ImageWanted wanted;
  wanted.image = "any";
  const auto image = resolve_image(wanted);
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().hint, "apt install podman");
}

// Found by the trial, which runs as jobs do; not by the first agent.
TEST(Container, AUserWithoutIdsOfTheirOwnIsToldBeforeAJobRuns) {
  const TempDir dir;
  spill(dir.path / "podman",
        "#!/bin/sh\ncase \"$1 $*\" in image*) echo sha256:abc; exit 0 ;;\n"
        "*--userns=keep-id*) echo 'cannot find UID/GID: no subuid ranges found for user \"u\"' >&2; exit 125 "
        ";;\n"
        "esac\nexit 64\n");
  fs::permissions(dir.path / "podman", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (dir.path.string() + ":" + path).c_str(), 1);
  ImageWanted wanted;
  wanted.image = "any";
  wanted.uid = 0;
  const auto of_root = resolve_image(wanted);
  wanted.uid = 1234;
  const auto of_user = resolve_image(wanted);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(of_root.ok());
  ASSERT_FALSE(of_user.ok());
  EXPECT_NE(of_user.error().message.find("has no subordinate ids"), std::string::npos)
      << of_user.error().message;
  EXPECT_NE(of_user.error().hint.find("--add-subuids"), std::string::npos);
}

class OnPodman : public testing::Test {
 protected:
  void SetUp() override { HYDRA_SKIP_LACKING(lack_for(Isolation::podman)); }
};

TEST_F(OnPodman, AnImageThatCannotBePulledIsNamed) {
  ImageWanted wanted;
  wanted.image = "localhost:1/no/such:image";
  wanted.shim = shim_path();
  const auto image = resolve_image(wanted);
  ASSERT_FALSE(image.ok());
  EXPECT_NE(image.error().message.find("the image localhost:1/no/such:image can't be pulled"),
            std::string::npos)
      << image.error().message;
  EXPECT_NE(image.error().hint, "");
}

TEST_F(OnPodman, AContainerIsGoneWithItsSupervisor) {
  Jobs jobs{Variant(Isolation::podman)};
  const auto spec = jobs.shell(Isolation::podman, "echo run > runs; sleep 601 & exec sleep 602");
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return fs::exists(jobs.work() / "runs"); });
  Started started;
  ASSERT_EQ(read_started(spec.attempt_dir, spec.token, started), FileState::good);
  ::kill(started.pid, SIGKILL);
  EXPECT_EQ(name(jobs.wait(spec.key).end), "lost");
  EXPECT_TRUE(marked("HYDRA_ATTEMPT=" + spec.token).empty());
  jobs.until("", [] { return run_backend({"podman", "ps", "--all", "--quiet"}).out.empty(); });
}

TEST_F(OnPodman, SecretsAreInNoFileOfTheEngine) {
  Jobs jobs{Variant(Isolation::podman)};
  auto spec = jobs.shell(Isolation::podman, "test ${#KEY} = 8 && echo run > runs; sleep 600");
  spec.env.emplace_back("KEY", "a secret");
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return fs::exists(jobs.work() / "runs"); });
  const auto running = std::string(trim(run_backend({"podman", "ps", "--quiet"}).out));
  const auto inspected = run_backend({"podman", "inspect", running});
  EXPECT_TRUE(inspected.ok());
  EXPECT_EQ(inspected.out.find("a secret"), std::string::npos);
  EXPECT_EQ(slurp(spec.attempt_dir / "spec.json").find("a secret"), std::string::npos);
  jobs.executor->cancel(spec.key);
  const auto result = jobs.wait(spec.key);
  EXPECT_EQ(name(result.end), "cancelled") << result.message;
  EXPECT_EQ(run_backend({"podman", "ps", "--all", "--quiet"}).out, "");
}

}  // namespace
}  // namespace hydra::exec::test
