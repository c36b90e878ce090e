#include "fixture.hpp"

#include <thread>

namespace hydra::git::test {
namespace {

using StoreTest = GitTest;

TEST_F(StoreTest, WholePath) {
  sample();
  const Store made = store();
  const auto work = workspace(made);
  EXPECT_EQ(git(work, {"status", "--porcelain"}), "");
  write(work / "a.txt", "one\n2\nthree\n");
  write(work / "new.txt", "n\n");
  const auto result = capture(made);
  EXPECT_TRUE(result.changed);
  EXPECT_FALSE(result.trivial);
  EXPECT_EQ(result.diff.files_changed, 2);
  EXPECT_EQ(result.diff.lines_added, 2);
  EXPECT_EQ(result.diff.lines_removed, 1);
  const auto branches = made.publish({{"hydra/codex-1", result.commit}});
  ASSERT_TRUE(branches.front().ok()) << describe(branches.front().error());
  EXPECT_EQ(*branches.front(), "hydra/codex-1");
  EXPECT_EQ(git(user_, {"rev-parse", "hydra/codex-1"}), result.commit);
  EXPECT_EQ(git(user_, {"rev-parse", "hydra/codex-1^"}), spec_.repository.base);
  EXPECT_EQ(git(user_, {"show", "hydra/codex-1:a.txt"}), "one\n2\nthree");
  const fs::path check = root_ / "check";
  const auto checked = made.checkout(check, result.commit, {});
  ASSERT_TRUE(checked.ok()) << describe(checked.error());
  EXPECT_EQ(read(check / "new.txt"), "n\n");
  EXPECT_EQ(git(check, {"rev-parse", "HEAD"}), result.commit);
  EXPECT_EQ(git(check, {"status", "--porcelain"}), "");
}

TEST_F(StoreTest, WorkspaceEqualsGitWorktreeAdd) {
  sample();
  const auto work = workspace(store());
  git(user_, {"worktree", "add", "-q", "--detach", (root_ / "linked").string()});
  shell(root_,
        "diff -r --no-dereference -x .git work/codex linked && test -x work/codex/run.sh && test -L "
        "work/codex/link");
  EXPECT_EQ(git(work, {"describe"}), "v1");
}

TEST_F(StoreTest, AgentCanWorkWithGit) {
  sample();
  const auto work = workspace(store());
  write(work / "a.txt", "agent\n");
  for (const auto& args : std::vector<std::vector<std::string>>{{"add", "-A"},
                                                                {"commit", "-q", "-m", "x"},
                                                                {"log", "-p"},
                                                                {"branch", "side"},
                                                                {"switch", "-q", "side"},
                                                                {"tag", "t"},
                                                                {"blame", "a.txt"},
                                                                {"reset", "-q", "--hard", "HEAD~1"},
                                                                {"rebase", "main"},
                                                                {"fsck"},
                                                                {"repack", "-q", "-a"},
                                                                {"gc", "-q"},
                                                                {"worktree", "add", "-q", "../beside"}})
    git(work, args);
  EXPECT_EQ(git(work, {"log", "-1", "--format=%an <%ae>"}), "Ada Test <ada@example.org>");
  EXPECT_EQ(git(user_, {"branch", "--format=%(refname)"}), "refs/heads/main");
}

TEST_F(StoreTest, MakeWorkspaceMovesWhatIsThereAway) {
  sample();
  const Store made = store();
  const auto work = workspace(made);
  write(work / "precious", "kept");
  workspace(made);
  EXPECT_FALSE(fs::exists(work / "precious"));
  bool found = false;
  for (const auto& entry : fs::directory_iterator(work.parent_path()))
    found = found || fs::exists(entry.path() / "precious");
  EXPECT_TRUE(found);
}

TEST_F(StoreTest, PublishCountsUpAndIsIdempotent) {
  sample();
  const Store made = store();
  const auto work = workspace(made);
  write(work / "n", "1\n");
  const auto result = capture(made);
  git(user_, {"branch", "hydra/codex-9"});
  for (int round = 0; round < 2; ++round) {
    const auto branches = made.publish({{"hydra/codex-9", result.commit}, {"hydra/codex-10", result.commit}});
    ASSERT_TRUE(branches[0].ok()) << describe(branches[0].error());
    ASSERT_TRUE(branches[1].ok()) << describe(branches[1].error());
    EXPECT_EQ(*branches[0], "hydra/codex-9-2");
    EXPECT_EQ(*branches[1], "hydra/codex-10");
  }
  EXPECT_EQ(git(user_, {"rev-parse", "hydra/codex-9"}), spec_.repository.base);
  for (const auto& entry : fs::directory_iterator(user_ / ".git/objects/pack"))
    EXPECT_NE(entry.path().extension(), ".keep");
  git(user_, {"fsck", "--strict"});
}

TEST_F(StoreTest, PublishingAgainTakesTheKeepFileOfAKilledImportAwayAndNoOther) {
  for (const std::string keeper : {"hydra", "somebody else"}) {
    sample();
    const Store made = store();
    const auto work = workspace(made);
    write(work / "n", keeper + "\n");
    const auto result = capture(made);
    ASSERT_TRUE(made.publish({{"hydra/" + keeper.substr(0, 5), result.commit}}).front().ok());
    // As a kill between the pack and its branch leaves it.
    git(user_, {"branch", "-D", "hydra/" + keeper.substr(0, 5)});
    fs::path keep;
    for (const auto& entry : fs::directory_iterator(user_ / ".git/objects/pack"))
      if (entry.path().extension() == ".pack") keep = fs::path(entry.path()).replace_extension(".keep");
    ASSERT_FALSE(keep.empty());
    ASSERT_TRUE(write_file(keep, keeper + "\n").ok());
    ASSERT_TRUE(made.publish({{"hydra/" + keeper.substr(0, 5), result.commit}}).front().ok());
    EXPECT_EQ(fs::exists(keep), keeper != "hydra");
    TearDown();
    SetUp();
  }
}

TEST_F(StoreTest, WhatGitRefusesInOneResultIsNamedAndCostsTheOthersNothing) {
  sample();
  const Store made = store();
  for (const std::string name : {"honest", "hostile", "other"}) {
    const auto work = workspace(made, name);
    write(work / "n", name + "\n");
    if (name == "hostile")
      write(work / ".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = -u./payload\n");
  }
  const auto honest = capture(made, "honest"), hostile = capture(made, "hostile"),
             other = capture(made, "other");
  const auto packs = [&] {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(user_ / ".git/objects"))
      if (const auto name = entry.path().filename().string();
          name.starts_with("pack-") || name.starts_with("tmp_"))
        names.push_back(name);
    return names;
  };
  const auto before = packs();
  const auto alone = made.publish({{"hydra/hostile-1", hostile.commit}});
  ASSERT_FALSE(alone.front().ok());
  EXPECT_EQ(alone.front().error().code, Errc::refused);
  EXPECT_NE(alone.front().error().message.find(".gitmodules: gitmodulesUrl"), std::string::npos)
      << describe(alone.front().error());
  EXPECT_EQ(packs(), before);
  const auto branches = made.publish({{"hydra/honest-1", honest.commit},
                                      {"hydra/hostile-1", hostile.commit},
                                      {"hydra/other-1", other.commit}});
  ASSERT_TRUE(branches[0].ok()) << describe(branches[0].error());
  ASSERT_FALSE(branches[1].ok());
  EXPECT_NE(describe(branches[1].error()).find("-u./payload"), std::string::npos);
  ASSERT_TRUE(branches[2].ok()) << describe(branches[2].error());
  EXPECT_EQ(git(user_, {"for-each-ref", "--format=%(refname)", "refs/heads/hydra"}),
            "refs/heads/hydra/honest-1\nrefs/heads/hydra/other-1");
  EXPECT_EQ(git(user_, {"show", "hydra/other-1:n"}), "other");
  git(user_, {"fsck", "--strict"});
  for (const auto& name : packs()) EXPECT_TRUE(!name.ends_with(".keep") && !name.starts_with("tmp_")) << name;
}

TEST_F(StoreTest, ABranchThatCannotBeMadeCostsTheOthersNothing) {
  sample();
  const Store made = store();
  for (const std::string name : {"a", "b"}) write(workspace(made, name) / "n", name + "\n");
  const auto a = capture(made, "a"), b = capture(made, "b");
  git(user_, {"branch", "hydra/a-1/below"});
  const auto branches = made.publish({{"hydra/a-1", a.commit}, {"hydra/b-1", b.commit}});
  EXPECT_FALSE(branches[0].ok());
  ASSERT_TRUE(branches[1].ok()) << describe(branches[1].error());
  EXPECT_EQ(git(user_, {"rev-parse", "hydra/b-1"}), b.commit);
}

TEST_F(StoreTest, CreateIsIdempotentAndPinsTheBase) {
  sample();
  const Store first = store();
  fs::remove(first.directory() / "complete");
  fs::remove(first.directory() / "ignore");
  store();
  EXPECT_TRUE(fs::exists(first.directory() / "ignore"));
  EXPECT_EQ(git(user_, {"rev-parse", "refs/hydra/base/race1"}), spec_.repository.base);
}

TEST_F(StoreTest, TwoStoresAtOnce) {
  sample();
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  std::vector<std::thread> threads;
  std::vector<int> good(4, 0);
  for (std::size_t i = 0; i < good.size(); ++i)
    threads.emplace_back([&, i] {
      const auto spec = spec_of(*facts, "r" + std::to_string(i));
      auto made = Store::create(root_ / ("s" + std::to_string(i)), spec);
      if (!made.ok()) return;
      const fs::path work = root_ / ("w" + std::to_string(i));
      if (!made->make_workspace({work}, "a").ok() || !write_file(work / "n", std::to_string(i)).ok()) return;
      auto captured = made->capture({work}, "a", {});
      if (!captured.ok()) return;
      auto branches = made->publish({{"hydra/a-1", captured->commit}});
      good[i] = branches.front().ok() ? 1 : 0;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, std::vector<int>(4, 1));
  EXPECT_EQ(git(user_, {"for-each-ref", "--format=%(refname)", "refs/heads/hydra"}),
            "refs/heads/hydra/a-1\nrefs/heads/hydra/a-1-2\nrefs/heads/hydra/a-1-3\nrefs/heads/hydra/a-1-4");
}

TEST_F(StoreTest, CheckoutInSandboxNamesObjectsInside) {
  sample();
  const Store made = store();
  ASSERT_TRUE(made.checkout(root_ / "c", spec_.repository.base, {"/objects/0", "/objects/1"}).ok());
  EXPECT_EQ(read(root_ / "c/.git/objects/info/alternates"), "/objects/0\n/objects/1\n");
  EXPECT_EQ(made.objects_dirs().size(), 2u);
  EXPECT_FALSE(made.checkout(root_ / "c", spec_.repository.base, {}).ok());
}

TEST_F(StoreTest, DiffAndEntries) {
  sample();
  const Store made = store();
  const auto work = workspace(made);
  write(work / "a.txt", "one\ntwo\n");
  fs::remove(work / "dir/c.txt");
  write(work / "bin", std::string("\0\1\2", 3));
  const auto result = capture(made);
  const auto entries = made.diff_entries(result.commit);
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[0].path, "a.txt");
  EXPECT_EQ((*entries)[0].removed, 1);
  EXPECT_TRUE((*entries)[1].binary);
  EXPECT_EQ((*entries)[1].added, 0);
  EXPECT_EQ((*entries)[2].status, 'D');
  const auto text = made.diff(result.commit, 1 << 20);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("-three"), std::string::npos);
  EXPECT_EQ(made.diff(result.commit, 10)->size(), 10u);
}

