#include "race/state/state.hpp"

#include "race/state/cross.hpp"
#include "race/state/selection.hpp"
#include "race/state/unloaded.hpp"
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>

namespace hydra::race {

using model::CheckStatus;
using model::Dimension;

namespace {

// Runs with own tests, cross runs and per-file runs only serve tests, so lint is skipped.
bool runs(const State& state, const Subject& subject, Dimension dimension) {
  const bool tests_only =
      subject.kind == Kind::own_tests || subject.kind == Kind::cross || subject.kind == Kind::per_file;
  return check_command(state.spec.config, dimension) && !(tests_only && dimension == Dimension::lint);
}

bool usable(const std::optional<model::CheckEvidence>& tests) {
  return tests && tests->tests && !tests->tests->tests.empty() &&
         (tests->status == CheckStatus::passed || tests->status == CheckStatus::failed);
}

// By default the base runs again only where another outcome could matter.
bool baseline_repeats_left(const State& state) {
  const auto* checks = state.checks(Subject::baseline());
  if (!checks || !usable(checks->tests)) return false;
  const auto& evaluation = state.spec.config.evaluation;
  return (evaluation.verify == model::Verify::strict || state.base_doubted) &&
         static_cast<int>(checks->repeats.size()) + 1 < baseline_runs(state.spec.config);
}

// Failing own tests run again before they make the result ineligible.
bool own_repeat_wanted(const State& state, const Subject& subject) {
  const auto* own = state.checks(subject);
  return own && own->repeats.empty() && usable(own->tests) && own->tests->status == CheckStatus::failed &&
         !failing_own_tests(state, subject.owner()).empty();
}

// A test that passes on the base but not on this result may be flaky: the test runs again, alone, before its
// failure counts.
bool find_repeat_wanted(const State& state, const Subject& subject) {
  switch (subject.kind) {
    case Kind::baseline:
      return baseline_repeats_left(state);
    case Kind::cross:
      return cross_repeat_wanted(state, subject);
    case Kind::own_tests:
      return own_repeat_wanted(state, subject);
    case Kind::result:
      break;
    default:
      return false;
  }
  if (state.spec.config.evaluation.verify == model::Verify::fast) return false;
  // A later run of the base may show the test flaky: then a rerun started now would outlive its reason, and
  // the race.
  if (baseline_repeats_left(state)) return false;
  const auto* mine = state.checks(subject);
  const auto* base = state.checks(Subject::baseline());
  if (!mine || !base || !mine->repeats.empty() || !usable(mine->tests) || !usable(base->tests)) return false;
  return mine->tests->status == CheckStatus::failed &&
         scoring::compare_tests(*base->tests->tests, *mine->tests->tests, unstable_tests(*base)).failing > 0;
}

bool repeat_wanted(const State& state, const Subject& subject) {
  const auto [known, fresh] = state.derived.repeats.try_emplace(subject);
  if (fresh) known->second = find_repeat_wanted(state, subject);
  return known->second;
}

// Returns whether the regressions of this result still depend on the baseline.
bool waits_for_baseline(const State& state, const Subject& subject) {
  if (subject.kind != Kind::result && subject.kind != Kind::own_tests) return false;
  const auto* mine = state.checks(subject);
  return state.spec.config.evaluation.verify != model::Verify::fast && mine && mine->repeats.empty() &&
         usable(mine->tests) && mine->tests->status == CheckStatus::failed &&
         (!checks_done(state, Subject::baseline()) || baseline_repeats_left(state));
}

// The gating run did not reach all of the base's tests: a file that can't be loaded may have ended the run.
// Unknown until the baseline's names exist.
bool may_need_per_file_run(const State& state, const Subject& subject) {
  const auto* agent = subject.kind == Kind::result ? state.agent(subject.agent) : nullptr;
  if (!agent || !agent->integrity || agent->integrity->files_command.empty()) return false;
  const auto* mine = state.checks(subject);
  return state.spec.config.evaluation.verify != model::Verify::fast && mine && mine->tests &&
         (mine->tests->status == CheckStatus::failed || mine->tests->status == CheckStatus::crashed);
}

bool waits_for_per_file_run(const State& state, const Subject& subject) {
  return may_need_per_file_run(state, subject) && !checks_done(state, Subject::baseline());
}

bool needs_per_file_run(const State& state, const Subject& subject) {
  return may_need_per_file_run(state, subject) && checks_done(state, Subject::baseline()) &&
         misses_base_tests(state, subject);
}

bool needs_own_tests_run(const State& state, const Subject& subject) {
  const auto* agent = subject.kind == Kind::result ? state.agent(subject.agent) : nullptr;
  if (!agent || !agent->integrity || agent->integrity->restored.empty()) return false;
  if (state.spec.config.evaluation.verify == model::Verify::fast || !state.spec.config.scoring.test_command)
    return false;
  // Tests of the base may not compile with an interface that the task changes.
  const auto* checks = state.checks(subject);
  const bool broken = checks && checks->build && checks->build->status == CheckStatus::failed;
  return agent->integrity->own_run || broken || lacks_base_tests(state, subject);
}

bool cold_wanted(const State& state, const Subject& subject) {
  return state.spec.config.evaluation.verify == model::Verify::strict && subject.kind == Kind::result &&
         began_warm(state, subject);
}

// Adds the next step of a subject's chain: workspace, build, tests, lint (docs/scoring.md, H5).
void want_next_step(const State& state, const Subject& subject, std::set<Command>& commands) {
  const auto* found = state.subject(subject);
  if (!found || found->path.empty()) {
    commands.insert({Verb::prepare_subject, subject, Dimension::build});
    return;
  }
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    if (!runs(state, subject, dimension) || evidence(found->checks, dimension)) continue;
    commands.insert({Verb::run_check, subject, dimension});
    return;
  }
}

// Evidence from the cache has no workspace to repeat tests in.
Command next_repeat(const State& state, const Subject& subject) {
  if (state.subject(subject)->path == kNoWorkspace) return {Verb::prepare_subject, subject, Dimension::build};
  return {Verb::repeat_tests, subject, Dimension::tests, state.checks(subject)->repeats.size()};
}

}  // namespace

