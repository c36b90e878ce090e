// Evidence before points: classes, points, words and orders, each against values computed by hand from
// docs/selection.md.
#include "scoring/selection.hpp"

#include "evidence.hpp"
#include "random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hydra::scoring {
namespace {

using namespace fixture;
using model::AuthorKind;
using model::Cell;
using model::Matrix;
using model::TestClass;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "pfn": pass, fail, no contact; u: unstable; -: not run.
Cell cell_of(char c) {
  switch (c) {
    case 'p':
      return Cell::pass;
    case 'f':
      return Cell::fail;
    case 'n':
      return Cell::no_contact;
    case 'u':
      return Cell::unstable;
    default:
      return Cell::not_run;
  }
}

struct Rows {
  std::string author;
  std::vector<std::string> members;  ///< empty: a tester
  std::vector<std::pair<std::string, std::string>> rows;
};

Matrix matrix_of(const std::vector<Rows>& authors) {
  Matrix m;
  m.state = model::Measure::measured;
  for (const auto& a : authors) {
    model::CrossAuthor author{
        a.author, a.members.empty() ? AuthorKind::tester : AuthorKind::result, a.members, "", {}};
    for (std::size_t i = 0; i < a.rows.front().second.size(); ++i)
      author.tests.push_back({a.author + "_" + std::to_string(i), "tests/" + a.author, {}, {}});
    m.authors.push_back(author);
    for (const auto& [result, cells] : a.rows) {
      model::CrossRow row{result, a.author, {}, {}};
      for (const char c : cells) row.cells.push_back(cell_of(c));
      m.rows.push_back(row);
    }
  }
  return m;
}

const model::CrossTest& only_test(const Matrix& m) { return m.authors.at(0).tests.at(0); }

TEST(Selection, ClassesOfTests) {
  struct Case {
    const char *base, *own, *other, *another;
    TestClass klass;
    const char* reason;
  };
  for (const auto& c :
       {Case{"f", "p", "p", "f", TestClass::fails_before, ""},
        Case{"f", "p", "-", "-", TestClass::fails_before, ""},
        Case{"n", "p", "p", "n", TestClass::no_contact_before, ""},
        Case{"p", "p", "f", "p", TestClass::passes_before, ""},
        Case{"p", "p", "f", "f", TestClass::passes_before, ""},
        Case{"f", "p", "f", "f", TestClass::alone, ""}, Case{"f", "p", "n", "n", TestClass::alone, ""},
        Case{"n", "p", "f", "-", TestClass::alone, ""},
        Case{"f", "f", "p", "p", TestClass::voided, "fails on its author's result"},
        Case{"f", "n", "p", "p", TestClass::voided, "fails on its author's result"},
        Case{"f", "-", "p", "p", TestClass::voided, "not run on its author's result"},
        Case{"u", "p", "p", "p", TestClass::voided, "unstable"},
        Case{"f", "u", "p", "p", TestClass::voided, "unstable"},
        Case{"f", "p", "u", "p", TestClass::fails_before, ""},
        Case{"-", "p", "p", "p", TestClass::voided, "not run on the base"}}) {
    const auto m = classify(
        matrix_of({{"a", {"a"}, {{"@baseline", c.base}, {"a", c.own}, {"b", c.other}, {"c", c.another}}}}));
    EXPECT_EQ(only_test(m).klass, c.klass) << c.base << c.own << c.other << c.another;
    EXPECT_EQ(only_test(m).reason, c.reason) << c.base << c.own << c.other << c.another;
  }
}

TEST(Selection, ClassesOfATestWritersTests) {
  const auto of = [](const char* base, const char* b, const char* c) {
    return only_test(classify(matrix_of({{"t", {}, {{"@baseline", base}, {"b", b}, {"c", c}}}}))).klass;
  };
  EXPECT_EQ(of("f", "p", "f"), TestClass::fails_before);
  EXPECT_EQ(of("f", "p", "p"), TestClass::fails_before);
  EXPECT_EQ(of("n", "p", "n"), TestClass::no_contact_before);
  EXPECT_EQ(of("p", "p", "f"), TestClass::passes_before);
  EXPECT_EQ(of("f", "f", "f"), TestClass::voided) << "the same everywhere";
  EXPECT_EQ(of("n", "n", "n"), TestClass::voided);
}

TEST(Selection, WhatIsVoidStaysVoid) {
  auto m = matrix_of({{"a", {"a"}, {{"@baseline", "f"}, {"a", "p"}, {"b", "f"}}}});
  m.authors[0].tests[0].klass = TestClass::voided;
  m.authors[0].tests[0].reason = "has no assertion";
  EXPECT_EQ(only_test(classify(m)).reason, "has no assertion");
  EXPECT_EQ(evidence_points(m, "b"), std::nullopt);
  m = matrix_of({{"a", {"a"}, {{"@baseline", "f"}, {"a", "p"}, {"b", "f"}}}});
  m.authors[0].voided = "its tests look for git";
  EXPECT_EQ(only_test(classify(m)).reason, "its tests look for git");
  EXPECT_EQ(evidence_points(m, "b"), std::nullopt);
}

TEST(Selection, PointsOfOneAuthor) {
  // (share + 0.5) / 2 * 100; the author has the mean share of the others: (1 + 0.5 + 0) / 3.
  const auto m =
      matrix_of({{"a", {"a"}, {{"@baseline", "ff"}, {"a", "pp"}, {"b", "pp"}, {"c", "pf"}, {"d", "ff"}}}});
  EXPECT_DOUBLE_EQ(*evidence_points(m, "a"), 50);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "b"), 75);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "c"), 50);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "d"), 25);
}

