// parsers: test and lint output -> counts and names. Pure: text in, result out; the text is hostile.
// A run that did not succeed is never read as a clean pass; what can't be known is absent.
#pragma once

#include "model/check.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// How the command ended; none of both: unknown.
struct ExitFacts {
  std::optional<int> exit_code;
  std::optional<int> signal;
};

/// Counts and names out of a test run's merged output. `command` is the configured command line: a hint for
/// detection only. Falls back to format "exit_code_only" (ruling H11).
model::TestReport parse_tests(std::string_view output, const ExitFacts& exit, std::string_view command = {});

/// Error and warning counts out of a linter's, compiler's or formatter's output.
model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, std::string_view command = {});

/// Output without ANSI sequences, with carriage returns and CRLF resolved as a terminal would show them.
std::string plain_text(std::string_view output);

}  // namespace hydra::parsers
