// parsers, inside: machine-readable reports, whole documents anywhere in the text.
#pragma once

#include "parsers/registry.hpp"

#include <string_view>

namespace hydra::parsers {

/// A document's report, and its length in bytes.
struct WholeReport {
  model::ParsedTests report;
  std::size_t length = 0;
};

/// Reads the document at the begin of `text`; more text may follow. False: no test report of this kind
/// (`length` is set nevertheless).
bool read_test_xml(std::string_view text, const ExitFacts& exit, WholeReport& out);

/// Reads `text`, which is exactly one JSON value. False: no test report.
bool read_test_json(std::string_view text, model::ParsedTests& report);

/// Returns the test status that most reports mean by the word; nothing for other words.
std::optional<model::TestStatus> status_of_word(std::string_view word);

void find_libtest_json(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