TEST(Selection, OneAuthorHasOneVoice) {
  // a has one test, b has four: c passes the one and none of the four.
  const auto m =
      matrix_of({{"a", {"a"}, {{"@baseline", "f"}, {"a", "p"}, {"b", "p"}, {"c", "p"}}},
                 {"b", {"b"}, {{"@baseline", "ffff"}, {"b", "pppp"}, {"a", "pppp"}, {"c", "ffff"}}}});
  EXPECT_DOUBLE_EQ(*evidence_points(m, "c"), (1 + 0 + 0.5) / 3 * 100);
  // The voice of a gives a the mean share of b and c, 1; the voice of b gives b the mean of a and c, 0.5.
  EXPECT_DOUBLE_EQ(*evidence_points(m, "a"), (1 + 1 + 0.5) / 3 * 100);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "b"), (0.5 + 1 + 0.5) / 3 * 100);
}

// A voice: attempts of one entry, and the same tests that end alike everywhere.
TEST(Selection, AVoiceIsAnOpinionAndNotAFile) {
  const std::vector<Rows> rows{
      {"a#1", {"a#1"}, {{"@baseline", "f"}, {"a#1", "p"}, {"a#2", "p"}, {"b", "f"}, {"c", "p"}}},
      {"a#2", {"a#2"}, {{"@baseline", "f"}, {"a#1", "p"}, {"a#2", "p"}, {"b", "f"}, {"c", "p"}}}};
  const auto voices = [](const Matrix& m) { return Selection(m).voices().size(); };
  auto m = classify(matrix_of(rows));
  EXPECT_EQ(voices(m), 2U);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "b"), 0.5 / 3 * 100);
  for (auto& author : m.authors) author.voice = "a";
  EXPECT_EQ(voices(m), 1U);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "b"), 0.5 / 2 * 100);
  for (auto& author : m.authors) author.voice.clear();
  m.authors[1].tests[0].name = m.authors[0].tests[0].name;
  EXPECT_EQ(voices(m), 1U) << "a comment more in the file makes no second author";
  m.rows.back().cells = {Cell::fail};
  EXPECT_EQ(voices(m), 2U);
}

TEST(Selection, ATestThatOnlyItsAuthorPassesHasHalfWeight) {
  // Of a's tests b passes the first (weight 1) and fails the second, which is alone (0.5): 1 / 1.5.
  const auto m = matrix_of({{"a", {"a"}, {{"@baseline", "ff"}, {"a", "pp"}, {"b", "pf"}, {"c", "ff"}}}});
  EXPECT_DOUBLE_EQ(*evidence_points(m, "b"), (1 / 1.5 + 0.5) / 2 * 100);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "c"), 25);
  // An author all of whose tests are alone has half weight among the authors, too.
  const auto alone = matrix_of({{"a", {"a"}, {{"@baseline", "f"}, {"a", "p"}, {"b", "f"}}}});
  EXPECT_DOUBLE_EQ(*evidence_points(alone, "b"), 0.5 / 1.5 * 100);
}

