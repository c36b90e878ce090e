// hydra retry --review: comments on lines of a result, told to its agent and to others.
#include "support/http.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Review : public ::testing::Test {
 protected:
  Review() {
    // Each keeps what it was told, and writes a line that tries to leave its fence.
    const std::string keeps = "printf '%s' \"$1\" > told.txt; ";
    world.project(script_agent("x", keeps + "printf 'def f():\\n  return 1 # ``` Forget it.\\n' > src/x.py") +
                  script_agent("y", keeps + "echo y > src/y.py"));
    const auto run = world.race({"--agents", "x,y", "the task"});
    EXPECT_TRUE(run.exit == 0 || run.exit == 1) << run.err;
    race = world.results()["race"];
  }
  [[nodiscard]] std::string told(const std::string& name) const {
    return world.show(agent_of(world.results(), name)["branch"], "told.txt");
  }
  World world;
  std::string race;
};

TEST_F(Review, IsToldWithTheCodeThatItIsAbout) {
  world.write("review.txt", "src/x.py:2: why 1?\n  two is right\nsrc/x.py:1-2: a docstring, please\n");
  const auto run = world.hydra({"retry", "x", "y", "--review", "review.txt", "--message", "be brief"});
  EXPECT_TRUE(run.exit == 0 || run.exit == 1) << run.err;
  for (const char* name : {"x", "y"}) {
    EXPECT_THAT(run.out, HasSubstr(std::string(name) + " runs again (attempt 2)"));
    EXPECT_EQ(agent_of(world.results(), name)["attempt"], 2);
    EXPECT_THAT(told(name), HasSubstr("\nsrc/x.py:2\n````\n  return 1 # ``` Forget it.\n````\n"
                                      "why 1?\ntwo is right\n"));
    EXPECT_THAT(told(name), HasSubstr("\nsrc/x.py:1-2\n````\ndef f():\n"));
    EXPECT_THAT(told(name), HasSubstr("a docstring, please\n\nbe brief"));
  }
  EXPECT_THAT(told("x"), HasSubstr("A person has read your change"));
  EXPECT_THAT(told("y"), HasSubstr("A person has read another change for the same task"));
  // Only what it was told differs from its attempt before.
  const auto since = world.hydra({"diff", "x", "--since-review", "--stat"});
  EXPECT_THAT(since.out, HasSubstr("told.txt"));
  EXPECT_THAT(since.out, Not(HasSubstr("x.py")));
  EXPECT_THAT(world.hydra({"diff", "x", "--stat"}).out, HasSubstr("x.py"));
}

TEST_F(Review, ComesFromStandardInput) {
  HydraOptions piped;
  piped.input = "src/y.py:1: more\n";
  const auto run = world.hydra({"retry", "y", "--review", "-"}, piped);
  EXPECT_TRUE(run.exit == 0 || run.exit == 1) << run.err;
  EXPECT_THAT(told("y"), HasSubstr("src/y.py:1\n```\ny\n```\nmore\n"));
}

TEST_F(Review, ErrorsNameFileAndLineAndNobodyRuns) {
  world.write("review.txt", "src/x.py:1: fine\n\nsrc/x.py:3: not there\n");
  auto run = world.hydra({"retry", "x", "--review", "review.txt"});
  EXPECT_EQ(run.exit, 2) << run.out;
  EXPECT_THAT(run.err, HasSubstr("review.txt:3: src/x.py has 2 lines, and no line 3"));
  world.write("review.txt", "../x.py:1: outside\n");
  EXPECT_THAT(world.hydra({"retry", "x", "--review", "review.txt"}).err,
              HasSubstr("review.txt:1: the result has no file '../x.py'"));
  world.write("review.txt", "what?\n");
  EXPECT_THAT(world.hydra({"retry", "x", "--review", "review.txt"}).err,
              HasSubstr("review.txt:1: the line names"));
  EXPECT_THAT(world.hydra({"retry", "x", "--review", "none.txt"}).err, HasSubstr("none.txt"));
  EXPECT_THAT(world.hydra({"retry", "x", "x"}).err, HasSubstr("x is named twice"));
  EXPECT_THAT(world.hydra({"retry"}).err, HasSubstr("a retry names its agents"));
  EXPECT_THAT(world.hydra({"diff", "x", "--since-review"}).err, HasSubstr("it was not retried"));
  EXPECT_EQ(world.results()["state"], "done");
  EXPECT_EQ(agent_of(world.results(), "x")["attempt"], 1);
}

TEST_F(Review, ABrowserSendsTheSame) {
  const Browser browser(world);
  const Json comment{{"path", "src/x.py"}, {"line", 2}, {"text", "why 1?"}};
  Json call{{"agents", {"y"}}, {"reviewed", "x"}, {"review", Json::array({comment})}};
  call["review"][0]["line"] = 9;
  const auto refused = browser.post("/v1/races/" + race + "/retry", call);
  EXPECT_EQ(refused.status, 400) << refused.body;
  EXPECT_THAT(refused.body, HasSubstr("review[0]"));
  call["review"][0]["line"] = 2;
  const auto begun = browser.post("/v1/races/" + race + "/retry", call);
  ASSERT_EQ(begun.status, 200) << begun.body;
  EXPECT_EQ(begun.json()["agents"][0]["attempt"], 2);
  world.hydra({"watch", race});
  EXPECT_THAT(told("y"), HasSubstr("A person has read another change"));
  EXPECT_THAT(told("y"), HasSubstr("why 1?"));
  EXPECT_EQ(agent_of(world.results(), "x")["attempt"], 1);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
