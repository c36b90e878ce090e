// Suites as they are read: Harbor's directories, suite.toml, JSON Lines, and what is wrong with them.
#include "suite/suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace hydra::suite {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Suites : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hydra-suite-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = fs::canonical(name) / "mine";
    fs::create_directory(root);
  }
  void TearDown() override { fs::remove_all(root.parent_path()); }

  void put(const fs::path& path, const std::string& text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  void harbor_task(const std::string& name, const std::string& toml = "version = \"1.0\"\n",
                   const std::string& dockerfile = "FROM ubuntu:24.04\nWORKDIR /app\n") const {
    put(name + "/task.toml", toml);
    put(name + "/instruction.md", "do " + name + "\n");
    put(name + "/environment/Dockerfile", dockerfile);
    put(name + "/tests/test.sh", "exit 0\n");
    put(name + "/solution/solve.sh", "true\n");
  }
  [[nodiscard]] Suite read(const ReadOptions& options = {}) const {
    auto suite = read_suite(root, options);
    EXPECT_TRUE(suite.ok()) << (suite.ok() ? "" : describe(suite.error()));
    return suite.ok() ? std::move(*suite) : Suite{};
  }
  static std::vector<std::string> names(const Suite& suite) {
    std::vector<std::string> all;
    for (const auto& task : suite.tasks) all.push_back(task.name);
    return all;
  }
  static std::string why(const Suite& suite) {
    std::string all;
    for (const auto& task : suite.broken) all += task.name + ": " + task.reason + "\n";
    return all;
  }
  fs::path root;
};

TEST_F(Suites, AHarborTaskAsItIs) {
  harbor_task("hello",
              "schema_version = \"1.1\"\n[task]\nname = \"x/hello\"\n[verifier]\ntimeout_sec = 120.0\n"
              "[verifier.env]\nMODE = \"full\"\n[agent]\ntimeout_sec = 300\n[environment]\ncpus = 2\n");
  const auto suite = read();
  ASSERT_EQ(suite.tasks.size(), 1u) << why(suite);
  const auto& task = suite.tasks[0];
  EXPECT_EQ(suite.name, "mine");
  EXPECT_EQ(suite.format, Format::harbor);
  EXPECT_EQ(task.name, "hello");
  EXPECT_EQ(task.text, "do hello\n");
  EXPECT_EQ(task.agent_seconds, 300);
  EXPECT_EQ(task.test_seconds, 120);
  EXPECT_THAT(task.test_env, ElementsAre(std::pair<std::string, std::string>("MODE", "full")));
  EXPECT_EQ(task.needs_image, "");
  EXPECT_EQ(task.image.workdir, "/app");
  EXPECT_EQ(task.solution, root / "hello/solution");
}

TEST_F(Suites, HalfWrittenTasksAreNamedAndTheOthersStay) {
  harbor_task("good");
  harbor_task("no-tests");
  fs::remove(root / "no-tests/tests/test.sh");
  put("half/instruction.md", "x");
  harbor_task("empty-text");
  put("empty-text/instruction.md", " \n");
  harbor_task("bad-toml", "version = \n");
  harbor_task("bad-time", "[verifier]\ntimeout_sec = -1\n");
  put("notes/readme.txt", "no task at all");
  const auto suite = read();
  EXPECT_THAT(names(suite), ElementsAre("good"));
  EXPECT_EQ(suite.broken.size(), 5u) << why(suite);
  EXPECT_THAT(why(suite), HasSubstr("no-tests: it has no tests/test.sh"));
  EXPECT_THAT(why(suite), HasSubstr("half: it has no task.toml"));
  EXPECT_THAT(why(suite), HasSubstr("empty-text: instruction.md: it is empty"));
  EXPECT_THAT(why(suite), HasSubstr("bad-toml: task.toml:1"));
  EXPECT_THAT(why(suite), HasSubstr("bad-time: [verifier] timeout_sec"));
}

TEST_F(Suites, WhatOnlyTheImageHasIsSaidPerTask) {
  harbor_task("compose");
  put("compose/environment/docker-compose.yaml", "");
  harbor_task("gpu", "[environment]\ngpus = 1\n");
  harbor_task("image", "[environment]\ndocker_image = \"a/b:1\"\n");
  fs::remove(root / "image/environment/Dockerfile");
  harbor_task("key", "[verifier.env]\nKEY = \"${KEY}\"\n");
  harbor_task("curl", "", "FROM ubuntu:24.04\nWORKDIR /app\nRUN curl -L https://x/y | sh\n");
  std::map<std::string, std::string> needs;
  const auto suite = read();
  for (const auto& task : suite.tasks) needs[task.name] = task.needs_image;
  EXPECT_EQ(needs["compose"], "docker-compose.yaml");
  EXPECT_EQ(needs["gpu"], "gpus");
  EXPECT_EQ(needs["image"], "docker_image = a/b:1");
  EXPECT_EQ(needs["key"], "KEY out of your environment");
  EXPECT_EQ(needs["curl"], "RUN curl -L https://x/y | sh");
}

