#include "race/endings.hpp"

#include <gtest/gtest.h>

namespace hydra::race {
namespace {

exec::JobResult ended(exec::End end, int code = 0) {
  exec::JobResult result;
  result.end = end;
  result.code = code;
  return result;
}

TEST(Endings, ALimitIsNamedByItsKey) {
  model::Config config;
  config.scoring.timeout_per_check_seconds = 0.5;
  const auto late = ended(exec::End::timed_out);
  for (const auto* kind : {"build", "tests", "lint"})
    EXPECT_EQ(over_time(config, kind, late), "longer than 0.5 s ([scoring] timeout_per_check_seconds)")
        << kind;
  for (const auto* kind : {"setup", "template", "warm"})
    EXPECT_EQ(over_time(config, kind, late),
              "longer than 2.5 s, five times [scoring] timeout_per_check_seconds")
        << kind;
  EXPECT_EQ(over_time(config, "tests", ended(exec::End::exited, 1)), "");
  EXPECT_EQ(how_it_ended(config, "the set-up", "setup", late),
            "the set-up took longer than 2.5 s, five times [scoring] timeout_per_check_seconds");
}

TEST(Endings, TheRestIsSaidAsItIs) {
  const model::Config config;
  EXPECT_EQ(how_it_ended(config, "set-up", "setup", ended(exec::End::exited, 3)),
            "set-up ended with exit code 3");
  auto killed = ended(exec::End::signaled);
  killed.message = "more than 5 bytes of memory";
  EXPECT_EQ(how_it_ended(config, "set-up", "setup", killed), "set-up signaled: more than 5 bytes of memory");
}

}  // namespace
}  // namespace hydra::race
