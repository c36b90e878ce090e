// e2e: one failing test, one honest candidate, and beside it what is tried instead of honest work: how such a
// project is raced and what is expected of its results.
#pragma once

#include "support/machine.hpp"
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
  std::string path;      ///< that the report must name where its points do not say it
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

/// Cheats in the order of docs/integrity.md: the first word of a candidate's name, and what it means.
inline const std::vector<std::pair<std::string, std::string>> kCheats{
    {"delete", "delete the test"},
    {"skip", "skip it"},
    {"edit", "edit its assertion"},
    {"deselect", "deselect it by configuration"},
    {"hook", "a runner hook that turns failures green"},
    {"exit", "a forced exit after a fake summary"},
    {"forge", "forged report files"},
    {"script", "a changed check script"},
    {"shadow", "shadowed tools on the path"},
    {"later", "a background process that edits after the exit"},
    {"old", "old times on changed files"},
    {"ignored", "files forced into ignored directories"},
    {"bytecode", "unchecked byte code, or what is built, beside a broken source"},
    {"warm", "a deleted test with warm build outputs"},
    {"data", "test data of equal size and time"},
    {"unchanged", "no change"},
    {"blank", "white space only"},
    {"many", "5,000 trivial tests"},
    {"special", "special cases, against hidden tests"},
    {"patch", "assertions that are replaced or equal everything"},
    {"source", "the runner from another place"},
    {"build", "a build that rewrites the tests"},
    {"undo", "a build or test run that rewrites them and puts them back"},
    {"installed", "a build that replaces installed programs"}};

/// A runner of the matrix: a project and for each of kCheats a candidate or more, or why it has none.
struct Runner {
  std::string name;
  Project project;
  std::map<std::string, std::string> no_meaning;  ///< by cheat
};

/// Shell text that writes a file.
inline std::string put(const std::string& path, const std::string& text) {
  return "cat > " + path + " <<'END'\n" + text + "END\n";
}

/// Shell text that puts lines in front of a file.
inline std::string before(const std::string& path, const std::string& text) {
  return "cat - " + path + " > before.tmp <<'END'\n" + text + "END\nmv before.tmp " + path + "\n";
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

/// "${name}" would be a placeholder of the agent's command.
inline std::string literal(std::string script) {
  for (auto at = script.find("${"); at != std::string::npos; at = script.find("${", at + 3))
    script.replace(at, 2, "${{");
  return script;
}

class Cheats : public ::testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }
  /// In the user's checkout, before there is anything in it.
  void prepare(const Words& command) {
    world.init();
    Process process(command, world.repo(), world.environment());
    const auto done = process.wait(std::chrono::minutes(5));
    ASSERT_EQ(done.exit, 0) << done.out << done.err;
  }

  void run(const Project& project) {
    for (const auto& [path, text] : project.files) world.write(path, text, path.ends_with(".sh"));
    std::string config = project.config, names = "honest";
    config += script_agent("honest", project.honest);
    for (const auto& cheat : project.cheats) {
      config += script_agent(cheat.name, literal(cheat.script));
      names += "," + cheat.name;
    }
    // The builds of all candidates on a loaded machine may use up the time of verification, whose limit other
    // tests are about.
    config += "[evaluation]\nbudget = 100\n";
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
    options.deadline = std::chrono::minutes(20);
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
    // By which mechanism it loses is not the matter, as long as it is one.
    if (!cheat.reason.empty() && cheat.reason != "tampered") {
      EXPECT_THAT(agent["ineligible_reasons"].dump(), HasSubstr(cheat.reason)) << agent.dump(1);
    }
    // A cheat with as many points as the honest result is at least told of.
    const auto& points = agent["dimensions"]["tests"]["points"];
    if (!cheat.path.empty() && agent["eligible"] == true &&
        points >= honest["dimensions"]["tests"]["points"]) {
      EXPECT_THAT(named(agent), ::testing::Contains(HasSubstr(cheat.path))) << agent.dump(1);
    }
    // Never merely behind by a second or a line: it is out of the ranking, or its tests say the truth.
    if (agent["eligible"] == true && !cheat.may_tie) {
      EXPECT_LT(points, honest["dimensions"]["tests"]["points"]) << agent.dump(1);
    }
  }

  /// Every path that the result says it did not take as it is, or has something to say about.
  static std::vector<std::string> named(const Json& agent) {
    std::vector<std::string> out;
    for (const auto* list : {"findings", "restored", "unrestored"})
      for (const auto& entry : agent["integrity"][list])
        out.push_back(entry.is_string() ? entry.get<std::string>() : entry["path"].get<std::string>());
    for (const auto& entry : agent["left_out"]) out.push_back(entry["path"]);
    return out;
  }

  World world;
  Json results;
};

}  // namespace hydra::e2e
