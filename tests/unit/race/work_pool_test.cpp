#include "race/work_pool.hpp"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hydra::race
