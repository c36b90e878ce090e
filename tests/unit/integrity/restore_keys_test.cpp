#include "integrity/protect/protected_paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra;
using namespace hydra::integrity;
using namespace hydra::trees;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

RestoredKeys restored(std::string_view path, std::string_view base, std::string_view candidate,
                      const CheckCommands& commands = {}) {
  auto result = restore_keys(path, base, candidate, commands);
  EXPECT_TRUE(result.ok()) << describe(result.error());
  return result ? *result : RestoredKeys{};
}

// --- package.json

TEST(RestorePackageJson, TakesTheChecksBackAndKeepsTheRest) {
  const auto r = restored(
      "package.json", R"({"name":"a","scripts":{"test":"jest","build":"tsc"},"jest":{"bail":false}})",
      R"({"name":"a","scripts":{"test":"echo ok","build":"tsc -b","pretest":"node x.js"},)"
      R"("dependencies":{"x":"1"},"mocha":{"grep":"none"}})");
  EXPECT_THAT(r.keys, UnorderedElementsAre("scripts.test", "scripts.pretest", "jest", "mocha"));
  EXPECT_EQ(r.text, R"({
  "name": "a",
  "scripts": {
    "test": "jest",
    "build": "tsc -b"
  },
  "dependencies": {
    "x": "1"
  },
  "jest": {
    "bail": false
  }
}
)");
}

TEST(RestorePackageJson, LeavesAnHonestChangeByteForByte) {
  const std::string candidate = "{ \"scripts\": {\"test\":\"jest\"},\n   \"dependencies\": {\"b\": \"2\"} }";
  const auto r = restored("web/package.json", R"({"scripts":{"test":"jest"}})", candidate);
  EXPECT_THAT(r.keys, IsEmpty());
  EXPECT_EQ(r.text, candidate);
}

TEST(RestorePackageJson, FollowsScriptsThatCallScripts) {
  const CheckCommands commands{.build = {}, .test = "npm run verify", .lint = {}, .setup = {}};
  const auto r = restored(
      "package.json", R"({"scripts":{"verify":"npm run unit","unit":"node --test"}})",
      R"({"scripts":{"verify":"npm run unit","unit":"true","postunit":"true","docs":"x"}})", commands);
  EXPECT_THAT(r.keys, UnorderedElementsAre("scripts.unit", "scripts.postunit"));
  EXPECT_THAT(r.text, AllOf(HasSubstr("node --test"), HasSubstr("docs"), Not(HasSubstr("postunit"))));
}

TEST(RestorePackageJson, BringsDroppedScriptsBack) {
  EXPECT_THAT(restored("package.json", R"({"scripts":{"test":"jest"}})", "{}").text, HasSubstr("jest"));
  EXPECT_THAT(restored("package.json", R"({"scripts":{"test":"jest"}})", R"({"scripts":[]})").text,
              HasSubstr("jest"));
  EXPECT_THAT(restored("package.json", "", R"({"scripts":{"test":"true","a":"b"}})").text,
              AllOf(Not(HasSubstr("true")), HasSubstr("\"a\"")));
}

