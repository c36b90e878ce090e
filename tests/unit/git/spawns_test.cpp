#include "fixture.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>

namespace hydra::git::test {
namespace {

// Programs are what a capture costs in a small repository: their number is part of the design.
class SpawnsTest : public GitTest {
 protected:
  void SetUp() override {
    GitTest::SetUp();
    const fs::path real = exec::find_program("git", path());
    write(root_ / "bin/git",
          "#!/bin/sh\necho x >> '" + (root_ / "count").string() + "'\nexec " + real.string() + " \"$@\"\n");
    fs::permissions(root_ / "bin/git", fs::perms(0755));
    init();
    for (int i = 0; i < 200; ++i)
      write(user_ / ("d" + std::to_string(i % 10)) / (std::to_string(i) + ".txt"), "1\n2\n");
    commit_all();
  }
  int spawns() {
    const auto text = read_file(root_ / "count");
    fs::remove(root_ / "count");
    return text.ok() ? static_cast<int>(std::count(text->begin(), text->end(), 'x')) : 0;
  }
  Store counted() {
    auto facts = look();
    EXPECT_TRUE(facts.ok());
    spec_ = spec_of(*facts);
    spec_.environment = {{"PATH", (root_ / "bin").string() + ":" + path()}, {"HOME", home_.string()}};
    return store_of(spec_);
  }
};

TEST_F(SpawnsTest, PerAgent) {
  const Store made = counted();
  spawns();
  const auto work = workspace(made);
  EXPECT_EQ(spawns(), 0) << "what no attribute converts is checked out in the process";
  EXPECT_FALSE(capture(made).changed);
  EXPECT_EQ(spawns(), 0) << "what was written since the checkout is found in the process";
  write(work / "d0/0.txt", "1\n2\n3\n");
  const auto edited = capture(made);
  EXPECT_EQ(edited.diff.lines_added, 1);
  EXPECT_EQ(spawns(), 0) << "what changed is read and compared in the process";
  write(work / "new", "n\n");
  fs::remove(work / "d1/1.txt");
  const auto more = capture(made);
  EXPECT_EQ(spawns(), 2) << "update-index, diff-index: something may have been renamed";
  ASSERT_TRUE(made.base_paths().ok() && made.changes(more.commit).ok() &&
              made.diff_entries(more.commit).ok());
  ASSERT_TRUE(made.base_file("d0/0.txt", 100) && made.tree_of(more.commit).ok());
  EXPECT_EQ(spawns(), 0) << "Hydra's own objects are read in the process";
  ASSERT_TRUE(made.publish({{"hydra/a-1", edited.commit}, {"hydra/b-1", more.commit}}).front().ok());
  EXPECT_EQ(spawns(), 2) << "index-pack, update-ref";
  ASSERT_TRUE(made.checkout(root_ / "base", spec_.repository.base, {}).ok());
  EXPECT_EQ(spawns(), 0);
  const auto changes = made.changes(more.commit);
  ASSERT_TRUE(changes.ok());
  ASSERT_TRUE(made.materialise(*changes, root_ / "files", root_ / "base/.git/index", root_ / "index").ok());
  EXPECT_EQ(spawns(), 0) << "what no attribute converts is written in the process";
}

TEST_F(SpawnsTest, ATextIsNoProgramOfItsOwn) {
  const Store made = counted();
  const auto after = [&](int texts) {
    std::vector<TreeEdit> edits;
    for (int i = 0; i < texts; ++i)
      edits.push_back({"d" + std::to_string(i % 10) + "/" + std::to_string(i) + ".txt", "100644", "",
                       "text " + std::to_string(i) + "\n"});
    spawns();
    const auto commit = made.edited(spec_.repository.base, edits, "many");
    EXPECT_TRUE(commit.ok());
    const auto count = spawns();
    EXPECT_EQ(made.blobs({*commit + ":d7/7.txt"}, 100)->front(), "text 7\n");
    return count;
  };
  EXPECT_EQ(after(100), after(10));
}

TEST_F(SpawnsTest, PerRace) {
  InspectRequest request{user_, "", false, (root_ / "bin").string() + ":" + path(), home_.string()};
  const auto facts = inspect(request);
  ASSERT_TRUE(facts.ok()) << describe(facts.error());
  EXPECT_EQ(spawns(), 3) << "rev-parse, config, status";
  spec_ = spec_of(*facts);
  spec_.isolation = model::Isolation::bwrap;
  spec_.environment = {{"PATH", request.path_variable}, {"HOME", home_.string()}};
  const Store made = store_of(spec_);
  EXPECT_EQ(spawns(), 2) << "update-ref, and pack-objects the first time of this base";
  ASSERT_TRUE(made.compare_repository().ok());
  EXPECT_EQ(spawns(), 0) << "agents cannot write there: refs are read in the process";
  spec_.isolation = model::Isolation::none;
  const Store exposed = store_of(spec_);
  spawns();
  ASSERT_TRUE(exposed.compare_repository().ok());
  EXPECT_EQ(spawns(), 3) << "agents could write there: for-each-ref, status, and config for core.hooksPath";
  git(user_, {"tag", "v1"});
  request.ref = "v1";
  ASSERT_TRUE(inspect(request).ok());
  EXPECT_EQ(spawns(), 3);
}

TEST_F(SpawnsTest, DISABLED_Times) {
  using Clock = std::chrono::steady_clock;
  const auto ms = [](Clock::time_point from) {
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
  };
  const Store made = store();
  for (int round = 0; round < 5; ++round) {
    const std::string name = "a" + std::to_string(round);
    auto at = Clock::now();
    const auto work = workspace(made, name);
    const double make = ms(at);
    write(work / "d0/0.txt", "1\n2\n3\n");
    write(work / "new", name + "\n");
    at = Clock::now();
    const auto result = capture(made, name);
    const double take = ms(at);
    at = Clock::now();
    ASSERT_TRUE(made.publish({{"hydra/" + name, result.commit}}).front().ok());
    const double give = ms(at);
    at = Clock::now();
    git(user_, {"worktree", "add", "-q", "--detach", (root_ / ("wt" + name)).string()});
    const double linked = ms(at);
    write(root_ / ("wt" + name) / "new", "n\n");
    at = Clock::now();
    git(root_ / ("wt" + name), {"add", "-A"});
    git(root_ / ("wt" + name), {"commit", "-qm", "x"});
    git(root_ / ("wt" + name), {"diff", "--numstat", "HEAD~1"});
    std::cout << "workspace " << make << "  capture " << take << "  publish " << give << "  | worktree add "
              << linked << "  add+commit+diff " << ms(at) << "\n";
  }
}

}  // namespace
}  // namespace hydra::git::test
