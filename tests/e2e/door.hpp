// Fixture that the tests of the scoreboard's listener share.
#pragma once

#include "support/contract.hpp"
#include "support/http.hpp"

#include <gtest/gtest.h>

namespace hydra::e2e {

inline const Headers kJson{{"Content-Type", "application/json"}};

inline Headers operator+(Headers a, const Headers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline Headers without(Headers headers, const std::string& name) {
  std::erase_if(headers, [&](const auto& header) { return header.first == name; });
  return headers;
}

/// A race that has ended, for a browser that looks at it.
class Door : public ::testing::Test {
 protected:
  Door() {
    world.project(script_agent("a", "echo fine >> src/app.txt") +
                  "[scoring]\ntest_command = \"printf 'ok 1 - one\\nok 2 - two\\n1..2\\n'\"\n");
    race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
    EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  }
  World world;
  std::string race;
};

}  // namespace hydra::e2e
