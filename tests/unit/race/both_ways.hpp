// Steps of a race in unit tests: what reduce() asks a few agents for must be what asking all of them gives.
#pragma once

#include "race/state/state.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hydra::race {

inline std::vector<Command> reduce_both_ways(State& state, const model::Event& event) {
  auto whole = state;
  apply(whole, event);
  const auto expected = resume(whole);
  auto commands = reduce(state, event);
  EXPECT_TRUE(commands == expected) << "behind event " << event.id << ", " << model::kind(event.body);
  EXPECT_TRUE(state.issued == whole.issued) << "behind event " << event.id << ", " << model::kind(event.body);
  return commands;
}

}  // namespace hydra::race
