#include "race/work_pool.hpp"

#include "race/offloaded.hpp"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

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
TEST(Offloaded, WorkThatThrowsIsAnErrorOfItsResult) {
  std::optional<Error> answer;
  const auto job = offloaded([]() -> Result<int> { throw std::runtime_error("no memory"); },
                             [&](const Result<int>& made) { answer = made.error(); });
  EXPECT_EQ(job->work(), Worked::done);
  job->done();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->code, Errc::internal);
  EXPECT_NE(answer->message.find("no memory"), std::string::npos);
}

TEST(Offloaded, WorkThatThrowsOnceIsRunAgain) {
  int runs = 0, answer = 0;
  const auto job = offloaded(
      [&] {
        if (++runs == 1) throw std::runtime_error("no thread");
        return 7;
      },
      [&](int made) { answer = made; });
  EXPECT_EQ(job->work(), Worked::again);
  EXPECT_EQ(job->work(), Worked::done);
  job->done();
  EXPECT_EQ(answer, 7);
}

TEST(Offloaded, WorkWithoutAResultThatThrowsIsDone) {
  int done = 0;
  const auto job = offloaded([] { throw std::runtime_error("no thread"); }, [&] { ++done; });
  EXPECT_EQ(job->work(), Worked::done);
  job->done();
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace hydra::race