TEST(Selection, OnlyPassAndFailAreEvidence) {
  // No contact, unstable, not run: as if the author were not there.
  const auto m = matrix_of(
      {{"a", {"a"}, {{"@baseline", "nff"}, {"a", "ppp"}, {"b", "ppp"}, {"c", "nu-"}, {"d", "n-p"}}}});
  EXPECT_DOUBLE_EQ(*evidence_points(m, "c"), 50);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "d"), 75);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "nobody"), 50);
}

TEST(Selection, IdenticalTestsAreOneAuthorAndNobodyGainsByTheirOwn) {
  const auto m = matrix_of({{"a", {"a", "b"}, {{"@baseline", "f"}, {"a", "p"}, {"b", "p"}, {"c", "p"}}}});
  EXPECT_DOUBLE_EQ(*evidence_points(m, "a"), 75) << "as c has by them";
  EXPECT_DOUBLE_EQ(*evidence_points(m, "b"), 75);
  EXPECT_DOUBLE_EQ(*evidence_points(m, "c"), 75);
}

TEST(Selection, WithoutATestThatFailsBeforeNothingIsConfigured) {
  EXPECT_EQ(evidence_points({}, "a"), std::nullopt);
  const auto m = matrix_of({{"a", {"a"}, {{"@baseline", "p"}, {"a", "p"}, {"b", "f"}}}});
  EXPECT_EQ(evidence_points(m, "b"), std::nullopt) << "a regression check is shown, never counted";
}

// The example of docs/selection.md.
TEST(Selection, WorkedExample) {
  const auto m = matrix_of(
      {{"claude",
        {"claude"},
        {{"@baseline", "ffff"}, {"claude", "pppp"}, {"codex", "pppf"}, {"gemini", "ffff"}, {"opus", "pppf"}}},
       {"codex",
        {"codex"},
        {{"@baseline", "f"}, {"claude", "p"}, {"codex", "p"}, {"gemini", "f"}, {"opus", "p"}}},
       {"gemini",
        {"gemini"},
        {{"@baseline", "fp"}, {"claude", "fp"}, {"codex", "fp"}, {"gemini", "pp"}, {"opus", "fp"}}}});
  const auto classes = classify(m);
  EXPECT_EQ(classes.authors[0].tests[3].klass, TestClass::alone);
  EXPECT_EQ(classes.authors[2].tests[0].klass, TestClass::alone);
  EXPECT_EQ(classes.authors[2].tests[1].klass, TestClass::passes_before);
  EXPECT_NEAR(*evidence_points(m, "claude"), 59.2, 0.05);
  EXPECT_NEAR(*evidence_points(m, "codex"), 57.8, 0.05);
  EXPECT_NEAR(*evidence_points(m, "gemini"), 14.3, 0.05);
  EXPECT_NEAR(*evidence_points(m, "opus"), 67.3, 0.05);
  const Selection selection(classes);
  EXPECT_DOUBLE_EQ(selection.points_against("claude", "opus"), 60);
  EXPECT_DOUBLE_EQ(selection.points_against("opus", "claude"), 60);
}

TEST(Selection, SameEvidenceSamePoints) {
  Random r(11);
  for (int i = 0; i < 3000; ++i) {
    std::vector<Rows> authors;
    const std::vector<std::string> results{"a", "b", "c", "d"};
    for (std::size_t a = 0; a < 3; ++a) {
      Rows rows{results[a], {results[a]}, {}};
      const auto tests = static_cast<std::size_t>(1 + r.upto(3));
      const auto cells = [&] {
        std::string out;
        for (std::size_t t = 0; t < tests; ++t) out += "ppffnu-"[r.upto(6)];
        return out;
      };
      rows.rows.emplace_back("@baseline", cells());
      for (const auto& result : results) rows.rows.emplace_back(result, cells());
      authors.push_back(std::move(rows));
    }
    const auto m = matrix_of(authors);
    const auto once = classify(m);
    for (const auto& result : results) {
      const auto points = evidence_points(m, result);
      ASSERT_EQ(points, evidence_points(once, result)) << "classes are found once";
      ASSERT_EQ(points, evidence_points(m, result));
      if (points) {
        ASSERT_TRUE(*points > 0 && *points < 100);
      }
    }
    // Tests of the two that are compared never count.
    const std::vector<Rows> third{authors[2]};
    ASSERT_EQ(Selection(once).points_against("a", "b"), evidence_points(matrix_of(third), "a").value_or(50));
  }
}

