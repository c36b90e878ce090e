// Reports of tools, read as lines that ran.
#include "checks/coverage.hpp"

#include "checks/base_words.hpp"
#include "checks/reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hydra::checks {
namespace {

const Sources kSources{{"src/calc.go",
                        "package calc\n\nfunc Clamp(x, high int) int {\n\tif x > high {\n\t\treturn high\n"
                        "\t}\n\treturn x\n}\n"},
                       {"src/calc.js",
                        "exports.one = (x) => x;\nfunction two(x) {\n  if (x) {\n    return 1;\n  }\n"
                        "  return 2;\n}\nexports.two = two;\n"},
                       {"calc.py", "def f():\n    return 1\n"}};

TEST(Coverage, LcovOfTheFileThatIsMeant) {
  Coverage found;
  add_lcov("SF:/repo/x/calc.py\nDA:2,3\nDA:3,0\nend_of_record\nSF:other.py\nDA:9,1\n", kSources, found);
  EXPECT_EQ(found, (Coverage{{"calc.py", {{2, true}, {3, false}}}}));
  add_lcov("SF:calc.py\nDA:3,1\nDA:x,1\nDA:\nDA:99999999999,1\n", kSources, found);
  EXPECT_EQ(found, (Coverage{{"calc.py", {{2, true}, {3, true}}}})) << "what ran once ran";
}

TEST(Coverage, Cobertura) {
  Coverage found;
  add_cobertura(
      "<?xml version=\"1.0\"?><coverage><class name=\"c\" filename=\"calc.py\"><lines>"
      "<line number=\"2\" hits=\"0\"/><line hits=\"4\" number=\"5\"/></lines></class>"
      "<class filename=\"no.py\"><line number=\"7\" hits=\"1\"/></class>",
      kSources, found);
  EXPECT_EQ(found, (Coverage{{"calc.py", {{2, false}, {5, true}}}}));
}

TEST(Coverage, GoBlocks) {
  Coverage found;
  add_go_profile(
      "mode: set\nexample.com/m/src/calc.go:3.32,4.14 1 1\nexample.com/m/src/calc.go:4.14,6.3 1 0\n"
      "example.com/m/src/calc.go:7.2,7.10 1 1\nnonsense\n",
      kSources, found);
  EXPECT_EQ(found, (Coverage{{"src/calc.go", {{4, true}, {5, false}, {7, true}}}}));
}

TEST(Coverage, RangesOfV8) {
  const auto& js = kSources[1].second;
  const auto at = [&](const char* text) { return std::to_string(js.find(text)); };
  const auto range = [](const std::string& from, const std::string& to, int count) {
    return "{\"startOffset\":" + from + ",\"endOffset\":" + to + ",\"count\":" + std::to_string(count) + "}";
  };
  const auto end = std::to_string(js.size());
  const auto json =
      "{\"result\":[{\"url\":\"file:///repo/src/calc.js\",\"functions\":["
      "{\"functionName\":\"\",\"ranges\":[" +
      range("0", end, 1) +
      "]},"
      "{\"functionName\":\"exports.one\",\"ranges\":[" +
      range(at("(x) => x"), at(";\nfunction"), 0) + "]},{\"functionName\":\"two\",\"ranges\":[" +
      range(at("function two"), at("\nexports.two"), 1) + "," +
      range(at("{\n    return 1"), at("\n  return 2"), 0) + "]}]}]}";
  Coverage found;
  add_v8(json, kSources, found);
  EXPECT_EQ(found, (Coverage{{"src/calc.js", {{1, false}, {3, true}, {4, false}, {6, true}}}}));
  add_v8("{\"result\": 3}", kSources, found);
  add_v8("no json", kSources, found);
}

TEST(Coverage, ReportsChangedLinesOnlyAndJoinsRanges) {
  const Coverage coverage{{"a.py", {{1, true}, {2, false}, {3, false}, {5, false}, {6, true}, {9, false}}}};
  const auto found = coverage_report("x", {{"a.py", {1, 2, 3, 4, 5, 6}}, {"b.py", {1}}}, coverage);
  EXPECT_EQ(found.state, model::Measure::measured);
  EXPECT_EQ(found.lines, 5);
  EXPECT_EQ(found.run, 2);
  ASSERT_EQ(found.never_run.size(), 1u);
  EXPECT_EQ(found.never_run[0].from, 2);
  EXPECT_EQ(found.never_run[0].to, 5);
  EXPECT_EQ(coverage_report("x", {{"a.py", {1}}}, {}).reason, "no_report");
  EXPECT_EQ(coverage_report("x", {{"b.py", {1}}}, coverage).reason, "nothing_to_cover");
}

TEST(Coverage, ACommandOnlyWhereThereIsARecipe) {
  EXPECT_EQ(coverage_command("make test", "make", {"a.zig", "b.adb"}), "");
  const auto command = coverage_command("pytest -q", "", {"a.py", "b.zig"});
  EXPECT_TRUE(command.ends_with("pytest -q")) << command;
  EXPECT_NE(command.find("HYDRA_COVER_FILES=a.py"), std::string::npos) << command;
}

TEST(Coverage, WhatRunsAfterTheTestsKeepsTheirExit) {
  const auto command = coverage_command("make test  # all", "make", {"src/a.c", "x'y.c"});
  EXPECT_NE(command.find("touch -c -- src/a.c\n"), std::string::npos) << command;
  EXPECT_NE(command.find("\nmake\n"), std::string::npos) << command;
  EXPECT_NE(command.find("(make test  # all\n)\nhydra_status=$?\n"), std::string::npos) << command;
  EXPECT_TRUE(command.ends_with("exit $hydra_status")) << command;
  EXPECT_EQ(command.find('@'), command.find("@\"")) << "no mark is left: " << command;
}

TEST(Coverage, GcovOfTheFileThatIsMeant) {
  const Sources sources{{"src/calc.c", "..."}};
  Coverage found;
  add_gcov(R"({"current_working_directory": "/repo/app/src", "files": [
    {"file": "calc.c", "lines": [{"line_number": 2, "count": 3, "function_name": "clamp"},
                                 {"line_number": 3, "count": 0, "function_name": "clamp"},
                                 {"line_number": 9, "count": 1}]},
    {"file": "/usr/include/c.h", "lines": [{"line_number": 2, "count": 1, "function_name": "x"}]}]})",
           sources, found);
  add_gcov(
      R"({"files": [{"file": "other/src/calc.c", "lines": [{"line_number": 3, "function_name": "f"}]}]})",
      sources, found);
  EXPECT_EQ(found, (Coverage{{"src/calc.c", {{2, true}, {3, false}}}}));
  add_gcov("[]", sources, found);
  add_gcov(R"({"files": [{"file": 3}]})", sources, found);
}