TEST(Dockerfiles, WhatAHostCanDoWithoutTheImage) {
  const auto image = read_dockerfile(
      "# a comment\nFROM python:3.12-slim\nENV DEBIAN_FRONTEND=noninteractive\nWORKDIR /app\n"
      "RUN apt-get update && apt-get install -y --no-install-recommends \\\n    jq=1.6 \\\n    git \\\n"
      " && rm -rf /var/lib/apt/lists/*\nRUN pip install --no-cache-dir pytest==8.4.1 'numpy>=1'\n"
      "RUN mkdir -p /app/data results\nCOPY data/x.bin /app/data/x.bin\nCOPY a b src/\nCMD [\"bash\"]\n");
  EXPECT_EQ(image.needs, "");
  EXPECT_EQ(image.workdir, "/app");
  EXPECT_THAT(image.apt, ElementsAre("jq", "git"));
  EXPECT_THAT(image.pip, ElementsAre("pytest", "numpy"));
  EXPECT_THAT(image.directories, ElementsAre("data", "results"));
  ASSERT_EQ(image.copies.size(), 3u);
  EXPECT_EQ(image.copies[0].to, "data/x.bin");
  EXPECT_FALSE(image.copies[0].into);
  EXPECT_EQ(image.copies[1].to, "src");
  EXPECT_TRUE(image.copies[2].into);
}

TEST(Dockerfiles, TheFirstLineThatTakesMoreIsNamed) {
  const auto needs = [](const std::string& lines) {
    return read_dockerfile("FROM debian:12\n" + lines).needs;
  };
  EXPECT_EQ(needs("WORKDIR /app"), "");
  EXPECT_EQ(read_dockerfile("FROM golang:1.22\nWORKDIR /app").needs, "FROM golang:1.22");
  EXPECT_EQ(read_dockerfile("WORKDIR /app").needs, "no FROM");
  EXPECT_EQ(needs("FROM debian:12"), "FROM debian:12") << "several stages";
  EXPECT_EQ(needs("RUN useradd -m agent"), "RUN useradd -m agent");
  EXPECT_EQ(needs("RUN mkdir x; curl y"), "RUN mkdir x; curl y");
  EXPECT_EQ(needs("RUN rm -rf /app"), "RUN rm -rf /app");
  EXPECT_EQ(needs("USER agent"), "USER agent");
  EXPECT_EQ(needs("ENV PATH=/opt/bin:$PATH"), "ENV PATH=/opt/bin:$PATH");
  EXPECT_EQ(needs("WORKDIR /app\nCOPY x /etc/x"), "COPY x /etc/x");
  EXPECT_EQ(needs("COPY --from=build x /app/x"), "COPY --from=build x /app/x");
  EXPECT_EQ(needs("COPY ../x /app/x"), "COPY ../x /app/x");
  EXPECT_EQ(needs("WORKDIR /etc"), "WORKDIR /etc");
  EXPECT_EQ(needs("RUN pip install -r requirements.txt"), "RUN pip install -r requirements.txt");
}

TEST_F(Suites, ANativeSuite) {
  fs::create_directory(root / "repo");
  put("a/tests/test_x.py", "x");
  put("a/fix.patch", "x");
  put("suite.toml",
      "schema = 1\nname = \"own\"\n[[tasks]]\nname = \"a\"\nrepository = \"repo\"\nbase = \"abc\"\n"
      "task = \"do a\"\ntests = \"a/tests\"\ntest_command = \"t\"\nsetup = \"s\"\nsolution = "
      "\"a/fix.patch\"\n"
      "agent_seconds = 60\n[[tasks]]\nname = \"b\"\nrepository = \"gone\"\nbase = \"abc\"\ntask = \"x\"\n"
      "tests = \"a/tests\"\ntest_command = \"t\"\n[[tasks]]\nname = \"c\"\nrepository = \"repo\"\nbase = "
      "\"a\"\n"
      "task = \"x\"\ntest_command = \"t\"\n[[tasks]]\nname = \"d\"\ntest_comand = \"t\"\n"
      "[[tasks]]\nname = \"a/b\"\nrepository = \"repo\"\nbase = \"a\"\ntask = \"x\"\ntests = \"a/tests\"\n"
      "test_command = \"t\"\n");
  const auto suite = read();
  EXPECT_EQ(suite.name, "own");
  ASSERT_THAT(names(suite), ElementsAre("a")) << why(suite);
  EXPECT_EQ(suite.tasks[0].repository, root / "repo");
  EXPECT_EQ(suite.tasks[0].agent_seconds, 60);
  EXPECT_THAT(why(suite), HasSubstr("b: there is no repository at"));
  EXPECT_THAT(why(suite), HasSubstr("c: it has no tests"));
  EXPECT_THAT(why(suite), HasSubstr("d: 'test_comand' is no key"));
  EXPECT_THAT(why(suite), HasSubstr("a/b: a name has letters"));
}