TEST_F(StoreTest, ADiffHasNamesAsPeopleWriteThem) {
  sample();
  const Store made = store();
  const auto work = workspace(made);
  write(work / "gr\u00fc\u00dfe.txt", "x\n");
  write(work / "two\nlines.txt", "x\n");
  const auto text = made.diff(capture(made).commit, 1 << 20).value();
  EXPECT_NE(text.find("+++ b/gr\u00fc\u00dfe.txt\n"), std::string::npos) << text;
  EXPECT_NE(text.find("+++ \"b/two\\nlines.txt\"\n"), std::string::npos) << text;
}

TEST_F(StoreTest, LiveDiff) {
  sample();
  const Store made = store();
  const auto work = workspace(made);
  write(work / "a.txt", "one\n2\nthree\n");
  write(work / "new", "1\n2\n");
  write(work / "x.log", "ignored\n");
  const auto live = made.live_diff({work}, "codex");
  ASSERT_TRUE(live.ok()) << describe(live.error());
  EXPECT_EQ(live->lines_added, 3);
  EXPECT_EQ(live->lines_removed, 1);
  EXPECT_EQ(live->files_changed, 2);
}

TEST(BranchName, UsesSeconds) { EXPECT_EQ(branch_name("codex", 1708646400999), "hydra/codex-1708646400"); }