TEST(RestorePackageJson, RefusesWhatIsNoObject) {
  for (const std::string_view text : {"[]", "{", "{} {}", "\xff", "7"})
    EXPECT_FALSE(restore_keys("package.json", "{}", text, {}).ok()) << text;
  EXPECT_FALSE(restore_keys("package.json", "{}", std::string(100'000, '['), {}).ok());
  std::string deep;
  for (int i = 0; i < 500'000; ++i) deep += "a.";
  for (const auto* name : {"pyproject.toml", "Cargo.toml"})
    EXPECT_FALSE(restore_keys(name, "", deep + "a = 1\n", {}).ok()) << name;
  EXPECT_FALSE(restore_keys("package.json", "{}", std::string(9U << 20, ' '), {}).ok());
  EXPECT_FALSE(restore_keys("README.md", "", "", {}).ok());
}

// --- TOML

// A quote within a comment is none: what stands behind it is as deep as it looks. Copies and texts of such a
// value go as deep as it does.
TEST(RestorePackageJson, RefusesWhatIsDeeperThanAManifest) {
  constexpr std::size_t kDeep = 400'000;
  for (const std::string before :
       {"{\"scripts\":{\"test\":\"true\"}, \"a\":", "{ // \"\n\"scripts\":{\"test\":\"true\"}, \"a\":"}) {
    const auto text = before + std::string(kDeep, '[') + std::string(kDeep, ']') + "}";
    EXPECT_FALSE(restore_keys("package.json", R"({"scripts":{"test":"jest"}})", text, {}).ok());
  }
}

// Looking for a key goes through those before it: a manifest of a megabyte would cost hours.
TEST(RestorePackageJson, RefusesMoreKeysThanAManifestHas) {
  std::string text = R"({"scripts":{"test":"true"},"a":{)";
  for (int i = 0; i < 5'000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  text += R"("z":1}})";
  EXPECT_FALSE(restore_keys("package.json", R"({"scripts":{"test":"jest"}})", text, {}).ok());
  std::string wide = R"({"scripts":{"test":"true"})";
  for (int i = 0; i < 40; ++i)
    wide += ",\"k" + std::to_string(i) + R"(":{"a":{"b":1},"c":[{"b":1},{"b":2}]})";
  EXPECT_EQ(restored("package.json", R"({"scripts":{"test":"jest"}})", wide + "}").keys.size(), 1U);
}

TEST(RestorePyproject, TakesTheTestSectionsBack) {
  const auto r =
      restored("pyproject.toml",
               "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = "
               "\"-ra\"\n[tool.ruff]\nline-length = 99\n",
               "[project]\nname = \"a\"\ndependencies = [\"x>=1\"]\n[project.entry-points.pytest11]\nevil = "
               "\"a.evil\"\n"
               "[tool.pytest.ini_options]\naddopts = \"--deselect t\"\n[tool.coverage.run]\nomit = [\"*\"]\n"
               "[tool.hatch.build]\ninclude = [\"src\"]\n");
  EXPECT_THAT(r.keys, UnorderedElementsAre("tool.pytest", "tool.coverage", "tool.ruff",
                                           "project.entry-points.pytest11"));
  EXPECT_THAT(r.text, AllOf(HasSubstr("-ra"), HasSubstr("x>=1"), HasSubstr("[tool.hatch.build]"),
                            HasSubstr("line-length = 99"), Not(HasSubstr("evil")), Not(HasSubstr("omit"))));
  // The written text is read again as the same thing: nothing is left to put back.
  EXPECT_THAT(restored("pyproject.toml", r.text, r.text).keys, IsEmpty());
}

TEST(RestorePyproject, LeavesAnHonestChangeByteForByte) {
  const std::string candidate = "# ours\n[project]\nname='a' # c\n[tool.pytest.ini_options]\naddopts='-ra'\n";
  EXPECT_EQ(restored("pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-ra\"\n", candidate).text,
            candidate);
}

TEST(RestoreCargo, TakesTargetsAndProfilesBack) {
  const auto r = restored(
      "Cargo.toml", "[package]\nname = \"a\"\n[[test]]\nname = \"api\"\n[lib]\npath = \"src/lib.rs\"\n",
      "[package]\nname = \"a\"\nautotests = false\n[dependencies]\nserde = \"1\"\n[[test]]\nname = \"api\"\n"
      "harness = false\n[lib]\npath = \"src/lib.rs\"\ntest = false\n[profile.test]\ndebug-assertions = "
      "false\n"
      "[[bin]]\nname = \"b\"\npath = \"src/b.rs\"\ntest = false\n");
  EXPECT_THAT(r.keys,
              UnorderedElementsAre("test", "profile.test", "package.autotests", "lib.test", "bin.b.test"));
  EXPECT_THAT(r.text, AllOf(HasSubstr("serde"), HasSubstr("src/b.rs"), Not(HasSubstr("harness")),
                            Not(HasSubstr("autotests")), Not(HasSubstr("false"))));
}

TEST(RestoreToml, RefusesWhatIsNoToml) {
  for (const std::string_view text : {"a = ", "[a", "a = 1\na = 2\n", "\xff = 1"})
    EXPECT_FALSE(restore_keys("pyproject.toml", "", text, {}).ok()) << text;
  EXPECT_FALSE(restore_keys("Cargo.toml", "", "a = " + std::string(100'000, '['), {}).ok());
}

// --- setup.cfg and Makefile

TEST(RestoreIni, TakesSectionsBack) {
  const auto r = restored("setup.cfg", "[metadata]\nname = a\n\n[tool:pytest]\naddopts = -ra\n",
                          "[metadata]\nname = b\n\n[tool:pytest]\naddopts = "
                          "--ignore=tests\n\n[flake8]\nignore = E\n[options]\nx = y\n");
  EXPECT_THAT(r.keys, UnorderedElementsAre("tool:pytest", "flake8"));
  EXPECT_EQ(r.text, "[metadata]\nname = b\n\n[tool:pytest]\naddopts = -ra\n[options]\nx = y\n");
}

TEST(RestoreMakefile, TakesTheTargetsOfTheCommandsBack) {
  const CheckCommands commands{.build = "make", .test = "make -s test", .lint = {}, .setup = {}};
  const auto r = restored(
      "Makefile", "all: a.o\n\tcc a.o\n\ntest: all\n\t./t \\\n\t  --all\n\nclean:\n\trm a.o\n",
      "all: a.o b.o\n\tcc a.o b.o\n\ntest:\n\t@echo ok\n\nclean:\n\trm *.o\n\ntest: more\n", commands);
  EXPECT_THAT(r.keys, ElementsAre("target test"));
  EXPECT_EQ(r.text, "all: a.o b.o\n\tcc a.o b.o\n\ntest: all\n\t./t \\\n\t  --all\n\nclean:\n\trm *.o\n\n");
  EXPECT_THAT(restored("Makefile", "test:\n\t./t\n", "all:\n\tcc\n", commands).text,
              HasSubstr("test:\n\t./t\n"));
  EXPECT_THAT(restored("Makefile", "test:\n\t./t\n", "test:\n\techo\n").keys, IsEmpty())
      << "no command names it";
}

TEST(RestoreMakefile, TakesTheProgramsOfTheRecipesBack) {
  const CheckCommands commands{.build = {}, .test = "make test", .lint = {}, .setup = {}};
  const std::string base = "PYTEST = python3 -m pytest\nSRC = a.py\n\ntest:\n\t$(PYTEST) $(SRC)\n";
  const auto r =
      restored("Makefile", base,
               "override PYTEST = printf ok\nSRC = a.py b.py\n\ntest:\n\t$(PYTEST) $(SRC)\n", commands);
  EXPECT_THAT(r.keys, ElementsAre("variable PYTEST"));
  EXPECT_EQ(r.text, "PYTEST = python3 -m pytest\nSRC = a.py b.py\n\ntest:\n\t$(PYTEST) $(SRC)\n");
  EXPECT_THAT(restored("Makefile", base, base + "SHELL = /bin/true\n", commands).keys,
              ElementsAre("variable SHELL"));
}

TEST(RestoreMakefile, FollowsPrerequisitesThatAreChecks) {
  const CheckCommands commands{.build = "make", .test = "make test", .lint = {}, .setup = {}};
  const std::string base = "all: a.o\n\tcc a.o\n\ntest: all unit\n\nunit:\n\tpytest\n";
  const auto r =
      restored("Makefile", base, "all: a.o b.o\n\tcc a.o b.o\n\ntest: all unit\n\nunit:\n\ttrue\n", commands);
  EXPECT_THAT(r.keys, ElementsAre("target unit")) << "the build is the candidate's";
  EXPECT_EQ(r.text, "all: a.o b.o\n\tcc a.o b.o\n\ntest: all unit\n\nunit:\n\tpytest\n");
}

// make takes the last recipe and the last value.
// Readers of ini files differ in what stands behind a section's name, and in what ends a line.
TEST(RestoreIni, TheWholeFileWhereReadersMayDiffer) {
  const std::string base = "[metadata]\nname = a\n";
  for (const std::string hidden :
       {"[tool:pytest] # ours\naddopts = -k nothing\n", "[tool:pytest] ; ours\naddopts = -k nothing\n",
        "x = 1\v[tool:pytest]\naddopts = -k nothing\n", "x = 1\r[tool:pytest]\raddopts = -k nothing\n"})
    EXPECT_EQ(restored("setup.cfg", base, base + hidden).text, base) << hidden;
  const std::string plain = base + "version = 2\r\n[options]\n";
  EXPECT_EQ(restored("setup.cfg", base, plain).text, plain);
}

TEST(RestoreMakefile, StandsLastWhereAnotherDefinitionCouldReplaceIt) {
  const CheckCommands commands{.build = {}, .test = "make test", .lint = {}, .setup = {}};
  const std::string base = "test:\n\tpytest\n";
  for (const std::string more :
       {"-include x.mk\n", "T = test\n$(T):\n\ttrue\n", "$(eval test: ; true)\n", "sinclude x\n"}) {
    const auto r = restored("Makefile", base, base + more, commands);
    EXPECT_FALSE(r.keys.empty()) << more;
    EXPECT_TRUE(r.text.ends_with("\ntest:\n\tpytest\n")) << r.text;
  }
  EXPECT_THAT(
      restored("Makefile", base + "include x.mk\n", base + "include x.mk\nOTHER = 1\n", commands).keys,
      IsEmpty());
}

// make and this reader must agree on where a line ends.
TEST(RestoreMakefile, ReadsSplicedLinesAsMakeDoes) {
  const CheckCommands commands{.build = {}, .test = "make test", .lint = {}, .setup = {}};
  const std::string base = "test:\n\tpytest\n";
  const std::vector<std::pair<std::string, std::string>> hidden{
      {"override \\\nSHELL = /bin/true\n", "variable SHELL"},
      {"export \\\n  \\\n MAKEFLAGS += -i\n", "variable MAKEFLAGS"},
      {"SHELL \\\r\n = /bin/true\n", "variable SHELL"},
      {"other \\\n test: ; true\n", "target test"},
      {"# two backslashes, and no splice \\\\\ntest: ; true\n", "target test"},
      {"# a blank behind it, and none \\ \ntest: ; true\n", "target test"},
      {".IGNORE \\\n : test\n", "target .IGNORE"}};
  for (const auto& [more, key] : hidden) {
    const auto r = restored("Makefile", base, base + more, commands);
    EXPECT_THAT(r.keys, Contains(key)) << more;
    EXPECT_EQ(r.text.find("true"), std::string::npos) << r.text;
  }
  const std::string comment = base + "# one that goes on \\\ntest: ; true\n";
  EXPECT_EQ(restored("Makefile", base, comment, commands).text, comment);
}

TEST(RestoreMakefile, TakesRulesOutOfIncludedFiles) {
  const CheckCommands commands{.build = {}, .test = "make test", .lint = {}, .setup = {}};
  const auto r = restored("x.mk", "", "OTHER = 1\ntest:\n\ttrue\n", commands);
  EXPECT_THAT(r.keys, ElementsAre("target test"));
  EXPECT_EQ(r.text, "OTHER = 1\n");
}

TEST(RestoreIni, TakesAPluginOfTheRunnerBack) {
  const auto r = restored("setup.cfg", "[metadata]\nname = a\n",
                          "[metadata]\nname = a\n\n[options.entry_points]\npytest11 =\n  a = a.plugin\n");
  EXPECT_THAT(r.keys, ElementsAre("options.entry_points"));
  EXPECT_THAT(restored("setup.cfg", "[metadata]\nname = a\n",
                       "[metadata]\nname = a\n[options.entry_points]\nconsole_scripts =\n  a = a:main\n")
                  .keys,
              IsEmpty());
}

}  // namespace
