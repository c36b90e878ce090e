// Reasons to end a running agent before its time, without a process and without a clock.
#include "race/state/watch.hpp"

#include <gtest/gtest.h>

namespace hydra::race {
namespace {

using View = adapters::StreamReader::View;

View view(std::int64_t progress) {
  View v;
  v.progress = progress;
  return v;
}

Watch::Limits idle(double seconds) {
  Watch::Limits limits;
  limits.idle_seconds = seconds;
  return limits;
}

// Looks every 250 ms for so long, from `from`; the reason of the first stop, and when.
struct Found {
  std::optional<model::StopReason> reason;
  std::int64_t at_ms = -1;
};
Found look_for(Watch& watch, const View& v, const Watch::Limits& limits, std::int64_t from,
               std::int64_t until) {
  for (auto t = from; t <= until; t += 250)
    if (const auto stop = watch.look(v, t, limits)) return {stop->reason, t};
  return {};
}

TEST(Watch, ABudgetIsReachedNotPassed) {
  EXPECT_FALSE(over({1.0, 0}, {0, 0.999, false}));
  EXPECT_EQ(over({1.0, 0}, {0, 1.0, false}), "budget of $1.00 reached at $1.00");
  EXPECT_EQ(over({1.0, 0}, {0, 1.03, false}), "budget of $1.00 reached at $1.03");
  EXPECT_EQ(over({0.05, 0}, {0, 0.0512, true}),
            "budget of $0.0500 reached at about $0.0512 (estimated from the price table)");
  EXPECT_FALSE(over({0, 100000}, {99999, 50, false}));
  EXPECT_EQ(over({0, 100000}, {104210, 0, false}), "budget of 100,000 tokens reached at 104,210 tokens");
  EXPECT_FALSE(over({}, {1000000000, 1e6, false})) << "0 is no limit";
}

TEST(Watch, WorkInTheBackgroundHasALimitOfItsOwn) {
  Watch watch;
  auto v = view(1);
  v.terminal = true;
  v.open_tasks = 1;
  v.open_name = "npm run dev";
  EXPECT_FALSE(look_for(watch, v, idle(0), 0, 590'000).reason);
  const auto stop = [&] {
    for (std::int64_t t = 590'000; t < 620'000; t += 250)
      if (auto found = watch.look(v, t, idle(0))) return found;
    return std::optional<model::StopRequested>();
  }();
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->reason, model::StopReason::finished);
  EXPECT_EQ(stop->message, "stopped: 1 command in the background was still running: npm run dev");
  v.open_tasks = 0;
  Watch other;
  EXPECT_TRUE(look_for(other, v, idle(0), 0, 20'000).reason);
}

TEST(Watch, TokensReadFromACacheDoNotCount) {
  model::Usage usage;
  usage.input = 100;
  usage.output = 20;
  usage.cache_read = 90000;
  usage.cache_write = 7;
  EXPECT_EQ(spent(usage).tokens, 127);
}

TEST(Watch, ABudgetCountsWhatEarlierAttemptsUsed) {
  Watch watch;
  Watch::Limits limits;
  limits.budget.usd = 1.0;
  limits.before.usd = 0.7;
  auto v = view(1);
  v.usage.cost_usd = 0.29;
  EXPECT_FALSE(watch.look(v, 0, limits));
  v.usage.cost_usd = 0.31;
  const auto stop = watch.look(v, 250, limits);
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->reason, model::StopReason::budget);
  EXPECT_EQ(stop->message, "stopped: budget of $1.00 reached at $1.01");
}

TEST(Watch, ThreeRefusalsInARowEndIt) {
  Watch watch;
  auto v = view(1);
  v.retries = v.auth_retries = 2;
  v.retry_status = 401;
  EXPECT_FALSE(watch.look(v, 0, {}));
  v.retries = v.auth_retries = 3;
  const auto stop = watch.look(v, 250, {});
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->reason, model::StopReason::auth);
  EXPECT_EQ(model::name(stop->error_class), "auth");
  EXPECT_EQ(stop->message, "stopped: its provider refused it 3 times in a row with status 401");
}

TEST(Watch, OnlyProgressResetsTheStallClock) {
  Watch watch;
  EXPECT_EQ(look_for(watch, view(1), idle(10), 0, 9000).reason, std::nullopt);
  EXPECT_EQ(look_for(watch, view(2), idle(10), 9250, 19000).reason, std::nullopt)
      << "a new event began it anew";
  // Events, retries and bytes that are no progress: nothing changes but them.
  auto v = view(2);
  v.events = 500;
  v.retries = 7;
  v.retry_status = 503;
  const auto found = look_for(watch, v, idle(10), 19250, 60000);
  EXPECT_EQ(found.reason, model::StopReason::idle);
  EXPECT_EQ(found.at_ms, 19250) << "9250 + 10 s: the first look at or after it";
}

TEST(Watch, TokensAndTurnsAreProgress) {
  Watch watch;
  auto v = view(1);
  EXPECT_EQ(look_for(watch, v, idle(10), 0, 9000).reason, std::nullopt);
  v.tokens = 10;
  EXPECT_EQ(look_for(watch, v, idle(10), 9250, 19000).reason, std::nullopt);
  v.turn = 2;
  EXPECT_EQ(look_for(watch, v, idle(10), 19250, 29000).reason, std::nullopt);
  EXPECT_EQ(look_for(watch, v, idle(10), 29250, 40000).reason, model::StopReason::idle);
}

TEST(Watch, AStallWhileItRetriesSaysWhatRefused) {
  Watch watch;
  auto v = view(1);
  v.retries = 4;
  v.retry_status = 429;
  std::optional<model::StopRequested> stop;
  for (std::int64_t t = 0; t < 20000 && !stop; t += 250) stop = watch.look(v, t, idle(5));
  ASSERT_TRUE(stop);
  EXPECT_EQ(model::name(stop->error_class), "rate_limit");
  EXPECT_EQ(stop->message, "stopped: no progress for 5s but 4 retried model calls, status 429");
}

TEST(Watch, AClockThatJumpsEndsNobody) {
  Watch watch;
  EXPECT_FALSE(watch.look(view(1), 1000, idle(900)));
  EXPECT_FALSE(watch.look(view(1), 1000 + 3600 * 1000, idle(900))) << "an hour that nobody looked";
  EXPECT_FALSE(watch.look(view(1), 500, idle(900))) << "back again";
  // The silence that was seen counts on from there: at most 2 s for each gap.
  std::int64_t t = 500;
  int looks = 0;
  while (!watch.look(view(1), t += 1000, idle(900))) ++looks;
  EXPECT_EQ(looks, 897);
}

TEST(Watch, AnAgentThatHasReportedItsEndIsGivenTimeToLeave) {
  Watch watch;
  Watch::Limits limits = idle(5);
  limits.budget.usd = 1;
  auto v = view(3);
  v.terminal = true;
  v.usage.cost_usd = 2;  // its last word; the work is done
  const auto found = look_for(watch, v, limits, 0, 60000);
  EXPECT_EQ(found.reason, model::StopReason::finished);
  EXPECT_EQ(found.at_ms, 10000);
  // An agent that goes on after all gets its whole time to leave again.
  Watch other;
  EXPECT_EQ(look_for(other, v, limits, 0, 9000).reason, std::nullopt);
  auto going = view(4);
  EXPECT_EQ(look_for(other, going, limits, 9250, 9250).reason, std::nullopt);
  auto again = view(5);
  again.terminal = true;
  EXPECT_EQ(look_for(other, again, limits, 9500, 19250).reason, std::nullopt);
}

TEST(Watch, TheStallClockFitsTheStream) {
  model::LimitsConfig limits;
  model::AgentDescriptor d;
  d.stream.format = model::StreamFormat::jsonl;
  EXPECT_EQ(idle_limit(limits, d), 900);
  d.stream.format = model::StreamFormat::text;
  EXPECT_EQ(idle_limit(limits, d), 0);
  limits.idle_timeout = 30;
  EXPECT_EQ(idle_limit(limits, d), 30);
  d.stream.format = model::StreamFormat::json_whole;
  EXPECT_EQ(idle_limit(limits, d), 0) << "says nothing until its end";
  d.stream.format = model::StreamFormat::jsonl;
  limits.idle_timeout = 0;
  EXPECT_EQ(idle_limit(limits, d), 0);
}

class Unpriced : public ::testing::Test {
 protected:
  Unpriced() {
    state.spec.config.limits.budget_usd = 1;
    state.spec.config.agents["x"].stream.usage.mode = model::UsageMode::sum;
    agent.entry = {"x", "x", ""};
    usage.input = 100;
    usage.output = 10;
  }
  std::string note(const std::string& model, bool at_end = false) const {
    return unpriced(state, agent, usage, model, adapters::builtin_prices(), at_end);
  }
  State state;
  AgentState agent;
  model::Usage usage;
};

TEST_F(Unpriced, AnUnknownPriceIsToldAndWhatHelps) {
  EXPECT_EQ(
      note("house-model-7"),
      "the budget of $1.00 can't be applied to it: it names no cost and the price of 'house-model-7' is "
      "not known; set [prices.\"house-model-7\"], or a token budget (--budget-tokens) can");
  EXPECT_EQ(note("gpt-5"), "") << "its price is known";
  usage.cost_usd = 0.1;
  EXPECT_EQ(note("house-model-7"), "") << "it names its cost";
}

TEST_F(Unpriced, AnAgentThatNamesItsCostAtTheEndIsWaitedFor) {
  state.spec.config.agents["x"].stream.usage.cost_usd = "/cost";
  EXPECT_EQ(note("house-model-7"), "");
  EXPECT_NE(note("house-model-7", true), "");
}

TEST_F(Unpriced, NoDollarBudgetNoNote) {
  state.spec.config.limits.budget_usd = 0;
  state.spec.config.limits.budget_tokens = 5;
  EXPECT_EQ(note("house-model-7", true), "");
}

TEST(BudgetWarnings, OutputThatCountsNothing) {
  model::RaceSpec spec;
  spec.config.limits.budget_tokens = 10;
  spec.config.agents["x"] = {};
  spec.agents = {{"x", "x", ""}};
  ASSERT_EQ(budget_warnings(spec).size(), 1u);
  spec.config.agents["x"].stream.usage.mode = model::UsageMode::last;
  EXPECT_TRUE(budget_warnings(spec).empty());
  spec.config.limits = {};
  spec.config.agents["x"] = {};
  EXPECT_TRUE(budget_warnings(spec).empty()) << "no budget, no warning";
}

// A forged end, or one that is followed by more: money that is spent after it counts.
TEST(Watch, ABudgetHoldsAfterAReportedEnd) {
  Watch watch;
  Watch::Limits limits;
  limits.budget.usd = 1;
  auto v = view(1);
  v.terminal = true;
  v.usage.cost_usd = 0.5;
  EXPECT_FALSE(watch.look(v, 0, limits));
  v.usage.cost_usd = 1.5;
  v.progress = 2;
  const auto stop = watch.look(v, 250, limits);
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->reason, model::StopReason::budget);
}

TEST(Watch, OneThatWaitsForASignInIsNotWaitedFor) {
  Watch watch;
  View v;
  v.asks_sign_in = true;
  const auto found = look_for(watch, v, idle(900), 0, 60000);
  EXPECT_EQ(found.reason, model::StopReason::auth);
  EXPECT_EQ(found.at_ms, 30000);
  Watch other;
  EXPECT_EQ(look_for(other, v, idle(900), 0, 20000).reason, std::nullopt);
  v.asks_sign_in = false;  // it went on by itself
  EXPECT_EQ(look_for(other, v, idle(900), 20250, 60000).reason, std::nullopt);
}

TEST(BudgetWarnings, OutputThatCountsAtItsEndOnly) {
  model::RaceSpec spec;
  spec.config.limits.budget_tokens = 10;
  auto& stream = (spec.config.agents["x"] = {}).stream;
  spec.agents = {{"x", "x", ""}};
  stream.format = model::StreamFormat::jsonl;
  stream.terminal_when = {{"/type", "result"}};
  stream.usage.mode = model::UsageMode::last;
  stream.usage.when = {{"/type", "result"}};
  ASSERT_EQ(budget_warnings(spec).size(), 1u);
  EXPECT_NE(budget_warnings(spec)[0].find("only at its end"), std::string::npos);
  stream.usage_fallbacks.emplace_back();
  stream.usage_fallbacks[0].mode = model::UsageMode::sum;
  stream.usage_fallbacks[0].when = {{"/type", "assistant"}};
  EXPECT_TRUE(budget_warnings(spec).empty());
  stream.usage_fallbacks.clear();
  stream.usage.mode = model::UsageMode::sum;
  stream.usage.when = {{"/type", "step"}};
  EXPECT_TRUE(budget_warnings(spec).empty());
  stream.format = model::StreamFormat::json_whole;
  EXPECT_EQ(budget_warnings(spec).size(), 1u);
}

}  // namespace
}  // namespace hydra::race
