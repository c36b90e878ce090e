// Board of a run: scores and places from its keys, and that nothing counts twice.
#include "suite/board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hydra::suite {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Outcome done(bool passed, std::optional<double> cost = {}) {
  Outcome outcome;
  outcome.solved = outcome.success = passed;
  outcome.eligible = true;
  outcome.composite = passed ? 90 : 40;
  outcome.cost_usd = cost;
  outcome.seconds = 1;
  return outcome;
}

Outcome lost() {
  Outcome outcome;
  outcome.lost = true;
  return outcome;
}

std::vector<std::string> ten() {
  std::vector<std::string> tasks;
  for (int i = 0; i < 10; ++i) tasks.push_back("t" + std::to_string(i));
  return tasks;
}

// spec term-challenge-scoring, "Benchmark Score": 8 of 10 tasks are 0.80.
TEST(Board, TheWorkedExampleOfTheSpecification) {
  Board board(ten(), {"a"}, 1);
  for (int i = 0; i < 10; ++i) board.add("t" + std::to_string(i), "a", 1, done(i < 8));
  const auto row = board.rows().at(0);
  EXPECT_EQ(row.solved, 8);
  EXPECT_EQ(row.tasks, 10);
  EXPECT_DOUBLE_EQ(row.score, 0.80);
}

TEST(Board, TheBetterRateIsFirstAndThenWhoWasHandedInEarlier) {
  Board board({"x", "y"}, {"late", "early", "best"}, 1);
  for (const char* entry : {"late", "early", "best"}) board.add("x", entry, 1, done(true));
  board.add("y", "best", 1, done(true));
  board.add("y", "late", 1, done(false));
  board.add("y", "early", 1, done(false));
  const auto rows = board.rows();
  EXPECT_EQ(rows[0].entry, "best");
  EXPECT_EQ(rows[1].entry, "late");
  EXPECT_EQ(rows[2].entry, "early");
  EXPECT_EQ(rows[2].rank, 3);
}

TEST(Board, LostRunsAreNoFailuresAndRunAgain) {
  Board board({"x", "y"}, {"a"}, 1);
  board.add("x", "a", 1, done(true));
  board.add("y", "a", 1, lost());
  EXPECT_THAT(board.missing("y"), ElementsAre(Pair("a", 1)));
  auto row = board.rows()[0];
  EXPECT_EQ(row.tasks, 1);
  EXPECT_EQ(row.score, 1.0);
  EXPECT_EQ(row.lost, 1);
  board.add("y", "a", 1, done(false));
  row = board.rows()[0];
  EXPECT_EQ(row.tasks, 2);
  EXPECT_EQ(row.lost, 0);
  EXPECT_EQ(board.verdicts(), board.keys());
}

TEST(Board, AVerdictStaysAndASecondOneIsCounted) {
  Board board({"x"}, {"a"}, 1);
  board.add("x", "a", 1, done(false, 0.5));
  board.add("x", "a", 1, lost());
  EXPECT_EQ(board.repeated(), 0);
  board.add("x", "a", 1, done(true, 0.5));
  EXPECT_EQ(board.repeated(), 1);
  EXPECT_EQ(board.rows()[0].solved, 0);
  EXPECT_EQ(board.cost_usd(), 0.5);
  EXPECT_EQ(board.verdicts(), 1);
}

TEST(Board, TheBestAttemptCountsAndTheRateStandsBesideIt) {
  Board board({"x", "y"}, {"a"}, 3);
  board.add("x", "a", 1, done(false, 1.0));
  board.add("x", "a", 2, done(true, 2.0));
  board.add("x", "a", 3, done(false));
  EXPECT_THAT(board.missing("x"), IsEmpty());
  EXPECT_EQ(board.missing("y").size(), 3u);
  const auto row = board.rows()[0];
  EXPECT_EQ(row.solved, 1);
  EXPECT_EQ(row.tasks, 1);
  EXPECT_EQ(row.attempts, 3);
  EXPECT_EQ(row.successes, 1);
  EXPECT_EQ(row.open, 3);
  EXPECT_EQ(row.cost_usd, 3.0);
  EXPECT_EQ(row.seconds, 3.0);
}

TEST(Board, WhatNeverChangedAnythingHasNoPlace) {
  Board board({"x"}, {"idle", "bad"}, 1);
  board.add("x", "bad", 1, done(false));
  auto idle = done(false);
  idle.eligible = false;
  idle.composite = 100;
  board.add("x", "idle", 1, idle);
  const auto rows = board.rows();
  EXPECT_EQ(rows[0].entry, "bad");
  EXPECT_EQ(rows[0].rank, 1);
  EXPECT_EQ(rows[1].rank, std::nullopt);
}

TEST(Board, NamesThatAreNoneOfItsKeysChangeNothing) {
  Board board({"x"}, {"a"}, 1);
  board.add("z", "a", 1, done(true));
  board.add("x", "b", 1, done(true));
  board.add("x", "a", 0, done(true));
  board.add("x", "a", 2, done(true));
  EXPECT_EQ(board.verdicts(), 0);
  EXPECT_EQ(board.rows()[0].score, 0.0);
  EXPECT_EQ(board.outcome("x", "a", 1), nullptr);
}

}  // namespace
}  // namespace hydra::suite
