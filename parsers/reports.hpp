// parsers, inside: machine-readable reports, whole documents somewhere in the text.
#pragma once

#include "parsers/registry.hpp"

#include <string_view>

namespace hydra::parsers {

/// One document that was read: its report, and how many bytes of the text it took.
struct WholeReport {
  model::TestReport report;
  std::size_t length = 0;
};

/// `text` begins with the document, more may follow. False: no test report of this kind (`length` is set
/// nevertheless).
bool read_junit(std::string_view text, WholeReport& out);

/// `text` is exactly one JSON value. False: no test report.
bool read_test_json(std::string_view text, model::TestReport& report);

/// Test status of a word as most reports write it; nothing for a word that is none.
std::optional<model::TestStatus> status_of_word(std::string_view word);

void find_libtest_json(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
