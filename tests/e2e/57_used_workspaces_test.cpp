// Copies that a check set has used are used again: what an earlier candidate did to one decides nothing.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <sys/vfs.h>
#include <unistd.h>

namespace hydra::e2e {
namespace {

class UsedWorkspaces : public ::testing::Test {
 protected:
  void SetUp() override {
    constexpr long kExt4 = 0xef53;
    struct statfs facts {};
    if (::statfs(world.root().c_str(), &facts) != 0 || static_cast<long>(facts.f_type) != kExt4)
      GTEST_SKIP() << "copies are used again on ext4 only";
  }
  World world;

  [[nodiscard]] int times_logged(const std::string& text) const {
    const auto log = slurp(world.state() / "hydrad.log");
    int count = 0;
    for (auto at = log.find(text); at != std::string::npos; at = log.find(text, at + 1)) ++count;
    return count;
  }
  [[nodiscard]] bool logged(const std::string& text, int count) const {
    const auto until = std::chrono::steady_clock::now() + kDeadline;
    while (times_logged(text) < count && std::chrono::steady_clock::now() < until) ::usleep(10'000);
    return times_logged(text) >= count;
  }
  [[nodiscard]] bool any_used() const {
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(world.state() / "templates", ec))
      if (fs::exists(entry.path() / "used")) return true;
    return false;
  }
  [[nodiscard]] Json race(const std::string& names) const {
    const auto run = world.race({"--agents", names, "--fresh-baseline", "task"});
    auto results = world.results();
    EXPECT_EQ(results["state"], "done") << run.out << run.err;
    return results;
  }
  void expect_verdicts(const Json& results) const {
    EXPECT_EQ(results["baseline"]["tests"]["status"], "passed") << results["baseline"].dump(1);
    for (const auto& [name, code] : {std::pair{"one", 0}, {"two", 0}, {"broken", 1}}) {
      const auto agent = agent_of(results, name);
      EXPECT_EQ(agent["workspace"]["tree"], "copy");
      EXPECT_EQ(agent["dimensions"]["tests"]["detail"]["exit_code"], code)
          << name << slurp(world.attempt(results["race"], name, "tests") / "stdout.log");
    }
  }
};

// The candidate's code runs in the test, and there it can write wherever it likes.
constexpr const char* kVandal =
    "cat > app.sh <<'END'\n"
    "value() { cat tests/expected; }\n"
    "cp -p tests/expected before; printf 'wrong\\n' > tests/expected; touch -r before tests/expected\n"
    "cp -p tests/more before; rm tests/more; printf 'wrong\\n' > tests/more; touch -r before tests/more\n"
    "rm -rf docs before; mv part other; ln -s /etc part; mkfifo pipe; ln kept second; chmod 0 deep\n"
    "mkdir -p made/below; printf 'exit 0\\n' > made/below/test.sh; ln -sf /dev/null twice\n"
    "END";

TEST_F(UsedWorkspaces, AVandalsTreeIsAnothersFreshCopy) {
  world.init();
  world.write("app.sh", "value() { echo right; }\n");
  world.write("tests/test.sh",
              ". ./app.sh\nset -e\ntest \"$(value)\" = \"$(cat tests/expected)\"\n"
              "test \"$(cat tests/more)\" = right\ntest \"$(cat part/a)\" = part\ntest -f docs/text\n"
              "test -f deep/x\ntest \"$(cat twice)\" = twice\ntest ! -e made\ntest ! -e pipe\n"
              "test \"$(stat -c %h kept)\" = 1\n");
  for (const auto& name : {"tests/expected", "tests/more"}) world.write(name, "right\n");
  world.write("part/a", "part\n");
  for (const auto& name : {"docs/text", "deep/x", "kept"}) world.write(name, "x\n");
  world.write("twice", "twice\n");
  world.write("hydra.toml",
              "[scoring]\nbuild_command = \"true\"\ntest_command = \"case $(stat -f -c %T .) in overlay*) "
              "echo 'rename: Invalid cross-device link'; exit 1;; esac; sh tests/test.sh\"\n"
              "[limits]\nchecks = 12\n" +
                  script_agent("one", "echo ': one' >> app.sh") +
                  script_agent("two", "echo ': two' >> app.sh") +
                  script_agent("three", "echo ': three' >> app.sh") +
                  script_agent("four", "echo ': four' >> app.sh") +
                  script_agent("broken", "echo 'value() { echo wrong; }' > app.sh") +
                  script_agent("vandal", kVandal));
  world.commit();
  const auto first = race("one,two,broken,vandal");
  if (first["baseline"]["workspace"]["tree"] == "checkout") GTEST_SKIP() << "no sandbox here";
  expect_verdicts(first);
  EXPECT_FALSE(agent_of(first, "vandal")["eligible"]);
  const std::string back = "a used workspace was put back";
  ASSERT_TRUE(logged(back, 5)) << slurp(world.state() / "hydrad.log");
  const std::string again = "is a copy that was used before";
  const int before = times_logged(again);
  // More than there are used trees: the vandal's is among those that are taken.
  expect_verdicts(race("one,two,broken,three,four"));
  EXPECT_GE(times_logged(again) - before, 4) << slurp(world.state() / "hydrad.log");
  EXPECT_TRUE(any_used());

  // What another daemon has left is nobody's; and it goes with the template.
  world.kill_daemon();
  (void)world.list();
  EXPECT_FALSE(any_used());
  expect_verdicts(race("one,two,broken"));
  ASSERT_TRUE(logged(back, 1));
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_FALSE(any_used());
}

// Who left a process behind has left nobody who writes later: but such trees are not even tried.
TEST_F(UsedWorkspaces, TreesOfChecksThatDidNotEndByThemselvesAreGivenUp) {
  world.init();
  world.write("app.sh", "true\n");
  world.write("tests/test.sh", ". ./app.sh\n");
  world.write("hydra.toml",
              "[scoring]\nbuild_command = \"true\"\ntest_command = \"case $(stat -f -c %T .) in overlay*) "
              "echo 'rename: Invalid cross-device link'; exit 1;; esac; sh tests/test.sh\"\n"
              "timeout_per_check_seconds = 3\n[limits]\nchecks = 12\n" +
                  script_agent("leaver", "echo 'setsid sleep 1000 >/dev/null 2>&1 &' > app.sh") +
                  script_agent("endless", "echo 'sleep 1000' > app.sh") +
                  script_agent("killed", "echo 'kill -9 $PPID $$' > app.sh"));
  world.commit();
  const auto run = world.race({"--agents", "leaver,endless,killed", "task"});
  const auto results = world.results();
  ASSERT_EQ(results["state"], "done") << run.out << run.err;
  if (results["baseline"]["workspace"]["tree"] == "checkout") GTEST_SKIP() << "no sandbox here";
  EXPECT_EQ(agent_of(results, "endless")["workspace"]["tree"], "copy");
  const std::string back = "a used workspace was put back";
  ASSERT_TRUE(logged(back, 1));
  world.kill_daemon(15);  // it finishes what it has begun
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  while (!world.daemons().empty() && std::chrono::steady_clock::now() < until) ::usleep(10'000);
  EXPECT_EQ(times_logged(back), 1) << slurp(world.state() / "hydrad.log");  // the baseline's
}

}  // namespace
}  // namespace hydra::e2e