// After the chain, one step at a time: reruns, the agent's own tests, a build from nothing.
void want_checks(const State& state, const Subject& subject, std::set<Command>& commands) {
  if (!checks_done(state, subject)) return want_next_step(state, subject, commands);
  if (repeat_wanted(state, subject)) {
    commands.insert(next_repeat(state, subject));
    return;
  }
  for (const auto& [kind, wanted] : {std::pair{Kind::per_file, needs_per_file_run(state, subject)},
                                     {Kind::own_tests, needs_own_tests_run(state, subject)},
                                     {Kind::cold, cold_wanted(state, subject)}}) {
    if (!wanted) continue;
    const auto other = subject.as(kind);
    if (!checks_done(state, other)) return want_next_step(state, other, commands);
    if (kind == Kind::own_tests && repeat_wanted(state, other)) {
      commands.insert(next_repeat(state, other));
      return;
    }
  }
}

State::State() = default;
State::State(const State& other) = default;
State::State(State&& other) noexcept = default;
State& State::operator=(const State& other) = default;
State& State::operator=(State&& other) noexcept = default;
State::~State() = default;

const AgentState* State::agent(const std::string& name) const {
  for (const auto& agent : agents)
    if (agent.entry.name == name) return &agent;
  return nullptr;
}

AgentState* State::agent(const std::string& name) {
  return const_cast<AgentState*>(static_cast<const State&>(*this).agent(name));
}

const model::RankedAgent* State::ranked(const std::string& name) const {
  const auto* newest = newest_ranking();
  if (!newest) return nullptr;
  for (const auto& agent : newest->agents)
    if (agent.agent == name) return &agent;
  return nullptr;
}

const model::Ranking* State::newest_ranking() const {
  if (ranking) return &*ranking;
  return first_ranking && !cancelled ? &*first_ranking : nullptr;
}

const SubjectState* State::subject(const Subject& of) const {
  const auto found = subjects.find(of);
  return found == subjects.end() ? nullptr : &found->second;
}

const model::CheckSet* State::checks(const Subject& of) const {
  const auto* found = subject(of);
  return found ? &found->checks : nullptr;
}

