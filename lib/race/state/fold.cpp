// The fold: how each event changes the state of a race.
#include "race/state/base_problem.hpp"
#include "race/state/cross.hpp"
#include "race/state/decisions.hpp"
#include "race/state/gating.hpp"
#include "race/state/judging.hpp"
#include "race/state/rounds.hpp"
#include "race/state/selection.hpp"
#include "race/state/state.hpp"
#include "race/state/twins.hpp"
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>

namespace hydra::race {

namespace {

// Returns whether a late end belongs to an attempt with a successor: the end of an abandoned attempt must not
// apply to the newest one.
bool followed(const AgentState& agent, const std::string& attempt) {
  return !attempt.empty() && attempt != agent.attempt &&
         std::any_of(agent.earlier.begin(), agent.earlier.end(),
                     [&](const auto& earlier) { return earlier.ended.job.attempt == attempt; });
}

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
      if (entry.tester) agent.origin = Origin::tester;
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
    if (auto* agent = state.agent(e.agent)) agent->workspace = e.path, agent->dependencies = e.dependencies;
  }
  void operator()(const model::WorkspaceFailed& e) const {
    if (auto* agent = state.agent(e.agent)) agent->workspace_error = e.reason;
  }
  void operator()(const model::AgentStarting& e) const {
    // An agent cancelled at the same moment is not started.
    if (auto* agent = state.agent(e.agent); agent && !agent->ended && !agent->never_runs()) {
      agent->attempts = e.number;
      agent->attempt = e.attempt;
      agent->started_ms = at_ms;
      agent->started_up = up;
    }
  }
  void operator()(const model::AgentEnded& e) const {
    auto* agent = state.agent(e.agent);
    if (agent && !agent->ended && !followed(*agent, e.job.attempt)) {
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
    subject.cancelled = e.cancelled;
    preflight();
  }
  void operator()(const model::SubjectReset& e) const {
    auto& subject = state.subjects[e.subject];
    subject = SubjectState(Life{subject.life.round, subject.life.generation + 1});
    state.notes.push_back(text(e.subject) + ": " + e.reason);
  }
  void operator()(const model::TemplateReady& e) const {
    state.checks_template = e;
    for (const auto& note : e.notes) state.notes.push_back(note);
  }
  void operator()(const model::CheckEnded& e) const {
    auto& slot = evidence(state.subjects[e.subject].checks, e.evidence.dimension);
    if (!slot) {
      slot = e.evidence;
      fold_test_names(e.subject, *slot);
      if (e.evidence.dimension == model::Dimension::tests) doubt_base(e.subject);
    }
    preflight();
  }
  void operator()(const model::CheckRepeated& e) const {
    auto& repeats = state.subjects[e.subject].checks.repeats;
    repeats.push_back(e.evidence);
    fold_test_names(e.subject, repeats.back());
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
  void operator()(const model::ScoringResult& e) const {
    (e.final ? state.ranking : state.first_ranking) = e.ranking;
  }
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
    state.merged_ms[e.commit] = at_ms;
    state.repository.reset();  // the user has decided about the changes, or none were in the way
  }
  void operator()(const model::MergeUndone& e) const {
    const auto undone = std::find_if(state.merges.rbegin(), state.merges.rend(),
                                     [&](const auto& merged) { return merged.commit == e.commit; });
    if (undone == state.merges.rend()) return;
    state.undone.insert(undone->agent);
    state.merges.erase(std::next(undone).base());
    // An undone merge is never merged automatically again.
    state.merge_refused = model::MergeRefused{e.agent, "its merge was undone", true, model::Refusal::undone};
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
    agent.origin = Origin::combined;
    agent.attempts = 1;
    agent.started_ms = agent.ended_ms = at_ms;
    model::AgentEnded ended;
    ended.agent = e.agent;
    ended.job.wall_ms = e.wall_ms;
    ended.job.isolation = state.spec.isolation;
    ended.job.end = model::JobEnd::exited;
    ended.verdict.outcome = model::Outcome::completed;
    agent.ended = ended;
    agent.capture = e.capture;
    state.agents.push_back(std::move(agent));
    state.capture_order.push_back(e.agent);
    wake(state, e.agent);
  }
  void operator()(const model::CrossPlanned& e) const { begin_cross(state, e.plan); }
  void operator()(const model::JudgesPlanned& e) const {
    state.judging = e.plan;
    ++state.judge_plans;
  }
  void operator()(const model::Judged& e) const {
    state.answers.try_emplace(e.judgement.subject, e.judgement);
  }
  void operator()(const model::Rated& e) const { add_rating(state, e, at_ms); }
  void operator()(const model::RoundBegan& e) const { state.round = std::max(state.round, e.number); }
  void operator()(const model::CrossTested& e) const {
    // The plan after an early one failed: no further cross tests.
    if (state.matrix && early_cross(state)) state.cross.reset();
    state.matrix = e.matrix;
    rank_again();
  }
  void operator()(const model::TwinsPlanned& e) const { begin_twins(state, e.plan); }
  void operator()(const model::BaselineWorks&) const { state.baseline_works = true; }
  void operator()(const model::GreenReached& e) const { state.green = {e.agent, at_ms}; }
  void operator()(const model::TestsApproved& e) const {
    for (const auto& name : e.names)
      take_decision(state, {model::DecisionKind::approve_test, name}, {}, at_ms);
  }
  void operator()(const model::Decided& e) const {
    for (const auto& decision : e.decisions) take_decision(state, decision, e.by, at_ms);
  }
  void operator()(const model::MergeRefused& e) const {
    if (e.automatic) state.merge_refused = e;
  }
  void operator()(const model::Note& e) const {
    state.notes.push_back(e.subject.none() ? e.text : text(e.subject) + ": " + e.text);
  }

  // Names that differ between runs of the base are learned from these runs, which may end after a result's.
  void fold_test_names(const Subject& subject, model::CheckEvidence& run) const {
    const auto baseline = state.subjects.find(Subject::baseline());
    if (run.dimension != model::Dimension::tests || baseline == state.subjects.end()) return;
    auto& base = baseline->second.checks;
    if (subject != Subject::baseline()) return fold_names(base, state.name_stems, run);
    const auto fresh = fold_base(base, state.name_stems);
    if (fresh.empty()) return;
    state.name_stems.insert(state.name_stems.end(), fresh.begin(), fresh.end());
    for (auto& [other, found] : state.subjects) {
      if (other == subject) continue;
      if (found.checks.tests) fold_names(base, state.name_stems, *found.checks.tests);
      for (auto& repeat : found.checks.repeats) fold_names(base, state.name_stems, repeat);
    }
  }

  void doubt_base(const Subject& subject) const {
    const auto* base = state.checks(Subject::baseline());
    if (state.base_doubted || !base || !base->tests || !base->tests->tests) return;
    const auto& tests = *base->tests->tests;
    const auto fails_here = [&](const model::CheckSet& checks) {
      return finished(checks.tests) && checks.tests->tests &&
             scoring::compare_tests(tests, *checks.tests->tests, {}).regressions > 0;
    };
    if (subject.kind == Kind::result) {
      state.base_doubted = fails_here(*state.checks(subject));
    } else if (subject.kind == Kind::baseline) {
      state.base_doubted = std::any_of(tests.tests.begin(), tests.tests.end(),
                                       [](const auto& test) { return fails(test.status); }) ||
                           std::any_of(state.subjects.begin(), state.subjects.end(), [&](const auto& each) {
                             return each.first.kind == Kind::result && fails_here(each.second.checks);
                           });
    }
  }

  // A new ranking uses the current evidence, so the reason against an automatic merge may change too.
  void rank_again() const {
    state.ranking.reset();
    if (state.merge_refused && state.merge_refused->because == model::Refusal::held)
      state.merge_refused.reset();
  }

  // A race whose base can judge no result ends before its agents have cost more. A result that is there is
  // kept.
  void preflight() const {
    if (!state.spec.preflight || !state.failure.empty() || state.cancelled) return;
    if (std::any_of(state.agents.begin(), state.agents.end(),
                    [](const auto& a) { return a.ended.has_value(); }))
      return;
    if (!ends_race(state, base_problem(state))) return;
    state.failure = base_problem_text(state);
    if (agents_began(state)) (*this)(model::CancelRequested{});
  }

  // Runs of the same CLI get their number in the table: "Codex CLI", "Codex CLI 2".
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

}  // namespace

void apply(State& state, const model::Event& event) {
  std::visit(Folder{state, event.at_ms, event.up}, event.body);
  state.last_event = std::max(state.last_event, event.id);
  state.derived = {};
}

}  // namespace hydra::race
