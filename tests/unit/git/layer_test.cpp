// A layer over a checkout of the base captures what a checkout with the same content captures.
#include "fixture.hpp"
#include "git/capture/capture.hpp"
#include "support/machine.hpp"

#include <gmock/gmock.h>

#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// --- which of the base's files a layer takes out of sight ---

TEST(LayerChanges, OfNothingAreNone) {
  const auto changes = layer_changes({}, {"a", "b/c"});
  EXPECT_THAT(changes.removed, IsEmpty());
  EXPECT_THAT(changes.written, IsEmpty());
  EXPECT_THAT(changes.added, IsEmpty());
}

TEST(LayerChanges, TellWhatTheBaseHasFromWhatItHasNot) {
  Scan layer;
  layer.files = {"b/c", "b/d", "z"};
  layer.directories = {"b"};
  const auto changes = layer_changes(layer, {"a", "b/c", "b/cc"});
  EXPECT_THAT(changes.written, ElementsAre("b/c"));
  EXPECT_THAT(changes.added, ElementsAre("b/d", "z"));
  EXPECT_THAT(changes.removed, IsEmpty());
}

TEST(LayerChanges, AMarkTakesAFileOrAllBelowADirectory) {
  Scan layer;
  layer.whiteouts = {"a", "b"};
  EXPECT_THAT(layer_changes(layer, {"a", "a.txt", "b-c", "b/c", "b/d/e", "c"}).removed,
              ElementsAre("a", "b/c", "b/d/e"));
}

TEST(LayerChanges, AnOpaqueDirectoryHidesWhatItDoesNotHold) {
  Scan layer;
  layer.directories = {"b"};
  layer.opaque = {"b"};
  layer.files = {"b/c"};
  const auto changes = layer_changes(layer, {"a", "b/c", "b/d", "b/e/f"});
  EXPECT_THAT(changes.removed, ElementsAre("b/d", "b/e/f"));
  EXPECT_THAT(changes.written, ElementsAre("b/c"));
}

TEST(LayerChanges, WhatTakesThePlaceOfAnotherKindRemovesIt) {
  Scan layer;
  layer.files = {"dir", "file/in"};
  layer.directories = {"file"};
  layer.special = {"fifo"};
  const auto changes = layer_changes(layer, {"dir/a", "fifo", "file"});
  EXPECT_THAT(changes.removed, ElementsAre("dir/a", "fifo", "file"));
  EXPECT_THAT(changes.added, ElementsAre("dir", "file/in"));
}

TEST(LayerChanges, AnOpaqueRootHidesEverythingElse) {
  Scan layer;
  layer.opaque = {""};
  layer.files = {"a"};
  EXPECT_THAT(layer_changes(layer, {"a", "b"}).removed, ElementsAre("b"));
}

// --- beside a checkout, with the kernel's own overlay ---

class Layers : public GitTest {
 protected:
  void SetUp() override {
    HYDRA_NEEDS(machine::Ability::overlays,
                ::geteuid() == 0 ? machine::Ability::mounts : machine::Ability::namespaces);
    GitTest::SetUp();
  }
  void start() {
    sample();
    write(user_ / "node_modules.txt", "no directory\n");
    write(user_ / "deep/er/est/file.txt", "1\n2\n3\n4\n5\n6\n7\n8\n");
    write(user_ / "deep/other.txt", "x\n");
    write(user_ / "deep/.gitignore", "*.tmp\n!kept.tmp\n");
    commit_all("second");
    store_ = store();
    tree_.directory = root_ / "work/layer";
    tree_.base = root_ / "base/tree";
    auto made = store_->make_shared_base(root_ / "base");
    ASSERT_TRUE(made.ok()) << describe(made.error());
    begin();
  }
  void begin() {
    plain_ = workspace(*store_, "plain");
    auto made = store_->make_workspace(tree_, "layer");
    ASSERT_TRUE(made.ok()) << describe(made.error());
  }

  /// Runs the script in both.
  void play(const std::string& script) {
    shell(plain_, script);
    exec::ToolCall call;
    const bool root = ::geteuid() == 0;
    const auto at = tree_.directory.string();
    const auto options = "lowerdir=" + tree_.base.string() + ",upperdir=" + at + "/upper,workdir=" + at +
                         "/work,index=off,metacopy=off," + (root ? "redirect_dir=off" : "userxattr");
    call.argv = {"unshare",
                 root ? "-m" : "-rm",
                 "sh",
                 "-c",
                 "mount -t overlay overlay -o \"$1\" \"$2\"; cd \"$2\"; exec sh -ec \"$3\"",
                 "sh",
                 options,
                 at,
                 script};
    call.env = {{"PATH", path()}, {"HOME", home_.string()}, {"LC_ALL", "C"}};
    const auto ran = exec::run_tool(call);
    EXPECT_TRUE(ran.ok());
    EXPECT_TRUE(ran.ok() && ran->ok()) << script << "\n" << (ran.ok() ? ran->err : "");
  }

