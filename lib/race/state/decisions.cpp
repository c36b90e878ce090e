#include "race/state/decisions.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "race/state/gating.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace hydra::race {

using model::DecisionKind;

namespace {

const model::TestReport* tests_at(const State& state, const Subject& subject) {
  const auto* checks = state.checks(subject);
  return checks && checks->tests && checks->tests->tests ? &*checks->tests->tests : nullptr;
}

bool names_test(const model::TestReport* report, const std::string& name) {
  return report && report->tests.contains(name);
}

/// Returns whether a result lacks this test, by its own run.
bool somebody_deleted(const State& state, const std::string& name) {
  return std::any_of(state.agents.begin(), state.agents.end(), [&](const AgentState& agent) {
    const auto owner = check_owner(state, agent);
    const auto* own = tests_at(state, owner.as(Kind::own_tests));
    if (!own) own = tests_at(state, owner);
    return !owner.of_baseline() && own && !names_test(own, name);
  });
}

/// Returns whether "RULE:PATH" means this finding.
bool means(std::string_view what, const model::TamperFinding& finding) {
  const auto colon = what.find(':');
  return colon != std::string_view::npos && what.substr(0, colon) == finding.rule &&
         what.substr(colon + 1) == finding.path;
}

/// Returns the agents whose checks restored a path that this pattern releases.
std::vector<std::string> freed_by(const State& state, const std::string& pattern) {
  std::vector<std::string> agents;
  for (const auto& agent : state.agents) {
    if (!agent.integrity) continue;
    const auto& rows = agent.integrity->restored;
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const auto& row) { return covered_by({pattern}, row.path); }))
      agents.push_back(agent.entry.name);
  }
  return agents;
}

void push_new(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

}  // namespace

void take_decision(State& state, const model::Decision& decision, const std::string& by, std::int64_t at_ms) {
  state.decisions.push_back({decision, by, at_ms});
  if (decision.kind == DecisionKind::approve_test || decision.kind == DecisionKind::approve_deleted)
    push_new(state.approved, decision.what);
  if (decision.kind != DecisionKind::unprotected) return;
  const auto agents = freed_by(state, decision.what);
  push_new(state.spec.config.evaluation.unprotected_paths, decision.what);
  state.spec.config.merge.automatic = false;
  for (const auto& name : agents) {
    state.agent(name)->integrity.reset();
    wake(state, name);
  }
}

void accept_finding(const State& state, model::TamperFinding& finding) {
  for (const auto& given : state.decisions) {
    if (given.kind != DecisionKind::accept || !means(given.what, finding)) continue;
    if (finding.severity == model::Severity::info) return;
    finding.severity = model::Severity::info;
    finding.reason += "; accepted by " + given.by;
  }
}

Result<void> check_decision(const State& state, const model::Decision& decision) {
  const auto& [kind, what] = decision;
  const auto unknown = [&](const std::string& message, const std::string& hint) {
    return Error{Errc::not_found, message, state.spec.id, hint};
  };
  if (what.empty() || what.size() > 4000 || what.find('\0') != std::string::npos)
    return Error{Errc::usage, "a decision is about a name of 1 to 4000 bytes", std::string(name(kind)), {}};
  if (kind == DecisionKind::approve_test || kind == DecisionKind::approve_deleted) {
    const auto* base = tests_at(state, Subject::baseline());
    if (!names_test(base, what))
      return unknown("the base has no test '" + sanitize(what) + "'",
                     "`hydra explain` lists the names of tests that a result broke");
    if (kind == DecisionKind::approve_deleted && !somebody_deleted(state, what))
      return unknown("no result deletes the test '" + sanitize(what) + "'",
                     "--approve-test is for one that the task changes");
    return {};
  }
  if (kind == DecisionKind::accept) {
    for (const auto& agent : state.agents)
      for (const auto& finding : findings_of(state, agent))
        if (means(what, finding)) return {};
    return unknown("no result has the finding '" + sanitize(what) + "'",
                   "RULE:PATH, as `hydra explain` shows them: build_file:CMakeLists.txt");
  }
  if (kind != DecisionKind::unprotected) return Error{Errc::usage, "an unknown kind of decision", {}, {}};
  if (state.spec.config.workspace.checks == model::CheckPlace::in_place)
    return Error{Errc::unsupported,
                 "this race checks in the agents' own directories: nothing was put back",
                 state.spec.id,
                 {}};
  if (freed_by(state, what).empty())
    return unknown("the checks put nothing back at '" + sanitize(what) + "'",
                   "`hydra explain` lists the paths that were taken from the base");
  return {};
}

}  // namespace hydra::race
