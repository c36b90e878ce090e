#include "race/views/view_parts.hpp"

#include "adapters/adapters.hpp"
#include "base/strings.hpp"
#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "race/state/twins.hpp"
#include "race/state/unloaded.hpp"
#include "scoring/engine.hpp"
#include "scoring/verdict.hpp"
#include "trees/hidden_tests.hpp"

#include <fmt/format.h>

namespace hydra::race::detail {

model::DimensionStatus dimension_status(const State& state, model::Dimension dimension,
                                        const model::DimensionScore& score) {
  using model::Dimension;
  const bool check =
      dimension == Dimension::build || dimension == Dimension::tests || dimension == Dimension::lint;
  const bool configured = !check || check_command(state.spec.config, dimension);
  return state.newest_ranking() || !configured ? score.status : model::DimensionStatus::not_ranked;
}

std::vector<model::LeftOut> left_out_view(const std::vector<model::LeftOut>& rows, std::size_t most) {
  std::vector<model::LeftOut> shown;
  for (const auto& left : rows)
    if (shown.size() < most && left.reason != model::LeftReason::left_behind) shown.push_back(left);
  return shown;
}

wire::Check check_view(const model::CheckEvidence& check) {
  wire::Check out;
  out.exit_code = check.exit_code;
  out.signal = check.signal;
  out.wall_seconds = seconds(check.wall_ms);
  out.command = check.command;
  out.attempt = check.attempt;
  out.cached = check.cached;
  out.advice = check.advice;
  out.message = check.message;
  if (const auto& tests = check.tests) {
    out.format = tests->format;
    out.tests = tests->counts;
    out.outcome = tests->outcome;
    out.suspicious = tests->suspicious;
  }
  if (const auto& lint = check.lint) {
    out.format = lint->format;
    out.lint = {lint->errors, lint->warnings};
    if (!lint->suspicious.empty()) out.suspicious = lint->suspicious;
  }
  return out;
}

std::string purpose_of(const Subject& subject) {
  switch (subject.kind) {
    case Kind::own_tests:
      return "with its own tests";
    case Kind::cold:
      return "from nothing";
    case Kind::per_file:
      return "file by file";
    case Kind::tried:
      return "tried";
    case Kind::judgement:
      return "a judge";
    case Kind::baseline:
      return "baseline";
    case Kind::cross:
      return "a cross run";
    default:
      return "as captured";
  }
}

std::vector<wire::OrderReason> order_reasons(const model::Ranking& ranking) {
  std::vector<wire::OrderReason> out;
  for (std::size_t i = 1; i < ranking.agents.size(); ++i) {
    const auto &above = ranking.agents[i - 1].agent, &below = ranking.agents[i].agent;
    const auto& reason = ranking.agents[i].reason;
    out.push_back({reason, above, below, scoring::reason_text(reason, above, below)});
  }
  return out;
}

std::string verdict_view(const State& state) {
  const auto* ranking = state.newest_ranking();
  if (ranking == nullptr) return {};
  std::map<std::string, std::int64_t> lines;
  for (const auto& agent : state.agents) {
    if (!agent.capture) continue;
    const auto diff = agent.capture->weighed.value_or(agent.capture->diff);
    lines[agent.entry.name] = diff.lines_added + diff.lines_removed;
  }
  return scoring::verdict(*ranking, lines, state.ranking.has_value());
}

std::optional<model::WorkspaceFacts> workspace_view(const State& state, const Subject& subject) {
  const auto found = state.subjects.find(subject);
  if (found == state.subjects.end()) return std::nullopt;
  return found->second.facts;
}

namespace {

constexpr std::size_t kMostNames = 200;  // limit of each list of tests; counts cover the rest

/// Returns a message about an agent's end, for people; may be empty.
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

/// Whether the points are about the agent's work, not about the base's own checks.
bool has_points(const AgentState& agent) {
  using model::Outcome;
  const auto outcome = final_outcome(agent);
  const bool crashed = outcome == Outcome::failed || outcome == Outcome::crashed || outcome == Outcome::lost;
  return !crashed && agent.capture && agent.capture->changed;
}

/// Returns nullopt for an agent without an entry.
template <class Named>
auto of_agent(const Named& all, const std::string& agent) {
  const auto found = all.find(agent);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

/// Returns nullopt if tests are not compared by name.
std::optional<wire::TestNames> names_view(const State& state, const model::AgentEvidence& row) {
  const auto found = scoring::compare_tests(baseline_evidence(state), row);
  if (!found.by_name()) return std::nullopt;
  wire::TestNames out;
  auto& hidden = out["hidden"];
  for (const auto& [key, names] : {std::pair{"fixed", &found.fixed},
                                   {"broken", &found.broken},
                                   {"removed", &found.removed},
                                   {"newly_skipped", &found.newly_skipped},
                                   {"added", &found.added},
                                   {"unstable", &found.unstable}}) {
    auto& list = out[key];
    list.assign(names->begin(),
                names->begin() + static_cast<std::ptrdiff_t>(std::min(names->size(), kMostNames)));
    for (const auto& name : list)
      if (trees::is_hidden_test(name, state.spec.hidden_tests)) hidden.push_back(name);
  }
  return out;
}

/// Returns tests of the base that could not be loaded with the result; nullopt: none.
std::optional<wire::Undecided> undecided_view(const State& state, const AgentState& agent) {
  auto found = unloaded_tests(state, check_owner(state, agent));
  if (!found) return std::nullopt;
  if (found->names.size() > kMostNames) found->names.resize(kMostNames);
  return wire::Undecided{found->own_passed, found->own_total, found->tests - found->snapshots,
                         found->snapshots, std::move(found->names)};
}

/// Returns the tamper report and restored paths; nullopt before the inspection.
std::optional<wire::Integrity> integrity_view(const State& state, const AgentState& agent,
                                              std::size_t findings) {
  const auto* known = integrity_of(state, agent);
  if (!known) return std::nullopt;
  const auto owner = check_owner(state, agent);
  wire::Integrity out;
  out.restored = known->restored;
  out.unrestored = known->unrestored;
  out.more_restored = known->more_restored;
  out.own_run = state.subjects.contains(owner.as(Kind::own_tests));
  out.suppressions = known->suppressions;
  out.not_shown = known->not_shown;
  out.error = known->error;
  out.unseen = known->unseen;
  for (auto& finding : findings_of(state, agent)) {
    if (finding.severity == model::Severity::block) ++out.blocking;
    if (out.findings.size() < findings)
      out.findings.push_back(std::move(finding));
    else
      ++out.not_shown;
  }
  out.twins = twin_facts(state, owner);
  return out;
}

}  // namespace

void add_agent(const State& state, const AgentState& agent, const model::Usage& usage,
               wire::AgentFacts& out) {
  out.agent = agent.entry.name;
  out.display = agent.display;
  out.state = agent_phase(state, agent);
  out.outcome = final_outcome(agent);
  out.message = message_of(state, agent);
  if (agent.stop) out.stopped = agent.stop->reason;
  out.branch = agent.branch;
  out.unchecked = unchecked(state, agent);
  out.cost_estimated = usage.estimated || usage.partial;
  out.usage_partial = usage.partial;
  out.attempt = agent.due;
  out.tokens = usage;
  out.tokens_counted = adapters::counted_tokens(usage);
  out.cost_usd = usage.cost_usd;
  if (const auto* rank = state.ranked(agent.entry.name); rank != nullptr && has_points(agent))
    out.composite = rank->score.composite;
}

void add_result(const State& state, const AgentState& agent, const model::AgentEvidence* row,
                const league::Calibration* calibration, std::size_t findings, wire::ResultFacts& out) {
  add_agent(state, agent, usage_of(agent), out);
  if (const auto& capture = agent.capture) {
    out.commit = capture->commit;
    out.flags = capture->flags;
    out.warnings = capture->warnings;
    for (const auto& flag : capture->flags) {
      if (flag.kind == model::FlagKind::unnamed)
        out.warnings.push_back("nothing of the build or the tests names " + sanitize(flag.path));
      if (flag.kind == model::FlagKind::commits_refused)
        out.warnings.push_back("git refuses what is in its own commits: " + flag.path);
    }
  }
  out.branch_refused = agent.branch_refused;
  if (const auto* rank = state.ranked(out.agent)) {
    out.rank = rank->rank;
    out.eligible = rank->eligible;
    out.ineligible_reasons = rank->ineligible_reasons;
    out.evidence_points = rank->evidence;
    out.confidence = confidence_view(rank->confidence, calibration);
  }
  out.judges = judges_view(state, agent);
  out.workspace = workspace_view(state, check_owner(state, agent));
  if (row) out.tests_by_name = names_view(state, *row);
  out.integrity = integrity_view(state, agent, findings);
  out.undecided = undecided_view(state, agent);
  if (agent.ended) out.leaked_processes = agent.ended->job.leaked;
}

}  // namespace hydra::race::detail
