// History of an ended race, and the notification of its end: the fold, without a machine.
#include "race/state/history.hpp"

#include "race/notify.hpp"
#include "race_spec.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace hydra::race {
namespace {

using model::CheckStatus;
using model::Dimension;
using model::Outcome;
using ::testing::ElementsAre;

class HistoryOf : public ::testing::Test {
 protected:
  HistoryOf() {
    spec = race_spec({});
    spec.config.scoring.lint_command.reset();
    spec.agents = {{"codex#1", "codex", "o9", "codex", 1},
                   {"codex#2", "codex", "o9", "codex", 2},
                   {"claude", "claude", ""}};
    spec.task = "fix the crash";
    spec.labels = {{"prompt", "v2"}};
    spec.versions = {{"codex", "0.9"}};
    spec.repository.root = "/home/ada/app";
    spec.repository.common_dir = "/home/ada/app/.git";
    spec.repository.base = "c0ffee";
  }
  void send(model::EventBody body) { apply(state, {++id, "r", id * 10, std::move(body)}); }
  void ran(const std::string& name, Outcome outcome, const std::string& error_class = {}) {
    model::AgentEnded ended{name, {}, {}};
    ended.job.wall_ms = 1500;
    ended.verdict.outcome = outcome;
    ended.verdict.error_class = model::of_name<model::ErrorClass>(error_class);
    ended.verdict.model = "o9-mini";
    ended.verdict.usage.input = 100;
    ended.verdict.usage.output = 10;
    ended.verdict.usage.cost_usd = 0.25;
    send(model::AgentStarting{name, "r/" + name + "/agent/1", 1});
    send(ended);
    model::Capture capture;
    capture.tree = "tree of " + name;
    capture.commit = "commit of " + name;
    capture.changed = true;
    send(model::Captured{name, capture});
  }
  void checked(const std::string& subject, CheckStatus tests) {
    send(model::SubjectReady{subject_of(subject), "/c/" + subject});
    for (const auto& [dimension, status] :
         {std::pair{Dimension::build, CheckStatus::passed}, {Dimension::tests, tests}}) {
      model::CheckEvidence evidence;
      evidence.dimension = dimension;
      evidence.status = status;
      send(model::CheckEnded{subject_of(subject), evidence});
    }
  }
  static model::RankedAgent ranked(const std::string& name, int rank, double composite, bool eligible) {
    model::RankedAgent row;
    row.agent = name;
    row.rank = rank;
    row.eligible = eligible;
    row.score.composite = composite;
    row.score.dimensions[0].status = model::DimensionStatus::scored;
    row.score.dimensions[0].points = 100;
    return row;
  }
  void finish() {
    send(model::RaceCreated{spec});
    ran("codex#1", Outcome::completed);
    ran("codex#2", Outcome::completed);
    ran("claude", Outcome::failed, "rate_limit");
    checked("codex#1", CheckStatus::passed);
    checked("codex#2", CheckStatus::failed);
    send(model::ScoringResult{
        {{ranked("codex#1", 1, 93.25, true), ranked("codex#2", 2, 70, true), ranked("claude", 3, 20, false)},
         "codex#1",
         model::RaceDecision::winner,
         {},
         false,
         false,
         {}}});
    send(model::RaceEnded{model::RaceEnd::done});
  }

