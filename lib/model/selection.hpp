// model: what the tests of a race's authors say of each other's results (docs/selection.md). Facts only, as
// they were measured; `scoring/selection.hpp` says what they mean.
#pragma once

#include "model/words.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

/// Name of the base among agents, and of its checks among subjects. No agent can have it.
inline constexpr std::string_view kBaseline = "@baseline";

/// What one test of an author came to on one result. Only `pass` and `fail` are evidence.
enum class Cell {
  pass,
  fail,        ///< an assertion, or an error inside the test
  no_contact,  ///< it talks to an interface that this result does not have: collection, import, compile, link
  unstable,    ///< another outcome when it ran once more
  not_run,     ///< no time was left, or nothing was recognised
};
template <>
inline constexpr auto kWords<Cell> = words_or(Cell::not_run, "pass", "fail", "no_contact", "unstable",
                                              "not_run");

/// What a test is good for (docs/selection.md, "Classes").
enum class TestClass {
  fails_before,       ///< red on the base, green for its author
  no_contact_before,  ///< could not even run on the base
  passes_before,      ///< green on the base: red elsewhere is shown, never counted for
  alone,              ///< green for nobody but its author's code: half weight
  voided,             ///< red for its author, unstable, the same everywhere: dropped, and named
};
template <>
inline constexpr auto kWords<TestClass> = words<TestClass>("fails_before", "no_contact_before",
                                                           "passes_before", "alone", "void");

enum class AuthorKind {
  result,  ///< its result brought these tests
  tester,  ///< it saw the task and no result, and wrote tests only
};
template <>
inline constexpr auto kWords<AuthorKind> = words<AuthorKind>("result", "tester");

/// One test of an author. `klass` and `reason` are derived from the rows: whoever measures leaves them alone,
/// but may void one (`klass = voided` and a reason), as for a test without an assertion.
struct CrossTest {
  std::string name;  ///< as in test reports
  std::string file;  ///< path in the tree; may be empty
  TestClass klass = TestClass::fails_before;
  std::string reason{};  ///< why it is void: one clause; empty otherwise
};

/// Who wrote tests. Authors with identical test files are one author.
struct CrossAuthor {
  std::string name;  ///< of the agent (its check owner) or of the tester
  AuthorKind kind = AuthorKind::result;
  /// Results whose own tests these are, as check owners: they gain nothing by them. Empty for a tester.
  std::vector<std::string> members;
  std::string voided{};          ///< why nothing of it counts ("its tests look for git"); empty: it does
  std::vector<CrossTest> tests;  ///< names differ
};

/// One author's tests on one result.
struct CrossRow {
  std::string result;       ///< check owner: identical trees have one row; or kBaseline
  std::string author;       ///< CrossAuthor::name
  std::vector<Cell> cells;  ///< one a test of the author, in its order
  std::string log{};        ///< attempt whose log shows it; may be empty
};

/// Whether something was, as far as time allowed.
enum class Measure { not_measured, measured };
template <>
inline constexpr auto kWords<Measure> = words<Measure>("not_measured", "measured");

/// All of it. A test's class needs the author's row on the base and, of a result, the row on its own code.
struct Matrix {
  Measure state = Measure::not_measured;
  std::string
      reason{};  ///< why not, or what is missing: "off", "no_new_tests", "one_result", "out_of_time", …
  std::vector<CrossAuthor> authors;
  std::vector<CrossRow> rows;
};

/// What speaks for and against one result (docs/selection.md, "Confidence").
struct ConfidenceFacts {
  std::vector<std::string> passed_authors;          ///< others, all of whose tests it passes
  std::vector<std::string> failed_authors;          ///< others, of whose tests it fails one
  std::int64_t tests_passed = 0, tests_failed = 0;  ///< of others that fail without the change
  std::int64_t tests_of_failed = 0;                 ///< of failed_authors, run here: passed and failed
  std::int64_t own_tests = 0;                       ///< its own that fail before and pass after
  std::int64_t fixed = 0;                           ///< tests of the base that fail there and pass here
  std::int64_t left_failing = 0;                    ///< tests of the base that another eligible result fixes
  std::int64_t broken = 0;                          ///< tests of the base that pass there and do not here
  /// What another eligible result with something to show passes and this one does not: tests of the base that
  /// it breaks, and tests of others that count, that several results share, and that it has no contact with.
  std::int64_t broken_alone = 0, out_of_contact = 0;
  std::int64_t hidden_passed = 0, hidden_failed = 0;
  std::int64_t alike = 0,
               results = 0;  ///< results that behave the same, itself included, of how many; 0: not known
  /// Others of other code with something to show, by name, that nothing puts down but tests written in this
  /// race.
  std::vector<std::string> rivals;
};

/// How far a result is to be believed, rising. Never a claim that it is right.
enum class Belief { not_ranked, disputed, no_evidence, own_word, some, good, confirmed };
template <>
inline constexpr auto kWords<Belief> = words<Belief>("", "disputed", "no evidence", "own word only", "some",
                                                     "good", "confirmed");

struct ResultConfidence {
  Belief word = Belief::not_ranked;
  std::string text;   ///< the word and the facts behind it, one sentence without its full stop
  std::string range;  ///< "34 to 78": results of this word that were right, of 100, where that was measured;
                      ///< may be empty
  ConfidenceFacts facts;
};

/// A test of the base that results with evidence break.
struct ContestedTest {
  std::string name;
  std::int64_t broken_by = 0, of = 0;  ///< results with evidence
};

}  // namespace hydra::model