// Each row is a result of the same base; its patch as UTF-8 makes its very tree out of the base's.
TEST_F(StoreTest, APatchInUtf8AppliesByteForByte) {
  const std::string_view rows[] = {
      R"x(printf 'caf\351\n' > a.txt)x",
      R"x(printf x > "$(printf 'inv\377\376.txt')"; echo more >> a.txt)x",
      R"x(printf x > "$(printf 'gr\303\274n.txt')")x",
      R"x(printf 'a\000b\377' > dir/data.bin; printf 'one\r\ntwo' > dir/b.txt)x",
      R"x(mv a.txt "$(printf 'moved\377')"; rm dir/b.txt run.sh; ln -sfn dir/c.txt link; : > empty)x",
      R"x(printf '\377' > "$(printf 'tab\t"quote" \n line')"; chmod +x dir/c.txt)x",
  };
  sample();
  const auto patch_of = [&](const Store& made, const std::string& commit) {
    const auto patch =
        made.patch({.from = spec_.repository.base, .to = commit, .path = {}, .utf8 = true}, 1 << 20);
    EXPECT_TRUE(patch.ok()) << describe(patch.error());
    return patch.value_or("");
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row);
    const auto id = "race" + std::to_string(&row - rows);
    const auto made = store(id);
    shell(workspace(made, id), std::string(row));
    const auto result = capture(made, id);
    const auto patch = patch_of(made, result.commit);
    EXPECT_EQ(to_utf8(patch), patch);
    git(user_, {"apply", "--index"}, patch);
    EXPECT_EQ(git(user_, {"write-tree"}), result.tree);
    git(user_, {"reset", "-q", "--hard"});
    // Contents that are UTF-8 stay readable beside a name that is not.
    if (&row == rows + 1) {
      EXPECT_NE(patch.find("b/inv\\377\\376.txt\""), std::string::npos) << patch;
      EXPECT_NE(patch.find("+more\n"), std::string::npos) << patch;
    }
  }
}

}  // namespace
}  // namespace hydra::git::test