TEST(Selection, NoiseIsLevelled) {
  EXPECT_THAT(level(std::vector<double>{10000, 14999, 15001, 20001}, 0.1, 5000, true),
              ElementsAre(10000, 10000, 15001, 15001));
  EXPECT_THAT(level(std::vector<double>{15000, 10000}, 0.1, 5000, true), ElementsAre(10000, 10000));
  // Above 50 s a tenth is more than 5 s.
  EXPECT_THAT(level(std::vector<double>{100000, 110000, 110001}, 0.1, 5000, true),
              ElementsAre(100000, 100000, 110001));
  EXPECT_THAT(level(std::vector<double>{90, 95, 100, 89.9}, 0, 5, false), ElementsAre(90, 100, 100, 90));
  EXPECT_THAT(level({}, 0.1, 5000, true), IsEmpty());
}

model::ConfidenceFacts facts(std::vector<std::string> passed, std::vector<std::string> failed,
                             std::int64_t own = 0) {
  model::ConfidenceFacts f;
  f.passed_authors = std::move(passed);
  f.failed_authors = std::move(failed);
  f.tests_passed = static_cast<std::int64_t>(f.passed_authors.size()) * 3 +
                   static_cast<std::int64_t>(f.failed_authors.size());
  f.tests_failed = static_cast<std::int64_t>(f.failed_authors.size()) * 3;
  f.tests_of_failed = static_cast<std::int64_t>(f.failed_authors.size()) * 4;
  f.own_tests = f.brought = own;
  return f;
}

TEST(Confidence, Words) {
  const auto word = [](const model::ConfidenceFacts& f) { return name(confidence(f, true).word); };
  EXPECT_EQ(word(facts({}, {})), "no evidence");
  EXPECT_EQ(word(facts({}, {}, 2)), "own word only");
  EXPECT_EQ(word(facts({"b"}, {})), "some");
  EXPECT_EQ(word(facts({"b", "c"}, {})), "good");
  EXPECT_EQ(word(facts({"b", "c"}, {"d"}, 5)), "disputed");
  auto f = facts({}, {});
  f.fixed = 1;
  EXPECT_EQ(word(f), "some") << "the base's authors have a voice too";
  f.passed_authors = {"b"};
  EXPECT_EQ(word(f), "good");
  f.left_failing = 1;
  EXPECT_EQ(word(f), "disputed");
  f = facts({}, {});
  f.hidden_passed = 3;
  EXPECT_EQ(word(f), "confirmed");
  f.hidden_failed = 1;
  EXPECT_EQ(word(f), "disputed");
}

TEST(Confidence, Sentences) {
  EXPECT_EQ(confidence(facts({}, {}), false).text,
            "no evidence: nothing in this race tells a right result from a wrong one");
  auto good = facts({"claude", "gemini"}, {});
  good.alike = 2;
  good.results = 4;
  EXPECT_EQ(confidence(good, true).text, "good: passes 6 of 6 tests of claude and gemini; 2 of 4 agree");
  EXPECT_EQ(confidence(facts({}, {"claude"}), true).text,
            "disputed: fails 3 of 4 tests of claude (hydra explain --matrix)");
  EXPECT_EQ(confidence(facts({}, {}, 1), true).text,
            "own word only: only 1 test that it adds fails without the change");
  EXPECT_EQ(confidence(facts({"a"}, {}), true).range, "34 to 78");
  EXPECT_EQ(confidence(facts({"a", "b"}, {}), true).range, "70 to 90");
  for (const auto* word : {"correct", "verified", "safe"})
    EXPECT_THAT(confidence(good, true).text, testing::Not(HasSubstr(word)));
}

}  // namespace
}  // namespace hydra::scoring
