#include "scoring/task_kind.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace hydra::scoring {
namespace {

TEST(TaskKind, TheFirstRowOfTheTableThatFitsDecides) {
  for (const auto& [task, kind] : {std::pair{"Fix the crash in the parser", "bugfix"},
                                   {"implement JWT auth", "feature"},
                                   {"Fix a typo in the README", "docs"},
                                   {"Add tests for the parser", "tests"},
                                   {"make the search faster", "performance"},
                                   {"Refactor the fixtures", "refactor"},
                                   {"fix issue 42", "bugfix"},
                                   {"Update dependencies", "other"},
                                   {"prefix all names", "other"},
                                   {"", "other"}})
    EXPECT_EQ(task_kind(task), kind) << task;
}

}  // namespace
}  // namespace hydra::scoring
