#include "race/state.hpp"

#include "race/cross.hpp"
#include "race/green.hpp"
#include "race/judging.hpp"
#include "race/measure.hpp"
#include "race/rounds.hpp"
#include "race/selection.hpp"
#include "race/twins.hpp"
#include "race/unloaded.hpp"
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>

namespace hydra::race {

using model::CheckStatus;
using model::Dimension;

namespace {

// One's own tests are all that its second run is for.
bool runs(const State& state, const std::string& subject, Dimension dimension) {
  const bool tests_only = is_own(subject) || is_cross(subject) || is_files(subject);
  return check_command(state.spec.config, dimension) && !(tests_only && dimension == Dimension::lint);
}

bool usable(const std::optional<model::CheckEvidence>& tests) {
  return tests && tests->tests && !tests->tests->tests.empty() &&
         (tests->status == CheckStatus::passed || tests->status == CheckStatus::failed);
}

const model::CheckSet* checks_of(const State& state, const std::string& subject) {
  const auto found = state.subjects.find(subject);
  return found == state.subjects.end() ? nullptr : &found->second.checks;
}

bool baseline_repeats_left(const State& state) {
  const auto* checks = checks_of(state, std::string(model::kBaseline));
  if (!checks || !usable(checks->tests)) return false;
  return static_cast<int>(checks->repeats.size()) + 1 < baseline_runs(state.spec.config);
}

// Its own tests fail on its own tree: once more, before that makes it ineligible.
bool own_repeat_wanted(const State& state, const std::string& subject) {
  const auto* own = checks_of(state, subject);
  return own && own->repeats.empty() && usable(own->tests) && own->tests->status == CheckStatus::failed &&
         !failing_own_tests(state, commit_subject(subject)).empty();
}

// A test that the base passes and this result does not may be an unstable one: once more, alone, before it
// counts against it.
bool repeat_wanted(const State& state, const std::string& subject) {
  if (subject == model::kBaseline) return baseline_repeats_left(state);
  if (is_cross(subject)) return cross_repeat_wanted(state, subject);
  if (is_own(subject)) return own_repeat_wanted(state, subject);
  if (is_files(subject)) return false;
  if (state.spec.config.evaluation.verify == model::Verify::fast || is_cold(subject)) return false;
  // A later run of the base may find the test unstable: then a repetition would outlive its reason, and the
  // race.
  if (baseline_repeats_left(state)) return false;
  const auto* mine = checks_of(state, subject);
  const auto* base = checks_of(state, std::string(model::kBaseline));
  if (!mine || !base || !mine->repeats.empty() || !usable(mine->tests) || !usable(base->tests)) return false;
  return mine->tests->status == CheckStatus::failed &&
         scoring::compare_tests(*base->tests->tests, *mine->tests->tests, unstable_tests(*base)).failing > 0;
}

// Whether this result's verdict about regressions still waits for the baseline.
bool waits_for_baseline(const State& state, const std::string& subject) {
  if (subject == model::kBaseline || is_cold(subject) || is_cross(subject) || is_files(subject)) return false;
  const auto* mine = checks_of(state, subject);
  return state.spec.config.evaluation.verify != model::Verify::fast && mine && mine->repeats.empty() &&
         usable(mine->tests) && mine->tests->status == CheckStatus::failed &&
         (!checks_done(state, std::string(model::kBaseline)) || baseline_repeats_left(state));
}

// The gating run did not come to some of the base's tests: a file that can't be loaded may have ended it for
// all. Nobody knows before the baseline's names are there.
bool files_open(const State& state, const std::string& subject) {
  const auto* agent = state.agent(subject);
  if (!agent || !agent->integrity || agent->integrity->files_command.empty()) return false;
  const auto* mine = checks_of(state, subject);
  return state.spec.config.evaluation.verify != model::Verify::fast && mine && mine->tests &&
         (mine->tests->status == CheckStatus::failed || mine->tests->status == CheckStatus::crashed);
}

bool files_wait(const State& state, const std::string& subject) {
  return files_open(state, subject) && !checks_done(state, std::string(model::kBaseline));
}

bool files_wanted(const State& state, const std::string& subject) {
  return files_open(state, subject) && checks_done(state, std::string(model::kBaseline)) &&
         misses_base_tests(state, subject);
}

bool own_wanted(const State& state, const std::string& subject) {
  const auto* agent = state.agent(subject);
  if (!agent || !agent->integrity || agent->integrity->restored.empty()) return false;
  if (state.spec.config.evaluation.verify == model::Verify::fast || !state.spec.config.scoring.test_command)
    return false;
  // Tests of the base may not even compile with an interface that was changed as it was asked for.
  const auto* checks = checks_of(state, subject);
  const bool broken = checks && checks->build && checks->build->status == CheckStatus::failed;
  return agent->integrity->own_run || broken || lacks_base_tests(state, subject);
}

bool cold_wanted(const State& state, const std::string& subject) {
  return state.spec.config.evaluation.verify == model::Verify::strict && subject != model::kBaseline &&
         !is_cold(subject) && !is_own(subject) && !is_cross(subject) && !is_files(subject) &&
         began_warm(state, subject);
}

// Checks follow the tree, but a transcript is its agent's own.
bool inspection_wanted(const State& state, const AgentState& agent) {
  // A tester's tree is never checked, its tests are run on others': what they attempt must be known.
  if (agent.entry.tester)
    return !agent.integrity && agent.capture && agent.capture->changed && !agent.cancelled &&
           !state.cancelled;
  if (agent.integrity) return false;
  const auto owner = check_owner(state, agent);
  return owner != agent.entry.name && owner != model::kBaseline;
}

// The attempt that is due is over without having begun.
bool unrun(const AgentState& agent) { return !agent.workspace_error.empty() || agent.never_runs(); }

bool settled(const State& state, const AgentState& agent) {
  if (unrun(agent) ? !left_work(agent) : !agent.ended) return unrun(agent);
  if (!agent.capture && agent.capture_error.empty()) return false;
  if (agent.entry.tester) return !inspection_wanted(state, agent);
  if (!needs_checks(state, agent)) return true;
  return !inspection_wanted(state, agent) && fully_checked(state, check_owner(state, agent));
}

bool capture_settled(const AgentState& agent) {
  return (unrun(agent) && !left_work(agent)) || agent.capture || !agent.capture_error.empty();
}

// The next step of a subject's chain: workspace, build, tests, lint (ruling H5).
void want_chain(const State& state, const std::string& subject, std::set<Command>& commands) {
  const auto found = state.subjects.find(subject);
  if (found == state.subjects.end() || found->second.path.empty()) {
    commands.insert({Verb::prepare_subject, subject, Dimension::build});
    return;
  }
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    if (!runs(state, subject, dimension) || evidence(found->second.checks, dimension)) continue;
    commands.insert({Verb::run_check, subject, dimension});
    return;
  }
}

}  // namespace

