// Derives cells from the evidence of cross runs (docs/selection.md, "Cells"). Pure.
#include "race/state/costs.hpp"
#include "race/state/cross.hpp"
#include "race/state/gating.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace hydra::race {

using model::Cell;
using model::CheckStatus;
using model::TestStatus;

namespace {

constexpr std::size_t kMostAuthorTests = 500;  // limit per author; an author's weight does not depend on the
                                               // number of tests
/// Name of an author's files as one test, for a runner whose output names none.
constexpr std::string_view kExitCode = "exit code";

const model::CheckSet* checks_of_run(const State& state, const model::PlannedRun* run) {
  return run ? state.checks(run->subject) : nullptr;
}

const model::TestReport* report_of_run(const State& state, const model::PlannedRun* run) {
  const auto* checks = checks_of_run(state, run);
  return checks && checks->tests && checks->tests->tests ? &*checks->tests->tests : nullptr;
}

/// A runner's name for a file that failed to load is not a test.
bool stands_for_file(std::string_view name, const model::PlannedAuthor& author) {
  if (name.find("_FailedTest") != std::string::npos) return true;
  return std::any_of(author.files.begin(), author.files.end(),
                     [&](const std::string& file) { return name == file || name.ends_with("/" + file); });
}

/// Returns the base's tests: of its own checks, and before them of a run of the author's files.
model::TestList known_of_base(const State& state, const model::PlannedAuthor& author) {
  model::TestList known;
  if (const auto* report = report_of_run(state, run_of(state, author.name, {}))) known = report->tests;
  const auto* base = state.checks(Subject::baseline());
  if (!base || !finished(base->tests) || !base->tests->tests) return known;
  if (known.empty()) return base->tests->tests->tests;
  known.append(base->tests->tests->tests.without(known));
  return known;
}

/// Returns the names in the author's runs on its own code; for an author without code, in all runs except the
/// base's, if a result passes them. Runs without names are one test, by exit code.
std::vector<std::string> named_by(const State& state, const model::PlannedAuthor& author) {
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  bool nameless = false;
  const auto add = [&](const model::PlannedRun& run, bool green) {
    const auto* checks = checks_of_run(state, &run);
    const auto* report = report_of_run(state, &run);
    if (!report || report->tests.empty())
      nameless = nameless || (checks && checks->tests && checks->tests->status == CheckStatus::passed);
    if (!report) return;
    for (const auto& test : report->tests) {
      if (test.status == TestStatus::skipped || stands_for_file(test.name, author)) continue;
      if (green && test.status != TestStatus::passed) continue;
      if (seen.insert(test.name).second) names.emplace_back(test.name);
    }
  };
  for (const auto& run : state.cross->runs) {
    if (run.author != author.name || run.result.none()) continue;
    const bool own =
        std::find(author.members.begin(), author.members.end(), run.result.agent) != author.members.end();
    if (own || author.members.empty()) add(run, !own);
  }
  if (names.empty() && nameless) names.emplace_back(kExitCode);
  return names;
}

std::string file_of(const std::string& test, const model::PlannedAuthor& author) {
  const std::string* best = nullptr;
  for (const auto& file : author.files)
    if (test.find(file) != std::string::npos && (!best || file.size() > best->size())) best = &file;
  if (best) return *best;
  return author.files.size() == 1 ? author.files.front() : std::string();
}

/// A run of tests, indexed by name.
class Outcomes {
 public:
  explicit Outcomes(const model::CheckEvidence& tests) : tests_(tests) {
    if (tests.tests) statuses_ = tests.tests->tests;
    missing_.insert(tests.no_contact.begin(), tests.no_contact.end());
  }
  [[nodiscard]] bool names(std::string_view name) const { return statuses_.contains(name); }
  /// `judged`: the author's own run names the test, so a run that does not come to it has failed it (H35).
  [[nodiscard]] Cell of(std::string_view name, bool judged) const {
    const auto unless_judged = judged ? Cell::fail : Cell::not_run;
    const bool ended = tests_.status == CheckStatus::passed || tests_.status == CheckStatus::failed;
    if (!ended && tests_.status != CheckStatus::timed_out && tests_.status != CheckStatus::crashed)
      return Cell::not_run;
    if (name == kExitCode && tests_.status == CheckStatus::passed)
      return tests_.tests && !tests_.tests->suspicious.empty() ? Cell::not_run : Cell::pass;
    if (name == kExitCode) return ended ? Cell::fail : unless_judged;
    const bool named = tests_.tests && tests_.tests->format != "exit_code_only";
    // Hangs, crashes or ends well without a test: the code under test has ended it. A failure may be a file
    // that does not load.
    if (!named) return tests_.status == CheckStatus::failed ? Cell::not_run : unless_judged;
    const auto found = statuses_.find(name);
    if (!found) {
      if (!ended) return unless_judged;
      // A report without its end was cut off by the code under test; a whole one misses files that don't
      // load.
      return tests_.tests->complete || !judged ? Cell::no_contact : Cell::fail;
    }
    if (found == TestStatus::skipped) return unless_judged;
    // A run that contradicts itself proves no success.
    if (found == TestStatus::passed) return tests_.tests->suspicious.empty() ? Cell::pass : Cell::not_run;
    return missing_.contains(name) ? Cell::no_contact : Cell::fail;
  }

