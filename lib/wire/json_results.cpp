// Members of a race's state and results: results.hpp, status.hpp.
#include "wire/model_members.hpp"
#include "wire/results.hpp"
#include "wire/status.hpp"

namespace hydra::wire {
namespace detail {

// Checks, and inputs of points.
HYDRA_WIRE(LintCounts, errors, warnings);
HYDRA_LIST(Check) {
  HYDRA_MEMBERS(exit_code, wall_seconds, command, attempt, cached);
  HYDRA_SPARSE(signal, advice, message, format, outcome, suspicious);
  io.flat("passed", v.tests);
  io.flat("warnings", v.lint);
}
HYDRA_LIST(BaselineCheck) {
  base<Check>(io, v);
  HYDRA_MEMBERS(status);
  HYDRA_SPARSE(cold_wall_seconds);
}
HYDRA_LIST(Run) {
  base<Check>(io, v);
  HYDRA_MEMBERS(subject, purpose, status, isolation, evidence);
}
HYDRA_LIST(CountedDiff) {
  base<model::DiffStat>(io, v);
  HYDRA_MEMBERS(set_apart);
  HYDRA_SPARSE(tests);
}
HYDRA_LIST(Detail) {
  io.flat("attempt", v.check);
  io.flat("set_apart", v.size);
  HYDRA_SPARSE(duration_seconds);
  io.rest(v.terms);
}
HYDRA_WIRE(Dimension, status, points, reason, detail);
HYDRA_WIRE(ExplainDimension, dimension, status, points, share, contribution, reason, formula, inputs, runs);
HYDRA_WIRE(PointsRun, attempt, status);

// A race and its results.
HYDRA_WIRE(model::RepositoryCompared, blocking, meanwhile);
HYDRA_WIRE(Decision, kind, what, by, at_ms);
HYDRA_WIRE(Undecided, own_passed, own_total, not_loaded, snapshots, tests);
HYDRA_LIST(model::TemplateStep) {
  HYDRA_MEMBERS(name);
  io.seconds("wall_seconds", v.wall_ms);
}
HYDRA_WIRE(model::TemplateReady, cached, warm, steps);
HYDRA_WIRE(Baseline, state, reason, attempt, advice, problem, problem_text, limit_seconds, workspace,
           test_runs, unstable, cold_difference, template_, cached, build, tests, lint);
HYDRA_LIST(Twins) {
  HYDRA_MEMBERS(state, reason, seed, told, assertions, left_out, untouched);
  io.seconds("cpu_seconds", v.cpu_ms);
  io.seconds("plain_cpu_seconds", v.plain_cpu_ms);
}
HYDRA_WIRE(Integrity, restored, unrestored, more_restored, own_run, findings, suppressions, not_shown, error,
           unseen, blocking, twins);
HYDRA_WIRE(Vote, judge, person, stake, score, rating, invalid, reason, outlier, modified_z, attempt);
HYDRA_WIRE(Judges, status, score, points, text, judges, asked, stake, all_stake, median, mad, weight, seed,
           votes);
HYDRA_WIRE(Confidence, word, text, range, probability, n, interval, brier, outcome_races, facts);
HYDRA_WIRE(EarlierAttempt, attempt, outcome, error_class, message, stopped, duration_seconds, tokens,
           cost_usd, session, branch);
HYDRA_WIRE(AgentResult, agent, entry, entry_attempt, display, model, branch, branch_refused, commit, state,
           outcome, message, unchecked, error_class, eligible, ineligible_reasons, rank, tied, composite,
           evidence_points, confidence, dimensions, judges, duration_seconds, diff, flags, warnings,
           agent_commits, left_out, tokens, tokens_counted, cost_usd, cost_estimated, usage_partial,
           exit_code, signal, session, stopped, attempt, earlier_attempts, final_text, question, sandbox,
           workspace, runs, tests_by_name, own_tests_failing, integrity, undecided, repository_changed,
           leaked_processes, output_bytes);
HYDRA_WIRE(TesterResult, agent, display, model, state, outcome, message, branch, commit, duration_seconds,
           tokens, cost_usd, integrity);
HYDRA_WIRE(EvidenceTest, name, file, class_, reason, status, log);
HYDRA_WIRE(EvidenceCell, result, author, passed, failed, no_contact, unstable, not_run, log, tests);
HYDRA_WIRE(EvidenceAuthor, author, kind, members, void_reason, tests, fails_before, no_contact_before,
           passes_before, alone, void_);
HYDRA_LIST(Evidence) {
  HYDRA_MEMBERS(state, reason, authors, cells, clusters, points_configured);
  HYDRA_SPARSE(points_reason);
}
HYDRA_WIRE(OrderReason, above, below, by, tied, count, points, text);
HYDRA_WIRE(Entry, entry, rank, attempts, best, best_attempt, solved, success_rate, mean, deviation,
           mean_seconds, cost_usd, interval, successes, lost, tokens, priced_attempts);
HYDRA_WIRE(model::Merged, agent, commit, ref);
HYDRA_WIRE(Thresholds, good, fair, auto_merge_minimum, fail_maximum);
HYDRA_WIRE(CheckTimes, checks_seconds, verification_seconds, cross_runs, twin_runs, twin_tests, base_tests,
           left_out);
HYDRA_WIRE(Rescored, identical, winner_before, weights);
HYDRA_LIST(Results) {
  HYDRA_MEMBERS(schema, race, task, base, state, reason, repository, created_ms, duration_seconds, sandbox,
                image, placement, winner, verdict, final, led_before, decision, decision_with,
                decision_reason, kind, order, order_reasons, points_winner, told_apart, evidence, contested,
                approved_tests, decisions, all_failed, auto_merged, merged, auto_merge_refused, notes,
                repository_changes, checks, verify, hidden_tests, verifies, check_times, weights, thresholds,
                baseline, entries, agents, testers);
  HYDRA_SPARSE(rescored, after);
}
HYDRA_WIRE(Explain, schema, race, agent, display, checked_as, commit, checked_commit, ranked, race_state,
           state, message, unchecked, rank, eligible, ineligible_reasons, composite, evidence_points,
           confidence, evidence_formula, own_tests_failing, order, order_reasons, formula, judges, dimensions,
           tests_by_name, unstable, undecided, decisions, integrity, workspace, hidden_tests, sandbox, image,
           placement, checks, flags, warnings, left_out, branch_refused, leaked_processes, set_apart);

// The state of a race, and the list of races.
HYDRA_LIST(AgentStatus) {
  HYDRA_MEMBERS(agent, display, tester, state, outcome, message, elapsed_ms, last_line, tool, progress_ms,
                idle_limit_ms, growth, diff, tokens, tokens_counted, cost_usd, cost_estimated, usage_partial,
                attempt, stopped, unchecked, checks, waits, composite, branch, left_out, dependencies);
}
HYDRA_WIRE(BaselineStatus, state, step, command, step_ms, last_line, waits, checks);
HYDRA_WIRE(Progress, done, of);
HYDRA_LIST(Status) {
  HYDRA_MEMBERS(race, task, state, reason, created_ms, elapsed_ms, repository, base, sandbox, image,
                placement, winner, verdict, final, notes, repository_changes, last_event, server_ms, agents,
                order_reasons, cross_tests, judging, baseline);
  HYDRA_SPARSE(disk_bytes);
}
HYDRA_LIST(RaceRow) {
  HYDRA_MEMBERS(race, task, state, created_ms, ended_ms, repository, agents, winner, best, merged, displays);
  HYDRA_SPARSE(disk_bytes);
}
HYDRA_WIRE(RaceList, races, next, total);
HYDRA_WIRE(RacesFrame, created, ended);
HYDRA_WIRE(WaitsFrame, text);

}  // namespace detail

HYDRA_ANSWERS(Status, Results, Explain, RaceList, RacesFrame, WaitsFrame)

}  // namespace hydra::wire
