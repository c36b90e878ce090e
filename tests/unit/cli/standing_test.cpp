#include "cli/standing.hpp"

#include <gmock/gmock.h>

namespace hydra::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

wire::RaceRow raced(model::RacePhase state, const std::string& winner) {
  wire::RaceRow row;
  row.race = "01abc";
  row.task = "a task";
  row.state = state;
  row.repository = "/r";
  row.winner = winner;
  row.agents = {"a"};
  return row;
}

TEST(Standing, TheNextStepFollowsFromWhatIsThere) {
  Standing s;
  EXPECT_EQ(next_step(s).first, "hydra init");
  s.config = "hydra.toml";
  EXPECT_EQ(next_step(s).first, "hydra agents");
  s.ready = {"a"};
  EXPECT_THAT(next_step(s).first, HasSubstr("hydra race"));
  s.last = raced(model::RacePhase::running, "");
  EXPECT_EQ(next_step(s).first, "hydra watch");
  s.last = raced(model::RacePhase::done, "a");
  EXPECT_EQ(next_step(s).first, "hydra merge");
  s.merged = "a";
  EXPECT_THAT(next_step(s).first, HasSubstr("hydra race"));
  s.complaints = {"hydra.toml:1:1: wrong"};
  EXPECT_EQ(next_step(s).first, "hydra config check");
}

TEST(Standing, ForeignTextIsMadeSafe) {
  Standing s;
  s.repository = "/r\x1b[2J";
  s.last = raced(model::RacePhase::done, "a\x1b]0;t\x07");
  s.last->task = "line\nline\x1b[A";
  const auto text = standing_text(s, Style{});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("Last race"));
}

}  // namespace
}  // namespace hydra::cli
