// Outputs of linters, compilers and formatters written from their documented formats, with what a careful
// reader finds in them. The cases are in tests/golden/lint_documented: a line "### tool/case exit=… errors=…
// warnings=…", then the output; "-" stands for what can't be known.
#include "golden.hpp"
#include "parsers/parsers.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace hydra::parsers {
namespace {

struct DocumentedLint {
  std::string name, output;
  std::map<std::string, std::string> want;
};

std::vector<DocumentedLint> documented() {
  std::vector<DocumentedLint> out;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(places::golden()) / "lint_documented")) {
    const auto text = golden::slurp(file.path());
    for (std::size_t at = text.find("### "); at != std::string::npos;) {
      const auto end = text.find('\n', at);
      auto next = text.find("\n### ", end);
      DocumentedLint d;
      std::istringstream head(text.substr(at + 4, end - at - 4));
      head >> d.name;
      std::string word, last;
      while (head >> word) {
        const auto equals = word.find('=');
        // The rule of "first" may hold blanks.
        if (last == "first" || equals == std::string::npos) {
          d.want[last] += " " + word;
          continue;
        }
        last = word.substr(0, equals);
        d.want[last] = word.substr(equals + 1);
      }
      d.output = text.substr(end + 1, next == std::string::npos ? next : next - end);
      out.push_back(std::move(d));
      at = next == std::string::npos ? next : next + 1;
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

ExitFacts exit_of(const DocumentedLint& d) {
  return d.want.at("exit") == "-" ? ExitFacts{} : ExitFacts{std::stoi(d.want.at("exit")), {}};
}

std::string shown(const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : "-"; }

class LintDocumented : public testing::TestWithParam<DocumentedLint> {};

TEST_P(LintDocumented, IsReadAsItIsMeant) {
  const auto& d = GetParam();
  const auto r = parse_lint(d.output, exit_of(d));
  EXPECT_EQ(shown(r.errors), d.want.at("errors"));
  EXPECT_EQ(shown(r.warnings), d.want.at("warnings"));
  if (r.errors) {
    EXPECT_TRUE(r.suspicious.empty()) << r.suspicious[0];
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.outcome,
              *r.errors + *r.warnings == 0 ? model::LintOutcome::clean : model::LintOutcome::findings);
    EXPECT_NE(r.confidence, model::Confidence::none);
  } else {
    EXPECT_EQ(r.confidence, model::Confidence::none);
    EXPECT_TRUE(r.findings.empty());
  }
  if (d.want.contains("tools")) {
    EXPECT_EQ(r.format, d.want.at("tools"));
  }
  if (d.want.contains("outcome")) {
    EXPECT_EQ(name(r.outcome), d.want.at("outcome"));
  }
  if (d.want.contains("first")) {
    ASSERT_FALSE(r.findings.empty());
    const auto& f = r.findings[0];
    EXPECT_EQ(f.file + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + ":" + f.rule,
              d.want.at("first"));
  }
}

/// Findings stay the same, whatever a terminal, Windows or a task runner did to the text.
TEST_P(LintDocumented, SurvivesDecoration) {
  const auto& d = GetParam();
  std::string crlf, coloured;
  for (const char c : d.output) {
    if (c == '\n') crlf += '\r';
    crlf += c;
    coloured += c;
    if (c == '\n') coloured += "\x1b[0m\x1b[K";
  }
  for (const auto& text : {crlf, coloured}) {
    const auto r = parse_lint(text, exit_of(d));
    EXPECT_EQ(shown(r.errors), d.want.at("errors"));
    EXPECT_EQ(shown(r.warnings), d.want.at("warnings"));
  }
}

/// Cut anywhere, or with another exit code: never clean after a failure.
TEST_P(LintDocumented, NeverCleanAfterAFailure) {
  const auto& d = GetParam();
  for (std::size_t n = 0; n <= d.output.size(); n += 1 + d.output.size() / 40)
    for (const auto& part : {d.output.substr(0, n), d.output.substr(n)})
      for (const auto& exit : {ExitFacts{1, {}}, ExitFacts{2, {}}, ExitFacts{{}, 9}}) {
        const auto r = parse_lint(part, exit);
        EXPECT_FALSE(r.errors == 0 && r.warnings == 0) << part;
        EXPECT_NE(r.outcome, model::LintOutcome::clean);
      }
}

INSTANTIATE_TEST_SUITE_P(Tools, LintDocumented, testing::ValuesIn(documented()), [](const auto& parameter) {
  std::string name = parameter.param.name;
  for (char& ch : name)
    if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
  return name;
});

}  // namespace
}  // namespace hydra::parsers
