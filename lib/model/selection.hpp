// model: outcomes of each author's tests on each other's results (docs/selection.md). Facts as measured;
// scoring/selection.hpp interprets them.
#pragma once

#include "model/subject.hpp"
#include "model/words.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

/// Outcome of one author's test on one result. Only `pass` and `fail` are evidence.
enum class Cell {
  pass,
  fail,        ///< an assertion, or an error inside the test
  no_contact,  ///< the test needs an interface that this result lacks: collection, import, compile, link
  unstable,    ///< a different outcome in a rerun
  not_run,     ///< no time was left, or the output was not recognised
};
template <>
inline constexpr auto kWords<Cell> = words_or(Cell::not_run, "pass", "fail", "no_contact", "unstable",
                                              "not_run");

/// How a test may be used as evidence (docs/selection.md, "Classes").
enum class TestClass {
  fails_before,       ///< fails on the base, passes for its author
  no_contact_before,  ///< could not run on the base at all
  passes_before,      ///< passes on the base: failures elsewhere are shown, never counted
  alone,              ///< passes only with its author's code: half weight
  voided,             ///< fails for its author, unstable, or equal everywhere: dropped, and named
};
template <>
inline constexpr auto kWords<TestClass> = words<TestClass>("fails_before", "no_contact_before",
                                                           "passes_before", "alone", "void");

enum class AuthorKind {
  result,  ///< the author's result contains the tests
  tester,  ///< the author saw the task and no result, and wrote tests only
};
template <>
inline constexpr auto kWords<AuthorKind> = words<AuthorKind>("result", "tester");

/// A test of an author. `klass` and `reason` are derived from the rows; the measuring code may only void a
/// test (`klass = voided` and a reason), as for a test without an assertion.
struct CrossTest {
  std::string name;  ///< as in test reports
  std::string file;  ///< path in the tree; may be empty
  TestClass klass = TestClass::fails_before;
  std::string reason{};  ///< why it is void: one clause; empty otherwise
};

/// An author of tests. Authors with identical test files are one author.
struct CrossAuthor {
  std::string name;  ///< name of the agent (its check owner) or of the tester
  AuthorKind kind = AuthorKind::result;
  /// Results that contain these tests, as check owners, which gain nothing by the tests. Empty for a tester.
  std::vector<std::string> members;
  std::string voided{};  ///< why no test of the author counts ("its tests look for git"); empty: they count
  std::vector<CrossTest> tests;  ///< with different names
  /// Results of the same product with other tests or none, as check owners. Gain nothing by the tests either.
  std::vector<std::string> same_product{};
  std::string
      voice{};  ///< equal texts mean one opinion: the kind of the agent, or the tester; empty: nobody's
};

/// An author's tests on one result.
struct CrossRow {
  std::string result;       ///< check owner: identical trees have one row; or kBaseline
  std::string author;       ///< CrossAuthor::name
  std::vector<Cell> cells;  ///< one for each test of the author, in its order
  std::string log{};        ///< attempt whose log shows the outcome; may be empty
};

/// Whether the measurement took place, as far as time allowed.
enum class Measure { not_measured, measured };
template <>
inline constexpr auto kWords<Measure> = words<Measure>("not_measured", "measured");

/// The whole cross-test matrix. A test's class needs the author's row on the base and, for a result, the row
/// on its own code.
struct Matrix {
  Measure state = Measure::not_measured;
  std::string reason{};  ///< why nothing was measured, or what is missing: "off", "no_new_tests",
                         ///< "one_result", "out_of_time", …
  std::vector<CrossAuthor> authors;
  std::vector<CrossRow> rows;
};

/// Evidence for and against one result (docs/selection.md, "Confidence").
struct ConfidenceFacts {
  std::vector<std::string> passed_authors;          ///< other authors, all of whose tests the result passes
  std::vector<std::string> failed_authors;          ///< other authors, one of whose tests the result fails
  std::int64_t tests_passed = 0, tests_failed = 0;  ///< tests of other authors that fail without the change
  std::int64_t tests_of_failed = 0;  ///< tests of failed_authors that passed or failed on this result
  std::int64_t own_tests = 0;  ///< tests of the result's product that fail before and pass after the change
  std::int64_t brought = 0;    ///< those of `own_tests` that the result itself contains
  std::int64_t fixed = 0;      ///< tests of the base that fail on the base and pass with the result
  std::int64_t failing = 0;  ///< tests of the base that fail on the base; 0: none, or compared without names
  std::int64_t left_failing = 0;  ///< tests of the base that another eligible result fixes
  std::int64_t broken = 0;        ///< tests of the base that pass on the base and do not pass with the result
  /// Tests that another eligible result with evidence passes, but this one does not. broken_alone: of the
  /// base; out_of_contact: counted tests of others that several results have and this one cannot run.
  std::int64_t broken_alone = 0, out_of_contact = 0;
  std::int64_t hidden_passed = 0, hidden_failed = 0;
  std::int64_t alike = 0,
               results = 0;  ///< `alike` of `results` behave the same, this one included; 0: not known
  /// Results with different code and with evidence against which only tests written in this race speak, by
  /// name.
  std::vector<std::string> rivals;
};

/// How credible a result is, in rising order; never a claim that the result is right.
enum class Belief { not_ranked, disputed, no_evidence, own_word, some, good, confirmed };
template <>
inline constexpr auto kWords<Belief> = words<Belief>("", "disputed", "no evidence", "own word only", "some",
                                                     "good", "confirmed");

struct ResultConfidence {
  Belief word = Belief::not_ranked;
  std::string text;   ///< the word and its facts, one sentence without a full stop
  std::string range;  ///< "34 to 78": percentage of such results that were right; empty: not measured
  ConfidenceFacts facts;
};

/// A test of the base that results with evidence break.
struct ContestedTest {
  std::string name;
  std::int64_t broken_by = 0, of = 0;  ///< results with evidence
};

}  // namespace hydra::model
