// Own tests, effect, hidden and approved tests out of the fold, and what keeps a winner from being merged by
// itself.
#include "race/state/selection.hpp"

#include "check_runs.hpp"
#include "driven_race.hpp"
#include "race/state/state.hpp"

#include <gmock/gmock.h>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto kPass = TestStatus::passed;
constexpr auto kFail = TestStatus::failed;

// A race whose agents "a" and "b" have both been captured.
class Selecting : public DrivenRace {
 public:
  Selecting() : DrivenRace(race_spec({"a", "b"})) {
    spec.isolation = model::Isolation::bwrap;
    spec.config.scoring.build_command.reset();
    spec.config.scoring.lint_command.reset();
  }
  void start(const Names& base) {
    begin();
    for (const std::string name : {"a", "b"}) end_agent(name, change("t-" + name, "t-" + name, {3, 0, 1}));
    send(model::Published{{{"a", "hydra/a-1"}, {"b", "hydra/b-1"}}});
    send(model::SubjectReady{subject_of(kBase), "/c/base", {}});
    send(model::CheckEnded{subject_of(kBase), tests(base)});
    send(model::CheckRepeated{subject_of(kBase), tests(base)});
  }
  void checked(const std::string& name, const Names& names, const model::Integrity& integrity = {}) {
    send(model::Inspected{name, integrity});
    send(model::SubjectReady{subject_of(name), "/c/" + name, {}});
    send(model::CheckEnded{subject_of(name), tests(names)});
  }
  void own(const std::string& name, model::CheckEvidence evidence) {
    send(model::SubjectReady{subject_of(name + "@own"), "/c/own", {}});
    send(model::CheckEnded{subject_of(name + "@own"), std::move(evidence)});
  }
  [[nodiscard]] std::vector<model::Ineligible> doubts() const { return agent_evidence(state)[0].doubts; }
};

model::Integrity put_back(const std::string& path, model::Restored how = model::Restored::base,
                          const std::string& reason = "test_file") {
  model::Integrity integrity;
  integrity.commit = "gating";
  integrity.own_run = true;
  integrity.restored.push_back({path, how, reason, how == model::Restored::removed && reason == "test_file"});
  return integrity;
}

TEST(OwnTests, NewOnesThatFailAreAskedTwiceAndThenCount) {
  Selecting s;
  s.start({{"x", kPass}});
  s.checked("a", {{"x", kPass}}, put_back("test_new.py", model::Restored::removed));
  s.own("a", tests({{"x", kPass}, {"new", kFail}}));
  EXPECT_EQ(s.times(Verb::repeat_tests, "a@own"), 1);
  EXPECT_FALSE(fully_checked(s.state, subject_of("a")));
  EXPECT_FALSE(fully_checked(s.state, subject_of("a@own"))) << "its workspace is still needed";
  s.send(model::CheckRepeated{subject_of("a@own"), tests({{"x", kPass}, {"new", kFail}})});
  EXPECT_TRUE(fully_checked(s.state, subject_of("a")));
  EXPECT_EQ(s.times(Verb::repeat_tests, "a@own"), 1);
  EXPECT_THAT(failing_own_tests(s.state, subject_of("a")), ElementsAre("new"));
  EXPECT_THAT(s.doubts(), ElementsAre(model::Ineligible::own_tests_fail));
  EXPECT_EQ(own_tests_text(s.state, *s.state.agent("a")), "its own tests fail: new");
}

// "pytest -q" names no test that passes; the run of the result's own files does.
TEST(OwnTests, CountWhereTheConfiguredCommandNamesNone) {
  auto integrity = put_back("test_new.py", model::Restored::removed);
  integrity.own_command = "pytest -vv test_new.py";
  for (const auto again : {kFail, kPass}) {
    Selecting s;
    s.start({});
    s.checked("a", {}, integrity);
    s.own("a", tests({{"new", kFail}, {"good", kPass}}));
    EXPECT_EQ(s.times(Verb::repeat_tests, "a@own"), 1);
    s.send(model::CheckRepeated{subject_of("a@own"), tests({{"new", again}, {"good", kPass}})});
    if (again == kFail)
      EXPECT_THAT(failing_own_tests(s.state, subject_of("a")), ElementsAre("new"));
    else
      EXPECT_THAT(failing_own_tests(s.state, subject_of("a")), IsEmpty());
  }
}