const std::optional<std::string>& check_command(const model::Config& config, Dimension dimension) {
  static const std::optional<std::string> kNone;
  switch (dimension) {
    case Dimension::build:
      return config.scoring.build_command;
    case Dimension::tests:
      return config.scoring.test_command;
    case Dimension::lint:
      return config.scoring.lint_command;
    default:
      return kNone;
  }
}

const std::optional<model::CheckEvidence>& evidence(const model::CheckSet& checks, Dimension dimension) {
  switch (dimension) {
    case Dimension::tests:
      return checks.tests;
    case Dimension::lint:
      return checks.lint;
    default:
      return checks.build;
  }
}

std::optional<model::CheckEvidence>& evidence(model::CheckSet& checks, Dimension dimension) {
  return const_cast<std::optional<model::CheckEvidence>&>(
      evidence(static_cast<const model::CheckSet&>(checks), dimension));
}

Subject check_owner(const State& state, const AgentState& agent) {
  if (!agent.capture) return Subject::of(agent.entry.name);
  const auto& tree = agent.capture->tree;
  if (tree == state.spec.repository.base_tree) return Subject::baseline();
  // Equal trees are rare, and this function runs after every event for each agent: test for them first.
  const bool shared = std::any_of(state.agents.begin(), state.agents.end(), [&](const auto& other) {
    return &other != &agent && other.capture && other.capture->tree == tree;
  });
  if (!shared) return Subject::of(agent.entry.name);
  for (const auto& name : state.capture_order) {
    const auto* other = state.agent(name);
    if (other && other->capture && other->capture->tree == tree && !other->cancelled &&
        other->origin != Origin::tester)
      return Subject::of(name);
  }
  return Subject::of(agent.entry.name);
}

bool agents_began(const State& state) {
  return std::any_of(state.agents.begin(), state.agents.end(),
                     [](const auto& agent) { return agent.attempts > 0; });
}

bool ended_by_disk(const AgentState& agent) {
  return agent.ended &&
         (agent.ended->job.end == model::JobEnd::disk || agent.ended->job.end == model::JobEnd::no_room);
}

bool needs_checks(const State& state, const AgentState& agent) {
  return any_check(state.spec.config) && agent.capture && !state.cancelled && !agent.cancelled &&
         agent.origin != Origin::tester && !ended_by_disk(agent);
}

bool checks_done(const State& state, const Subject& subject) {
  if (!any_check(state.spec.config)) return true;
  const auto* found = state.subject(subject);
  if (!found) return false;
  if (!found->error.empty()) return true;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    if (!runs(state, subject, dimension)) continue;
    const auto& done = evidence(found->checks, dimension);
    if (!done) return false;
    if (dimension == Dimension::build && done->status != CheckStatus::passed) return true;  // short circuit
  }
  return true;
}

bool fully_checked(const State& state, const Subject& subject) {
  if (!checks_done(state, subject) || waits_for_baseline(state, subject)) return false;
  if (repeat_wanted(state, subject) || waits_for_per_file_run(state, subject)) return false;
  if (needs_per_file_run(state, subject) && !checks_done(state, subject.as(Kind::per_file))) return false;
  const auto own = subject.as(Kind::own_tests);
  if (needs_own_tests_run(state, subject) &&
      (!checks_done(state, own) || waits_for_baseline(state, own) || repeat_wanted(state, own)))
    return false;
  return !cold_wanted(state, subject) || checks_done(state, subject.as(Kind::cold));
}

int baseline_runs(const model::Config& config) {
  return config.evaluation.verify == model::Verify::fast ? 1 : 2;
}

Life life_of(const State& state, const Subject& subject) {
  const auto* found = state.subject(subject);
  return found ? found->life : Life{};
}

int CheckRun::number() const {
  const int first = life.round * 1000 + life.generation * 10 + 1;
  switch (why) {
    case Why::first:
      return first;
    case Why::alone:
      return first + 1;
    case Why::repeat:
      return first + 2 + nth;
    case Why::setup:
      return first + 100;
    case Why::measure:
      return first + 101;
  }
  return first;
}

}  // namespace hydra::race
