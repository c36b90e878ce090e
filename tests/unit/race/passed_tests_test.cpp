#include "race/state/passed_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hydra::race {
namespace {

using model::TestStatus;
using ::testing::UnorderedElementsAre;

PassedTests run_of(model::TestList tests) { return {false, std::move(tests), {}}; }

TEST(PassedTests, ANamePassesIfAllItsTestsDo) {
  const auto run = run_of({{"both", TestStatus::passed},
                           {"both", TestStatus::passed},
                           {"one", TestStatus::passed},
                           {"one", TestStatus::failed},
                           {"alone", TestStatus::passed}});
  EXPECT_THAT(run.passing(), UnorderedElementsAre("both", "alone"));
  EXPECT_FALSE(run.passes("one"));
  EXPECT_THAT(passing_only_in(run, run_of({{"alone", TestStatus::passed}})), UnorderedElementsAre("both"));
}

}  // namespace
}  // namespace hydra::race
