// Inspection of a candidate, and of inputs taken before the first agent starts.
#include "base/files.hpp"
#include "checks/gating.hpp"
#include "race/checks/hidden.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace hydra::race {
namespace {

using ::testing::HasSubstr;

TEST(Inspecting, AFailedLookIsNoCleanOne) {
  const Error broke{Errc::git, "git broke", {}, {}};
  EXPECT_EQ(checks::or_not_inspected(broke, "c").commit, "c");
  EXPECT_THAT(checks::or_not_inspected(broke, "c").error, HasSubstr("git broke"));
}

// In the agents' own directories hidden tests would lie open.
TEST(Inspecting, HiddenTestsAreNotForChecksInPlace) {
  std::string pattern = "/tmp/hydra-inspecting-XXXXXX";
  const fs::path root = ::mkdtemp(pattern.data());
  ASSERT_TRUE(make_dirs(root / "repo", 0700).ok());
  ASSERT_TRUE(make_dirs(root / "hidden", 0700).ok());
  ASSERT_TRUE(write_file(root / "hidden" / "test_h.py", "pass\n", 0600).ok());
  model::Config config;
  config.evaluation.hidden = (root / "hidden").string();
  model::RepositoryFacts facts;
  facts.root = (root / "repo").string();
  EXPECT_TRUE(take_hidden(config, facts, root / "taken").ok());
  config.workspace.checks = model::CheckPlace::in_place;
  const auto refused = take_hidden(config, facts, root / "again");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("own directories"));
  EXPECT_FALSE(fs::exists(root / "again"));
  (void)remove_tree(root);
}

}  // namespace
}  // namespace hydra::race
