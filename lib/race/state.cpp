#include "race/state.hpp"

#include "race/cross.hpp"
#include "race/rounds.hpp"
#include "race/selection.hpp"
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>

namespace hydra::race {

using model::CheckStatus;
using model::Dimension;

namespace {

struct Folder {
  State& state;
  std::int64_t at_ms;
  const Uptime& up;

  void operator()(const model::RaceCreated& e) const {
    state.spec = e.spec;
    state.created_up = up;
    for (const auto& entry : e.spec.agents) {
      AgentState agent;
      agent.entry = entry;
      const auto found = e.spec.config.agents.find(entry.id);
      agent.display = found == e.spec.config.agents.end() ? entry.id : found->second.display;
      if (agent.display.empty()) agent.display = entry.id;
      state.agents.push_back(std::move(agent));
    }
    disambiguate();
  }
  void operator()(const model::RacePrepared&) const { state.prepared = true; }
  void operator()(const model::RaceFailed& e) const { state.failure = e.reason; }
  void operator()(const model::WorkspaceReady& e) const {
    if (auto* agent = state.agent(e.agent)) agent->workspace = e.path;
  }
  void operator()(const model::WorkspaceFailed& e) const {
    if (auto* agent = state.agent(e.agent)) agent->workspace_error = e.reason;
  }
  void operator()(const model::AgentStarting& e) const {
    // One that was cancelled in the same moment is not started.
    if (auto* agent = state.agent(e.agent); agent && !agent->ended && !agent->never_runs()) {
      agent->attempts = e.number;
      agent->attempt = e.attempt;
      agent->started_ms = at_ms;
      agent->started_up = up;
    }
  }
  void operator()(const model::AgentEnded& e) const {
    if (auto* agent = state.agent(e.agent); agent && !agent->ended) {
      agent->ended = e;
      agent->ended_ms = at_ms;
    }
  }
  void operator()(const model::Captured& e) const {
    auto* agent = state.agent(e.agent);
    if (!agent || agent->capture) return;
    agent->capture = e.capture;
    state.capture_order.push_back(e.agent);
  }
  void operator()(const model::CaptureFailed& e) const {
    if (auto* agent = state.agent(e.agent); agent && !agent->capture) agent->capture_error = e.reason;
  }
  void operator()(const model::SubjectReady& e) const {
    auto& subject = state.subjects[e.subject];
    subject.path = e.path;
    subject.facts = e.facts;
  }
  void operator()(const model::SubjectFailed& e) const {
    auto& subject = state.subjects[e.subject];
    subject.error = e.reason;
    subject.error_attempt = e.attempt;
    subject.advice = e.advice;
    preflight();
  }
  void operator()(const model::SubjectReset& e) const {
    auto& subject = state.subjects[e.subject];
    const int round = subject.round, generation = subject.generation + 1;
    subject = {};
    subject.round = round;
    subject.generation = generation;
    state.notes.push_back(e.subject + ": " + e.reason);
  }
  void operator()(const model::TemplateReady& e) const {
    state.checks_template = e;
    for (const auto& note : e.notes) state.notes.push_back(note);
  }
  void operator()(const model::CheckEnded& e) const {
    auto& slot = evidence(state.subjects[e.subject].checks, e.evidence.dimension);
    if (!slot) slot = e.evidence;
    preflight();
  }
  void operator()(const model::CheckRepeated& e) const {
    state.subjects[e.subject].checks.repeats.push_back(e.evidence);
    // The same command may be wanted once more: it is another run.
    state.issued.erase({Verb::repeat_tests, e.subject, Dimension::tests});
  }
  void operator()(const model::Inspected& e) const {
    if (auto* agent = state.agent(e.agent)) agent->integrity = e.integrity;
  }
  void operator()(const model::Published& e) const {
    state.published = true;
    for (const auto& [name, branch] : e.branches)
      if (auto* agent = state.agent(name)) agent->branch = branch;
    for (const auto& [name, reason] : e.refused)
      if (auto* agent = state.agent(name)) agent->branch_refused = reason;
  }
  void operator()(const model::ScoringResult& e) const { state.ranking = e.ranking; }
  void operator()(const model::CancelRequested& e) const {
    if (e.agent.empty()) state.cancelled = true;
    for (auto& agent : state.agents)
      if (e.agent.empty() || agent.entry.name == e.agent) {
        if (!agent.ended) agent.cancelled = true;
        agent.give_up = true;
      }
  }
  void operator()(const model::StopRequested& e) const {
    if (auto* agent = state.agent(e.agent); agent && !agent->ended && !agent->stop) agent->stop = e;
  }
  void operator()(const model::RetryRequested& e) const { begin_again(state, e); }
  void operator()(const model::RaceEnded& e) const {
    state.ended = e.state;
    state.ended_ms = at_ms;
    state.ended_up = up;
  }
  void operator()(const model::Merged& e) const {
    state.merges.push_back(e);
    state.merged = e;
    state.repository.reset();  // the user has said what becomes of it, or nothing stood in the way
  }
  void operator()(const model::MergeUndone& e) const {
    const auto undone = std::find_if(state.merges.rbegin(), state.merges.rend(),
                                     [&](const auto& merged) { return merged.commit == e.commit; });
    if (undone == state.merges.rend()) return;
    state.merges.erase(std::next(undone).base());
    state.merged.reset();
    if (!state.merges.empty()) state.merged = state.merges.back();
    // What the user took back comes by no threshold again.
    state.merge_refused = model::MergeRefused{e.agent, "its merge was undone", true};
  }
  void operator()(const model::RepositoryCompared& e) const {
    if (auto* agent = state.agent(e.agent)) {
      agent->repository_changed = e.blocking;
    } else if (e.agent.empty()) {
      state.repository.reset();
      if (!e.blocking.empty() || !e.meanwhile.empty()) state.repository = e;
    }
  }
  void operator()(const model::HistoryForgotten&) const { state.forgotten = true; }
  void operator()(const model::Combined& e) const {
    if (state.agent(e.agent)) return;
    AgentState agent;
    agent.entry.name = e.agent;
    agent.entry.id = e.agent;
    agent.display = e.display;
    agent.workspace = kNoWorkspace;
    agent.attempts = 1;
    agent.started_ms = agent.ended_ms = at_ms;
    model::AgentEnded ended;
    ended.agent = e.agent;
    ended.job.wall_ms = e.wall_ms;
    ended.job.isolation = state.spec.isolation;
    ended.job.end = "exited";
    ended.verdict.outcome = model::Outcome::completed;
    agent.ended = ended;
    agent.capture = e.capture;
    state.agents.push_back(std::move(agent));
    state.capture_order.push_back(e.agent);
    wake(state, e.agent);
  }
  void operator()(const model::CrossPlanned& e) const { begin_cross(state, e.plan, at_ms); }
  void operator()(const model::CrossStopped& e) const {
    if (state.cross && state.cross->stopped.empty()) state.cross->stopped = e.reason;
  }
  void operator()(const model::RoundBegan& e) const { state.round = std::max(state.round, e.number); }
  void operator()(const model::CrossTested& e) const {
    state.matrix = e.matrix;
    rank_again();
  }
  void operator()(const model::TestsApproved& e) const {
    for (const auto& name : e.names)
      if (std::find(state.approved.begin(), state.approved.end(), name) == state.approved.end())
        state.approved.push_back(name);
  }
  void operator()(const model::MergeRefused& e) const {
    if (e.automatic) state.merge_refused = e;
  }
  void operator()(const model::Note& e) const {
    state.notes.push_back(e.subject.empty() ? e.text : e.subject + ": " + e.text);
  }

