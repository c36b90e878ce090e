#include "cli/render/views.hpp"

#include "cli/json_fields.hpp"
#include "cli/render/decision_lines.hpp"
#include "cli/render/judge_views.hpp"
#include "cli/render/measure_lines.hpp"

namespace hydra::cli {
namespace {

using Json = nlohmann::json;

Result<Json> parse_object(std::string_view text) {
  auto json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    return Error{Errc::protocol,
                 "the daemon's answer is not the JSON that was expected",
                 {},
                 "are `hydra` and `hydrad` of the same version?"};
  return json;
}

bool truth(const Json& json, const char* key) {
  const auto& value = member(json, key);
  return value.is_boolean() && value.get<bool>();
}
std::optional<double> real(const Json& json, const char* key) {
  const auto& value = member(json, key);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}
std::optional<std::int64_t> whole(const Json& json, const char* key) {
  const auto& value = member(json, key);
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (!(number > -9e18 && number < 9e18)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}
std::int64_t count(const Json& json, const char* key) { return whole(json, key).value_or(0); }

std::vector<std::string> texts(const Json& json, const char* key) {
  std::vector<std::string> out;
  const auto& list = member(json, key);
  if (!list.is_array()) return out;
  for (const auto& item : list) {
    if (item.is_string())
      out.push_back(item.get<std::string>());
    else if (item.is_object() && item.contains("path"))
      out.push_back(text(item, "path"));
  }
  return out;
}
template <class F>
void each(const Json& json, const char* key, F&& f) {
  const auto& list = member(json, key);
  if (!list.is_array()) return;
  for (const auto& item : list)
    if (item.is_object()) f(item);
}

DiffView diff(const Json& json) {
  const auto& value = member(json, "diff");
  return {count(value, "lines_added"), count(value, "lines_removed"), count(value, "files_changed")};
}
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

std::vector<LeftOutView> left_out(const Json& json) {
  std::vector<LeftOutView> rows;
  each(json, "left_out", [&](const Json& item) {
    rows.push_back({text(item, "path"), text(item, "reason"), count(item, "bytes")});
  });
  return rows;
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

Result<std::vector<RaceRow>> parse_races(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  std::vector<RaceRow> rows;
  each(json, "races", [&](const Json& item) {
    rows.push_back({text(item, "race"), text(item, "task"), text(item, "state"), text(item, "repository"),
                    text(item, "winner"), count(item, "created_ms"), whole(item, "disk_bytes"),
                    texts(item, "agents")});
  });
  return rows;
}

Result<std::vector<AgentInfo>> parse_agent_list(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  std::vector<AgentInfo> out;
  each(json, "agents", [&](const Json& item) {
    AgentInfo a;
    a.id = text(item, "id");
    a.display = text(item, "display");
    a.path = text(item, "path");
    a.version = text(item, "version");
    a.signed_in = text(item, "signed_in");
    a.sign_in_detail = text(item, "sign_in_detail");
    a.problem = text(item, "problem");
    a.slow = truth(item, "slow");
    a.hint = text(item, "hint");
    a.builtin = truth(item, "builtin");
    a.installed = truth(item, "installed");
    out.push_back(std::move(a));
  });
  return out;
}

Result<DoctorView> parse_doctor(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  DoctorView v;
  v.ok = truth(json, "ok");
  each(json, "checks", [&](const Json& item) {
    v.checks.push_back(
        {text(item, "name"), text(item, "status"), text(item, "detail"), text(item, "remedy")});
  });
  return v;
}

Result<MergeView> parse_merge(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  MergeView v;
  v.race = text(json, "race");
  v.agent = text(json, "agent");
  v.branch = text(json, "branch");
  v.ref = text(json, "ref");
  v.old_commit = text(json, "old_commit");
  v.new_commit = text(json, "new_commit");
  v.dry_run = truth(json, "dry_run");
  v.already_merged = truth(json, "already_merged");
  v.conflicts = texts(json, "conflicts");
  v.overlap = texts(json, "overlap");
  v.changed = texts(json, "changed");
  v.repaired = texts(json, "repaired");
  v.replaced = text(json, "replaced");
  v.is_signed = truth(json, "signed");
  v.undone = truth(json, "undone");
  v.state = text(json, "state");
  v.note = text(json, "note");
  each(json, "consent",
       [&](const Json& item) { v.consent.emplace_back(text(item, "kind"), texts(item, "paths")); });
  v.diff = diff(json);
  return v;
}

Result<RestoreView> parse_restore(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  return RestoreView{text(json, "race"), texts(json, "restored"), truth(json, "brought_back")};
}

std::string waits_for(std::string_view input) {
  const auto json = parse_object(input);
  return json ? text(*json, "waits_for") : std::string{};
}

Result<HealthView> parse_health(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  return HealthView{text(json, "version"), text(json, "state_dir"), count(json, "pid"),
                    count(json, "races_running")};
}

Result<std::vector<TemplateRow>> parse_templates(std::string_view text_in) {
  HYDRA_TRY(const auto json, parse_object(text_in));
  std::vector<TemplateRow> rows;
  each(json, "templates", [&](const Json& t) {
    rows.push_back({text(t, "template"), count(t, "bytes"), count(t, "used_ms"), truth(t, "in_use")});
  });
  return rows;
}

Result<RetryView> parse_retry(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  RetryView v;
  v.race = text(json, "race");
  v.agent = text(json, "agent");
  v.session = text(json, "session");
  v.attempt = count(json, "attempt");
  v.after = count(json, "after");
  v.resumed = truth(json, "resumed");
  v.warnings = texts(json, "warnings");
  if (v.race.empty()) return Error{Errc::protocol, "the daemon did not name the race", {}, {}};
  return v;
}

Result<std::vector<CleanRow>> parse_clean(std::string_view text_in) {
  HYDRA_TRY(const auto json, parse_object(text_in));
  std::vector<CleanRow> rows;
  each(json, "items", [&](const Json& i) {
    rows.push_back({text(i, "kind"), text(i, "race"), text(i, "agent"), text(i, "path"), text(i, "kept"),
                    count(i, "bytes"), count(i, "age_ms"), left_out(i), text(i, "lost")});
  });
  return rows;
}

Result<CreatedView> parse_created(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  CreatedView v;
  v.race = text(json, "race");
  v.base = text(json, "base");
  each(json, "agents",
       [&](const Json& item) { v.agents.emplace_back(text(item, "agent"), text(item, "display")); });
  v.warnings = texts(json, "warnings");
  if (v.race.empty()) return Error{Errc::protocol, "the daemon did not name the race", {}, {}};
  return v;
}

std::string pretty_json(std::string_view text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::string(text);
  return json.dump(2) + "\n";
}

}  // namespace hydra::cli
