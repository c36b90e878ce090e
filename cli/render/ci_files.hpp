// cli: what a pipeline reads of a race or check: JUnit XML, SARIF 2.1.0, a Markdown summary, GitHub's
// annotations (docs/ci.md). Pure: the daemon's JSON in, text out.
#pragma once

#include "cli/render/views.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hydra::cli {

/// One place in a file that somebody should look at.
struct CiFinding {
  std::string tool;                        ///< "lint" or "tamper"
  std::string rule, level, path, message;  ///< level: error, warning or note, as SARIF has it
  std::string agent;                       ///< whose result; empty: the base
  std::int64_t line = 0, column = 0;       ///< from 1; 0: not known
};

/// One test of a run by its name.
struct CiTest {
  std::string name;
  char outcome = 'p';  ///< p passed, f failed, s skipped, u unstable
  std::string message;
};

/// The findings of the tamper reports of all results.
std::vector<CiFinding> tamper_findings(const wire::Results& results);
/// Those of a page of `GET /v1/races/{id}/lint/{agent}`, and the next page's cursor; empty: there is none.
std::vector<CiFinding> lint_findings(const std::string& page, const std::string& agent, std::string& next);
/// The first column of a page of `GET /v1/races/{id}/tests` (the base), and the next page's cursor.
std::vector<CiTest> base_tests(const std::string& page, std::string& next);

std::string sarif_text(const std::vector<CiFinding>& findings, const std::string& base);
/// The checks and tests of the base as one suite.
std::string check_junit(const wire::Results& results, const std::vector<CiTest>& tests);
/// A heading, the block that a terminal shows, and the findings. Nothing in it is read as Markdown or HTML.
std::string summary_text(const wire::Results& results, const std::vector<CiFinding>& findings);
/// "::error file=src/a.c,line=3,title=…::message", a line each; at most 50, the worst first.
std::string annotations_text(const std::vector<CiFinding>& findings);

/// `text` between fences that it cannot end.
std::string fenced(const std::string& text);
/// Text for XML 1.0, which has no control characters at all, not even escaped.
std::string xml_text(std::string_view text);

}  // namespace hydra::cli
