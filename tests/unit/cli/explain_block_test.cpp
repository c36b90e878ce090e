#include "cli/explain_block.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hydra::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::string shown(std::int64_t more) {
  const json answer{{"agent", "a"},
                    {"integrity",
                     {{"restored", {{{"path", "tests/test_a.py"}, {"how", "base"}, {"reason", "test file"}}}},
                      {"unrestored", {"CMakeLists.txt"}},
                      {"more_restored", more},
                      {"findings", json::array()}}}};
  auto text = explain_block(answer.dump(), Style{});
  EXPECT_TRUE(text.ok());
  return text.ok() ? *text : std::string();
}

// docs/integrity.md, "integrity": rows of both lists beyond 500 each are counted.
TEST(ExplainBlock, SaysHowManyRestoredPathsItDoesNotShow) {
  EXPECT_THAT(shown(1234567), HasSubstr("and 1234567 more of both"));
  EXPECT_THAT(shown(0), Not(HasSubstr("more of both")));
}

}  // namespace
}  // namespace hydra::cli
