// A race of "a" and "b" whose results bring tests, driven by hand up to their cross tests. No machine.
#pragma once

#include "check_runs.hpp"
#include "driven_race.hpp"
#include "race/state/cross.hpp"
#include "race/state/rounds.hpp"

#include <string>
#include <vector>

namespace hydra::race {

using model::Cell;

inline const std::string kBaseOf(model::kBaseline);

class CrossRace : public DrivenRace {
 public:
  explicit CrossRace(const std::vector<std::string>& agents = {"a", "b"}) : DrivenRace(race_spec(agents)) {
    spec.config.scoring.build_command.reset();
    spec.config.scoring.lint_command.reset();
  }
  // Every agent has a result with tests; all checks are green.
  void until_checked() {
    begin();
    for (const auto& entry : spec.agents) end_agent(entry.name, "t-" + entry.name);
    send(model::Published{});
    send(model::SubjectReady{subject_of(kBaseOf), "/c/base"});
    send(model::CheckEnded{subject_of(kBaseOf), tests({{"old", TestStatus::passed}})});
    for (const auto& entry : spec.agents) {
      if (entry.tester) {
        send(model::Inspected{entry.name, integrity(entry.name)});
        continue;
      }
      check(entry.name, took(tests({{"old", TestStatus::passed}}), result_seconds));
      check(entry.name + "@own", tests({{"old", TestStatus::passed}, {"new", TestStatus::passed}}));
    }
    if (ever(Verb::repeat_tests, kBaseOf))
      send(model::CheckRepeated{subject_of(kBaseOf), tests({{"old", TestStatus::passed}})});
  }
  static model::CheckEvidence took(model::CheckEvidence evidence, std::int64_t seconds) {
    evidence.wall_ms = evidence.cpu_ms = seconds * 1000;
    return evidence;
  }
  void end_agent(const std::string& name, const std::string& tree) {
    DrivenRace::end_agent(name, change(tree, "c-" + tree));
  }
  static model::Integrity integrity(const std::string& name) {
    model::Integrity found;
    found.commit = "g-" + name;
    found.own_run = true;
    found.restored = {{"tests/test_" + name, model::Restored::removed, "test file"}};
    return found;
  }
  void check(const std::string& subject, model::CheckEvidence evidence) {
    if (subject.find('@') == std::string::npos && state.agent(subject))
      send(model::Inspected{subject, integrity(subject)});
    send(model::SubjectReady{named_subject(subject), "/c/" + subject});
    send(model::CheckEnded{named_subject(subject), std::move(evidence)});
  }
  // a and b wrote tests; every run is on a result of its own.
  static model::CrossPlan plan() {
    model::CrossPlan made;
    for (const auto* name : {"a", "b"})
      made.authors.push_back({name, {}, {name}, {std::string("tests/") + name}, {}});
    made.runs = {run_of_plan("+aa", "a", "a"), run_of_plan("+a0", kBaseOf, "a"),
                 run_of_plan("+bb", "b", "b"), run_of_plan("+b0", kBaseOf, "b"),
                 run_of_plan("+ba", "b", "a"), run_of_plan("+ab", "a", "b")};
    return made;
  }
  static model::PlannedRun run_of_plan(const std::string& subject, const std::string& result,
                                       const std::string& author) {
    return {named_subject(subject), subject_of(result), author, "c" + subject, "run", "tree of " + result};
  }
  void ran(const std::string& subject, model::CheckEvidence evidence) {
    send(model::SubjectReady{named_subject(subject), "/c/" + subject});
    const bool red = evidence.status == CheckStatus::failed;
    const auto again = evidence;
    send(model::CheckEnded{named_subject(subject), std::move(evidence)});
    if (red && asked(Verb::repeat_tests, subject)) send(model::CheckRepeated{named_subject(subject), again});
  }
  /// Returns the number of cross runs that begin, if each takes so long.
  std::size_t run_each(std::int64_t seconds) {
    send(model::CrossPlanned{plan()});
    std::size_t begun = 0;
    for (const auto& run : plan().runs) {
      const auto all = wanted(state);
      if (!all.contains({Verb::prepare_subject, run.subject, Dimension::build})) continue;
      ++begun;
      send(model::SubjectReady{run.subject, "/c/run"});
      const bool own = run.result.agent == run.author;
      const auto evidence = tests({{"t" + run.author, own ? kPassed : kFailed}});
      send(model::CheckEnded{run.subject, took(evidence, seconds)});
      if (!own) send(model::CheckRepeated{run.subject, evidence});
    }
    return begun;
  }
  // a's test fails before and on b; b's passes before.
  void run_all() {
    send(model::CrossPlanned{plan()});
    ran("+aa", tests({{"ta", TestStatus::passed}}));
    ran("+a0", tests({{"ta", TestStatus::failed}}));
    ran("+bb", tests({{"tb", TestStatus::passed}}));
    ran("+b0", tests({{"tb", TestStatus::passed}}));
    ran("+ba", tests({{"ta", TestStatus::failed}}));
  }
  std::int64_t result_seconds = 0;  ///< time of the tests of each result

  [[nodiscard]] bool ever(Verb verb, const std::string& subject = {}) const {
    return times(verb, subject) > 0;
  }
  [[nodiscard]] std::vector<Cell> cells(const std::string& author, const std::string& result) const {
    for (const auto& row : cross_matrix(state).rows)
      if (row.author == author && row.result == result) return row.cells;
    return {};
  }
};

}  // namespace hydra::race
