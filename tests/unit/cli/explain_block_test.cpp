#include "cli/render/explain_block.hpp"

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

TEST(ExplainBlock, SaysWhatNoPointSays) {
  const json answer{{"agent", "a"},
                    {"flags", {"symlink_outside:away", "worktree_removed"}},
                    {"warnings", {"2 commits by the agent"}},
                    {"branch_refused", "fsck: a\x1b[2J bad tree"},
                    {"leaked_processes", 3},
                    {"left_out", {{{"path", ".GIT/config"}, {"bytes", 2}, {"reason", "refused by git"}}}}};
  const auto text = explain_block(answer.dump(), Style{});
  ASSERT_TRUE(text.ok());
  for (const char* line : {"symlink outside: away\n", "worktree removed\n", "2 commits by the agent\n",
                           "No branch: fsck: a bad tree\n", "Processes that it left running, ended: 3\n",
                           "Left out: .GIT/config (refused by git)\n"})
    EXPECT_THAT(*text, HasSubstr(line));
}

TEST(ExplainBlock, SaysWhyACheckWasNotStarted) {
  const json run{{"purpose", "as captured"},     {"status", "not_started"},
                 {"command", "npm test"},        {"isolation", "none"},
                 {"attempt", "r/codex/setup/1"}, {"message", "set-up ended with exit code 1"}};
  const json answer{{"agent", "codex"},
                    {"dimensions", {{{"dimension", "tests"}, {"status", "failed"}, {"runs", {run}}}}}};
  const auto text = explain_block(answer.dump(), Style{});
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("as captured: not started\n        command: npm test\n        log: "
                               "r/codex/setup/1\n        set-up ended with exit code 1\n"));
}

}  // namespace
}  // namespace hydra::cli
