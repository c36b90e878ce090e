// e2e: one race of scripted agents in a small project.
#pragma once

#include "support/world.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hydra::e2e {

using ProjectFiles = std::map<std::string, std::string>;

/// Commits the files and races the scripts, by their agents' names, with more options; returns the results.
inline Json scripted_race(World& world, const ProjectFiles& files, std::string config,
                          const std::vector<std::pair<std::string, std::string>>& agents,
                          const Words& more = {}) {
  std::string names;
  for (const auto& [path, body] : files) world.write(path, body, path.ends_with(".sh"));
  for (const auto& [name, script] : agents) {
    config += script_agent(name, script);
    names += (names.empty() ? "" : ",") + name;
  }
  world.write("hydra.toml", config);
  world.init();
  world.commit("base");
  Words words{"race", "--agents", names, "fix the area"};
  words.insert(words.begin() + 1, more.begin(), more.end());
  HydraOptions options;
  options.deadline = std::chrono::minutes(5);
  const auto done = world.hydra(words, options);
  EXPECT_EQ(done.exit, 0) << done.out << done.err;
  return world.results();
}

}  // namespace hydra::e2e
