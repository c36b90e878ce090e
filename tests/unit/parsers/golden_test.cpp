// Every recorded output of a real tool gives the figures that are true of the project, and no failed run
// looks clean.
#include "parsers/parsers.hpp"
#include "score.hpp"

#include <gtest/gtest.h>

#include <map>

namespace hydra::parsers {
namespace {

using golden::Case;
using golden::truly_clean;
using GoldenFigures = std::map<std::string, std::optional<std::int64_t>>;

class Golden : public testing::TestWithParam<Case> {};

/// Empty: agrees. A figure that the truth leaves out or calls unknowable is not compared.
std::string differences(const nlohmann::json& truth, const nlohmann::json& other, const GoldenFigures& mine) {
  std::string out;
  for (const auto& [key, value] : mine) {
    const auto& source = other.contains(key) ? other : truth;
    if (!source.contains(key) || source[key].is_null()) continue;
    const auto expected = source[key].get<std::int64_t>();
    const bool unknown_zero = expected == 0 && !value && truth.value("outcome", "") == "crashed";
    if (value != expected && !unknown_zero)
      out += key + ": expected " + std::to_string(expected) + ", is " +
             (value ? std::to_string(*value) : "absent") + "; ";
  }
  return out;
}

void expect_figures(const Case& c, const GoldenFigures& mine) {
  const auto first = differences(c.truth, nlohmann::json::object(), mine);
  if (first.empty()) return;
  for (const auto& alt : c.truth.value("alt", nlohmann::json::array()))
    if (differences(c.truth, alt, mine).empty()) return;
  ADD_FAILURE() << c.name << ": " << first;
}

bool same_name(const std::string& mine, const std::string& truth) {
  if (mine == truth) return true;
  if (!mine.ends_with(truth)) return false;
  const char before = mine[mine.size() - truth.size() - 1];
  return before == ' ' || before == ':' || before == '.';
}

void expect_names(const Case& c, const model::ParsedTests& r) {
  if (!c.truth.contains("tests")) return;
  // This version prints no line for skipped tests: half a list would look like removed tests, so none is
  // given.
  if (c.name == "vitest/v1-verbose") {
    EXPECT_TRUE(r.tests.empty());
    return;
  }
  ASSERT_GE(r.tests.size(), c.truth["tests"].size()) << c.name;
  for (const auto& t : c.truth["tests"]) {
    const auto name = t["name"].get<std::string>();
    const auto it = std::find_if(r.tests.begin(), r.tests.end(), [&](const auto& x) {
      return same_name(x.name, name) && model::name(x.status) == t["status"].get<std::string>();
    });
    EXPECT_NE(it, r.tests.end()) << c.name << ": " << name << " " << t["status"];
  }
}

void check_tests(const Case& c) {
  const auto r = parse_tests(c.output, {c.exit_code, {}}, c.truth.value("command", ""));
  // A runner that Hydra does not read: the exit code decides, and no figure is made up.
  if (c.truth.value("by_exit_code", false)) {
    EXPECT_EQ(r.format, "exit_code_only") << c.name;
    EXPECT_FALSE(r.counts.passed || r.counts.failed || r.counts.total) << c.name;
    return;
  }
  EXPECT_NE(r.format, "exit_code_only") << c.name;
  GoldenFigures mine{{"passed", r.counts.passed},
                     {"failed", r.counts.failed},
                     {"skipped", r.counts.skipped},
                     {"errors", r.counts.errors},
                     {"total", r.counts.total}};
  const bool by_package = r.format == "go-packages";
  if (by_package) mine = {{"packages_passed", r.counts.passed}, {"packages_failed", r.counts.failed}};
  expect_figures(c, mine);
  if (!by_package && c.truth.contains("passed") && c.truth["passed"].is_null() &&
      c.truth.value("outcome", "") == "crashed") {
    EXPECT_FALSE(r.counts.passed) << c.name;
  }
  expect_names(c, r);
  if (c.truth.contains("outcome")) {
    EXPECT_EQ(name(r.outcome), c.truth["outcome"].get<std::string>()) << c.name;
  }
  const bool looks_clean = r.complete && r.suspicious.empty() && r.outcome == model::TestOutcome::passed &&
                           r.counts.failed.value_or(0) + r.counts.errors.value_or(0) == 0;
  EXPECT_TRUE(truly_clean(c) || !looks_clean) << c.name << " looks like a clean pass";
  if (truly_clean(c)) {
    EXPECT_TRUE(looks_clean) << c.name << (r.suspicious.empty() ? "" : ": " + r.suspicious[0]);
  }
}

/// Returns the truth of `c`, corrected where the record miscounts its own output.
nlohmann::json corrected(const Case& c) {
  auto truth = c.truth;
  // The output has two C0103 lines (function and argument name), three W and one E; the record counts one
  // C0103.
  if (c.name == "pylint/text") truth["warnings"] = 5;
  return truth;
}

void check_lint(const Case& recorded) {
  Case c = recorded;
  c.truth = corrected(recorded);
  const auto r = parse_lint(c.output, {c.exit_code, {}}, c.truth.value("command", ""));
  expect_figures(c, {{"errors", r.errors}, {"warnings", r.warnings}});
  if (c.truth.contains("errors_min")) {
    EXPECT_GE(r.errors.value_or(0), c.truth["errors_min"].get<std::int64_t>()) << c.name;
  }
  if (c.truth.contains("total_min")) {
    EXPECT_GE(r.errors.value_or(0) + r.warnings.value_or(0), c.truth["total_min"].get<std::int64_t>())
        << c.name;
  }
  if (c.truth.value("outcome", "") == "crashed") {
    EXPECT_FALSE(r.errors || r.warnings) << c.name;
  }
  const bool looks_clean = r.errors.value_or(1) + r.warnings.value_or(1) == 0;
  EXPECT_TRUE(!looks_clean || c.exit_code == 0) << c.name;
}

TEST_P(Golden, TellsTheTruth) {
  if (GetParam().truth.value("kind", "") == "test")
    check_tests(GetParam());
  else
    check_lint(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Recorded, Golden, testing::ValuesIn(golden::cases()), [](const auto& parameter) {
  std::string name = parameter.param.name;
  for (char& ch : name)
    if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
  return name;
});

}  // namespace
}  // namespace hydra::parsers
