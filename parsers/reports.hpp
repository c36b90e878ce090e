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
/// Every other XML report of tests: TRX, xUnit.net, NUnit, TestNG, Robot Framework, Catch2, doctest, Boost.
bool read_test_xml(std::string_view text, WholeReport& out);
/// CTest's Test.xml, of any root element with a Testing element inside.
bool read_ctest_xml(std::string_view text, WholeReport& out);
/// QtTest's XML: one case for each function and data row.
bool read_qttest_xml(std::string_view text, WholeReport& out);

/// `text` is exactly one JSON value. False: no test report.
bool read_test_json(std::string_view text, model::TestReport& report);
/// subunit version 2: nothing where the first 64 KiB have no valid packet. Text between packets is passed
/// over.
std::optional<model::TestReport> read_subunit(std::string_view output);

/// Test status of a word as most reports write it; nothing for a word that is none.
std::optional<model::TestStatus> status_of_word(std::string_view word);

void find_libtest_json(const Input& in, std::vector<TestSegment>& out);
void find_reportlog(const Input& in, std::vector<TestSegment>& out);
void find_dart_json(const Input& in, std::vector<TestSegment>& out);
void find_cucumber_messages(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
