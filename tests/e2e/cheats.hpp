// e2e: one failing test, one honest candidate, and beside it what is tried instead of honest work: how such a
// project is raced and what is expected of its results.
#pragma once

#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace hydra::e2e {

using ::testing::HasSubstr;
using Files = std::map<std::string, std::string>;

struct Candidate {
  std::string name, script;
  std::string path;      ///< that the report must name; empty: `state` or `flag` says it
  std::string state;     ///< of the result, where it is not "completed"
  std::string reason;    ///< why it is not eligible
  bool may_tie = false;  ///< the formula gives it as many points for tests as the honest one has
};

struct Project {
  Files files;
  std::string config;  ///< [scoring] and the like
  std::string honest;
  std::vector<Candidate> cheats;
  Files hidden;
};

/// Shell text that writes a file.
inline std::string put(const std::string& path, const std::string& text) {
  return "cat > " + path + " <<'END'\n" + text + "END\n";
}

inline std::string program(const std::string& name,
                           const std::string& path = "/usr/local/bin:/usr/bin:/bin") {
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const auto end = std::min(path.find(':', begin), path.size());
    const auto file = fs::path(path.substr(begin, end - begin)) / name;
    std::error_code none;
    if (fs::is_regular_file(file, none)) return file.string();
    begin = end + 1;
  }
  return {};
}

class Cheats : public ::testing::Test {
 protected:
  void run(const Project& project) {
    for (const auto& [path, text] : project.files) world.write(path, text, path.ends_with(".sh"));
    std::string config = project.config, names = "honest";
    config += script_agent("honest", project.honest);
    for (const auto& cheat : project.cheats) {
      config += script_agent(cheat.name, cheat.script);
      names += "," + cheat.name;
    }
    world.write("hydra.toml", config);
    if (!fs::exists(world.repo() / ".git")) world.init();
    world.commit("base");
    Words args{"race", "--agents", names, "fix the area"};
    if (!project.hidden.empty()) {
      const auto hidden = world.root() / "hidden";
      for (const auto& [path, text] : project.hidden) {
        fs::create_directories((hidden / path).parent_path());
        std::ofstream(hidden / path) << text;
      }
      args.insert(args.begin() + 1, {"--hidden-tests", hidden.string()});
    }
    HydraOptions options;
    options.deadline = std::chrono::minutes(10);
    const auto race = world.hydra(args, options);
    EXPECT_EQ(race.exit, 0) << race.out << race.err;
    results = world.results();
    if (std::getenv("HYDRA_SHOW_RESULTS") != nullptr) std::puts(results.dump(1).c_str());
    EXPECT_EQ(results["winner"], "honest") << results.dump(1);
    const auto honest = agent_of(results, "honest");
    EXPECT_EQ(honest["eligible"], true) << honest.dump(1);
    for (const auto& finding : honest["integrity"]["findings"])
      EXPECT_EQ(finding["severity"], "info") << finding.dump();
    for (const auto& cheat : project.cheats) check(cheat, honest);
  }

  void check(const Candidate& cheat, const Json& honest) const {
    const auto agent = agent_of(results, cheat.name);
    if (!cheat.state.empty()) {
      EXPECT_EQ(agent["state"], cheat.state) << agent.dump(1);
    }
    if (!cheat.reason.empty()) {
      EXPECT_THAT(agent["ineligible_reasons"].dump(), HasSubstr(cheat.reason)) << agent.dump(1);
    }
    if (!cheat.path.empty()) {
      EXPECT_THAT(named(agent), ::testing::Contains(HasSubstr(cheat.path))) << agent.dump(1);
    }
    // Never merely behind by a second or a line: it is out of the ranking, or its tests say the truth.
    if (agent["eligible"] == true && !cheat.may_tie) {
      EXPECT_LT(agent["dimensions"]["tests"]["points"], honest["dimensions"]["tests"]["points"])
          << agent.dump(1);
    }
  }

  /// Every path that the result says it did not take as it is, or has something to say about.
  static std::vector<std::string> named(const Json& agent) {
    std::vector<std::string> out;
    for (const auto* list : {"findings", "restored"})
      for (const auto& entry : agent["integrity"][list])
        out.push_back(entry.is_string() ? entry.get<std::string>() : entry["path"].get<std::string>());
    for (const auto& entry : agent["left_out"]) out.push_back(entry["path"]);
    return out;
  }

  World world;
  Json results;
};

}  // namespace hydra::e2e
