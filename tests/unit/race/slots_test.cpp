#include "race/limits/slots.hpp"

#include "race/limits/leases.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace hydra::race {
namespace {

TEST(SlotPool, GrantsUpToItsLimitByPriorityThenOrder) {
  SlotPool pool(1);
  std::vector<std::string> started;
  const auto start = [&](const std::string& name) { return [&started, name] { started.push_back(name); }; };
  pool.acquire("t", 1, false, start("first"));
  pool.acquire("t", 1, false, start("tests"));
  pool.acquire("t", 0, false, start("build-a"));
  pool.acquire("t", 0, false, start("build-b"));
  EXPECT_EQ(started, (std::vector<std::string>{"first"}));
  for (int i = 0; i < 3; ++i) pool.release();
  EXPECT_EQ(started, (std::vector<std::string>{"first", "build-a", "build-b", "tests"}));
  pool.release();
  EXPECT_EQ(pool.running(), 0);
}

TEST(SlotPool, AnExclusiveJobRunsAlone) {
  SlotPool pool(2);
  std::vector<std::string> started;
  const auto start = [&](const std::string& name) { return [&started, name] { started.push_back(name); }; };
  pool.acquire("t", 1, false, start("a"));
  pool.acquire("t", 0, true, start("alone"));
  EXPECT_EQ(started.size(), 1u);
  pool.release();
  EXPECT_EQ(started.back(), "alone");
  pool.acquire("t", 0, false, start("b"));
  EXPECT_EQ(started.back(), "alone");
  pool.release();
  EXPECT_EQ(started.back(), "b");
}

TEST(SlotPool, DropsWhatWaits) {
  SlotPool pool(1);
  bool ran = false;
  pool.acquire("x", 0, false, [] {});
  pool.acquire("y", 0, false, [&] { ran = true; });
  EXPECT_EQ(pool.drop("y"), 1);
  EXPECT_EQ(pool.drop("y"), 0);
  pool.release();
  EXPECT_FALSE(ran);
}

// A check that began alone and timed out beside one that began later was not alone.
TEST(SlotPool, CountsWhoEverRan) {
  SlotPool pool(2);
  std::uint64_t at_start = 0;
  pool.acquire("first", 0, false, [&] { at_start = pool.granted(); });
  EXPECT_EQ(pool.running(), 1);
  EXPECT_EQ(pool.granted(), at_start);
  pool.acquire("second", 0, false, [] {});
  pool.release();  // the second one has gone again
  EXPECT_EQ(pool.running(), 1);
  EXPECT_NE(pool.granted(), at_start);
  pool.hold();  // one that an earlier daemon began
  EXPECT_EQ(pool.granted(), 3u);
}

TEST(SlotPool, TwoHalvesTakeASlot) {
  SlotPool pool(1, true);
  std::vector<std::string> started;
  const auto ask = [&](const std::string& name, Share share) {
    pool.acquire(
        "t", 0, false, [&started, name] { started.push_back(name); }, 0, share);
  };
  for (const auto* name : {"a", "b", "c"}) ask(name, Share::half);
  ask("whole", Share::whole);
  EXPECT_EQ(started, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(pool.held(), 1);
  pool.release(Share::half);
  EXPECT_EQ(started.back(), "c");
  pool.release(Share::half);
  EXPECT_EQ(started.back(), "c") << "half a slot is free";
  pool.release(Share::half);
  EXPECT_EQ(started.back(), "whole");
  ask("d", Share::half);
  EXPECT_EQ(started.back(), "whole");
  pool.release();
  EXPECT_EQ(started.back(), "d");
}

TEST(SlotPool, OnOneCoreASlotIsNotDivided) {
  SlotPool pool(1);
  int started = 0;
  for (int i = 0; i < 2; ++i)
    pool.acquire(
        "t", 0, false, [&] { ++started; }, 0, Share::half);
  EXPECT_EQ(started, 1);
}

TEST(ShareOf, WhatTheBaseShowed) {
  const auto share = [](std::int64_t wall_ms, std::int64_t cpu_ms,
                        model::CheckStatus status = model::CheckStatus::passed) {
    model::CheckEvidence base;
    base.status = status;
    base.wall_ms = wall_ms;
    base.cpu_ms = cpu_ms;
    return share_of(base);
  };
  EXPECT_EQ(share(10'000, 9'800), Share::half);
  EXPECT_EQ(share(10'000, 400), Share::half) << "it waits";
  EXPECT_EQ(share(10'000, 17'000), Share::whole);
  EXPECT_EQ(share(10'000, 0), Share::whole) << "nobody counted";
  EXPECT_EQ(share(30, 55), Share::half) << "over at once";
  EXPECT_EQ(share(10'000, 9'800, model::CheckStatus::not_started), Share::whole);
  EXPECT_EQ(share_of(std::nullopt), Share::whole) << "it is not over";
}

TEST(CpuGroups, TwoHalvesShareAGroup) {
  CpuGroups groups({0, 1, 2, 3}, 2);
  const auto a = groups.lease(Share::half), b = groups.lease(Share::half), c = groups.lease();
  EXPECT_EQ(a, b);
  ASSERT_TRUE(c);
  EXPECT_NE(a, c);
  EXPECT_FALSE(groups.lease(Share::half));
  groups.release(*b, Share::half);
  EXPECT_FALSE(groups.lease());
  EXPECT_EQ(groups.lease(Share::half), a);
}

TEST(CpuGroups, EveryCheckHasCpusOfItsOwn) {
  CpuGroups groups({0, 1, 2, 5, 6}, 2);
  const auto a = groups.lease();
  const auto b = groups.lease();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(groups.cpus(*a), (std::vector<int>{0, 1}));
  EXPECT_EQ(groups.cpus(*b), (std::vector<int>{2, 5, 6}));
  EXPECT_FALSE(groups.lease());
  groups.release(*a);
  EXPECT_EQ(groups.lease(), a);
}

TEST(CpuGroups, OneAtATimeAndMoreThanThereAreIsBoundToNone) {
  EXPECT_FALSE(CpuGroups({0, 1}, 1).lease());
  EXPECT_FALSE(CpuGroups({0, 1}, 3).lease());
}

TEST(PortLeases, NoPortIsGivenTwice) {
  PortLeases leases;
  exec::Env env, further;
  const auto some = leases.lease(env);
  const auto more = leases.lease(further);
  ASSERT_EQ(some.size(), 4u);
  ASSERT_EQ(more.size(), 4u);
  std::set<int> all(some.begin(), some.end());
  all.insert(more.begin(), more.end());
  EXPECT_EQ(all.size(), 8u);
  EXPECT_EQ(env, (exec::Env{{"HYDRA_PORT_0", std::to_string(some[0])},
                            {"HYDRA_PORT_1", std::to_string(some[1])},
                            {"HYDRA_PORT_2", std::to_string(some[2])},
                            {"HYDRA_PORT_3", std::to_string(some[3])}}));
}

TEST(Slots, WhatRunsAlreadyNeverWaits) {
  SlotPool pool(1);
  int started = 0;
  pool.hold();
  pool.hold();  // an earlier daemon had another limit
  pool.acquire("t", 0, false, [&] { ++started; });
  EXPECT_EQ(started, 0);
  pool.release();
  EXPECT_EQ(started, 0);
  pool.release();
  EXPECT_EQ(started, 1);
}

TEST(Slots, ANewerRaceDoesNotHoldUpAnOlderOne) {
  SlotPool pool(1);
  std::vector<std::string> order;
  const auto start = [&](const char* what) { return [&order, what] { order.emplace_back(what); }; };
  pool.acquire("running", 0, false, start("running"), 100);
  pool.acquire("new/template", 0, false, start("new template"), 200);
  pool.acquire("new/a", 0, false, start("new build"), 200);
  pool.acquire("old/b", 1, false, start("old tests"), 100);
  pool.acquire("old/c", 0, false, start("old build"), 100);
  EXPECT_TRUE(pool.waits("old/b"));
  EXPECT_FALSE(pool.waits("running"));
  for (int i = 0; i < 5; ++i) pool.release();
  EXPECT_EQ(order,
            (std::vector<std::string>{"running", "old build", "old tests", "new template", "new build"}));
}

}  // namespace
}  // namespace hydra::race