TEST(OwnTests, AnUnstableOneSaysNothing) {
  Selecting s;
  s.start({{"x", kPass}});
  s.checked("a", {{"x", kPass}}, put_back("test_new.py", model::Restored::removed));
  s.own("a", tests({{"x", kPass}, {"new", kFail}}));
  s.send(model::CheckRepeated{subject_of("a@own"), tests({{"x", kPass}, {"new", kPass}})});
  EXPECT_THAT(failing_own_tests(s.state, subject_of("a")), IsEmpty());
  EXPECT_THAT(s.doubts(), IsEmpty());
}

TEST(OwnTests, OnesOfTheBasesNamesCountWhereTheFileIsTheResults) {
  struct Case {
    TestStatus base, gating, own;
    const char* file;
    bool fails;
  };
  const std::string name = "tests/test_a.py::test_x";
  for (const auto& c :
       {Case{kPass, kPass, kFail, "elsewhere.py", true},      // its version fails where the base's passes
        Case{kPass, kFail, kFail, "tests/test_a.py", true},   // in a file that it changed
        Case{kPass, kFail, kFail, "elsewhere.py", false},     // a regression: costs points already
        Case{kFail, kFail, kFail, "tests/test_a.py", false},  // as on the base
        Case{kPass, kPass, kPass, "tests/test_a.py", false}}) {
    Selecting s;
    s.start({{name, c.base}});
    s.checked("a", {{name, c.gating}}, put_back(c.file));
    s.own("a", tests({{name, c.own}}));
    EXPECT_EQ(!failing_own_tests(s.state, subject_of("a")).empty(), c.fails)
        << c.file << static_cast<int>(c.gating);
  }
}

TEST(OwnTests, ThatDoNotBuildOrEndFail) {
  for (const auto status : {CheckStatus::timed_out, CheckStatus::crashed}) {
    Selecting s;
    s.start({{"x", kPass}});
    s.checked("a", {{"x", kPass}}, put_back("test_new.py", model::Restored::removed));
    s.own("a", run(Dimension::tests, status));
    EXPECT_THAT(s.doubts(), ElementsAre(model::Ineligible::own_tests_fail));
  }
}

TEST(OwnTests, NobodyAsksWithFast) {
  Selecting s;
  s.spec.config.evaluation.verify = model::Verify::fast;
  s.start({{"x", kPass}});
  s.checked("a", {{"x", kPass}, {"new", kFail}});
  EXPECT_THAT(s.doubts(), IsEmpty());
}

TEST(Effect, NothingIsLeftWhereProtectedPathsAreTheBases) {
  auto nothing = put_back("tests/test_a.py");
  nothing.effective = false;
  for (const auto& [kind, doubted] :
       {std::pair{std::string("feature"), true}, {std::string("tests"), false}}) {
    Selecting s;
    s.spec.kind = kind;
    s.start({{"x", kPass}});
    s.checked("a", {{"x", kPass}}, nothing);
    s.own("a", tests({{"x", kPass}}));
    EXPECT_EQ(!s.doubts().empty(), doubted);
    if (doubted) {
      EXPECT_THAT(s.doubts(), ElementsAre(model::Ineligible::no_effective_change));
    }
  }
}

TEST(Approved, TestsSayNothingAboutAnybody) {
  Selecting s;
  s.start({{"x", kPass}, {"old", kPass}});
  s.checked("a", {{"x", kPass}, {"old", kFail}});
  s.send(model::CheckRepeated{subject_of("a"), tests({{"x", kPass}, {"old", kFail}})});
  s.checked("b", {{"x", kPass}, {"old", kPass}});
  auto ranking = ranking_of(s.state);
  EXPECT_EQ(ranking.winner, "b");
  s.send(model::ScoringResult{ranking});
  s.send(model::RaceEnded{model::RaceEnd::done});
  s.send(model::TestsApproved{{"old"}});
  EXPECT_EQ(s.state.ended, model::RaceEnd::done) << "nothing runs again";
  ranking = ranking_of(s.state);
  for (const auto& row : ranking.agents) EXPECT_EQ(row.score.dimensions[1].points, 100) << row.agent;
  EXPECT_EQ(baseline_evidence(s.state).checks.tests->tests->counts.total, 1);
}

