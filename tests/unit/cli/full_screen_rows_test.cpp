// Which agents of a race have a row on a terminal of few lines, and what is said of the others.
#include "cli/tui/model.hpp"
#include "cli/tui/pages.hpp"
#include "cli/tui/view.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace hydra::cli::tui {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Model screen_of(std::size_t rows, int agents) {
  json status{{"race", "01jx4kabcd"},
              {"task", "a task"},
              {"state", "running"},
              {"elapsed_ms", 1000},
              {"agents", json::array()}};
  for (int i = 0; i < agents; ++i)
    status["agents"].push_back({{"agent", "agent-" + std::to_string(i)}, {"state", "running"}});
  Model model;
  model.race = "01jx4kabcd";
  resize(model, {rows, 80});
  take_status(model, *wire::from_json<wire::Status>(status.dump()), 1000);
  return model;
}

std::string text_on(const Model& model) {
  std::string out;
  for (const auto& row : view(model, 1000).rows) out += text_of(row) + "\n";
  return out;
}

TEST(FullScreenRows, AHigherTerminalShowsNoFewerAgents) {
  for (const int agents : {1, 3, 4})
    for (std::size_t rows = 10; rows <= 24; ++rows)
      for (int i = 0; i < agents; ++i)
        EXPECT_THAT(text_on(screen_of(rows, agents)), HasSubstr(" agent-" + std::to_string(i))) << rows;
}

TEST(FullScreenRows, AgentsAboveAreCountedToo) {
  auto model = screen_of(16, 40);
  EXPECT_THAT(text_on(model), HasSubstr("and 30 more"));
  press(model, "G");
  EXPECT_THAT(text_on(model), HasSubstr("> agent-39"));
  EXPECT_THAT(text_on(model), HasSubstr("and 30 more"));
  EXPECT_THAT(text_on(screen_of(16, 3)), Not(HasSubstr("more")));
}

TEST(FullScreenRows, TheProgressIsNotCutWithin80Columns) {
  auto model = screen_of(24, 12);
  model.usual_ms = 1;
  model.usual_of = 20;
  EXPECT_THAT(text_on(model), HasSubstr("99 %, longer than usual (20 earlier), 12 running"));
}

}  // namespace
}  // namespace hydra::cli::tui
