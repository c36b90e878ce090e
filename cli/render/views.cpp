#include "cli/render/views.hpp"

#include "cli/render/decision_lines.hpp"
#include "cli/render/judge_views.hpp"
#include "cli/render/measure_lines.hpp"
#include "cli/render/view_parts.hpp"

namespace hydra::cli {
namespace {

using Json = nlohmann::json;

TokensView tokens(const Json& json) {
  const auto& value = member(json, "tokens");
  return {whole(value, "input"), whole(value, "output"), whole(value, "cache_read"),
          whole(value, "cache_write")};
}
std::vector<std::pair<std::string, std::string>> checks(const Json& json) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto& value = member(json, "checks");
  for (const char* name : {"build", "tests", "lint"})
    if (auto state = text(value, name); !state.empty()) out.emplace_back(name, std::move(state));
  return out;
}

AgentStatus agent_status(const Json& json) {
  AgentStatus a;
  a.agent = text(json, "agent");
  a.display = text(json, "display");
  a.state = text(json, "state");
  a.outcome = text(json, "outcome");
  a.message = text(json, "message");
  a.last_line = text(json, "last_line");
  a.tool = text(json, "tool");
  a.stopped = text(json, "stopped");
  a.attempt = whole(json, "attempt").value_or(1);
  a.cost_estimated = truth(json, "cost_estimated");
  a.branch = text(json, "branch");
  a.elapsed_ms = count(json, "elapsed_ms");
  a.waits = text(json, "waits");
  a.diff = diff(json);
  a.tokens = tokens(json);
  a.cost_usd = real(json, "cost_usd");
  a.composite = real(json, "composite");
  a.checks = checks(json);
  a.left_out = left_out(json);
  for (const auto& point : member(json, "growth"))  // [time, added, removed]
    if (point.is_array() && point.size() == 3 && point[1].is_number() && point[2].is_number())
      a.growth.push_back(point[1].get<std::int64_t>() + point[2].get<std::int64_t>());
  return a;
}

IntegrityView integrity(const Json& json) {
  IntegrityView v;
  v.restored = texts(json, "restored");
  v.unrestored = texts(json, "unrestored");
  each(json, "findings", [&](const Json& item) {
    v.findings.push_back({text(item, "rule"), text(item, "severity"), text(item, "path"),
                          text(item, "reason"), text(item, "text"), count(item, "line")});
  });
  v.blocking = count(json, "blocking");
  v.not_shown = count(json, "not_shown");
  v.suppressions = count(json, "suppressions");
  v.own_run = truth(json, "own_run");
  v.error = text(json, "error");
  return v;
}

CheckView check_view(const char* name, const Json& check) {
  CheckView c;
  c.name = name;
  c.status = text(check, "status");
  c.command = text(check, "command");
  c.message = text(check, "message");
  c.attempt = text(check, "attempt");
  c.advice = text(member(check, "advice"), "text");
  c.seconds = real(check, "wall_seconds").value_or(0);
  c.cold_seconds = real(check, "cold_wall_seconds");
  c.passed = whole(check, "passed");
  c.failed = whole(check, "failed");
  c.skipped = whole(check, "skipped");
  c.errors = whole(check, "errors");
  c.warnings = whole(check, "warnings");
  return c;
}

AgentResult agent_result(const Json& json) {
  AgentResult a;
  a.agent = text(json, "agent");
  a.display = text(json, "display");
  a.model = text(json, "model");
  a.branch = text(json, "branch");
  a.state = text(json, "state");
  a.outcome = text(json, "outcome");
  a.message = text(json, "message");
  a.sandbox = text(json, "sandbox");
  a.eligible = truth(json, "eligible");
  a.tied = truth(json, "tied");
  a.ineligible_reasons = texts(json, "ineligible_reasons");
  a.flags = texts(json, "flags");
  a.unchecked = truth(json, "unchecked");
  a.left_out = left_out(json);
  a.warnings = texts(json, "warnings");
  a.branch_refused = text(json, "branch_refused");
  a.leaked = count(json, "leaked_processes");
  a.rank = static_cast<int>(count(json, "rank"));
  a.composite = real(json, "composite");
  a.measured = measured_summary(json);
  a.evidence_points = real(json, "evidence_points");
  const auto& confidence = member(json, "confidence");
  a.confidence_word = text(confidence, "word");
  a.confidence_text = text(confidence, "text");
  a.own_races = own_races_view(confidence);
  a.judges = judges_view(member(json, "judges"));
  a.tests_passed = count(member(confidence, "facts"), "tests_passed");
  a.tests_failed = count(member(confidence, "facts"), "tests_failed");
  std::size_t i = 0;
  for (const char* name : {"build", "tests", "lint", "diff_size", "speed"}) {
    const auto& value = member(member(json, "dimensions"), name);
    auto& dimension = a.dimensions[i++];
    if (!value.is_object()) continue;
    dimension = {text(value, "status"), text(value, "reason"), real(value, "points").value_or(0)};
    const auto& run = member(member(json, "runs"), name);
    if (!run.is_object()) continue;
    a.checks.push_back(check_view(name, member(value, "detail")));
    a.checks.back().status = text(run, "status");
  }
  a.duration_seconds = real(json, "duration_seconds").value_or(0);
  a.diff = diff(json);
  a.tokens = tokens(json);
  a.cost_usd = real(json, "cost_usd");
  a.cost_estimated = truth(json, "cost_estimated");
  for (const char* name : {"fixed", "broken", "removed", "newly_skipped", "added", "unstable", "hidden"})
    if (auto names = texts(member(json, "tests_by_name"), name); !names.empty())
      a.tests_by_name.emplace_back(name, std::move(names));
  a.integrity = integrity(member(json, "integrity"));
  a.undecided = undecided_words(member(json, "undecided"));
  return a;
}

EvidenceCell evidence_cell(const Json& json) {
  EvidenceCell c{
      text(json, "result"),  text(json, "author"),      text(json, "log"),       count(json, "passed"),
      count(json, "failed"), count(json, "no_contact"), count(json, "unstable"), {}};
  each(json, "tests", [&](const Json& test) {
    c.tests.push_back({text(test, "name"), text(test, "class"), text(test, "reason"), text(test, "status")});
  });
  return c;
}

EvidenceView evidence_view(const Json& json) {
  EvidenceView v;
  v.state = text(json, "state");
  v.reason = text(json, "reason");
  each(json, "authors", [&](const Json& item) {
    v.authors.push_back({text(item, "author"), text(item, "void_reason"), text(item, "kind") == "tester",
                         texts(item, "members"), count(item, "tests"), count(item, "fails_before"),
                         count(item, "alone"), count(item, "void"), text(item, "kind") == "mutants"});
  });
  each(json, "cells", [&](const Json& item) { v.cells.push_back(evidence_cell(item)); });
  return v;
}

RepositoryView changes(const Json& json) {
  const auto& value = member(json, "repository_changes");
  return {texts(value, "blocking"), texts(value, "meanwhile")};
}

// `merged` is null, the name of a ref, or an object that holds it.
std::string merged_into(const Json& json) {
  const auto& value = member(json, "merged");
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "your branch" : "";
  if (!value.is_object()) return {};
  auto ref = text(value, "ref");
  return ref.empty() ? "your branch" : ref;
}

}  // namespace

