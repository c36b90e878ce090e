// The worked example of docs/scoring.md, read from the document.
#include "base/strings.hpp"
#include "scoring/engine.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace hydra::scoring {
namespace {

TEST(Document, WorkedExampleHolds) {
  std::ifstream in(places::source("/docs/scoring.md"));
  ASSERT_TRUE(in);
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    const auto cells = split(line, '|');
    if (cells.size() != 10 || trim(cells[1]) == "agent" || trim(cells[1]).starts_with("--")) continue;
    model::ScoreBreakdown b;
    for (std::size_t d = 0; d < b.dimensions.size(); ++d) {
      const auto cell = trim(cells[d + 2]);
      b.dimensions[d].status =
          cell == "--" ? model::DimensionStatus::skipped : model::DimensionStatus::scored;
      if (cell != "--") b.dimensions[d].points = std::stod(std::string(cell));
    }
    const double points = composite(b, model::Weights{});
    EXPECT_DOUBLE_EQ(points, std::stod(std::string(trim(cells[7])))) << line;
    EXPECT_EQ(format_score(points), trim(cells[8])) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 3);
}

}  // namespace
}  // namespace hydra::scoring