  static std::vector<std::string> rows(const model::Capture& c) {
    std::vector<std::string> rows;
    for (const auto& row : c.left_out)
      rows.push_back(row.path + " " + std::to_string(row.bytes) + " " + std::string(name(row.reason)));
    return rows;
  }

  /// Three ways to find what was done: git's comparison of all contents (its index says nothing of times),
  /// the times of a checkout's files, and what stands in a layer.
  void expect_same(const std::string& what) {
    shell(store_->directory(), "GIT_INDEX_FILE=seed.asked git --git-dir=. read-tree HEAD");
    const auto asked = store_->capture({plain_}, "asked", {"litter.txt"});
    const auto of_plain = store_->capture({plain_}, "plain", {"litter.txt"});
    const auto of_layer = store_->capture(tree_, "layer", {"litter.txt"});
    ASSERT_TRUE(asked.ok()) << what << describe(asked.error());
    ASSERT_TRUE(of_plain.ok()) << what << describe(of_plain.error());
    ASSERT_TRUE(of_layer.ok()) << what << describe(of_layer.error());
    expect_same(asked, of_plain, what + ", by times");
    expect_same(of_plain, of_layer, what + ", by layer");
  }

  /// Expects that both captures have the same tree, numbers, flags, warnings and rows.
  void expect_same(const Result<model::Capture>& of_plain, const Result<model::Capture>& of_layer,
                   const std::string& what) {
    EXPECT_EQ(of_layer->tree, of_plain->tree)
        << what << "\n"
        << git(store_->directory(),
               {"--git-dir=.", "diff-tree", "-r", "--name-status", of_plain->commit, of_layer->commit});
    EXPECT_EQ(of_layer->changed, of_plain->changed) << what;
    EXPECT_EQ(of_layer->trivial, of_plain->trivial) << what;
    EXPECT_EQ(of_layer->flags, of_plain->flags) << what;
    EXPECT_EQ(of_layer->warnings, of_plain->warnings) << what;
    EXPECT_EQ(rows(*of_layer), rows(*of_plain)) << what;
    EXPECT_EQ(of_layer->agent_commits, of_plain->agent_commits) << what;
    EXPECT_EQ(of_layer->diff.files_changed, of_plain->diff.files_changed) << what;
    EXPECT_EQ(of_layer->diff.lines_added, of_plain->diff.lines_added) << what;
    EXPECT_EQ(of_layer->diff.lines_removed, of_plain->diff.lines_removed) << what;
  }

  void expect_same_live(const std::string& what) {
    const auto live = store_->live_diff({plain_}, "plain");
    const auto live_layer = store_->live_diff(tree_, "layer");
    ASSERT_TRUE(live.ok() && live_layer.ok()) << what;
    EXPECT_EQ(live_layer->lines_added, live->lines_added) << what;
    EXPECT_EQ(live_layer->lines_removed, live->lines_removed) << what;
    EXPECT_EQ(live_layer->files_changed, live->files_changed) << what;
  }

  std::optional<Store> store_;
  fs::path plain_;
  Worktree tree_;
};

