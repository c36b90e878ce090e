#include "cli/render/ci_files.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::cli {
namespace {

using ::testing::HasSubstr;

CiFinding finding_at(std::string path, std::string message, std::string level = "error") {
  return {"lint", "a-rule", std::move(level), std::move(path), std::move(message), "codex", 3, 7};
}

TEST(CiFiles, SarifHasPlacesAndRules) {
  const auto text = sarif_text(
      {finding_at("src/a b.c", "one"), finding_at("x\xff.c", "two"), finding_at("", "three")}, "abc");
  const auto log = nlohmann::json::parse(text);
  const auto& run = log["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 1u) << "a rule once";
  EXPECT_EQ(run["results"][0]["ruleIndex"], 0);
  const auto& place = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "src/a%20b.c");
  EXPECT_EQ(place["region"]["startColumn"], 7);
  EXPECT_EQ(run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "x%FF.c");
  EXPECT_FALSE(run["results"][2].contains("locations"));
  EXPECT_EQ(run["results"][0]["properties"]["agent"], "codex");
}

TEST(CiFiles, AnnotationsAreOneLineEachWhateverTheTextSays) {
  const auto text =
      annotations_text({finding_at("a,b:c.c", "100%\n::error::x\r", "note"), finding_at("z.c", "bad")});
  EXPECT_THAT(text,
              HasSubstr("::error file=z.c,line=3,col=7,title=hydra lint%3A a-rule::codex: bad\n::notice "));
  EXPECT_THAT(text, HasSubstr("file=a%2Cb%3Ac.c"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(CiFiles, AFenceIsLongerThanAnyInTheText) {
  EXPECT_EQ(fenced("a"), "```text\na\n```\n");
  EXPECT_EQ(fenced("a ```` b\n"), "`````text\na ```` b\n`````\n");
}

TEST(CiFiles, JunitOfACheck) {
  wire::Results results;
  results.race = "r";
  results.baseline.build.emplace().status = model::CheckStatus::passed;
  results.baseline.tests.emplace().status = model::CheckStatus::failed;
  results.baseline.tests->message = "<&\x01\"";
  const auto xml = check_junit(results, {{"t<1>", 'p', {}}, {"t2", 'f', "why"}, {"t3", 's', {}}});
  EXPECT_THAT(xml, HasSubstr("tests=\"5\" failures=\"2\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"t&lt;1&gt;\""));
  EXPECT_THAT(xml, HasSubstr("message=\"&lt;&amp; &quot;\""));
  EXPECT_THAT(xml, HasSubstr("message=\"why\""));
}

TEST(CiFiles, PagesOfOthersAreReadWithoutTrust) {
  std::string next;
  EXPECT_TRUE(lint_findings("no json", "a", next).empty());
  EXPECT_TRUE(base_tests(R"({"rows": [7, {"name": "x"}, {"cells": ""}]})", next).empty());
  EXPECT_EQ(
      base_tests(R"({"rows": [{"name": "x", "cells": "fp"}, {"name": "y", "cells": ".p"}], "next": "c"})",
                 next)
          .size(),
      1u);
  EXPECT_EQ(next, "c");
}

}  // namespace
}  // namespace hydra::cli
