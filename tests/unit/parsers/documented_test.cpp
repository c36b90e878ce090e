// Runners that are not recorded under tests/golden: outputs written from their documented formats, with the
// figures of the project that they describe.
#include "documented_more.hpp"
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace hydra::parsers {
[[maybe_unused]] static void PrintTo(const Documented& d, std::ostream* out) { *out << d.name; }

namespace {

class DocumentedFormats : public testing::TestWithParam<Documented> {};

TEST_P(DocumentedFormats, AreRead) {
  const auto& d = GetParam();
  const auto r = parse_tests(d.text, {d.exit_code, {}});
  EXPECT_EQ(r.format, d.format);
  EXPECT_EQ(r.counts.passed, d.passed) << "passed";
  EXPECT_EQ(r.counts.failed, d.failed) << "failed";
  EXPECT_EQ(r.counts.skipped, d.skipped) << "skipped";
  EXPECT_EQ(r.counts.errors, d.errors) << "errors";
  EXPECT_EQ(r.counts.total, d.total) << "total";
  EXPECT_EQ(name(r.outcome), d.outcome);
  EXPECT_EQ(r.complete, d.complete);
  EXPECT_EQ(r.tests.size(), d.names);
  const bool clean = r.complete && r.outcome == model::TestOutcome::passed && r.suspicious.empty();
  EXPECT_EQ(clean, d.exit_code == 0 && d.outcome.empty()) << (r.suspicious.empty() ? "" : r.suspicious[0]);
}

// An output that is cut before its summary, or has the other exit code, never looks clean.
TEST_P(DocumentedFormats, NeverLookCleanWhenCutOrContradicted) {
  const auto& d = GetParam();
  const auto clean = [](const model::ParsedTests& r) {
    return r.complete && r.outcome == model::TestOutcome::passed && r.suspicious.empty() &&
           r.counts.failed.value_or(0) + r.counts.errors.value_or(0) == 0;
  };
  if (d.exit_code != 0) {
    EXPECT_FALSE(clean(parse_tests(d.text, {0, {}}))) << "a failed run that exits with 0";
  } else {
    EXPECT_FALSE(clean(parse_tests(d.text, {1, {}}))) << "a clean run that exits with 1";
  }
  for (std::size_t at = d.text.find('\n'); at != std::string::npos; at = d.text.find('\n', at + 1))
    EXPECT_FALSE(clean(parse_tests(d.text.substr(0, at), {1, {}}))) << "cut at " << at;
}

INSTANTIATE_TEST_SUITE_P(Documented, DocumentedFormats, testing::ValuesIn(all_documented()),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace hydra::parsers
