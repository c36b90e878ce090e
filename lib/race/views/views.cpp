#include "race/views/views.hpp"

#include "adapters/adapters.hpp"
#include "race/state/base_problem.hpp"
#include "race/state/costs.hpp"
#include "race/state/judging.hpp"
#include "race/state/selection.hpp"
#include "race/state/watch.hpp"
#include "race/views/view_parts.hpp"
#include "scoring/selection.hpp"

#include <algorithm>

namespace hydra::race {

using detail::check_view;
using detail::seconds;
using model::Dimension;

namespace {

constexpr std::array kChecks{Dimension::build, Dimension::tests, Dimension::lint};

std::string text(std::string_view name) { return std::string(name); }

// Returns the attempt behind each check's points.
std::map<std::string, wire::PointsRun> points_of(const State& state, const Subject& owner) {
  std::map<std::string, wire::PointsRun> runs;
  const auto found = state.subjects.find(owner);
  if (found == state.subjects.end()) return runs;
  for (const auto dimension : kChecks)
    if (const auto& check = evidence(found->second.checks, dimension))
      runs[text(model::name(dimension))] = {check->attempt, check->status};
  return runs;
}

wire::Detail detail_of(const AgentState& agent, const model::AgentEvidence& row, Dimension dimension,
                       const model::DimensionScore& score) {
  wire::Detail detail;
  if (std::find(kChecks.begin(), kChecks.end(), dimension) != kChecks.end())
    if (const auto& check = evidence(row.checks, dimension)) detail.check = check_view(*check);
  if (dimension == Dimension::diff_size && agent.capture) {
    const auto& capture = *agent.capture;
    detail.size = {capture.weighed.value_or(capture.diff), capture.set_apart, capture.tests};
  }
  if (dimension == Dimension::speed && agent.ended) detail.duration_seconds = seconds(work_ms(agent));
  for (const auto& term : score.terms) detail.terms[term.name] = term.value;
  return detail;
}

constexpr std::size_t kShownFindings = 50;  // limit; explain has all of them

std::vector<wire::EarlierAttempt> earlier_attempts(const AgentState& agent) {
  std::vector<wire::EarlierAttempt> list;
  for (const auto& attempt : agent.earlier) {
    const auto& verdict = attempt.ended.verdict;
    list.push_back({attempt.number, verdict.outcome, verdict.error_class, verdict.message,
                    attempt.stop ? attempt.stop->reason : model::StopReason::none, verdict.session,
                    attempt.branch, seconds(attempt.ended.job.wall_ms), verdict.usage,
                    verdict.usage.cost_usd});
  }
  return list;
}

void add_dimensions(const State& state, const AgentState& agent, const model::AgentEvidence& row,
                    wire::AgentResult& out) {
  const auto* rank = state.ranked(agent.entry.name);
  for (const auto dimension : model::kDimensions) {
    const model::DimensionScore score =
        rank ? rank->score.dimensions[model::index(dimension)] : model::DimensionScore{};
    out.dimensions[text(model::name(dimension))] = {detail::dimension_status(state, dimension, score),
                                                    score.reason, score.points,
                                                    detail_of(agent, row, dimension, score)};
  }
  out.tied = rank && rank->tied;
}

void add_run(const State& state, const AgentState& agent, wire::AgentResult& out) {
  out.earlier_attempts = earlier_attempts(agent);
  out.sandbox = state.spec.isolation;
  if (agent.ended || left_work(agent)) out.duration_seconds = seconds(work_ms(agent));
  if (!agent.ended) return;
  const auto& [name, job, verdict] = *agent.ended;
  out.exit_code = job.exit_code;
  out.signal = job.signal;
  out.session = verdict.session;
  out.final_text = verdict.final_text;
  out.question = adapters::question_in(verdict.final_text);
  out.sandbox = job.isolation;
  out.output_bytes = job.output_bytes;
}

wire::AgentResult agent_result(const State& state, const AgentState& agent, const model::AgentEvidence& row,
                               const league::Calibration* calibration) {
  wire::AgentResult out;
  detail::add_result(state, agent, &row, calibration, kShownFindings, out);
  const auto owner = check_owner(state, agent);
  out.entry = agent.entry.entry_name();
  out.entry_attempt = agent.entry.attempt;
  out.model = agent.entry.model;
  out.error_class = final_verdict(agent).error_class;
  add_dimensions(state, agent, row, out);
  if (agent.capture) {
    out.diff = agent.capture->diff;
    out.agent_commits = agent.capture->agent_commits;
    out.left_out = agent.capture->left_out;
    out.own_tests_failing = failing_own_tests(state, owner);
  }
  add_run(state, agent, out);
  out.runs = points_of(state, owner);
  out.repository_changed = agent.repository_changed;
  return out;
}

// A tester is not a candidate: none of its work is scored.
wire::TesterResult tester_result(const State& state, const AgentState& agent) {
  wire::TesterResult out;
  detail::add_result(state, agent, nullptr, nullptr, kShownFindings, out);
  out.model = agent.entry.model;
  if (agent.ended) out.duration_seconds = seconds(work_ms(agent));
  return out;
}

// Notes generated, vendored and lock files, which do not count in the diff size.
void add_weighing_notes(const State& state, std::vector<std::string>& notes) {
  for (const auto& agent : state.agents) {
    if (!agent.capture || agent.capture->set_apart.empty()) continue;
    constexpr std::size_t kShown = 3;
    const auto& apart = agent.capture->set_apart;
    std::string note = agent.entry.name + ": not counted in its diff size: ";
    for (std::size_t i = 0; i < std::min(kShown, apart.size()); ++i) note += (i == 0 ? "" : ", ") + apart[i];
    if (apart.size() > kShown) note += " and " + std::to_string(apart.size() - kShown) + " more";
    notes.push_back(std::move(note));
  }
}

std::vector<std::string> notes_of(const State& state) {
  const auto& spec = state.spec;
  auto notes = state.notes;
  if (!spec.isolation_note.empty()) notes.push_back(spec.isolation_note);
  if (state.ranking) notes.insert(notes.end(), state.ranking->notes.begin(), state.ranking->notes.end());
  if (state.merge_refused && spec.config.merge.automatic)
    notes.push_back("not merged automatically: " + state.merge_refused->reason);
  add_weighing_notes(state, notes);
  const auto judges = judges_usage(state);
  if (const auto tokens = adapters::counted_tokens(judges))
    notes.push_back("the judges used " + tokens_text(*tokens) +
                    (judges.cost_usd ? ", " + money(*judges.cost_usd, judges.estimated) : ""));
  if (spec.config.workspace.checks == model::CheckPlace::in_place)
    notes.emplace_back(
        "checked in place: in the agents' own directories, with whatever they left there and nothing "
        "restored");
  return notes;
}

wire::Baseline baseline_view(const State& state) {
  wire::Baseline out;
  const auto baseline = Subject::baseline();
  const auto checks = effective_checks(state, baseline);
  if (const auto found = state.subjects.find(baseline); found != state.subjects.end()) {
    out.reason = found->second.error;
    out.attempt = found->second.error_attempt;
    out.advice = found->second.advice ? found->second.advice->text : "";
  }
  out.state = baseline_phase(state);
  out.problem = base_problem(state);
  out.problem_text = base_problem_text(state);
  out.limit_seconds = state.spec.config.scoring.timeout_per_check_seconds;
  out.workspace = detail::workspace_view(state, baseline);
  out.test_runs = checks.tests ? 1 + static_cast<std::int64_t>(checks.repeats.size()) : 0;
  out.unstable = unstable_tests(checks);
  const auto cold = baseline.as(Kind::cold);
  const bool cold_run = state.subjects.contains(cold) && checks_done(state, cold);
  if (cold_run) out.cold_difference = cold_difference(state, baseline);
  out.template_ = state.checks_template;
  for (const auto& [dimension, place] : {std::pair{Dimension::build, &out.build},
                                         {Dimension::tests, &out.tests},
                                         {Dimension::lint, &out.lint}}) {
    const auto& check = evidence(checks, dimension);
    if (!check) continue;
    *place = {check_view(*check), check->status, {}};
    if (cold_run)
      if (const auto& again = evidence(state.subjects.at(cold).checks, dimension))
        (*place)->cold_wall_seconds = seconds(again->wall_ms);
    if (check->cached) out.cached = true;
  }
  return out;
}

// Returns the rows of evidence in the order of the ranking.
std::vector<model::AgentEvidence> ranked_rows(const State& state) {
  auto rows = agent_evidence(state);
  const auto* newest = state.newest_ranking();
  if (!newest) return rows;
  const auto place = [&](const model::AgentEvidence& row) {
    const auto& ranking = newest->agents;
    return std::find_if(ranking.begin(), ranking.end(), [&](const auto& r) { return r.agent == row.agent; });
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return rows;
}

wire::CheckTimes check_times(const State& state) {
  const auto costs = check_costs(state);
  wire::CheckTimes times;
  times.checks_seconds = seconds(costs.base.wall_ms + costs.results.wall_ms);
  times.verification_seconds = seconds(costs.own.wall_ms + costs.cross.wall_ms);
  times.cross_runs = costs.cross_runs;
  times.twin_runs = costs.twin_runs;
  times.twin_tests = costs.twin_tests;
  times.base_tests = costs.base_tests;
  times.left_out = left_out_by_budget(state);
  return times;
}

}  // namespace

wire::Results results_view(const State& state, const Moment& now, const league::Calibration* calibration) {
  wire::Results out;
  const auto& spec = state.spec;
  out.race = spec.id;
  out.task = spec.task;
  out.base = spec.repository.base;
  out.state = race_phase(state);
  out.reason = state.failure;
  out.repository = spec.repository.root;
  out.created_ms = spec.created_ms;
  out.duration_seconds = seconds(duration_ms(state, now));
  out.sandbox = spec.isolation;
  out.image = spec.image;
  out.placement = spec.config.execution.placement;
  out.kind = spec.kind;
  out.order = spec.config.scoring.order;
  out.final = state.ranking.has_value();
  if (state.ranking && state.first_ranking && state.first_ranking->winner != state.ranking->winner)
    out.led_before = state.first_ranking->winner;
  if (const auto* ranking = state.newest_ranking()) {
    out.winner = ranking->winner;
    out.verdict = detail::verdict_view(state);
    out.order_reasons = detail::order_reasons(*ranking);
    out.points_winner = ranking->points_winner;
    out.decision = ranking->decision;
    out.decision_with = ranking->decision_with;
    out.decision_reason = scoring::decision_text(*ranking);
    out.told_apart = ranking->evidence;
    out.all_failed = ranking->all_failed;
    out.contested = ranking->contested;
  }
  out.check_times = check_times(state);
  out.evidence = detail::matrix_view(state);
  out.approved_tests = state.approved;
  out.decisions = state.decisions;
  if (const auto* merged = state.merged()) {
    out.auto_merged = merged->automatic;
    out.merged = *merged;
  }
  out.auto_merge_refused = state.merge_refused ? state.merge_refused->reason : "";
  out.notes = notes_of(state);
  out.repository_changes = state.repository;
  out.checks = spec.config.workspace.checks;
  out.verify = spec.config.evaluation.verify;
  out.hidden_tests = spec.hidden_tests.size();
  out.verifies = spec.verifies;
  out.weights = spec.config.scoring.weights;
  out.thresholds = {spec.config.scoring.thresholds};
  out.baseline = baseline_view(state);
  out.entries = detail::entries_view(state);
  for (const auto& row : ranked_rows(state))
    out.agents.push_back(agent_result(state, *state.agent(row.agent), row, calibration));
  for (const auto& agent : state.agents)
    if (agent.origin == Origin::tester) out.testers.push_back(tester_result(state, agent));
  return out;
}

}  // namespace hydra::race