// What follows the chain, one thing at a time: repetitions, the agent's own tests, a build from nothing.
void want_checks(const State& state, const std::string& subject, std::set<Command>& commands) {
  if (!checks_done(state, subject)) return want_chain(state, subject, commands);
  if (repeat_wanted(state, subject)) {
    commands.insert({Verb::repeat_tests, subject, Dimension::tests});
    return;
  }
  for (const auto& [mark, wanted] : {std::pair{model::kFiles, files_wanted(state, subject)},
                                     {model::kOwn, own_wanted(state, subject)},
                                     {model::kCold, cold_wanted(state, subject)}}) {
    if (!wanted) continue;
    const auto other = subject + std::string(mark);
    if (!checks_done(state, other)) return want_chain(state, other, commands);
    if (is_own(other) && repeat_wanted(state, other)) {
      commands.insert({Verb::repeat_tests, other, Dimension::tests});
      return;
    }
  }
}

namespace {

void want_agent(const State& state, const AgentState& agent, std::set<Command>& commands) {
  const auto& name = agent.entry.name;
  if (agent.never_runs() && agent.workspace_error.empty())
    commands.insert({Verb::stop_agent, name, Dimension::build});  // it may be waiting for its turn
  if (unrun(agent)) {
    if (!left_work(agent)) return;
  } else if (agent.workspace.empty()) {
    commands.insert({Verb::prepare_workspace, name, Dimension::build});
    return;
  } else if (!agent.ended) {
    const bool waits = state.spec.preflight && !agent.begun() && !agent.cancelled;
    if (waits && !checks_done(state, std::string(model::kBaseline))) return;
    commands.insert({Verb::run_agent, name, Dimension::build});
    if (agent.cancelled || agent.stop) commands.insert({Verb::stop_agent, name, Dimension::build});
    return;
  }
  if (retry_due(state, agent)) {
    commands.insert({Verb::retry_agent, name, Dimension::build});
    return;
  }
  if (!agent.capture && agent.capture_error.empty()) {
    commands.insert({Verb::capture, name, Dimension::build});
    return;
  }
  if (!needs_checks(state, agent)) {
    if (agent.entry.tester && inspection_wanted(state, agent))
      commands.insert({Verb::inspect, name, Dimension::build});
    return;
  }
  want_checks(state, check_owner(state, agent), commands);
  if (inspection_wanted(state, agent)) commands.insert({Verb::inspect, name, Dimension::build});
}

}  // namespace

