// Many races together: attempts, the history, the leaderboard, exports.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// The second attempt of `mixed` does what is asked for; the others leave something that the tests refuse.
const std::string kEntries =
    "[scoring]\ntest_command = \"! grep -q wrong src/app.txt\"\n" +
    script_agent("good", "echo fine >> src/app.txt") + script_agent("bad", "echo wrong >> src/app.txt") +
    script_agent(
        "mixed",
        "case $HYDRA_RUN_ID in *#2/*) echo fine >> src/app.txt;; *) echo wrong >> src/app.txt;; esac");

class League : public ::testing::Test {
 protected:
  Json json(const Words& args, int exit = 0) const {
    const auto run = world.hydra(args);
    EXPECT_EQ(run.exit, exit) << run.out << run.err;
    auto parsed = Json::parse(run.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << run.out;
    return parsed;
  }
  void race(const Words& more) const {
    Words args{"--json"};
    args.insert(args.end(), more.begin(), more.end());
    EXPECT_NE(world.race(args).exit, -1);
  }
  static std::vector<Json> lines_of(const std::string& text) {
    std::vector<Json> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) all.push_back(Json::parse(line));
    return all;
  }
  /// The history's row of `hydra doctor --repair`.
  [[nodiscard]] std::string rebuilt() const {
    const auto doctor = Json::parse(world.hydra({"doctor", "--repair", "--json"}).out, nullptr, false);
    for (const auto& check : doctor.value("checks", Json::array()))
      if (check["name"] == "history") return check["detail"];
    return doctor.dump();
  }
  World world;
};

