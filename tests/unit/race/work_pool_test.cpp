#include "race/work_pool.hpp"

#include "race/offloaded.hpp"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace hydra::race {
namespace {

TEST(WorkPool, WorkThatThrowsDoesNotEndTheThread) {
  int ran = 0;
  {
    WorkPool pool(1);
    boost::asio::post(pool, [] { throw std::runtime_error("no thread can be started"); });
    boost::asio::post(pool, [&] { ++ran; });
    pool.join();
  }
  EXPECT_EQ(ran, 1);
}

// A step whose work throws has an answer: without it the race would wait for its command until a restart.
TEST(Offloaded, WorkThatThrowsIsAnErrorOfItsAnswer) {
  std::vector<std::string> answers;
  const auto note = [&](const auto& made) { answers.push_back(made.ok() ? "" : made.error().message); };
  std::vector<std::unique_ptr<Offloaded>> jobs;
  jobs.push_back(offloaded([]() -> Result<int> { throw std::runtime_error("a"); },
                           [&](const Result<int>& made) { note(made); }));
  jobs.push_back(offloaded([]() -> int { throw std::runtime_error("b"); },
                           [&](const Result<int>& made) { note(made); }));
  jobs.push_back(
      offloaded([] { throw std::runtime_error("c"); }, [&](const Result<void>& made) { note(made); }));
  jobs.push_back(offloaded([] { throw std::runtime_error("d"); }, [&] { answers.emplace_back("done"); }));
  for (const auto& job : jobs) job->work(), job->done();
  const std::string failed = "work in the background failed: ";
  EXPECT_EQ(answers, (std::vector<std::string>{failed + "a", failed + "b", failed + "c", "done"}));
}

}  // namespace
}  // namespace hydra::race