TEST(Hidden, AreCountedByTheNamesThatAnyRunShows) {
  Selecting s;
  s.spec.hidden_tests = {"tests/test_hidden.py"};
  s.start({{"x", kPass}, {"tests/test_hidden.py::one", kFail}});
  s.checked("a", {{"x", kPass}, {"tests/test_hidden.py::one", kPass}});
  s.checked("b", {{"x", kPass}});
  const auto rows = agent_evidence(s.state);
  EXPECT_EQ(rows[0].hidden_passed, 1);
  EXPECT_EQ(rows[0].hidden_failed, 0);
  EXPECT_EQ(rows[1].hidden_passed, 0);
  EXPECT_EQ(rows[1].hidden_failed, 1) << "it does not load there";
}

// node:test names a file that ends before its tests, and calls it passed: a name that no honest result has.
TEST(Hidden, AFileThatEndsBeforeItsTestsIsNone) {
  Selecting s;
  s.spec.hidden_tests = {"tests/hidden.js"};
  s.start({{"x", kPass}, {"tests/hidden.js", kFail}});
  s.checked("a", {{"x", kPass}, {"tests/hidden.js one", kPass}});
  s.checked("b", {{"tests/x.js", kPass}, {"tests/hidden.js", kPass}});
  const auto rows = agent_evidence(s.state);
  EXPECT_EQ(rows[0].hidden_passed, 1);
  EXPECT_EQ(rows[0].hidden_failed, 0);
  EXPECT_EQ(rows[1].hidden_passed, 0);
  EXPECT_EQ(rows[1].hidden_failed, 1);
}

// A ranking whose winner "a" has this word, with the state of a race that "a" has won.
std::string hold(const std::string& word, const std::function<void(Selecting&)>& change = {},
                 const model::Integrity& integrity = {}) {
  Selecting s;
  if (change) change(s);
  s.start({{"x", kPass}});
  s.checked("a", {{"x", kPass}}, integrity);
  s.checked("b", {{"x", kPass}});
  model::Ranking ranking;
  ranking.winner = "a";
  ranking.agents.emplace_back();
  ranking.agents[0].agent = "a";
  ranking.agents[0].eligible = true;
  ranking.agents[0].confidence.word = model::of_name<model::Belief>(word);
  ranking.agents[0].confidence.text = word + ": facts";
  ranking.agents[0].confidence.facts.passed_authors = {"writer"};
  if (word == "disputed") ranking.agents[0].confidence.facts.hidden_failed = 1;
  if (word == "left") ranking.agents[0].confidence.facts.left_failing = 1;
  return selection_hold(s.state, ranking);
}

TEST(Hold, WithoutEvidenceNothingIsMergedByItself) {
  const auto floor = [](model::EvidenceFloor value) {
    return [value](Selecting& s) { s.spec.config.merge.auto_merge_evidence = value; };
  };
  using enum model::EvidenceFloor;
  EXPECT_THAT(hold("no evidence"), HasSubstr("too little evidence"));
  EXPECT_THAT(hold("own word only"), HasSubstr("auto_merge_evidence asks for \"some\""));
  EXPECT_EQ(hold("some"), "");
  EXPECT_EQ(hold("good"), "");
  EXPECT_EQ(hold("confirmed"), "");
  EXPECT_EQ(hold("no evidence", floor(any)), "");
  EXPECT_THAT(hold("some", floor(good)), HasSubstr("\"good\""));
  EXPECT_THAT(hold("disputed", floor(any)), HasSubstr("evidence speaks against it: fails 1 hidden test"));
  EXPECT_THAT(hold("left", floor(any)), HasSubstr("leaves a test of the base failing"));
}