 private:
  const model::CheckEvidence& tests_;
  model::TestList statuses_;
  std::set<std::string_view> missing_;
};

/// Whether a run judges the result of somebody else by tests that their author's own run names.
bool is_judged(const State& state, const model::PlannedRun& run) {
  const auto* author = cross_author(state, run.subject);
  if (!author || run.result.none() || run.result.of_baseline()) return false;
  return std::find(author->members.begin(), author->members.end(), run.result.agent) == author->members.end();
}

/// Returns tests that fail by the parameters of a function here and on the base: the function is the base's,
/// and the author's result has extended it (H35).
std::set<std::string_view> called_wrongly(const State& state, const model::PlannedRun& run) {
  const auto* here = checks_of_run(state, &run);
  const auto* base = checks_of_run(state, run_of(state, run.author, Subject::baseline()));
  if (!here || !here->tests || !base || !base->tests) return {};
  const auto& before = base->tests->wrong_arguments;
  std::set<std::string_view> out;
  for (const auto& name : here->tests->wrong_arguments)
    if (std::find(before.begin(), before.end(), name) != before.end()) out.insert(name);
  return out;
}

}  // namespace

model::Matrix matrix_of(const State& state) {
  auto matrix = state.matrix.value_or(model::Matrix{});
  if (!state.spec.config.evaluation.findings_count) return matrix;
  const auto blocked = [&](const std::string& name) {
    const auto* agent = state.agent(name);
    return agent && blocks(findings_of(state, *agent));
  };
  for (auto& author : matrix.authors)
    if (author.kind == model::AuthorKind::result && author.voided.empty() && !author.members.empty() &&
        std::all_of(author.members.begin(), author.members.end(), blocked))
      author.voided = "the tamper report blocks its result";
  return matrix;
}

std::string product_of(const State& state, const Subject& owner) {
  // Equal trees without the results' own tests give another author's tests equal runs.
  if (!state.cross || state.cross->runs.empty()) return {};
  const auto* run = run_of(state, state.cross->runs.front().author, owner);
  return run ? run->key : std::string();
}

std::vector<Cell> cells_of(const State& state, const model::PlannedRun& run,
                           const std::vector<std::string>& tests) {
  const auto* checks = checks_of_run(state, &run);
  if (checks && checks->build && checks->build->status == CheckStatus::failed)
    return std::vector<Cell>(tests.size(), Cell::no_contact);
  std::vector<Cell> cells(tests.size(), Cell::not_run);
  if (!checks || !checks->tests) return cells;
  const bool judged = is_judged(state, run);
  const auto wrong_call = judged ? called_wrongly(state, run) : std::set<std::string_view>();
  const auto says = [](Cell cell) { return cell == Cell::pass || cell == Cell::fail; };
  const Outcomes first(*checks->tests);
  for (std::size_t i = 0; i < tests.size(); ++i)
    cells[i] = wrong_call.contains(tests[i]) ? Cell::fail : first.of(tests[i], judged);
  for (const auto& repeat : checks->repeats) {
    const Outcomes again(repeat);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const auto cell = again.of(tests[i], judged);
      if (!first.names(tests[i]) && again.names(tests[i])) cells[i] = cell;
      if (says(cells[i]) && says(cell) && cell != cells[i]) cells[i] = Cell::unstable;
    }
  }
  return cells;
}