TEST(Reach, WhatNamesAFile) {
  EXPECT_TRUE(named_in("useless.txt", {"open('useless.txt')"}));
  EXPECT_TRUE(named_in("src/helper.py", {"from src import helper"}));
  EXPECT_TRUE(named_in("data.txt", {"glob('*.txt')"}));
  EXPECT_FALSE(named_in("useless.txt", {"uselessness", "x = 1"}));
  EXPECT_TRUE(named_in("templates/a.html", {"render(templates)"}));
}

TEST(Reach, WordsOfTheBaseAnswerAsItsTextsDo) {
  const std::vector<std::string> pieces{"alpha", "beta", "_", "9",  " ",    ".",  "-",  "/",
                                        "*.txt", "*.t",  "*", "\n", "\xc3", "al", "ph", "a"};
  std::mt19937 random(20261122);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> texts(3);
    BaseWords words;
    for (auto& text : texts) {
      for (auto n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
      words.add(text);
    }
    words.finish();
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    for (const char* word : {"alpha", "beta", "al", "alphabeta", "_", "9", "a", "alph"})
      EXPECT_EQ(words.holds(word), named_in(word, views)) << word << " in " << texts[0] << "|" << texts[1];
    const auto has = [&](const char* text) {
      return std::any_of(views.begin(), views.end(), [&](auto view) { return view.find(text) != view.npos; });
    };
    EXPECT_EQ(words.holds_all_of(".txt"), has("*.txt"));
    EXPECT_EQ(words.holds_all_of(".t"), has("*.t"));
  }
  EXPECT_FALSE(BaseWords::plain("two-words") || BaseWords::plain(""));
}

TEST(Reach, WhatIsCollectedWithoutAName) {
  EXPECT_TRUE(collected_by_kind("pkg/new.go", {}));
  EXPECT_TRUE(collected_by_kind(".editorconfig", {}));
  EXPECT_TRUE(collected_by_kind("src/b.c", {"src/a.c"}));
  EXPECT_FALSE(collected_by_kind("useless.txt", {"notes.txt"}));
}

}  // namespace
}  // namespace hydra::checks