const AgentState* State::agent(const std::string& name) const {
  const auto found =
      std::find_if(agents.begin(), agents.end(), [&](const auto& a) { return a.entry.name == name; });
  return found == agents.end() ? nullptr : &*found;
}

AgentState* State::agent(const std::string& name) {
  return const_cast<AgentState*>(static_cast<const State&>(*this).agent(name));
}

namespace {

/// Everybody waits for the agents and nobody for the baseline: its checkout must not compete with theirs.
bool under_way(const AgentState& agent) {
  return !agent.workspace.empty() || !agent.workspace_error.empty() || agent.cancelled;
}

}  // namespace

std::set<Command> wanted(const State& state) {
  std::set<Command> commands;
  if (!state.ended.empty()) return commands;
  if (!state.failure.empty()) return {{Verb::finish, {}, Dimension::build}};
  if (!state.prepared) {
    if (state.cancelled) return {{Verb::finish, {}, Dimension::build}};
    return {{Verb::prepare_race, {}, Dimension::build}};
  }
  const std::string baseline(model::kBaseline);
  for (const auto& agent : state.agents) want_agent(state, agent, commands);
  if (state.cancelled) {
    for (const auto& command : state.issued)
      if (command.verb == Verb::run_check || command.verb == Verb::repeat_tests ||
          command.verb == Verb::prepare_subject)
        commands.insert({Verb::stop_checks, command.subject, Dimension::build});
  } else if (any_check(state.spec.config) &&
             (state.spec.preflight || std::all_of(state.agents.begin(), state.agents.end(), under_way))) {
    want_checks(state, baseline, commands);
    const auto cold = baseline + std::string(model::kCold);
    if (state.spec.check_only && checks_done(state, baseline) && began_warm(state, baseline))
      want_checks(state, cold, commands);
  }
  const auto all = [&](auto&& predicate) {
    return std::all_of(state.agents.begin(), state.agents.end(), predicate);
  };
  const bool published = state.published || !state.spec.verifies.empty();
  if (all(capture_settled) && !published) commands.insert({Verb::publish, {}, Dimension::build});
  if (!published || !all([&](const auto& a) { return settled(state, a); })) {
    want_green(state, commands);
    return commands;
  }
  if (state.cancelled) return {{Verb::finish, {}, Dimension::build}};
  if (!fully_checked(state, baseline)) return commands;
  if (state.spec.check_only && began_warm(state, baseline) &&
      !checks_done(state, baseline + std::string(model::kCold)))
    return commands;
  want_cross_stops(state, commands);
  if (twins_open(state)) {
    want_twins(state, commands);
  } else if (cross_open(state)) {
    want_cross(state, commands);
  } else if (judging_open(state)) {
    want_judges(state, commands);
  } else if (!state.ranking) {
    commands.insert({Verb::rank, {}, Dimension::build});
  } else if (round_due(state)) {
    commands.insert({Verb::next_round, {}, Dimension::build});
  } else if (state.spec.config.merge.automatic && state.spec.verifies.empty() && state.ranking->auto_merge &&
             !state.merged && !state.merge_refused) {
    // Nobody looks at it before it lands: incremental build results are confirmed by a cold run.
    const auto* winner = state.agent(state.ranking->winner);
    const auto owner = winner ? check_owner(state, *winner) : std::string{};
    const auto cold = owner + std::string(model::kCold);
    if (winner && began_warm(state, owner) && !checks_done(state, cold))
      want_checks(state, cold, commands);
    else
      commands.insert({Verb::auto_merge, state.ranking->winner, Dimension::build});
  } else if (measure_open(state)) {
    want_measure(state, commands);
  } else {
    commands.insert({Verb::finish, {}, Dimension::build});
  }
  return commands;
}

