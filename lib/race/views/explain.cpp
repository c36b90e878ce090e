#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "race/views/view_parts.hpp"
#include "race/views/views.hpp"

#include <algorithm>

namespace hydra::race {

using model::Dimension;

namespace {

constexpr std::size_t kAllFindings = 10'000;

std::map<std::string, double> terms_of(const model::DimensionScore& score) {
  std::map<std::string, double> terms;
  for (const auto& term : score.terms) terms[term.name] = term.value;
  return terms;
}

// Returns a run with its purpose, and the log lines that its reading used.
wire::Run run_view(const Subject& subject, const std::string& purpose, const model::CheckEvidence& check) {
  wire::Run run{detail::check_view(check), subject, purpose, check.status, check.isolation, {}};
  if (check.tests) run.evidence = check.tests->evidence;
  if (check.lint && !check.lint->evidence.empty())
    run.evidence.push_back({check.lint->format, check.lint->evidence.front(), check.lint->evidence.back()});
  return run;
}

std::vector<wire::Run> runs_of(const State& state, const Subject& owner, Dimension dimension) {
  std::vector<wire::Run> runs;
  if (dimension == Dimension::diff_size || dimension == Dimension::speed) return runs;  // no checks
  const auto add = [&](const Subject& subject, const std::string& purpose) {
    const auto found = state.subjects.find(subject);
    if (found == state.subjects.end()) return;
    if (const auto& check = evidence(found->second.checks, dimension)) {
      runs.push_back(run_view(subject, purpose, *check));
    } else if (const auto& command = check_command(state.spec.config, dimension);
               command && !found->second.error.empty()) {
      // The workspace could not be prepared: show the reason and its log.
      model::CheckEvidence none;
      none.dimension = dimension;
      none.command = *command;
      none.attempt = found->second.error_attempt;
      none.message = found->second.error;
      runs.push_back(run_view(subject, purpose, none));
    }
    if (dimension != Dimension::tests) return;
    for (const auto& repeat : found->second.checks.repeats)
      runs.push_back(run_view(subject, purpose + ", again", repeat));
  };
  const auto* agent = state.agent(owner.agent);
  const bool restored = agent && agent->integrity && !agent->integrity->restored.empty();
  add(owner, restored ? "with the base's protected paths" : detail::purpose_of(owner));
  for (const auto& subject :
       {owner.as(Kind::own_tests), owner.as(Kind::per_file), owner.as(Kind::cold), Subject::baseline()})
    if (subject != owner) add(subject, detail::purpose_of(subject));
  return runs;
}

/// Returns how the points of this dimension are computed: "100 for exit code 0, else 0".
std::string formula(Dimension dimension, const model::DimensionScore& score) {
  switch (score.status) {
    case model::DimensionStatus::not_configured:
      return "no command is configured: left out, the other weights are scaled up";
    case model::DimensionStatus::skipped:
      return "0: the build failed, so it was not run; its weight stays";
    case model::DimensionStatus::failed:
      return "0: no usable result; its weight stays";
    case model::DimensionStatus::scored:
    case model::DimensionStatus::not_ranked:
      break;
  }
  if (dimension == Dimension::build || score.reason == model::ScoreReason::exit_code_only)
    return "100 for exit code 0, else 0";
  switch (dimension) {
    case Dimension::tests:
      return std::string(
                 "pass_rate * 100 + bonus - regression_penalty, within 0 and 100; pass_rate = agent_passed / "
                 "agent_total; bonus = (agent_total - baseline_total) / agent_total * 10 for more tests than "
                 "the baseline's; regression_penalty = ") +
             (score.reason == model::ScoreReason::by_name ? "regressions"
                                                          : "(baseline_passed - agent_passed)") +
             " / baseline_passed * 50" +
             (score.reason == model::ScoreReason::by_name ? "; tests that were removed count in agent_total"
                                                          : "");
    case Dimension::lint:
      return "100 - 10 * new_errors - 2 * new_warnings + resolved_issues, within 0 and 100";
    case Dimension::diff_size:
      return "churn_score * 0.6 + file_score * 0.4; lock, generated and vendored files are set apart, unless "
             "nothing else was changed";
    case Dimension::speed:
      return score.reason == model::ScoreReason::none ? "min(1, fastest_ms / duration_ms) * 100"
                                                      : "0: " + std::string(name(score.reason));
    case Dimension::build:
      break;
  }
  return {};
}

std::vector<wire::ExplainDimension> dimensions_of(const State& state, const model::RankedAgent& row,
                                                  const Subject& owner) {
  std::vector<wire::ExplainDimension> out;
  const auto& weights = state.spec.config.scoring.weights;
  const bool judged = row.score.judges.status != model::DimensionStatus::not_configured;
  double total = 0;
  for (const auto dimension : model::kDimensions)
    if (row.score.dimensions[model::index(dimension)].status != model::DimensionStatus::not_configured)
      total += weights.*detail::kWeightOf[model::index(dimension)];
  if (judged) total += weights.judges;
  const auto share_of = [&](const model::DimensionScore& score, double weight) {
    return score.status != model::DimensionStatus::not_configured && total > 0 ? weight / total : 0;
  };
  for (const auto dimension : model::kDimensions) {
    const auto& score = row.score.dimensions[model::index(dimension)];
    const double share = share_of(score, weights.*detail::kWeightOf[model::index(dimension)]);
    const auto status = detail::dimension_status(state, dimension, score);
    out.push_back({std::string(model::name(dimension)), status, score.reason,
                   status == model::DimensionStatus::not_ranked ? "no points: the race has no ranking"
                                                                : formula(dimension, score),
                   score.points, share, score.points * share, terms_of(score),
                   runs_of(state, owner, dimension)});
  }
  // Judges are no dimension of the specification: their share is the user's weight.
  const auto& score = row.score.judges;
  const double share = share_of(score, weights.judges);
  if (judged)
    out.push_back({"judges",
                   score.status,
                   score.reason,
                   "100 * sum of score * stake over sum of stake, of the judges and people that are no "
                   "outliers; an outlier: |0.6745 * (score - median) / MAD| above 3.5",
                   score.points,
                   share,
                   score.points * share,
                   terms_of(score),
                   {}});
  return out;
}

}  // namespace

wire::Explain explain(const State& state, const std::string& name, const league::Calibration* calibration) {
  const auto& agent = *state.agent(name);
  const auto owner = check_owner(state, agent);
  const auto& rows = agent_evidence(state);
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.agent == name; });
  wire::Explain out;
  detail::add_result(state, agent, row == rows.end() ? nullptr : &*row, calibration, kAllFindings, out);
  if (row != rows.end()) out.unstable = row->unstable;
  out.race = state.spec.id;
  out.checked_as = owner.agent;
  const auto* checked = state.agent(owner.agent);
  out.checked_commit = checked && checked->integrity ? checked->integrity->commit : out.commit;
  out.ranked = state.ranking.has_value();
  out.race_state = race_phase(state);
  out.evidence_formula =
      "(sum of shares + 0.5) / (authors + 1) * 100; of each other author the share of its tests that pass, "
      "among "
      "those that fail without the change and passed or failed here; a test that only its author passes has "
      "half weight";
  out.own_tests_failing = failing_own_tests(state, owner);
  if (state.ranking) out.order_reasons = detail::order_reasons(*state.ranking);
  out.order = state.spec.config.scoring.order;
  out.formula = "the sum of points * weight over the sum of weights, of the dimensions that are configured";
  const auto* known = state.ranked(name);
  out.dimensions = dimensions_of(state, known ? *known : model::RankedAgent{}, owner);
  out.decisions = state.decisions;
  out.hidden_tests = state.spec.hidden_tests;
  out.sandbox = state.spec.isolation;
  out.image = state.spec.image;
  out.placement = state.spec.config.execution.placement;
  out.checks = state.spec.config.workspace.checks;
  if (const auto& capture = agent.capture) {
    out.left_out = detail::left_out_view(capture->left_out, kAllFindings);
    out.set_apart = capture->set_apart;
  }
  return out;
}

}  // namespace hydra::race