TEST_F(Suites, JsonLinesAsSweBenchHasThem) {
  fs::create_directories(root / "clones/o__n");
  const std::string whole =
      R"({"instance_id":"n-1","repo":"o/n","base_commit":"abc","problem_statement":"p","patch":"P","test_patch":"T",)"
      R"("FAIL_TO_PASS":"[\"t.py::a b\"]","PASS_TO_PASS":["t.py::c"]})";
  put("s.jsonl",
      whole + "\n\nnot json\n" +
          R"({"instance_id":"n-2","repo":"o/n","base_commit":"abc","problem_statement":"p"})" + "\n" +
          R"({"instance_id":"n-3","repo":"o/x","base_commit":"abc","problem_statement":"p","FAIL_TO_PASS":["a"]})" +
          "\n");
  auto suite = read_suite(root / "s.jsonl", {"", root / "clones", ""});
  ASSERT_TRUE(suite.ok()) << describe(suite.error());
  EXPECT_EQ(suite->name, "s");
  ASSERT_THAT(names(*suite), ElementsAre("n-1")) << why(*suite);
  EXPECT_EQ(suite->tasks[0].test, "python3 -m pytest -q 't.py::a b' t.py::c");
  EXPECT_THAT(why(*suite), HasSubstr("line 3: it is no JSON object"));
  EXPECT_THAT(why(*suite), HasSubstr("n-2: it has no FAIL_TO_PASS"));
  EXPECT_THAT(why(*suite), HasSubstr("n-3: there is no clone of o/x"));
  EXPECT_EQ(read_suite(root / "s.jsonl").error().code, Errc::usage) << "nobody said where the clones are";
}

TEST_F(Suites, OneNameTwiceIsTwoTasksThatNobodyCanTellApart) {
  harbor_task("same");
  harbor_task("tasks/Same");
  harbor_task("tasks/other");
  const auto suite = read();
  EXPECT_THAT(names(suite), ElementsAre("other"));
  EXPECT_EQ(suite.broken.size(), 2u) << why(suite);
}

TEST_F(Suites, NoSuiteAtAll) {
  EXPECT_EQ(read_suite(root).error().message, "no task is here");
  EXPECT_EQ(read_suite(root / "gone").error().code, Errc::not_found);
  put("x.txt", "");
  EXPECT_EQ(read_suite(root / "x.txt").error().code, Errc::usage);
}

TEST_F(Suites, FiltersChooseAndLeaveOut) {
  for (const char* name : {"fix-a", "fix-b", "add-c"}) harbor_task(name);
  auto suite = read();
  ASSERT_TRUE(filter_suite(suite, {"fix-*", "!*-b"}).ok());
  EXPECT_THAT(names(suite), ElementsAre("fix-a"));
  EXPECT_FALSE(filter_suite(suite, {"none"}).ok());
}

TEST_F(Suites, TenThousandTasks) {
  std::string lines;
  fs::create_directories(root / "clones/n");
  for (int i = 0; i < 10'000; ++i)
    lines += R"({"instance_id":"n-)" + std::to_string(i) +
             R"(","repo":"o/n","base_commit":"abc","problem_statement":"p","FAIL_TO_PASS":["a"]})" + "\n";
  put("s.jsonl", lines);
  const auto suite = read_suite(root / "s.jsonl", {"", root / "clones", ""});
  ASSERT_TRUE(suite.ok());
  EXPECT_EQ(suite->tasks.size(), 10'000u);
  EXPECT_THAT(suite->broken, IsEmpty());
}

TEST(TestPaths, ByTheConventionsOfLanguages) {
  for (const char* path : {"tests/x.py", "src/test_x.py", "a/b_test.go", "x.spec.ts", "spec/a_spec.rb",
                           "src/test/java/FooTest.java", "conftest.py", "pkg/testdata/in.txt"})
    EXPECT_TRUE(is_test_path(path)) << path;
  for (const char* path : {"src/x.py", "latest.txt", "contest.py", "attestation/x.go"})
    EXPECT_FALSE(is_test_path(path)) << path;
}

TEST_F(Suites, TheDigestIsOfTestsAndCommands) {
  harbor_task("add");
  const auto digest = [&] { return digest_of(read().tasks.at(0)); };
  const auto before = digest();
  EXPECT_EQ(digest(), before);
  put("add/instruction.md", "add, please\n");
  put("add/solution/solve.sh", "false\n");
  EXPECT_EQ(digest(), before) << "neither tests nor commands";
  put("add/tests/data/expected", "5\n");
  const auto with_data = digest();
  EXPECT_NE(with_data, before);
  put("add/tests/data/expected", "6\n");
  EXPECT_NE(digest(), with_data);
  auto task = read().tasks.at(0);
  task.test = "make check";
  EXPECT_NE(digest_of(task), digest());
}

TEST_F(Suites, WhatIsOfAnotherFormatIsSaid) {
  put("old/task.yaml", "instruction: do it\n");
  put("old/tests/test_outputs.py", "");
  harbor_task("apart", "[verifier]\nenvironment_mode = \"separate\"\n");
  const auto suite = read();
  ASSERT_EQ(suite.broken.size(), 1u);
  EXPECT_THAT(suite.broken[0].reason, HasSubstr("Terminal-Bench 1"));
  EXPECT_THAT(suite.tasks.at(0).needs_image, HasSubstr("verifier"));
}

}  // namespace
}  // namespace hydra::suite
