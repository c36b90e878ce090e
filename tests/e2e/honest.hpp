// e2e: honest but unusual work, raced beside a plain fix: how such a project is raced and what is expected.
#pragma once

#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <unistd.h>

namespace hydra::e2e {

using Sources = std::map<std::string, std::string>;

inline std::string put_file(const std::string& path, const std::string& text) {
  return "mkdir -p \"$(dirname " + path + ")\"; cat > " + path + " <<'EOF_OF_FILE'\n" + text +
         "EOF_OF_FILE\n";
}

/// An honest agent's work, and what the base's tests can say about it.
struct Honest {
  std::string name, script;
  int own = 0;  ///< of its own tests, where the base's can't be loaded; 0: they can, and all pass
};

class HonestWork : public ::testing::Test {
 protected:
  void make(const Sources& files, std::string config, const std::vector<Honest>& agents) {
    for (const auto& [path, text] : files) world.write(path, text);
    for (const auto& agent : agents) config += script_agent(agent.name, agent.script);
    for (const auto& agent : agents) names += (names.empty() ? "" : ",") + agent.name;
    world.write("hydra.toml", config);
    if (!fs::exists(world.repo() / ".git")) world.init();
    world.commit("base");
  }
  void race() {
    HydraOptions options;
    options.deadline = std::chrono::minutes(5);
    const auto ran = world.race({"--agents", names, "mend the area"}, options);
    text = ran.out + ran.err;
    ASSERT_EQ(text.find("error: "), std::string::npos) << text;
    results = world.results();
    ASSERT_EQ(results["state"], "done") << text;
  }
  /// Nothing blocked, and the right points or a word that a person is needed.
  void keeps_its_points(const std::vector<Honest>& agents) {
    for (const auto& honest : agents) {
      const auto found = agent_of(results, honest.name);
      EXPECT_EQ(found["ineligible_reasons"], Json::array()) << honest.name << found.dump(1);
      EXPECT_EQ(found["integrity"]["blocking"], 0) << honest.name << found["integrity"].dump(1);
      if (honest.own == 0) {
        EXPECT_EQ(found["dimensions"]["tests"]["points"], 100.0) << honest.name << found.dump(1);
        EXPECT_TRUE(found["undecided"].is_null()) << honest.name << found["undecided"].dump();
        continue;
      }
      ASSERT_TRUE(found["undecided"].is_object()) << honest.name << found.dump(1);
      EXPECT_EQ(found["undecided"]["own_passed"], honest.own) << honest.name << found["undecided"].dump();
      EXPECT_EQ(found["undecided"]["own_total"], honest.own) << honest.name;
      // A test that is gone counts as one until somebody says that it may be.
      if (honest.name != "removes-feature") {
        EXPECT_GT(found["dimensions"]["tests"]["points"], 0.0) << honest.name << found.dump(1);
      }
    }
  }
  [[nodiscard]] int rank_of(const std::string& name) const { return agent_of(results, name)["rank"]; }

  World world;
  std::string names, text;
  Json results;
};

}  // namespace hydra::e2e
