#include "race/view_parts.hpp"

#include "model/capture_words.hpp"
#include "race/gating.hpp"
#include "race/selection.hpp"
#include "race/twins.hpp"
#include "race/unloaded.hpp"
#include "scoring/engine.hpp"
#include "trees/hidden_tests.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hydra::race::detail {

using nlohmann::json;

namespace {

template <class T>
json nullable(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

double seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000.0; }

}  // namespace

std::string message_of(const State& state, const AgentState& agent) {
  if (!agent.workspace_error.empty()) return agent.workspace_error;
  if (!agent.capture_error.empty()) return "capture failed: " + agent.capture_error;
  auto text = agent.ended ? final_verdict(agent).message : agent.stop ? agent.stop->message : std::string();
  if (text.empty()) text = own_tests_text(state, agent);
  const bool stopped = was_cancelled(state) || agent.cancelled;
  const bool open = unchecked(state, agent);
  if (!stopped || !agent.capture || !agent.capture->changed || (state.ranking && !open)) return text;
  if (!text.empty()) text += "; ";
  const char* how = any_check(state.spec.config) ? "checked" : "captured";
  return text + (open ? "captured, not checked (cancelled)" : fmt::format("{}, not ranked (cancelled)", how));
}

std::string_view dimension_status(const State& state, model::Dimension dimension,
                                  const model::DimensionScore& score) {
  using model::Dimension;
  const bool check =
      dimension == Dimension::build || dimension == Dimension::tests || dimension == Dimension::lint;
  const bool configured = !check || check_command(state.spec.config, dimension);
  return state.ranking || !configured ? model::name(score.status) : "not_ranked";
}

json left_out_json(const std::vector<model::LeftOut>& rows, std::size_t most) {
  json j = json::array();
  for (const auto& left : rows) {
    if (j.size() == most) break;
    if (left.reason != model::kLeftBehind)
      j.push_back({{"path", left.path}, {"bytes", left.bytes}, {"reason", left.reason}});
  }
  return j;
}

json evidence_json(const model::CheckEvidence& check) {
  json j;
  j["exit_code"] = nullable(check.exit_code);
  j["wall_seconds"] = seconds(check.wall_ms);
  j["command"] = check.command;
  j["attempt"] = check.attempt;
  j["cached"] = check.cached;
  if (check.signal) j["signal"] = *check.signal;
  if (check.advice)
    j["advice"] = {{"signature", check.advice->signature},
                   {"text", check.advice->text},
                   {"environment", check.advice->environment}};
  if (!check.message.empty()) j["message"] = check.message;
  if (check.tests) {
    const auto& tests = *check.tests;
    j["format"] = tests.format;
    j["passed"] = nullable(tests.counts.passed);
    j["failed"] = nullable(tests.counts.failed);
    j["skipped"] = nullable(tests.counts.skipped);
    j["errors"] = nullable(tests.counts.errors);
    j["total"] = nullable(tests.counts.total);
    if (!tests.outcome.empty()) j["outcome"] = tests.outcome;
    if (!tests.suspicious.empty()) j["suspicious"] = tests.suspicious;
  }
  if (check.lint) {
    j["format"] = check.lint->format;
    j["errors"] = nullable(check.lint->errors);
    j["warnings"] = nullable(check.lint->warnings);
    if (!check.lint->suspicious.empty()) j["suspicious"] = check.lint->suspicious;
  }
  return j;
}

