// cli: a race or check in formats for pipelines: JUnit XML, SARIF 2.1.0, Markdown summary, GitHub annotations
// (docs/ci.md). Pure: converts the daemon's JSON to text.
#pragma once

#include "cli/render/views.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hydra::cli {

/// A finding at a place in a file.
struct CiFinding {
  std::string tool;                        ///< "lint" or "tamper"
  std::string rule, level, path, message;  ///< level: error, warning or note, as in SARIF
  std::string agent;                       ///< agent of the result; empty: the base
  std::int64_t line = 0, column = 0;       ///< from 1; 0: unknown
};

/// A test of a run.
struct CiTest {
  std::string name;
  char outcome = 'p';  ///< p passed, f failed, s skipped, u unstable
  std::string message;
};

/// Returns the findings of the tamper reports of all results.
std::vector<CiFinding> tamper_findings(const wire::Results& results);
/// Returns the findings of a page of `GET /v1/races/{id}/lint/{agent}`; `next`: cursor of the next page,
/// empty: last page.
std::vector<CiFinding> lint_findings(const std::string& page, const std::string& agent, std::string& next);
/// Returns the base's column of a page of `GET /v1/races/{id}/tests`; `next`: cursor of the next page, empty:
/// last page.
std::vector<CiTest> base_tests(const std::string& page, std::string& next);

std::string sarif_text(const std::vector<CiFinding>& findings, const std::string& base);
/// Returns the base's checks and tests as one suite.
std::string check_junit(const wire::Results& results, const std::vector<CiTest>& tests);
/// Returns a heading, the result block of the terminal, and the findings. Foreign text cannot act as Markdown
/// or HTML.
std::string summary_text(const wire::Results& results, const std::vector<CiFinding>& findings);
/// Returns lines "::error file=src/a.c,line=3,title=…::message"; at most 50, the worst first.
std::string annotations_text(const std::vector<CiFinding>& findings);

/// Returns `text` in a code fence that the text cannot close.
std::string fenced(const std::string& text);
/// Returns text for XML 1.0, which forbids control characters even when escaped.
std::string xml_text(std::string_view text);

}  // namespace hydra::cli