Result<StatusView> parse_status(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  StatusView v;
  v.race = text(json, "race");
  v.task = text(json, "task");
  v.state = text(json, "state");
  v.repository = text(json, "repository");
  v.base = text(json, "base");
  v.sandbox = text(json, "sandbox");
  v.winner = text(json, "winner");
  v.created_ms = count(json, "created_ms");
  v.elapsed_ms = count(json, "elapsed_ms");
  each(json, "agents", [&](const Json& item) { v.agents.push_back(agent_status(item)); });
  v.reason = text(json, "reason");
  v.baseline_state = text(member(json, "baseline"), "state");
  v.baseline_step = text(member(json, "baseline"), "step");
  v.baseline_command = text(member(json, "baseline"), "command");
  v.baseline_step_ms = count(member(json, "baseline"), "step_ms");
  v.baseline_last_line = text(member(json, "baseline"), "last_line");
  v.baseline_waits = text(member(json, "baseline"), "waits");
  v.changes = changes(json);
  v.baseline_checks = checks(member(json, "baseline"));
  return v;
}

namespace {

BaselineView baseline_view(const Json& json) {
  BaselineView v;
  v.state = text(json, "state");
  v.reason = text(json, "reason");
  v.advice = text(json, "advice");
  v.attempt = text(json, "attempt");
  v.cached = truth(json, "cached");
  v.cold_difference = text(json, "cold_difference");
  v.unstable = texts(json, "unstable");
  v.test_runs = count(json, "test_runs");
  v.limit_seconds = real(json, "limit_seconds").value_or(0);
  const auto& made = member(json, "template");
  v.template_cached = truth(made, "cached");
  each(made, "steps", [&](const Json& step) {
    v.template_steps.emplace_back(text(step, "name"), real(step, "wall_seconds").value_or(0));
  });
  for (const char* name : {"build", "tests", "lint"}) {
    const auto& check = member(json, name);
    if (!check.is_object()) continue;
    v.checks.push_back(check_view(name, check));
  }
  return v;
}

}  // namespace

namespace {

EntryView entry_view(const Json& item) {
  EntryView v;
  v.entry = text(item, "entry");
  v.best_attempt = text(item, "best_attempt");
  v.rank = count(item, "rank");
  v.attempts = count(item, "attempts");
  v.successes = count(item, "successes");
  v.lost = count(item, "lost");
  v.best = real(item, "best");
  v.mean = real(item, "mean");
  v.deviation = real(item, "deviation");
  v.mean_seconds = real(item, "mean_seconds");
  v.cost_usd = real(item, "cost_usd");
  if (const auto& interval = member(item, "interval"); interval.is_array() && interval.size() == 2) {
    v.low = interval[0].get<double>();
    v.high = interval[1].get<double>();
  }
  return v;
}

}  // namespace

Result<ResultsView> parse_results(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  ResultsView v;
  v.race = text(json, "race");
  v.reason = text(json, "reason");
  v.baseline = baseline_view(member(json, "baseline"));
  v.task = text(json, "task");
  v.state = text(json, "state");
  v.winner = text(json, "winner");
  v.winner_remark = text(json, "winner_remark");
  v.points_winner = text(json, "points_winner");
  v.evidence = evidence_view(member(json, "evidence"));
  each(json, "contested", [&](const Json& item) {
    v.contested.push_back({text(item, "name"), count(item, "broken_by"), count(item, "of")});
  });
  each(json, "decisions", [&](const Json& item) { v.decided.push_back(decision_words(item)); });
  v.merged = merged_into(json);
  v.all_failed = truth(json, "all_failed");
  v.auto_merged = truth(json, "auto_merged");
  v.duration_seconds = real(json, "duration_seconds").value_or(0);
  v.notes = texts(json, "notes");
  v.changes = changes(json);
  v.rescored_identical = truth(member(json, "rescored"), "identical");
  each(json, "entries", [&](const Json& item) { v.entries.push_back(entry_view(item)); });
  each(json, "agents", [&](const Json& item) { v.agents.push_back(agent_result(item)); });
  return v;
}

}  // namespace hydra::cli