TEST(Hold, AWarningOrAProtectedPathKeepsItBack) {
  model::Integrity warned;
  warned.findings.push_back({"new_dependency", model::Severity::warning, "x.py", 1, "why", ""});
  EXPECT_THAT(hold("good", {}, warned), HasSubstr("a warning"));
  EXPECT_EQ(hold(
                "good", [](Selecting& s) { s.spec.config.evaluation.findings_count = false; }, warned),
            "");
  auto integrity = put_back("conftest.py", model::Restored::base, "runner_hook");
  integrity.own_run = false;
  EXPECT_THAT(hold("good", {}, integrity), HasSubstr("conftest.py"));
  integrity = put_back("tests/test_new.py", model::Restored::removed, "test_file");
  integrity.own_run = false;
  EXPECT_EQ(hold("good", {}, integrity), "") << "a new test is only set aside";
}

// A suppressed finding is no repair.
TEST(Suppressions, CountAsTheFindingsThatTheyHide) {
  using Two = std::pair<std::int64_t, std::int64_t>;  // errors and warnings
  const auto lint_of = [](std::int64_t suppressed, bool whole_file, std::int64_t errors,
                          std::int64_t warnings) {
    Selecting s;
    s.spec.config.scoring.lint_command = "lint";
    s.start({{"x", kPass}});
    const auto lint = [](std::int64_t e, std::int64_t w) {
      auto evidence = run(Dimension::lint, CheckStatus::failed);
      evidence.lint = model::LintReport{"flake8", e, w, {}, {}, {}, {}, {}, {}};
      return evidence;
    };
    s.send(model::CheckEnded{subject_of(kBase), lint(2, 3)});
    model::Integrity found;
    found.suppressions = suppressed;
    if (whole_file)
      found.findings.push_back({"lint_suppression", model::Severity::warning, "a.py", 1, "", ""});
    s.checked("a", {{"x", kPass}}, found);
    s.send(model::CheckEnded{subject_of("a"), lint(errors, warnings)});
    const auto report = *agent_evidence(s.state)[0].checks.lint->lint;
    return Two(*report.errors, *report.warnings);
  };
  EXPECT_EQ(lint_of(0, false, 0, 0), Two(0, 0)) << "repaired";
  EXPECT_EQ(lint_of(5, false, 0, 0), Two(2, 3)) << "hidden";
  EXPECT_EQ(lint_of(1, true, 0, 0), Two(2, 3)) << "hidden by one line for the whole file";
  EXPECT_EQ(lint_of(1, false, 1, 3), Two(2, 3));
  EXPECT_EQ(lint_of(1, false, 2, 3), Two(2, 4)) << "of new code";
}

TEST(Matrix, ARankingIsMadeAgainWithIt) {
  Selecting s;
  s.start({{"x", kPass}});
  s.checked("a", {{"x", kPass}});
  s.checked("b", {{"x", kPass}});
  ASSERT_EQ(s.times(Verb::rank, {}), 1);
  s.send(model::MergeRefused{"a", "too little", true, model::Refusal::held});
  s.send(model::ScoringResult{ranking_of(s.state)});
  model::Matrix m;
  m.state = model::Measure::measured;
  m.authors.push_back({"b", model::AuthorKind::result, {"b"}, "", {{"t", "tests/t", {}, {}}}});
  m.rows = {{"@baseline", "b", {model::Cell::fail}, ""},
            {"b", "b", {model::Cell::pass}, ""},
            {"a", "b", {model::Cell::fail}, ""}};
  auto copy = s.state;
  copy.ended.reset();
  apply(copy, {99, "r", 1000, model::CrossTested{m}});
  EXPECT_FALSE(copy.ranking) << "it is wanted again";
  EXPECT_FALSE(copy.merge_refused) << "for what was known before";
  const auto ranking = ranking_of(copy);
  EXPECT_EQ(ranking.winner, "b");
  EXPECT_THAT(name(ranking.agents[1].confidence.word), "disputed");
}

}  // namespace
}  // namespace hydra::race
