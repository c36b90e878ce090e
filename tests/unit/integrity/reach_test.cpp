#include "integrity/protect/protected_paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace {

using namespace hydra;
using namespace hydra::integrity;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Files = std::map<std::string, std::string>;

std::vector<std::string> reached(const Files& base, const std::vector<std::string>& asked) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : base) paths.push_back(path);
  const trees::BaseTree tree(paths);
  ProtectionContext context;
  context.base = &tree;
  context.commands.test = "sh tests.sh";
  context.base_texts = [&](const std::vector<std::string>& files) {
    std::vector<std::string> texts;
    for (const auto& path : files) texts.push_back(base.at(path));
    return texts;
  };
  const ProtectedPaths rules(std::move(context));
  const auto found = rules.only_tests_reach(asked);
  return {found.begin(), found.end()};
}

struct ReachRow {
  std::string name;
  Files base;
  std::string path;
  bool for_tests = false;
};

const std::string kArea = "def area(w, h):\n    return w + h\n";

TEST(Reach, DataBelongsToTheTestsThatNameIt) {
  const std::vector<ReachRow> rows{
      {"by name",
       {{"area.py", kArea}, {"test_area.py", "open('golden/area.txt')"}, {"golden/area.txt", "6"}},
       "golden/area.txt",
       true},
      {"by directory",
       {{"area.py", kArea},
        {"area.test.js", "import './area'; for (const f of fs.readdirSync('cases')) run(f)"},
        {"cases/a.json", "{}"}},
       "cases/a.json",
       true},
      {"through a helper",
       {{"area.py", kArea},
        {"test_area.py", "import area\nfrom support.cases import load"},
        {"support/cases.py", "open('expected/area.csv')"},
        {"expected/area.csv", "6"}},
       "expected/area.csv",
       true},
      {"the product opens it",
       {{"area.py", "open('data/rates.json')"},
        {"test_area.py", "open('data/rates.json')"},
        {"data/rates.json", "{}"}},
       "data/rates.json",
       false},
      {"the product opens its directory",
       {{"area.py", "ROOT / 'data' / (name + '.json')"},
        {"test_area.py", "data/rates.json"},
        {"data/rates.json", "{}"}},
       "data/rates.json",
       false},
      {"a variable of the product has its name",
       {{"area.py", "config = 1"},
        {"test_area.py", "import area; open('config/a.txt')"},
        {"config/a.txt", "1"}},
       "config/a.txt",
       true},
      {"a manifest ships it",
       {{"area.js", ""}, {"area.test.js", "'./data/a.txt'"}, {"web.json", R"(["data"])"}, {"data/a.txt", ""}},
       "data/a.txt",
       false},
      {"beside the product",
       {{"pkg/area.py", kArea}, {"test_area.py", "import pkg"}, {"pkg/eur.txt", "1"}},
       "pkg/eur.txt",
       false},
      {"nobody names it",
       {{"area.py", kArea}, {"test_area.py", "area"}, {"golden/area.txt", "6"}},
       "golden/area.txt",
       false},
      {"the product is data",
       {{"run.sh", ""}, {"tests/test_one.sh", "grep -q one src/app.txt"}, {"src/app.txt", "one"}},
       "src/app.txt",
       false},
      {"a document",
       {{"area.py", kArea}, {"test_area.py", "README.md"}, {"README.md", "6"}},
       "README.md",
       false}};
  for (const auto& row : rows)
    EXPECT_EQ(reached(row.base, {row.path}).size(), row.for_tests ? 1u : 0u) << row.name;
}

TEST(Reach, AHelperBelongsToTheTestsThatImportIt) {
  const std::vector<ReachRow> rows{
      {"python",
       {{"area.py", kArea},
        {"test_area.py", "import area\nfrom helpers import close"},
        {"helpers.py", "def close(a, b): return a == b"}},
       "helpers.py",
       true},
      {"go",
       {{"area.go", "package area"},
        {"area_test.go", "package area\nimport \"x/internal/testutil\""},
        {"internal/testutil/close.go", "package testutil"}},
       "internal/testutil/close.go",
       true},
      {"rust",
       {{"src/lib.rs", "#[cfg(test)]\nmod support;\npub fn area() {}\n"},
        {"src/support.rs", "pub fn close() {}"}},
       "src/support.rs",
       true},
      {"perl",
       {{"lib/Area.pm", "package Area;"},
        {"t/area.t", "use Area;\nuse Support::Close;"},
        {"lib/Support/Close.pm", "package Support::Close;"}},
       "lib/Support/Close.pm",
       true},
      {"the product imports it",
       {{"area.py", "import helpers"}, {"test_area.py", "import helpers"}, {"helpers.py", ""}},
       "helpers.py",
       false},
      {"a test is named after it",
       {{"area.py", kArea}, {"test_helpers.py", "import helpers"}, {"helpers.py", ""}},
       "helpers.py",
       false},
      {"the only product", {{"support.py", kArea}, {"test_area.py", "import support"}}, "support.py", false},
      {"the product under test",
       {{"area.py", kArea}, {"shape.py", ""}, {"test_all.py", "import area, shape"}},
       "area.py",
       false}};
  for (const auto& row : rows)
    EXPECT_EQ(reached(row.base, {row.path}).size(), row.for_tests ? 1u : 0u) << row.name;
}

TEST(Reach, AnswersAreKeptAndOrdered) {
  const Files base{
      {"area.py", kArea}, {"test_area.py", "area golden helpers"}, {"helpers.py", ""}, {"golden/a.txt", ""}};
  EXPECT_THAT(reached(base, {"helpers.py", "golden/a.txt", "area.py", "new.txt"}),
              ElementsAre("golden/a.txt", "helpers.py"));
  EXPECT_THAT(reached(base, {}), IsEmpty());
}

TEST(Reach, ThePlanRestoresIt) {
  const trees::BaseTree tree(
      std::vector<std::string>{"area.py", "golden/a.txt", "src/lib.rs", "test_area.py"});
  ProtectionContext context;
  context.base = &tree;
  context.base_texts = [](const std::vector<std::string>& files) {
    std::vector<std::string> texts;
    for (const auto& path : files)
      texts.emplace_back(path == "test_area.py" ? "import area; open('golden/a.txt')" : "");
    return texts;
  };
  const ProtectedPaths rules(std::move(context));
  const std::vector<trees::Change> changes{{"golden/a.txt"}, {"src/lib.rs"}, {"area.py"}};
  const auto plan = plan_restore(changes, rules);
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.steps[0].path, "golden/a.txt");
  EXPECT_EQ(plan.steps[0].action, RestoreAction::base);
  EXPECT_TRUE(plan.steps[0].is_data);
  EXPECT_EQ(plan.steps[1].action, RestoreAction::items);
  EXPECT_TRUE(plan.own_tests);
}

}  // namespace
