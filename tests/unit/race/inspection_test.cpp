// What is looked at of a candidate: whose transcripts, which times, and what is said of what could not be
// seen.
#include "race/checks/inspection.hpp"

#include "base/files.hpp"
#include "integrity/report/tool_calls.hpp"
#include "race/checks/hidden.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <unistd.h>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Inspecting : public ::testing::Test {
 protected:
  Inspecting() {
    std::string pattern = "/tmp/hydra-inspecting-XXXXXX";
    root = ::mkdtemp(pattern.data());
    AgentState agent;
    agent.entry = {"a", "a", ""};
    agent.workspace = "/w/a";
    agent.attempts = 3;
    agent.started_ms = 9'000'000;
    agent.capture = model::Capture{};
    for (const int number : {1, 2}) {
      EarlierAttempt earlier;
      earlier.number = number;
      earlier.same_work = number == 2;  // the second attempt began in a new workspace
      agent.earlier.push_back(earlier);
    }
    state.agents.push_back(agent);
    lines.stream.format = model::StreamFormat::jsonl;
  }
  ~Inspecting() override { (void)remove_tree(root); }
  Inspecting(const Inspecting&) = delete;
  Inspecting& operator=(const Inspecting&) = delete;

  [[nodiscard]] fs::path log(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_file(root / name, text, 0600).ok());
    return root / name;
  }

  fs::path root;
  State state;
  model::AgentDescriptor lines;
};

TEST_F(Inspecting, TheTranscriptsOfAllAttemptsWhoseWorkIsInTheResult) {
  const Layout layout(root, "r");
  EXPECT_THAT(inspection_of(state, layout, "a").logs,
              ElementsAre(layout.attempt("a", "agent", 2) / "stdout.log",
                          layout.attempt("a", "agent", 3) / "stdout.log"));
}

TEST_F(Inspecting, NoAgentRanForACombinedResult) {
  const Layout layout(root, "r");
  EXPECT_FALSE(inspection_of(state, layout, "a").combined);
  state.agents[0].workspace = kNoWorkspace;
  EXPECT_TRUE(inspection_of(state, layout, "a").combined);
}

TEST_F(Inspecting, CallsOfAllLogs) {
  const auto found = integrity::read_transcript(
      lines, {log("1", "{\"command\":\"git log --all\"}\n"), log("2", "{\"command\":\"ls\"}\n")});
  ASSERT_EQ(found.calls.size(), 2u);
  EXPECT_EQ(found.calls[0].text, "git log --all");
  EXPECT_EQ(found.calls[1].text, "ls");
  EXPECT_TRUE(found.unseen.empty());
}

TEST_F(Inspecting, WhatCouldNotBeSeenIsSaid) {
  EXPECT_THAT(integrity::read_transcript({}, {log("t", "text")}).unseen,
              ElementsAre(HasSubstr("does not list its tool calls")));
  EXPECT_THAT(integrity::read_transcript(lines, {root / "nothing"}).unseen, ElementsAre(HasSubstr("gone")));
  EXPECT_THAT(
      integrity::read_transcript(lines, {log("long", "{" + std::string(3u << 20, ' ') + "}\n")}).unseen,
      ElementsAre(HasSubstr("not kept whole")));
  // As the shim leaves a long log: a head, a hole, a tail.
  const auto holed = log("holed", "{\"command\":\"ls\"}\n");
  ASSERT_EQ(::truncate(holed.c_str(), 8 << 20), 0);
  EXPECT_THAT(integrity::read_transcript(lines, {holed}).unseen, ElementsAre(HasSubstr("not kept whole")));
}

TEST_F(Inspecting, AFailedLookIsNoCleanOne) {
  EXPECT_EQ(or_not_inspected(Error{Errc::git, "git broke", {}, {}}, "c").commit, "c");
  EXPECT_THAT(or_not_inspected(Error{Errc::git, "git broke", {}, {}}, "c").error, HasSubstr("git broke"));
}

// In the agents' own directories hidden tests would lie open.
TEST_F(Inspecting, HiddenTestsAreNotForChecksInPlace) {
  ASSERT_TRUE(make_dirs(root / "repo", 0700).ok());
  ASSERT_TRUE(make_dirs(root / "hidden", 0700).ok());
  ASSERT_TRUE(write_file(root / "hidden" / "test_h.py", "pass\n", 0600).ok());
  model::Config config;
  config.evaluation.hidden = (root / "hidden").string();
  model::RepositoryFacts facts;
  facts.root = (root / "repo").string();
  EXPECT_TRUE(take_hidden(config, facts, root / "taken").ok());
  config.workspace.checks = model::CheckPlace::in_place;
  const auto refused = take_hidden(config, facts, root / "again");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("own directories"));
  EXPECT_FALSE(fs::exists(root / "again"));
}

}  // namespace
}  // namespace hydra::race
