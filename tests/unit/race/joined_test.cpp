#include "race/joined.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Runs end when the test says so; each answers with its number.
class Joining : public ::testing::Test {
 protected:
  void ask(const std::string& key, const std::string& who) {
    joined_.ask(
        key,
        [this](const Joined<int>::Then& then) {
          ++begun_;
          runs_.push_back([then, number = begun_] { then(number); });
        },
        [this, who](int number) { answers_.push_back(who + std::to_string(number)); });
  }
  void end_one() {
    const auto run = runs_.front();
    runs_.pop_front();
    run();
  }

  Joined<int> joined_;
  int begun_ = 0;
  std::deque<std::function<void()>> runs_;
  std::vector<std::string> answers_;
};

TEST_F(Joining, WhoAsksDuringARunSharesTheNextOne) {
  ask("r", "a");
  ask("r", "b");
  ask("r", "c");
  EXPECT_EQ(begun_, 1) << "what b and c ask about may have changed since, so they don't get a's answer";
  end_one();
  EXPECT_THAT(answers_, ElementsAre("a1"));
  EXPECT_EQ(begun_, 2);
  end_one();
  EXPECT_THAT(answers_, ElementsAre("a1", "b2", "c2"));
  EXPECT_THAT(runs_, IsEmpty());
}

TEST_F(Joining, AfterTheLastAnswerARunBeginsAtOnce) {
  ask("r", "a");
  end_one();
  ask("r", "b");
  ask("other", "c");
  EXPECT_EQ(begun_, 3);
  end_one();
  end_one();
  EXPECT_THAT(answers_, ElementsAre("a1", "b2", "c3"));
}

}  // namespace
}  // namespace hydra::race