  model::RaceSpec spec;
  State state;
  std::int64_t id = 0;
};

TEST_F(HistoryOf, TestersAndCombinedResultsAreNoAttempts) {
  spec.agents.push_back({"tester", "claude", ""});
  spec.agents.back().tester = true;
  finish();
  model::Combined combined{"combined", "codex#1:a, codex#2:b", {}, 1500};
  combined.capture.tree = "tree of both";
  combined.capture.changed = true;
  send(combined);
  send(model::RaceEnded{model::RaceEnd::done});
  const auto race = history_of(state);
  ASSERT_TRUE(race);
  std::vector<std::string> names;
  for (const auto& attempt : race->attempts) names.push_back(attempt.name);
  EXPECT_THAT(names, ElementsAre("codex#1", "codex#2", "claude"));
}

TEST_F(HistoryOf, EveryAttemptOfAnEndedRace) {
  send(model::RaceCreated{spec});
  EXPECT_FALSE(history_of(state)) << "it runs";
  state = {};
  finish();
  const auto race = history_of(state);
  ASSERT_TRUE(race);
  EXPECT_EQ(race->kind, "bugfix") << "by the task's words";
  EXPECT_EQ(race->state, "done");
  EXPECT_EQ(race->repository, "/home/ada/app/.git");
  EXPECT_THAT(race->labels, ElementsAre(std::pair<std::string, std::string>("prompt", "v2")));
  EXPECT_EQ(race->through, id);
  ASSERT_EQ(race->attempts.size(), 3u);
  const auto& first = race->attempts[0];
  EXPECT_EQ(first.name, "codex#1");
  EXPECT_EQ(first.entry, "codex");
  EXPECT_EQ(first.agent, "codex");
  EXPECT_EQ(first.asked, "o9");
  EXPECT_EQ(first.model, "o9-mini");
  EXPECT_EQ(first.version, "0.9");
  EXPECT_TRUE(first.success && first.eligible && first.changed && !first.lost && !first.merged);
  EXPECT_EQ(first.composite, 93.25);
  EXPECT_EQ(first.points[0], 100);
  EXPECT_EQ(first.points[2], std::nullopt) << "no linter is configured";
  EXPECT_EQ(first.tokens, 110);
  EXPECT_EQ(first.cost_usd, 0.25);
  EXPECT_EQ(first.wall_ms, 1500);
  const auto& second = race->attempts[1];
  EXPECT_EQ(second.attempt, 2);
  EXPECT_TRUE(second.eligible && !second.success && !second.lost) << "its tests are red";
  EXPECT_TRUE(race->attempts[2].lost) << "to a provider";
}

TEST_F(HistoryOf, AMergeAndItsUndoing) {
  finish();
  const auto before = history_of(state)->through;
  send(model::Merged{"codex#1", "m", "refs/heads/main", false});
  EXPECT_TRUE(history_of(state)->attempts[0].merged);
  EXPECT_GT(history_of(state)->through, before);
  send(model::MergeUndone{"codex#1", "m", "refs/heads/main"});
  EXPECT_FALSE(history_of(state)->attempts[0].merged);
}

TEST_F(HistoryOf, AKindThatWasAskedForWins) {
  spec.kind = "docs";
  finish();
  EXPECT_EQ(history_of(state)->kind, "docs");
}

TEST_F(HistoryOf, WhatIsForgottenAndWhatIsNoRaceHasNoAttempts) {
  finish();
  send(model::HistoryForgotten{});
  EXPECT_TRUE(history_of(state)->forgotten);
  EXPECT_TRUE(history_of(state)->attempts.empty());
  state = {};
  spec.verifies = "other";
  finish();
  EXPECT_TRUE(history_of(state)->forgotten) << "a verification counts nothing twice";
}

TEST_F(HistoryOf, WithoutARankingEverythingIsLost) {
  send(model::RaceCreated{spec});
  send(model::CancelRequested{});
  send(model::RaceEnded{model::RaceEnd::cancelled});
  const auto race = history_of(state);
  ASSERT_EQ(race->attempts.size(), 3u);
  for (const auto& attempt : race->attempts) EXPECT_TRUE(attempt.lost);
}

TEST(Notification, HoldsTheEndAndNoWordOfAnAgent) {
  State state;
  state.spec.id = "r-1";
  state.spec.task = "fix \"it\"\nnow";
  state.spec.repository.root = "/home/u/app";
  state.spec.created_ms = 1000;
  state.ended = model::RaceEnd::done;
  state.ended_ms = 5000;
  AgentState agent;
  agent.entry.name = "claude";
  agent.display = "Claude Code";
  agent.branch = "hydra/claude-1";
  agent.ended.emplace();
  agent.ended->verdict.message = "said by the agent";
  state.agents.push_back(agent);
  model::Ranking ranking;
  ranking.winner = "claude";
  model::RankedAgent row;
  row.agent = "claude";
  row.eligible = true;
  row.rank = 1;
  row.score.composite = 91.46;
  ranking.agents.push_back(row);
  state.ranking = ranking;
  const auto what = notification_of(state);
  EXPECT_EQ(what.title, "Hydra: race r-1 is done");
  EXPECT_EQ(what.text, "winner: claude, 91.5 points");
  EXPECT_EQ(what.json.find('\n'), std::string::npos);
  EXPECT_EQ(what.json.find("said by"), std::string::npos);
  const auto j = nlohmann::json::parse(what.json);
  EXPECT_EQ(j["schema"], 1);
  EXPECT_EQ(j["event"], "race_ended");
  EXPECT_EQ(j["state"], "done");
  EXPECT_EQ(j["task"], "fix \"it\"\nnow");
  EXPECT_EQ(j["winner"], "claude");
  EXPECT_EQ(j["ended_ms"], 5000);
  EXPECT_EQ(j["agents"][0]["branch"], "hydra/claude-1");
  EXPECT_EQ(j["agents"][0]["score"], 91.46);
  state.ranking.reset();
  state.ended = model::RaceEnd::cancelled;
  EXPECT_TRUE(nlohmann::json::parse(notification_of(state).json)["winner"].is_null());
}

}  // namespace
}  // namespace hydra::race
