#include "race/views/explain.hpp"

#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "race/views/view_parts.hpp"

#include <algorithm>

namespace hydra::race {

using model::Dimension;

namespace {

constexpr std::size_t kAllFindings = 10'000;

double weight_of(const model::Weights& weights, Dimension dimension) {
  switch (dimension) {
    case Dimension::build:
      return weights.build;
    case Dimension::tests:
      return weights.tests;
    case Dimension::lint:
      return weights.lint;
    case Dimension::diff_size:
      return weights.diff_size;
    case Dimension::speed:
      return weights.speed;
  }
  return 0;
}

std::map<std::string, double> terms_of(const model::DimensionScore& score) {
  std::map<std::string, double> terms;
  for (const auto& term : score.terms) terms[term.name] = term.value;
  return terms;
}

// The run with what it was for, and the lines of its log that were believed.
wire::Run run_view(const std::string& purpose, const model::CheckEvidence& check) {
  wire::Run run{detail::check_view(check),
                purpose,
                std::string(model::name(check.status)),
                std::string(model::name(check.isolation)),
                {}};
  if (check.tests) run.evidence = check.tests->evidence;
  if (check.lint && !check.lint->evidence.empty())
    run.evidence.push_back({check.lint->format, check.lint->evidence.front(), check.lint->evidence.back()});
  return run;
}

std::vector<wire::Run> runs_of(const State& state, const std::string& owner, Dimension dimension) {
  std::vector<wire::Run> runs;
  if (dimension == Dimension::diff_size || dimension == Dimension::speed) return runs;  // no check of theirs
  const auto add = [&](const std::string& purpose, const std::string& subject) {
    const auto found = state.subjects.find(subject);
    if (found == state.subjects.end()) return;
    if (const auto& check = evidence(found->second.checks, dimension))
      runs.push_back(run_view(purpose, *check));
    if (dimension != Dimension::tests) return;
    for (const auto& repeat : found->second.checks.repeats)
      runs.push_back(run_view(purpose + ", again", repeat));
  };
  const auto* agent = state.agent(owner);
  const bool restored = agent && agent->integrity && !agent->integrity->restored.empty();
  add(restored ? "with the base's protected paths" : "as captured", owner);
  add("with its own tests", owner + std::string(model::kOwn));
  add("the base's test files one by one", owner + std::string(model::kFiles));
  add("from nothing", owner + std::string(model::kCold));
  add("baseline", std::string(model::kBaseline));
  return runs;
}

}  // namespace

std::string formula(Dimension dimension, const model::DimensionScore& score) {
  switch (score.status) {
    case model::DimensionStatus::not_configured:
      return "no command is configured: left out, the other weights are scaled up";
    case model::DimensionStatus::skipped:
      return "0: the build failed, so it was not run; its weight stays";
    case model::DimensionStatus::failed:
      return "0: no usable result; its weight stays";
    case model::DimensionStatus::scored:
      break;
  }
  if (dimension == Dimension::build || score.reason == "exit_code_only") return "100 for exit code 0, else 0";
  switch (dimension) {
    case Dimension::tests:
      return std::string(
                 "pass_rate * 100 + bonus - regression_penalty, within 0 and 100; pass_rate = agent_passed / "
                 "agent_total; bonus = (agent_total - baseline_total) / agent_total * 10 for more tests than "
                 "the baseline's; regression_penalty = ") +
             (score.reason == "by_name" ? "regressions" : "(baseline_passed - agent_passed)") +
             " / baseline_passed * 50" +
             (score.reason == "by_name" ? "; tests that were removed count in agent_total" : "");
    case Dimension::lint:
      return "100 - 10 * new_errors - 2 * new_warnings + resolved_issues, within 0 and 100";
    case Dimension::diff_size:
      return "churn_score * 0.6 + file_score * 0.4; lock, generated and vendored files are set apart, unless "
             "nothing else was changed";
    case Dimension::speed:
      return score.reason.empty() ? "fastest_ms / duration_ms * 100" : "0: " + score.reason;
    case Dimension::build:
      break;
  }
  return {};
}

namespace {

std::vector<wire::ExplainDimension> dimensions_of(const State& state, const model::RankedAgent& row,
                                                  const std::string& owner) {
  std::vector<wire::ExplainDimension> out;
  const auto& weights = state.spec.config.scoring.weights;
  const bool judged = row.score.judges.status != model::DimensionStatus::not_configured;
  double total = 0;
  for (const auto dimension : model::kDimensions)
    if (row.score.dimensions[model::index(dimension)].status != model::DimensionStatus::not_configured)
      total += weight_of(weights, dimension);
  if (judged) total += weights.judges;
  const auto share_of = [&](const model::DimensionScore& score, double weight) {
    return score.status != model::DimensionStatus::not_configured && total > 0 ? weight / total : 0;
  };
  for (const auto dimension : model::kDimensions) {
    const auto& score = row.score.dimensions[model::index(dimension)];
    const double share = share_of(score, weight_of(weights, dimension));
    const std::string status(detail::dimension_status(state, dimension, score));
    out.push_back({std::string(model::name(dimension)), status, score.reason,
                   status == "not_ranked" ? "no points: the race has no ranking" : formula(dimension, score),
                   score.points, share, score.points * share, terms_of(score),
                   runs_of(state, owner, dimension)});
  }
  // No dimension of the specification: it has a share only where the user gave it a weight.
  const auto& score = row.score.judges;
  const double share = share_of(score, weights.judges);
  if (judged)
    out.push_back(
        {"judges",
         std::string(model::name(score.status)),
         score.reason,
         "100 * sum of score * stake over sum of stake, of the judges and people that are no "
         "outliers; an outlier: |0.6745 * (score - median) / MAD| above [judging] outlier_threshold",
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
  wire::Explain out;
  out.race = state.spec.id;
  out.agent = name;
  out.display = agent.display;
  out.checked_as = owner;
  out.commit = agent.capture ? agent.capture->commit : "";
  const auto* checked = state.agent(owner);
  out.checked_commit = checked && checked->integrity ? checked->integrity->commit : out.commit;
  const auto* known = detail::ranked(state, name);
  const auto row = known ? *known : model::RankedAgent{};
  out.ranked = state.ranking.has_value();
  out.race_state = race_phase(state);
  out.state = agent_phase(state, agent);
  out.message = detail::message_of(state, agent);
  out.unchecked = unchecked(state, agent);
  out.rank = row.rank;
  out.eligible = row.eligible;
  out.ineligible_reasons = row.ineligible_reasons;
  if (state.ranking) out.composite = row.score.composite;
  out.evidence_points = row.evidence;
  out.confidence = detail::confidence_view(row.confidence, calibration);
  out.mutants = detail::of_agent(state.mutants, name);
  out.diff_coverage = detail::of_agent(state.coverage, name);
  out.evidence_formula =
      "(sum of shares + 0.5) / (authors + 1) * 100; of each other author the share of its tests that pass, "
      "among "
      "those that fail without the change and passed or failed here; a test that only its author passes has "
      "half weight";
  out.own_tests_failing = failing_own_tests(state, owner);
  out.order = state.ranking ? state.ranking->order : "";
  out.formula = "the sum of points * weight over the sum of weights, of the dimensions that are configured";
  out.judges = detail::judges_view(state, agent);
  out.dimensions = dimensions_of(state, row, owner);
  for (const auto& evidence_row : agent_evidence(state))
    if (evidence_row.agent == name) {
      out.tests_by_name = detail::names_view(state, evidence_row);
      out.unstable = evidence_row.unstable;
    }
  out.undecided = detail::undecided_view(state, agent);
  out.decisions = detail::decisions_view(state);
  out.integrity = detail::integrity_view(state, agent, kAllFindings);
  out.workspace = detail::workspace_view(state, owner);
  out.hidden_tests = state.spec.hidden_tests;
  out.sandbox = model::name(state.spec.isolation);
  out.image = state.spec.image;
  out.placement = model::name(state.spec.config.execution.placement);
  out.checks = model::name(state.spec.config.workspace.checks);
  if (const auto& capture = agent.capture) {
    out.flags = capture->flags;
    out.warnings = capture->warnings;
    out.left_out = detail::left_out_view(capture->left_out, kAllFindings);
    out.set_apart = capture->set_apart;
  }
  out.branch_refused = agent.branch_refused;
  out.leaked_processes = agent.ended ? agent.ended->job.leaked : 0;
  return out;
}

}  // namespace hydra::race