std::string waiting_json(const std::string& holder) {
  return json{{"waits_for", holder}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

json repository_json(const State& state) {
  if (!state.repository) return nullptr;
  return {{"blocking", state.repository->blocking}, {"meanwhile", state.repository->meanwhile}};
}

std::string_view placement_name(const State& state) {
  return state.spec.config.execution.placement == model::Placement::slurm ? "slurm" : "local";
}

std::string_view checks_name(model::CheckPlace place) {
  return place == model::CheckPlace::in_place ? "in_place" : "fresh";
}

json workspace_json(const State& state, const std::string& subject) {
  const auto found = state.subjects.find(subject);
  if (found == state.subjects.end()) return nullptr;
  const auto& facts = found->second.facts;
  return {{"tree", facts.tree},
          {"warm", facts.warm},
          {"setup_again", facts.setup},
          {"reasons", facts.reasons},
          {"left_out", facts.left_out}};
}

json names_json(const State& state, const model::AgentEvidence& row) {
  const auto found = scoring::compare_tests(baseline_evidence(state), row);
  if (!found.by_name) return nullptr;
  json j;
  j["hidden"] = json::array();
  const auto add = [&](const char* key, const std::vector<std::string>& names) {
    j[key] = json::array();
    for (const auto& name : names) {
      if (j[key].size() == kMostNames) break;
      j[key].push_back(name);
      if (trees::is_hidden_test(name, state.spec.hidden_tests)) j["hidden"].push_back(name);
    }
  };
  add("fixed", found.fixed);
  add("broken", found.broken);
  add("removed", found.removed);
  add("newly_skipped", found.newly_skipped);
  add("added", found.added);
  add("unstable", found.unstable);
  return j;
}

namespace {

json twins_json(const TwinFacts& facts) {
  return {{"state", facts.state},
          {"reason", facts.reason},
          {"seed", facts.seed},
          {"told", facts.told},
          {"assertions", facts.assertions},
          {"untouched", facts.untouched},
          {"cpu_seconds", static_cast<double>(facts.cpu_ms) / 1000},
          {"plain_cpu_seconds", static_cast<double>(facts.plain_cpu_ms) / 1000}};
}

}  // namespace

json decisions_json(const State& state) {
  json list = json::array();
  for (const auto& [decision, by, at_ms] : state.decisions)
    list.push_back({{"kind", decision.kind}, {"what", decision.what}, {"by", by}, {"at_ms", at_ms}});
  return list;
}

json undecided_json(const State& state, const AgentState& agent) {
  const auto found = unloaded_tests(state, check_owner(state, agent));
  if (!found) return nullptr;
  json j{{"own_passed", found->own_passed},
         {"own_total", found->own_total},
         {"not_loaded", found->tests - found->snapshots},
         {"snapshots", found->snapshots},
         {"tests", json::array()}};
  for (const auto& name : found->names)
    if (j["tests"].size() < kMostNames) j["tests"].push_back(name);
  return j;
}

json integrity_json(const State& state, const AgentState& agent, std::size_t findings) {
  const auto* known = integrity_of(state, agent);
  if (!known) return nullptr;
  const auto& integrity = *known;
  const auto owner = check_owner(state, agent);
  json j{{"restored", json::array()},
         {"unrestored", integrity.unrestored},
         {"more_restored", integrity.more_restored},
         {"own_run", state.subjects.contains(owner + std::string(model::kOwn))},
         {"findings", json::array()},
         {"suppressions", integrity.suppressions},
         {"not_shown", integrity.not_shown},
         {"error", integrity.error},
         {"unseen", integrity.unseen}};
  for (const auto& path : integrity.restored)
    j["restored"].push_back({{"path", path.path}, {"how", path.how}, {"reason", path.reason}});
  std::int64_t blocking = 0;
  for (const auto& finding : findings_of(state, agent)) {
    if (finding.severity == "block") ++blocking;
    if (j["findings"].size() >= findings) {
      j["not_shown"] = j["not_shown"].get<std::int64_t>() + 1;
      continue;
    }
    j["findings"].push_back({{"rule", finding.rule},
                             {"severity", finding.severity},
                             {"path", finding.path},
                             {"line", finding.line},
                             {"reason", finding.reason},
                             {"text", finding.text}});
  }
  j["blocking"] = blocking;
  j["twins"] = twins_json(twin_facts(state, owner));
  return j;
}

}  // namespace hydra::race::detail