  // Out of what is known now; why the winner was not merged by itself may be another reason then.
  void rank_again() const {
    state.ranking.reset();
    if (state.merge_refused && state.merge_refused->reason.starts_with("held: ")) state.merge_refused.reset();
  }

  // A race whose checks can't work ends before an agent is paid for.
  void preflight() const {
    if (!state.spec.preflight || !state.failure.empty() || state.cancelled) return;
    if (std::any_of(state.agents.begin(), state.agents.end(), [](const auto& a) { return a.attempts > 0; }))
      return;
    if (auto problem = baseline_problem(state); !problem.empty())
      state.failure = "the checks can't work here: " + problem;
  }

  // Two runs of one CLI carry their number, so that the table tells them apart: "Codex CLI", "Codex CLI 2".
  void disambiguate() const {
    for (auto& agent : state.agents) {
      const auto& name = agent.entry.entry_name();
      const auto& id = agent.entry.id;
      if (name.size() > id.size() + 1 && name.starts_with(id + "-"))
        agent.display += " " + name.substr(id.size() + 1);
      if (!agent.entry.entry.empty()) agent.display += " #" + std::to_string(agent.entry.attempt);
      if (!agent.entry.model.empty()) agent.display += " (" + agent.entry.model + ")";
    }
  }
};

// One's own tests are all that its second run is for.
bool runs(const State& state, const std::string& subject, Dimension dimension) {
  const bool tests_only = is_own(subject) || is_cross(subject);
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
  if (subject == model::kBaseline || is_cold(subject) || is_cross(subject)) return false;
  const auto* mine = checks_of(state, subject);
  return state.spec.config.evaluation.verify != model::Verify::fast && mine && mine->repeats.empty() &&
         usable(mine->tests) && mine->tests->status == CheckStatus::failed &&
         (!checks_done(state, std::string(model::kBaseline)) || baseline_repeats_left(state));
}

bool own_wanted(const State& state, const std::string& subject) {
  const auto* agent = state.agent(subject);
  if (!agent || !agent->integrity || agent->integrity->restored.empty()) return false;
  if (state.spec.config.evaluation.verify == model::Verify::fast || !state.spec.config.scoring.test_command)
    return false;
  // Tests of the base may not even compile with an interface that was changed as it was asked for.
  const auto* checks = checks_of(state, subject);
  const bool broken = checks && checks->build && checks->build->status == CheckStatus::failed;
  return agent->integrity->own_run || broken;
}

bool cold_wanted(const State& state, const std::string& subject) {
  return state.spec.config.evaluation.verify == model::Verify::strict && subject != model::kBaseline &&
         !is_cold(subject) && !is_own(subject) && !is_cross(subject) && began_warm(state, subject);
}

// Checks follow the tree, but a transcript is its agent's own.
bool inspection_wanted(const State& state, const AgentState& agent) {
  // A tester's tree is never checked, its tests are run on others': what they attempt must be known.
  if (agent.entry.tester)
    return !agent.integrity && agent.capture && agent.capture->changed && !agent.cancelled &&
           !state.cancelled;
  const auto owner = check_owner(state, agent);
  return !agent.integrity && owner != agent.entry.name && owner != model::kBaseline;
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
  for (const auto& [mark, wanted] :
       {std::pair{model::kOwn, own_wanted(state, subject)}, {model::kCold, cold_wanted(state, subject)}}) {
    const auto other = subject + std::string(mark);
    if (wanted && !checks_done(state, other)) return want_chain(state, other, commands);
    if (wanted && is_own(other) && repeat_wanted(state, other)) {
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

void apply(State& state, const model::Event& event) {
  std::visit(Folder{state, event.at_ms, event.up}, event.body);
  state.last_event = std::max(state.last_event, event.id);
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
  if (!published || !all([&](const auto& a) { return settled(state, a); })) return commands;
  if (state.cancelled) return {{Verb::finish, {}, Dimension::build}};
  if (!fully_checked(state, baseline)) return commands;
  if (state.spec.check_only && began_warm(state, baseline) &&
      !checks_done(state, baseline + std::string(model::kCold)))
    return commands;
  want_cross_stops(state, commands);
  if (cross_open(state)) {
    want_cross(state, commands);
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
  if (repeat_wanted(state, subject)) return false;
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