std::vector<std::string> tests_of_author(const State& state, const model::PlannedAuthor& author) {
  auto names = named_by(state, author);
  const auto known = known_of_base(state, author);
  model::TestList before;
  if (const auto* report = report_of_run(state, run_of(state, author.name, Subject::baseline())))
    before = report->tests;
  std::erase_if(names, [&](const std::string& name) {
    const auto base = known.find(name);
    const auto now = before.find(name);
    return base && (!now || now == base);
  });
  if (names.size() > kMostAuthorTests) names.resize(kMostAuthorTests);
  return names;
}

namespace {

/// Returns the results that differ from the author's in their tests alone.
std::vector<std::string> same_product(const State& state, const model::PlannedAuthor& author) {
  std::set<std::string> products, results;
  for (const auto& member : author.members) products.insert(product_of(state, Subject::of(member)));
  products.erase("");
  for (const auto& run : state.cross->runs)
    if (!run.result.none() && !run.result.of_baseline() && products.contains(product_of(state, run.result)))
      results.insert(run.result.agent);
  for (const auto& member : author.members) results.erase(member);
  return {results.begin(), results.end()};
}

/// Entries of one kind of agent are one opinion, and each tester is its own.
std::string opinion_of(const State& state, const model::PlannedAuthor& author) {
  const auto* agent = state.agent(author.name);
  if (agent == nullptr) return {};
  const auto& descriptors = state.spec.config.agents;
  const auto known = descriptors.find(agent->entry.id);
  if (agent->origin != Origin::agent || known == descriptors.end()) return agent->entry.entry_name();
  return known->second.kind();
}

}  // namespace

std::set<std::string> tests_of_text(const State& state, const model::PlannedAuthor& author,
                                    const std::vector<std::string>& tests) {
  const auto* neutral = neutral_run(state, author.name);
  const auto* own = neutral ? run_of(state, author.name, Subject::of(author.members.front())) : nullptr;
  if (!own) return {};
  const auto before = cells_of(state, *own, tests), after = cells_of(state, *neutral, tests);
  std::set<std::string> out;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (before[i] == Cell::pass && after[i] == Cell::fail) out.insert(tests[i]);
  return out;
}

bool cross_cut_short(const State& state, const model::PlannedRun& run) {
  const auto* author = cross_author(state, run.subject);
  const auto* report = report_of_run(state, &run);
  if (!author || author->apart.empty() || !report || report->outcome == model::TestOutcome::build_failed)
    return false;
  const auto tests = tests_of_author(state, *author);
  return std::any_of(tests.begin(), tests.end(),
                     [&](const auto& name) { return !report->tests.contains(name); });
}

model::Matrix cross_matrix(const State& state) {
  model::Matrix matrix;
  if (!state.cross) return matrix;
  matrix.state = model::Measure::measured;
  const bool all = std::all_of(state.cross->runs.begin(), state.cross->runs.end(),
                               [&](const auto& run) { return state.subject(run.subject); });
  if (!all && !cross_within_budget(state)) matrix.reason = "out_of_budget";
  for (const auto& planned : state.cross->authors) {
    model::CrossAuthor author{planned.name, planned.kind, planned.members, planned.voided, {}};
    author.same_product = same_product(state, planned);
    author.voice = opinion_of(state, planned);
    const auto names = tests_of_author(state, planned);
    const auto of_text = tests_of_text(state, planned, names);
    for (const auto& name : names) {
      model::CrossTest test{name, file_of(name, planned), {}, {}};
      if (of_text.contains(name)) {
        test.klass = model::TestClass::voided;
        test.reason = "reads text: fails on its author's result without comments and documentation";
      }
      author.tests.push_back(std::move(test));
    }
    if (names.empty() && author.voided.empty()) author.voided = "none of its tests was recognised";
    for (const auto& run : state.cross->runs) {
      if (run.author != planned.name || run.result.none()) continue;
      model::CrossRow row{run.result.agent, planned.name, cells_of(state, run, names), {}};
      if (const auto* checks = checks_of_run(state, &run))
        row.log = checks->tests ? checks->tests->attempt : checks->build ? checks->build->attempt : "";
      matrix.rows.push_back(std::move(row));
    }
    matrix.authors.push_back(std::move(author));
  }
  return matrix;
}

}  // namespace hydra::race
