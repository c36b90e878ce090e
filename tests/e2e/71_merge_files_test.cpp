// Files that a merge brings in, and files that it leaves out (docs/merging.md, "What a merge leaves out").
#include "support/http.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A fix, and three kinds of files that no project commits.
constexpr const char* kLittered =
    "echo right > src/a.txt; mkdir -p web/node_modules/x src/dist; "
    "for i in 1 2 3; do echo $i > web/node_modules/x/$i.js; done; "
    "echo d > src/dist/all.js; echo l > server.pid; git add -A; git commit -qm work";

class MergeFiles : public ::testing::Test {
 protected:
  void race(const std::string& script) {
    world.project("[scoring]\ntest_command = \"grep -q right src/a.txt\"\n" + script_agent("left", script));
    const auto run = world.race({"--agents", "left", "task"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
  }
  hydra::e2e::Run merge(Words args) const {
    args.insert(args.begin(), "merge");
    return world.hydra(args);
  }
  /// Paths that `range` changes or has changed meanwhile, one a line, sorted.
  std::string brought(const std::string& range) const {
    return world.git({"log", "-m", "--format=", "--name-only", range});
  }
  World world;
};

TEST_F(MergeFiles, GeneratedOnesStayOutHoweverTheMergeLands) {
  race(kLittered);
  const auto before = world.git({"rev-parse", "HEAD"});
  const std::string said =
      "Left out: 3 files in node_modules/, 1 file named *.pid, 1 file in dist/ (--with-generated brings them "
      "in)";
  const auto dry = merge({"left", "--dry-run"});
  EXPECT_EQ(dry.exit, 0) << dry.out;
  EXPECT_THAT(dry.out, HasSubstr(said));
  EXPECT_THAT(dry.out, HasSubstr("(+1 -0 in 1 file)"));
  for (const Words& how : {Words{}, Words{"--squash"}, Words{"--ff"}, Words{"--ff-only"}}) {
    Words args{"left"};
    args.insert(args.end(), how.begin(), how.end());
    const auto merged = merge(args);
    ASSERT_EQ(merged.exit, 0) << merged.err;
    EXPECT_THAT(merged.out, HasSubstr(said));
    EXPECT_THAT(brought(before + "..HEAD"), HasSubstr("src/a.txt"));
    for (const char* left : {"node_modules", "dist", "server.pid"})
      EXPECT_THAT(brought(before + "..HEAD"), Not(HasSubstr(left))) << args.back();
    EXPECT_EQ(world.git({"status", "--porcelain"}), "");
    EXPECT_THAT(merge({"left"}).out, HasSubstr("already merged"));
    ASSERT_EQ(merge({"--undo"}).exit, 0);
    EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
    EXPECT_FALSE(fs::exists(world.repo() / "src/a.txt"));
  }
}

TEST_F(MergeFiles, GeneratedOnesComeInWhenAsked) {
  race(kLittered);
  const auto merged = merge({"left", "--with-generated"});
  ASSERT_EQ(merged.exit, 0) << merged.err;
  EXPECT_THAT(merged.out, Not(HasSubstr("Left out")));
  EXPECT_EQ(world.read("web/node_modules/x/2.js"), "2\n");
  EXPECT_EQ(world.read("server.pid"), "l\n");
}

// Kinds that the base has are the project's choice, and test data may be of any kind.
TEST_F(MergeFiles, KindsOfTheBaseAndTestDataComeIn) {
  world.write("docs/old.pid", "kept on purpose\n");
  race(
      "echo right > src/a.txt; echo l > server.pid; mkdir -p tests/fixtures/dist; "
      "echo f > tests/fixtures/dist/all.js");
  const auto merged = merge({"left"});
  ASSERT_EQ(merged.exit, 0) << merged.err;
  EXPECT_THAT(merged.out, Not(HasSubstr("Left out")));
  EXPECT_EQ(world.read("server.pid"), "l\n");
  EXPECT_EQ(world.read("tests/fixtures/dist/all.js"), "f\n");
}

// The script in hydra.toml writes the name in two parts, because the base has that file.
TEST_F(MergeFiles, NewFilesThatNothingNamesAreNamedAndCanBeLeftOut) {
  race(
      "echo right > src/a.txt; p=repro; echo x > \"$p\"duce.sh; mkdir -p try/deep; echo y > "
      "try/deep/one.txt; "
      "echo z > try/two.txt; echo more >> src/app.txt");
  const auto dry = merge({"left", "--dry-run"});
  EXPECT_THAT(dry.out, HasSubstr("New and named by no other file: "));
  EXPECT_THAT(dry.out, HasSubstr("reproduce.sh"));
  const auto before = world.fingerprint();
  for (const auto& [path, why] : {std::pair{"src/app.txt", "adds no file 'src/app.txt'"},
                                  {"src/none.txt", "adds no file 'src/none.txt'"},
                                  {".", "adds no file '.'"},
                                  {"", "has no name"}}) {
    const auto refused = merge({"left", "--without", path});
    EXPECT_EQ(refused.exit, 2) << path;
    EXPECT_THAT(refused.err, HasSubstr(why));
  }
  EXPECT_EQ(world.fingerprint().differs_from(before), "");
  HydraOptions below;
  below.directory = world.repo() / "src";
  const auto merged =
      world.hydra({"merge", "left", "--without", "../reproduce.sh", "--without", "../try/"}, below);
  ASSERT_EQ(merged.exit, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("Left out as asked: try (2 files), reproduce.sh (1 file)"));
  EXPECT_THAT(merged.out, Not(HasSubstr("named by no other file")));
  EXPECT_THAT(merged.out, Not(HasSubstr("git branch -D"))) << "the branch alone has what was left out";
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  EXPECT_FALSE(fs::exists(world.repo() / "reproduce.sh"));
  EXPECT_FALSE(fs::exists(world.repo() / "try"));
  EXPECT_EQ(merge({"--undo"}).exit, 0);
}

TEST_F(MergeFiles, AResultOfNothingElseIsRefused) {
  world.project("[scoring]\ntest_command = \"true\"\n" +
                script_agent("left", "mkdir node_modules; echo 1 > node_modules/x.js"));
  world.race({"--agents", "left", "task"});
  const auto before = world.fingerprint();
  const auto refused = merge({"left"});
  EXPECT_EQ(refused.exit, 1) << refused.out << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("every change of hydra/left-"));
  EXPECT_THAT(refused.err, HasSubstr("--with-generated"));
  EXPECT_EQ(world.fingerprint().differs_from(before), "");
  EXPECT_EQ(merge({"left", "--with-generated"}).exit, 0);
}

TEST_F(MergeFiles, AChangeOfLineEndsAloneIsCounted) {
  world.write("src/two.txt", "1\n2\n");
  race(
      "echo right > src/a.txt; sed -i 's/$/\\r/' src/two.txt; printf 'one\\r\\nzwei\\r\\nthree\\r\\n' > "
      "src/app.txt");
  EXPECT_THAT(merge({"left", "--dry-run"}).out, HasSubstr("Line ends only: 1 file\n"));
  const auto answer = Json::parse(merge({"left", "--dry-run", "--json"}).out);
  EXPECT_EQ(answer["line_ends_only"], 1) << answer.dump(1);
}

// A preview shows one set of files, and its token merges no other.
TEST_F(MergeFiles, APreviewIsOfTheFilesThatItShows) {
  race(kLittered);
  const Browser browser(world);
  Json call{{"race", world.results()["race"]}, {"agent", "left"}, {"dry_run", true}};
  const auto shown = browser.post("/v1/merge", call).json();
  EXPECT_EQ(shown["left_out"][0], (Json{{"what", "node_modules/"}, {"files", 3}, {"generated", true}}))
      << shown.dump(1);
  call["dry_run"] = false;
  call["preview"] = shown["preview"];
  for (const auto& [member, value] :
       {std::pair<const char*, Json>{"with_generated", true}, {"without", Json{"src/a.txt"}}}) {
    auto other = call;
    other[member] = value;
    EXPECT_EQ(browser.post("/v1/merge", other).status, 409) << member;
  }
  EXPECT_EQ(browser.post("/v1/merge", call).status, 200);
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  EXPECT_FALSE(fs::exists(world.repo() / "web"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