std::vector<Command> resume(State& state) {
  auto commands = wanted(state);
  std::vector<Command> fresh;
  // run_agent sorts before stop_agent: what is stopped has been adopted by then.
  std::set_difference(commands.begin(), commands.end(), state.issued.begin(), state.issued.end(),
                      std::back_inserter(fresh));
  state.issued = std::move(commands);
  return fresh;
}

std::vector<Command> reduce(State& state, const model::Event& event) {
  apply(state, event);
  return resume(state);
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

std::string check_owner(const State& state, const AgentState& agent) {
  if (!agent.capture) return agent.entry.name;
  const auto& tree = agent.capture->tree;
  if (tree == state.spec.repository.base_tree) return std::string(model::kBaseline);
  // Rarely do two come to the same: asked after every event of a race, for each of its agents.
  const bool shared = std::any_of(state.agents.begin(), state.agents.end(), [&](const auto& other) {
    return &other != &agent && other.capture && other.capture->tree == tree;
  });
  if (!shared) return agent.entry.name;
  for (const auto& name : state.capture_order) {
    const auto* other = state.agent(name);
    if (other && other->capture && other->capture->tree == tree && !other->cancelled && !other->entry.tester)
      return name;
  }
  return agent.entry.name;
}

bool needs_checks(const State& state, const AgentState& agent) {
  return any_check(state.spec.config) && agent.capture && !state.cancelled && !agent.cancelled &&
         !agent.entry.tester;
}

bool checks_done(const State& state, const std::string& subject) {
  if (!any_check(state.spec.config)) return true;
  const auto found = state.subjects.find(subject);
  if (found == state.subjects.end()) return false;
  if (!found->second.error.empty()) return true;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    if (!runs(state, subject, dimension)) continue;
    const auto& done = evidence(found->second.checks, dimension);
    if (!done) return false;
    if (dimension == Dimension::build && done->status != CheckStatus::passed) return true;  // short-circuit
  }
  return true;
}

bool fully_checked(const State& state, const std::string& subject) {
  if (!checks_done(state, subject) || waits_for_baseline(state, subject)) return false;
  if (repeat_wanted(state, subject) || files_wait(state, subject)) return false;
  if (files_wanted(state, subject) && !checks_done(state, subject + std::string(model::kFiles))) return false;
  const auto own = subject + std::string(model::kOwn);
  if (own_wanted(state, subject) &&
      (!checks_done(state, own) || waits_for_baseline(state, own) || repeat_wanted(state, own)))
    return false;
  return !cold_wanted(state, subject) || checks_done(state, subject + std::string(model::kCold));
}

int baseline_runs(const model::Config& config) {
  if (config.evaluation.baseline_runs > 0) return config.evaluation.baseline_runs;
  return config.evaluation.verify == model::Verify::fast ? 1 : 2;
}

int attempt_number(const State& state, const std::string& subject) {
  const auto found = state.subjects.find(subject);
  return found == state.subjects.end() ? 1 : found->second.round * 1000 + found->second.generation * 10 + 1;
}

}  // namespace hydra::race