TEST_F(League, EachAttemptIsScoredAloneAndTheBestOneCounts) {
  world.project(kEntries);
  race({"--agents", "bad,mixed", "--attempts", "3", "task"});
  const auto results = world.results();
  std::vector<std::string> names;
  for (const auto& agent : results["agents"]) names.push_back(agent["agent"]);
  EXPECT_THAT(names, UnorderedElementsAre("bad#1", "bad#2", "bad#3", "mixed#1", "mixed#2", "mixed#3"));
  EXPECT_EQ(agent_of(results, "mixed#2")["entry"], "mixed");
  EXPECT_EQ(agent_of(results, "mixed#2")["dimensions"]["tests"]["points"], 100.0);
  ASSERT_EQ(results["entries"].size(), 2u);
  const auto& best = results["entries"][0];
  EXPECT_EQ(best["entry"], "mixed");
  EXPECT_EQ(best["best_attempt"], "mixed#2");
  EXPECT_EQ(best["attempts"], 3);
  EXPECT_EQ(best["best"], agent_of(results, "mixed#2")["composite"]);
  EXPECT_NEAR(best["success_rate"].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_EQ(results["entries"][1]["success_rate"], 0.0);
  double mean = 0, squares = 0;
  for (const auto* name : {"mixed#1", "mixed#2", "mixed#3"})
    mean += agent_of(results, name)["composite"].get<double>() / 3;
  for (const auto* name : {"mixed#1", "mixed#2", "mixed#3"})
    squares += std::pow(agent_of(results, name)["composite"].get<double>() - mean, 2) / 3;
  EXPECT_NEAR(best["mean"].get<double>(), mean, 1e-9);
  EXPECT_NEAR(best["deviation"].get<double>(), std::sqrt(squares), 1e-9);
  // Every verb names an attempt so.
  EXPECT_EQ(results["winner"], "mixed#2");
  EXPECT_THAT(world.hydra({"results"}).out, HasSubstr("mixed#2)   1 of 3 succeeded"));
  EXPECT_THAT(world.hydra({"diff", "mixed#2"}).out, HasSubstr("+fine"));
  EXPECT_EQ(world.hydra({"logs", "mixed#2"}).exit, 0);
  EXPECT_EQ(json({"explain", "mixed#2", "--json"})["agent"], "mixed#2");
  EXPECT_EQ(world.hydra({"merge", "mixed#2"}).exit, 0);
  EXPECT_THAT(world.read("src/app.txt"), HasSubstr("fine"));
  // The history knows of the merge, too.
  const auto records = lines_of(world.hydra({"export"}).out);
  ASSERT_EQ(records.size(), 6u);
  for (const auto& record : records)
    EXPECT_EQ(record["merged"], record["name"] == "mixed#2") << record["name"];
}

TEST_F(League, TheWorkspacesOfAttemptsComeBackAfterAClean) {
  world.project(kEntries);
  race({"--agents", "good", "--attempts", "2", "task"});
  const auto id = world.results()["race"].get<std::string>();
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_FALSE(fs::exists(world.state() / "races" / id / "work/good.2"));
  EXPECT_EQ(world.hydra({"clean", "--undo", id}).exit, 0);
  EXPECT_TRUE(fs::exists(world.state() / "races" / id / "work/good.2"));
}

TEST_F(League, ATestOfAnAgentIsNoRaceOfIt) {
  world.project(std::string(kEntries) + script_agent("writer", "echo hello > hello.txt"));
  race({"--agents", "good", "task"});
  const auto tried = world.hydra({"agents", "test", "writer"});
  EXPECT_EQ(tried.exit, 0) << tried.out << tried.err;
  EXPECT_EQ(json({"leaderboard", "--json"})["races"], 1);
}

TEST_F(League, TheLeaderboardOfSeveralRacesAndWhatOutlivesThem) {
  world.project(kEntries);
  race({"--agents", "good,bad", "--kind", "bugfix", "--label", "prompt=v1", "first"});
  race({"--agents", "good,bad", "--label", "prompt=v2", "--label", "team=x", "write the docs"});
  auto board = json({"leaderboard", "--minimum", "2", "--json"});
  EXPECT_EQ(board["schema"], 1);
  EXPECT_EQ(board["races"], 2);
  ASSERT_EQ(board["rows"].size(), 2u);
  const auto& first = board["rows"][0];
  EXPECT_EQ(first["rank"], 1);
  EXPECT_EQ(first["entry"], "good");
  EXPECT_EQ(first["attempts"], 2);
  EXPECT_EQ(first["success_rate"], 1.0);
  EXPECT_EQ(first["interval"].size(), 2u);
  EXPECT_GT(first["strength"], board["rows"][1]["strength"]);
  EXPECT_EQ(board["comparison"]["only_a"], 2);
  EXPECT_EQ(board["comparison"]["p_value"], 0.5);
  EXPECT_EQ(json({"leaderboard", "--json"})["rows"][0]["rank"], nullptr) << "too little data by default";
  EXPECT_THAT(world.hydra({"leaderboard"}).out,
              HasSubstr("too little data to rank good: 2 attempts, 5 are needed"));
  // Filters.
  EXPECT_EQ(json({"leaderboard", "--kind", "docs", "--json"})["races"], 1);
  EXPECT_EQ(json({"leaderboard", "--label", "prompt=v2", "--label", "team=x", "--json"})["races"], 1);
  EXPECT_EQ(json({"leaderboard", "--repository", "src", "--json"})["races"], 2);
  EXPECT_EQ(json({"leaderboard", "--repository", "/", "--json"})["races"], 0);
  EXPECT_EQ(json({"leaderboard", "--since", "1h", "--json"})["races"], 2);
  EXPECT_EQ(json({"leaderboard", "--by", "label:prompt", "--json"})["rows"].size(), 2u);
  EXPECT_EQ(world.hydra({"leaderboard", "--by", "colour"}).exit, 2);
  EXPECT_EQ(world.hydra({"leaderboard", "--compare", "good,nobody"}).exit, 2);
  EXPECT_THAT(world.hydra({"leaderboard", "--csv"}).out,
              HasSubstr("rank,entry,attempts,solved,tasks,best,success_rate,mean"));
  // A clean takes the races, and the history stays; without its tables it is made again.
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  auto again = json({"leaderboard", "--minimum", "2", "--json"});
  EXPECT_EQ(again, board);
  EXPECT_EQ(rebuilt(), "rebuilt from the events of 2 races");
  EXPECT_EQ(json({"leaderboard", "--minimum", "2", "--json"}), board);
  // A race that is told to be forgotten stays so.
  EXPECT_EQ(json({"clean", "--history", "--yes", "--json"})["forgotten"], 2);
  EXPECT_EQ(json({"leaderboard", "--json"})["rows"].size(), 0u);
  EXPECT_EQ(rebuilt(), "rebuilt from the events of 0 races");
  race({"--agents", "good", "third"});
  EXPECT_EQ(json({"leaderboard", "--json"})["races"], 1);
}

TEST_F(League, ExportsOfARace) {
  world.project(kEntries);
  race({"--agents", "good,bad", "task"});
  const auto rewards = lines_of(world.hydra({"export", "--format", "rewards"}).out);
  ASSERT_EQ(rewards.size(), 2u);
  for (const auto& line : rewards)
    EXPECT_GE(line["reward"].get<double>(), line["entry"] == "good" ? 0.1 : -2.0) << line.dump();
  EXPECT_THAT(world.hydra({"export", "--format", "junit"}).out, HasSubstr("tests=\"2\" failures=\"1\""));
  const auto file = world.root() / "table.csv";
  EXPECT_EQ(world.hydra({"export", "--format", "csv", "--output", file.string()}).exit, 0);
  EXPECT_THAT(slurp(file), HasSubstr("race,kind"));
  EXPECT_EQ(world.hydra({"export", "zzzz"}).exit, 2);
  EXPECT_EQ(world.hydra({"export", "--format", "xml"}).exit, 2);
}

TEST_F(League, RacesOfAnotherMachineCountBesideThose) {
  world.project(kEntries);
  race({"--agents", "good,bad", "--label", "prompt=v1", "here"});
  World other;
  other.project(kEntries);
  EXPECT_NE(other.race({"--json", "--agents", "good,bad", "there"}).exit, -1);
  EXPECT_NE(other.race({"--json", "--agents", "good", "there too"}).exit, -1);
  const auto file = world.root() / "races.jsonl";
  EXPECT_EQ(other.hydra({"export", "--output", file.string()}).exit, 0);
  auto imported = json({"import", file.string(), "--json"});
  EXPECT_EQ(imported["imported"], 2);
  EXPECT_EQ(imported["kept"], 0);
  HydraOptions piped;
  piped.input = slurp(file);
  EXPECT_THAT(world.hydra({"import", "-"}, piped).out, HasSubstr("2 races imported."))
      << "again changes nothing";
  const auto board = json({"leaderboard", "--minimum", "2", "--json"});
  EXPECT_EQ(board["races"], 3);
  EXPECT_EQ(board["rows"][0]["entry"], "good");
  EXPECT_EQ(board["rows"][0]["attempts"], 3);
  EXPECT_EQ(rebuilt(), "rebuilt from the events of 1 race");
  EXPECT_EQ(json({"leaderboard", "--minimum", "2", "--json"}), board);
  // A race of this machine stays as it is, whatever a file says of it.
  auto forged = lines_of(world.hydra({"export"}).out);
  Json here;
  std::string text;
  for (auto& line : forged) {
    if (line["task"] == "here") {
      here = line;
      line["composite"] = 1;
    }
    text += line.dump() + "\n";
  }
  piped.input = text;
  EXPECT_THAT(world.hydra({"import", "-"}, piped).out, HasSubstr("1 race of this machine stayed as it was."));
  EXPECT_EQ(lines_of(world.hydra({"export", here["race"]}).out).back(), here);
  // An imported race has no files, and is forgotten by its id.
  const auto there = lines_of(slurp(file)).front()["race"].get<std::string>();
  EXPECT_EQ(lines_of(world.hydra({"export", there}).out).size(), 2u);
  EXPECT_EQ(world.hydra({"results", there}).exit, 2);
  EXPECT_EQ(json({"clean", "--history", there, "--yes", "--json"})["forgotten"], 1);
  EXPECT_EQ(json({"leaderboard", "--json"})["races"], 2);
  EXPECT_EQ(json({"clean", "--history", "--yes", "--json"})["forgotten"], 2);
  EXPECT_EQ(json({"leaderboard", "--json"})["races"], 0);
}

TEST_F(League, AFileWithAWrongLineIsNotImported) {
  world.project(kEntries);
  race({"--agents", "good,bad", "task"});
  const auto lines = lines_of(world.hydra({"export"}).out);
  ASSERT_EQ(lines.size(), 2u);
  for (const auto& [member, value] : std::vector<std::pair<std::string, Json>>{{"composite", 230},
                                                                               {"gained_share", -0.5},
                                                                               {"tokens", -1},
                                                                               {"composite", "much"},
                                                                               {"colour", "red"}}) {
    auto first = lines[0], second = lines[1];
    first["race"] = second["race"] = "0000000000";
    second[member] = value;
    HydraOptions piped;
    piped.input = first.dump() + "\n" + second.dump() + "\n";
    const auto refused = world.hydra({"import", "-"}, piped);
    EXPECT_EQ(refused.exit, 2) << member;
    EXPECT_THAT(refused.err, HasSubstr("line 2")) << member;
  }
  HydraOptions piped;
  piped.input = "no JSON\n";
  EXPECT_THAT(world.hydra({"import", "-"}, piped).err, HasSubstr("line 1"));
  EXPECT_EQ(world.hydra({"import", (world.root() / "gone").string()}).exit, 2);
  EXPECT_EQ(json({"leaderboard", "--json"})["races"], 1);
}

TEST_F(League, VariantsOfAnAgentAreToldApart) {
  world.project(script_agent("good", "printf '%s' \"$1\" > prompt.txt") +
                "[agents.good-b]\nlike = \"good\"\nprompt_prefix = \"Test first.\"\nmodel = \"m\"\n");
  ASSERT_EQ(world.race({"--agents", "good,good-b", "the task"}).exit, 0);
  const auto results = world.results();
  for (const auto& [agent, prompt] : {std::pair{"good", "the task"}, {"good-b", "Test first.\n\nthe task"}})
    EXPECT_EQ(world.show(agent_of(results, agent)["branch"].get<std::string>(), "prompt.txt")
                  .substr(0, std::string(prompt).size()),
              prompt);
  EXPECT_EQ(agent_of(results, "good-b")["model"], "m");
  std::vector<std::string> rows, known;
  const auto board = json({"leaderboard", "--json"}), list = json({"agents", "--json"});
  for (const auto& row : board["rows"]) rows.push_back(row["entry"]);
  EXPECT_THAT(rows, UnorderedElementsAre("good", "good-b=m"));
  for (const auto& row : list["agents"]) known.push_back(row["id"]);
  EXPECT_THAT(known, ::testing::IsSupersetOf({"good", "good-b"}));
}

TEST_F(League, WrongWords) {
  world.project(kEntries);
  EXPECT_EQ(world.hydra({"race", "--agents", "good", "--label", "nothing", "task"}).exit, 2);
  EXPECT_EQ(world.hydra({"race", "--agents", "good:64", "--attempts", "5", "task"}).exit, 2) << "too many";
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
