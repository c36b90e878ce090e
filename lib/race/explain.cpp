#include "race/explain.hpp"

#include "race/gating.hpp"
#include "race/selection.hpp"
#include "race/view_parts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::race {

using model::Dimension;
using nlohmann::json;

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

json terms_json(const std::vector<model::ScoreTerm>& terms) {
  json j = json::object();
  for (const auto& term : terms) j[term.name] = term.value;
  return j;
}

// The run with what it was for, and the lines of its log that were believed.
json run_json(const std::string& purpose, const model::CheckEvidence& check) {
  auto j = detail::evidence_json(check);
  j["purpose"] = purpose;
  j["status"] = model::name(check.status);
  j["isolation"] = check.isolation;
  j["evidence"] = json::array();
  if (check.tests)
    for (const auto& range : check.tests->evidence)
      j["evidence"].push_back({{"format", range.format}, {"first", range.first}, {"last", range.last}});
  if (check.lint && !check.lint->evidence.empty())
    j["evidence"].push_back({{"format", check.lint->format},
                             {"first", check.lint->evidence.front()},
                             {"last", check.lint->evidence.back()}});
  return j;
}

json runs_json(const State& state, const std::string& owner, Dimension dimension) {
  json runs = json::array();
  if (dimension == Dimension::diff_size || dimension == Dimension::speed) return runs;  // no check of theirs
  const auto add = [&](const std::string& purpose, const std::string& subject) {
    const auto found = state.subjects.find(subject);
    if (found == state.subjects.end()) return;
    if (const auto& check = evidence(found->second.checks, dimension))
      runs.push_back(run_json(purpose, *check));
    if (dimension != Dimension::tests) return;
    for (const auto& repeat : found->second.checks.repeats)
      runs.push_back(run_json(purpose + ", again", repeat));
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

// No dimension of the specification: it has a share only where the user gave it a weight.
json judges_dimension_json(const model::DimensionScore& score, double weight, double total) {
  const double share = total > 0 ? weight / total : 0;
  return {{"dimension", "judges"},
          {"status", model::name(score.status)},
          {"points", score.points},
          {"share", share},
          {"contribution", score.points * share},
          {"reason", score.reason},
          {"formula",
           "100 * sum of score * stake over sum of stake, of the judges and people that are no outliers; an "
           "outlier: |0.6745 * (score - median) / MAD| above [judging] outlier_threshold"},
          {"inputs", terms_json(score.terms)},
          {"runs", json::array()}};
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

std::string explain_json(const State& state, const std::string& name,
                         const league::Calibration* calibration) {
  const auto& agent = *state.agent(name);
  const auto owner = check_owner(state, agent);
  json j;
  j["schema"] = 1;
  j["race"] = state.spec.id;
  j["agent"] = name;
  j["display"] = agent.display;
  j["checked_as"] = owner;
  j["commit"] = agent.capture ? agent.capture->commit : "";
  const auto* checked = state.agent(owner);
  j["checked_commit"] = checked && checked->integrity ? json(checked->integrity->commit) : j["commit"];
  model::RankedAgent row;
  if (state.ranking)
    for (const auto& ranked : state.ranking->agents)
      if (ranked.agent == name) row = ranked;
  j["ranked"] = state.ranking.has_value();
  j["race_state"] = race_phase(state);
  j["state"] = agent_phase(state, agent);
  j["message"] = detail::message_of(state, agent);
  j["unchecked"] = unchecked(state, agent);
  j["rank"] = row.rank;
  j["eligible"] = row.eligible;
  j["ineligible_reasons"] = row.ineligible_reasons;
  j["composite"] = state.ranking ? json(row.score.composite) : json(nullptr);
  j["evidence_points"] = row.evidence ? json(*row.evidence) : json(nullptr);
  j["confidence"] = detail::confidence_json(row.confidence, calibration);
  j["mutants"] = detail::mutants_json(state, name);
  j["diff_coverage"] = detail::coverage_json(state, name);
  j["evidence_formula"] =
      "(sum of shares + 0.5) / (authors + 1) * 100; of each other author the share of its tests that pass, "
      "among "
      "those that fail without the change and passed or failed here; a test that only its author passes has "
      "half weight";
  j["own_tests_failing"] = failing_own_tests(state, owner);
  j["order"] = state.ranking ? state.ranking->order : "";
  j["formula"] = "the sum of points * weight over the sum of weights, of the dimensions that are configured";
  double total = 0;
  for (const auto dimension : model::kDimensions)
    if (row.score.dimensions[model::index(dimension)].status != model::DimensionStatus::not_configured)
      total += weight_of(state.spec.config.scoring.weights, dimension);
  if (row.score.judges.status != model::DimensionStatus::not_configured)
    total += state.spec.config.scoring.weights.judges;
  j["judges"] = detail::judges_json(state, agent);
  j["dimensions"] = json::array();
  for (const auto dimension : model::kDimensions) {
    const auto& score = row.score.dimensions[model::index(dimension)];
    const bool counts = score.status != model::DimensionStatus::not_configured && total > 0;
    const double share = counts ? weight_of(state.spec.config.scoring.weights, dimension) / total : 0;
    json d{{"dimension", model::name(dimension)},
           {"status", detail::dimension_status(state, dimension, score)},
           {"points", score.points},
           {"share", share},
           {"contribution", score.points * share},
           {"reason", score.reason},
           {"formula", detail::dimension_status(state, dimension, score) == "not_ranked"
                           ? "no points: the race has no ranking"
                           : formula(dimension, score)},
           {"inputs", terms_json(score.terms)},
           {"runs", runs_json(state, owner, dimension)}};
    j["dimensions"].push_back(std::move(d));
  }
  if (row.score.judges.status != model::DimensionStatus::not_configured)
    j["dimensions"].push_back(
        judges_dimension_json(row.score.judges, state.spec.config.scoring.weights.judges, total));
  for (const auto& evidence_row : agent_evidence(state))
    if (evidence_row.agent == name) {
      j["tests_by_name"] = detail::names_json(state, evidence_row);
      j["unstable"] = evidence_row.unstable;
    }
  j["undecided"] = detail::undecided_json(state, agent);
  j["decisions"] = detail::decisions_json(state);
  j["integrity"] = detail::integrity_json(state, agent, kAllFindings);
  j["workspace"] = detail::workspace_json(state, owner);
  j["hidden_tests"] = state.spec.hidden_tests;
  j["sandbox"] = state.spec.isolation;
  j["image"] = state.spec.image;
  j["placement"] = detail::placement_name(state);
  j["checks"] = detail::checks_name(state.spec.config.workspace.checks);
  j["flags"] = agent.capture ? agent.capture->flags : std::vector<std::string>{};
  j["warnings"] = agent.capture ? agent.capture->warnings : std::vector<std::string>{};
  j["left_out"] =
      agent.capture ? detail::left_out_json(agent.capture->left_out, kAllFindings) : json::array();
  j["branch_refused"] = agent.branch_refused;
  j["leaked_processes"] = agent.ended ? agent.ended->job.leaked : 0;
  j["set_apart"] = agent.capture ? agent.capture->set_apart : std::vector<std::string>{};
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace hydra::race
