#include "race/limits/repository_locks.hpp"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

namespace hydra::race {
namespace {

class RepositoryLocksTest : public ::testing::Test {
 protected:
  /// Runs the loop until `done`, or a minute has passed.
  template <class Done>
  bool run_until(Done done) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!done() && std::chrono::steady_clock::now() < until) {
      loop.restart();
      loop.run_one_for(std::chrono::milliseconds(50));
    }
    return done();
  }
  /// Notes `name` on the loop when its blocking work has ended, which waits for `gate`.
  void turn(const std::string& repository, const std::string& name, std::shared_future<void> gate = {}) {
    locks.take(repository, name, [this, repository, name, gate](RepositoryLocks::Held held) {
      begun.push_back(name);
      locks.post(
          repository,
          [gate] {
            if (gate.valid()) gate.wait();
          },
          [this, name, held] { ended.push_back(name); });
    });
  }
  boost::asio::io_context loop;
  RepositoryLocks locks{loop};
  std::vector<std::string> begun, ended;
};

TEST_F(RepositoryLocksTest, OneThatHangsHoldsUpItsOwnRepositoryOnly) {
  std::promise<void> hook;
  turn("/a", "first", hook.get_future().share());
  turn("/a", "second");
  turn("/b", "other");
  EXPECT_TRUE(run_until([&] { return ended == std::vector<std::string>{"other"}; }));
  EXPECT_EQ(begun, (std::vector<std::string>{"first", "other"}));
  EXPECT_EQ(locks.working(), 1u);
  hook.set_value();
  EXPECT_TRUE(run_until([&] { return ended.size() == 3; }));
  EXPECT_EQ(ended, (std::vector<std::string>{"other", "first", "second"}));
}

TEST_F(RepositoryLocksTest, WhoHasTheTurnIsNamedUntilItIsOver) {
  EXPECT_EQ(locks.holder("/a"), "");
  std::promise<void> hook;
  turn("/a", "the merge of r/x", hook.get_future().share());
  turn("/a", "the merge of r/y");
  EXPECT_EQ(locks.holder("/a"), "the merge of r/x");
  EXPECT_EQ(locks.holder("/b"), "");
  hook.set_value();
  EXPECT_TRUE(run_until([&] { return locks.holder("/a") == "the merge of r/y"; }));
  EXPECT_TRUE(run_until([&] { return locks.holder("/a").empty(); }));
}

// A merge whose thread runs out of memory is answered: its client would wait until the daemon ends.
TEST_F(RepositoryLocksTest, WorkThatThrowsIsAnsweredAndUnlocks) {
  std::string problem;
  locks.take("/a", "broken", [&](const RepositoryLocks::Held& held) {
    locks.post(
        "/a", []() -> int { throw std::runtime_error("no memory"); },
        [&problem, held](const Result<int>& made) { problem = made.ok() ? "none" : made.error().message; });
  });
  turn("/a", "next");
  EXPECT_TRUE(run_until([&] { return ended.size() == 1; }));
  EXPECT_EQ(problem, "work in the background failed: no memory");
  EXPECT_EQ(locks.working(), 0u);
}

TEST_F(RepositoryLocksTest, ATurnMayEndWithoutAnyWork) {
  locks.take("/a", "refused", [](const RepositoryLocks::Held&) {});
  EXPECT_TRUE(run_until([&] { return locks.holder("/a").empty(); }));
  turn("/a", "next");
  EXPECT_TRUE(run_until([&] { return ended.size() == 1; }));
}

}  // namespace
}  // namespace hydra::race