TEST_F(Layers, CaptureWhatCheckoutsCapture) {
  start();
  const std::vector<std::pair<std::string, std::string>> scripts{
      {"nothing", "true"},
      {"touched only", "touch -d 2001-01-01 a.txt dir/b.txt"},
      {"mode only", "chmod +x a.txt; chmod -x run.sh"},
      {"changed", "echo more >> a.txt; echo new > n.txt; rm dir/c.txt"},
      {"same size, forged time",
       "t=$(stat -c %y a.txt); printf 'ONE\\ntwo\\nthree\\n' > a.txt; touch -d \"$t\" a.txt"},
      {"directory removed", "rm -r deep"},
      {"directory made anew",
       "rm -r deep; mkdir -p deep/er; echo y > deep/er/new.txt; echo x > deep/other.txt"},
      {"directory moved", "mv deep/er deep/moved"},
      {"file for directory", "rm -r deep; echo file > deep"},
      {"link for directory", "rm -r deep; ln -s dir deep"},
      {"directory for file", "rm a.txt; mkdir a.txt; echo in > a.txt/in"},
      {"link for file", "rm a.txt; ln -s /etc/passwd a.txt"},
      {"link changed", "ln -sf dir/b.txt link"},
      {"fifo for file", "rm a.txt; mkfifo a.txt"},
      {"fifo beside", "mkfifo pipe; echo x > n"},
      {"hard link", "ln a.txt hard.txt; echo more >> hard.txt"},
      {"unreadable", "echo x > dir/new.txt; chmod 000 dir/new.txt; chmod 000 dir"},
      {"ignored",
       "mkdir build; echo x > build/out; echo y > deep/a.tmp; echo z > deep/kept.tmp; echo l > x.log"},
      {"own rules",
       "echo '*.txt' > .gitignore; echo n > new.txt; mkdir node_modules; echo m > node_modules/m.js"},
      {"own rules in a directory",
       "echo '*' > dir/.gitignore; echo n > dir/new.txt; rm deep/.gitignore; echo t > deep/a.tmp"},
      {"generated",
       "echo 'node_modules/' > .gitignore; mkdir -p deep/node_modules/p; echo m > deep/node_modules/p/m.js"},
      {"rules of the base in a generated directory",
       "mkdir -p deep/node_modules; echo t > deep/node_modules/a.tmp; echo m > deep/node_modules/m.js"},
      {"nested repository", "mkdir sub; cd sub; git init -q .; echo x > in; mkdir build; echo o > build/o"},
      {"repository gone", "rm -rf .git; echo x > n"},
      {"all gone", "rm -rf * .gitignore"},
      {"litter", "echo x > litter.txt; echo y > n"},
      {"attributes", "echo '*.txt text eol=crlf' > .gitattributes; printf 'a\\r\\n' > w.txt"},
      {"renamed and changed",
       "mv deep/er/est/file.txt deep/er/est/renamed.txt; echo 9 >> deep/er/est/renamed.txt"},
      {"own commit", "echo x > n; git add -A; git -c user.name=a -c user.email=b commit -qm c; echo y >> n"},
      {"white space", "printf 'one\\n two\\nthree\\n' > a.txt"},
      {"odd names",
       "echo x > 'a b'; echo x > \"$(printf 'new\\nline')\"; echo x > ümlaut; echo x > -dash; echo x > '*'"},
      {"large", "head -c 40000000 /dev/zero > big.bin"},
  };
  for (const auto& [what, script] : scripts) {
    begin();
    play(script);
    // git can't look at a pipe, and sees no file of a nested repository.
    if (what != "fifo for file" && what != "nested repository") expect_same_live(what);
    expect_same(what);
  }
}

/// Some of everything that a shell can do to a tree, by chance.
std::string random_script(unsigned seed) {
  std::mt19937 random(seed);
  const auto any = [&](const std::vector<std::string>& of) { return of[random() % of.size()]; };
  const std::vector<std::string> places{
      "a.txt",          "dir", "dir/b.txt", "deep",    "deep/er", "deep/er/est", "deep/er/est/file.txt",
      "deep/other.txt", "new", "new/in",    "dir/new", "build",   "link"};
  std::string script;
  for (int step = 0; step < 12; ++step) {
    const auto at = any(places), other = any(places);
    script += any({"rm -rf " + at, "mkdir -p " + at, "echo " + std::to_string(random() % 5) + " >> " + at,
                   "mv -T " + at + " " + other, "cp -rT " + at + " " + other, "ln -sfT " + other + " " + at,
                   "chmod 755 " + at, "touch -d 2005-05-05 " + at, "git checkout -q -- " + at,
                   "echo '" + any({"*.txt", "/new", "!build/", "er/"}) + "' >> " +
                       any({".gitignore", "dir/.gitignore", "deep/.gitignore"})}) +
              " 2>/dev/null </dev/null || true\n";
  }
  return script;
}

TEST_F(Layers, CaptureWhatCheckoutsCaptureWhateverIsDone) {
  start();
  constexpr unsigned kSeeds = 15;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    begin();
    const auto script = random_script(seed);
    play(script);
    expect_same_live("seed " + std::to_string(seed) + "\n" + script);
    expect_same("seed " + std::to_string(seed) + "\n" + script);
    if (HasFailure()) return;
  }
}

TEST_F(Layers, NeverWriteToTheBase) {
  start();
  const auto before = read(tree_.base / "a.txt");
  play("echo more >> a.txt; rm -r deep; chmod 000 dir");
  expect_same("changes");
  EXPECT_EQ(read(tree_.base / "a.txt"), before);
  EXPECT_TRUE(fs::exists(tree_.base / "deep/other.txt"));
}

TEST_F(Layers, AreCleanForTheAgentsGit) {
  start();
  play("test -z \"$(git status --porcelain)\"; test \"$(git log --format=%s -1)\" = second");
  expect_same("looked at");
}

}  // namespace
}  // namespace hydra::git::test
