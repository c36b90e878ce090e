#include "race/views.hpp"

#include "race/cross.hpp"
#include "race/judging.hpp"
#include "race/selection.hpp"
#include "race/view_parts.hpp"
#include "race/watch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::race {

using detail::evidence_json;
using detail::workspace_json;
using model::Dimension;
using nlohmann::json;

namespace {

std::string views_dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

template <class T>
json nullable(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

double seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000.0; }

/// Of the race, up to now where it runs.
std::int64_t duration_ms(const State& state, const Moment& now) {
  const Moment ended{state.ended_ms, state.ended_up};
  return hydra::elapsed_ms({state.spec.created_ms, state.created_up}, state.ended.empty() ? now : ended);
}

std::string_view verify_name(model::Verify verify) {
  switch (verify) {
    case model::Verify::fast:
      return "fast";
    case model::Verify::standard:
      return "standard";
    case model::Verify::strict:
      return "strict";
  }
  return "standard";
}

json weights_json(const model::Weights& w) {
  return {{"build", w.build},         {"tests", w.tests}, {"lint", w.lint},
          {"diff_size", w.diff_size}, {"speed", w.speed}, {"judges", w.judges}};
}

// Which attempt each check of the points is of.
json points_of(const State& state, const std::string& owner) {
  json j = json::object();
  const auto found = state.subjects.find(owner);
  if (found == state.subjects.end()) return j;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint})
    if (const auto& check = evidence(found->second.checks, dimension))
      j[std::string(model::name(dimension))] = {{"attempt", check->attempt},
                                                {"status", model::name(check->status)}};
  return j;
}

json diff_json(const model::DiffStat& diff) {
  return {{"lines_added", diff.lines_added},
          {"lines_removed", diff.lines_removed},
          {"files_changed", diff.files_changed}};
}

json tokens_json(const model::Usage& usage) {
  return {{"input", nullable(usage.input)},
          {"output", nullable(usage.output)},
          {"cache_read", nullable(usage.cache_read)},
          {"cache_write", nullable(usage.cache_write)}};
}

json check_states(const State& state, const std::string& subject, bool running) {
  json j = json::object();
  const auto found = state.subjects.find(subject);
  bool next = running;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    if (!check_command(state.spec.config, dimension)) continue;
    j[std::string(model::name(dimension))] = check_phase(state, subject, dimension, next);
    const bool over = found != state.subjects.end() && evidence(found->second.checks, dimension);
    next = next && over;
  }
  return j;
}

const model::RankedAgent* views_ranked(const State& state, const std::string& name) {
  if (!state.ranking) return nullptr;
  for (const auto& row : state.ranking->agents)
    if (row.agent == name) return &row;
  return nullptr;
}

json detail_json(const AgentState& agent, const model::AgentEvidence& row, Dimension dimension,
                 const model::DimensionScore& score) {
  json j = json::object();
  const auto& check = evidence(row.checks, dimension);
  const bool has_check =
      dimension == Dimension::build || dimension == Dimension::tests || dimension == Dimension::lint;
  if (has_check && check) j = evidence_json(*check);
  if (dimension == Dimension::diff_size && agent.capture) {
    const auto& capture = *agent.capture;
    j = diff_json(capture.weighed ? *capture.weighed : capture.diff);
    j["set_apart"] = capture.set_apart;
    if (capture.tests) j["tests"] = diff_json(*capture.tests);
  }
  if (dimension == Dimension::speed && agent.ended) j["duration_seconds"] = seconds(work_ms(agent));
  // A count stays the integer that the evidence has; a term of the same name would only make a fraction of
  // it.
  for (const auto& term : score.terms)
    if (!j.contains(term.name)) j[term.name] = term.value;
  return j;
}

constexpr std::size_t kShownLeftOut = 4;    // of the paths in the status; results have all of them
constexpr std::size_t kShownFindings = 50;  // explain has all of them

json earlier_json(const AgentState& agent) {
  json list = json::array();
  for (const auto& attempt : agent.earlier) {
    const auto& verdict = attempt.ended.verdict;
    list.push_back({{"attempt", attempt.number},
                    {"outcome", model::name(verdict.outcome)},
                    {"error_class", verdict.error_class},
                    {"message", verdict.message},
                    {"stopped", attempt.stop ? attempt.stop->reason : ""},
                    {"duration_seconds", seconds(attempt.ended.job.wall_ms)},
                    {"tokens", tokens_json(verdict.usage)},
                    {"cost_usd", nullable(verdict.usage.cost_usd)},
                    {"session", verdict.session},
                    {"branch", attempt.branch}});
  }
  return list;
}

json agent_result(const State& state, const AgentState& agent, const model::AgentEvidence& row,
                  const league::Calibration* calibration) {
  json j;
  const auto* rank = views_ranked(state, agent.entry.name);
  j["agent"] = agent.entry.name;
  j["entry"] = agent.entry.entry_name();
  j["entry_attempt"] = agent.entry.attempt;
  j["display"] = agent.display;
  j["model"] = agent.entry.model;
  j["branch"] = agent.branch;
  j["branch_refused"] = agent.branch_refused;
  j["commit"] = agent.capture ? agent.capture->commit : "";
  j["state"] = agent_phase(state, agent);
  j["outcome"] = model::name(row.outcome);
  const auto verdict = final_verdict(agent);
  j["message"] = detail::message_of(state, agent);
  j["unchecked"] = unchecked(state, agent);
  j["error_class"] = verdict.error_class;
  j["eligible"] = rank && rank->eligible;
  j["ineligible_reasons"] = rank ? rank->ineligible_reasons : std::vector<std::string>{};
  j["rank"] = rank ? rank->rank : 0;
  j["tied"] = rank && rank->tied;
  j["composite"] = rank ? json(rank->score.composite) : json(nullptr);
  j["evidence_points"] = rank ? nullable(rank->evidence) : json(nullptr);
  j["confidence"] = rank ? detail::confidence_json(rank->confidence, calibration) : json(nullptr);
  j["mutants"] = detail::mutants_json(state, agent.entry.name);
  j["diff_coverage"] = detail::coverage_json(state, agent.entry.name);
  j["dimensions"] = json::object();
  for (const auto dimension : model::kDimensions) {
    const model::DimensionScore score =
        rank ? rank->score.dimensions[model::index(dimension)] : model::DimensionScore{};
    j["dimensions"][std::string(model::name(dimension))] = {
        {"status", detail::dimension_status(state, dimension, score)},
        {"points", score.points},
        {"reason", score.reason},
        {"detail", detail_json(agent, row, dimension, score)}};
  }
  j["judges"] = detail::judges_json(state, agent);
  j["duration_seconds"] = agent.ended || left_work(agent) ? json(seconds(work_ms(agent))) : json(nullptr);
  const model::Capture none;
  const auto& capture = agent.capture ? *agent.capture : none;
  j["diff"] = diff_json(capture.diff);
  j["flags"] = capture.flags;
  j["warnings"] = capture.warnings;
  j["agent_commits"] = capture.agent_commits;
  j["left_out"] = json::array();
  for (const auto& left : capture.left_out)
    j["left_out"].push_back({{"path", left.path}, {"bytes", left.bytes}, {"reason", left.reason}});
  const auto usage =
      add_usage(earlier_usage(agent, false), agent.ended ? agent.ended->verdict.usage : model::Usage{});
  j["tokens"] = tokens_json(usage);
  j["tokens_counted"] = nullable(adapters::counted_tokens(usage));
  j["cost_usd"] = nullable(usage.cost_usd);
  j["cost_estimated"] = usage.estimated || usage.partial;
  j["usage_partial"] = usage.partial;
  j["exit_code"] = agent.ended ? nullable(agent.ended->job.exit_code) : json(nullptr);
  j["signal"] = agent.ended ? nullable(agent.ended->job.signal) : json(nullptr);
  j["session"] = agent.ended ? agent.ended->verdict.session : "";
  j["stopped"] = agent.stop ? agent.stop->reason : "";
  j["attempt"] = agent.due;
  j["earlier_attempts"] = earlier_json(agent);
  j["final_text"] = agent.ended ? agent.ended->verdict.final_text : "";
  j["sandbox"] = agent.ended ? agent.ended->job.isolation : state.spec.isolation;
  const auto owner = check_owner(state, agent);
  j["workspace"] = workspace_json(state, owner);
  j["runs"] = points_of(state, owner);
  j["tests_by_name"] = detail::names_json(state, row);
  j["own_tests_failing"] = agent.capture ? failing_own_tests(state, owner) : std::vector<std::string>{};
  j["integrity"] = detail::integrity_json(state, agent, kShownFindings);
  j["undecided"] = detail::undecided_json(state, agent);
  j["repository_changed"] = agent.repository_changed;
  j["leaked_processes"] = agent.ended ? agent.ended->job.leaked : 0;
  j["output_bytes"] = agent.ended ? agent.ended->job.output_bytes : 0;
  return j;
}

// Whoever writes tests only is no candidate: nothing of it is scored.
json tester_result(const State& state, const AgentState& agent) {
  const auto usage =
      add_usage(earlier_usage(agent, false), agent.ended ? agent.ended->verdict.usage : model::Usage{});
  return {{"agent", agent.entry.name},
          {"display", agent.display},
          {"model", agent.entry.model},
          {"state", agent_phase(state, agent)},
          {"outcome", model::name(final_outcome(agent))},
          {"message", detail::message_of(state, agent)},
          {"branch", agent.branch},
          {"commit", agent.capture ? agent.capture->commit : ""},
          {"duration_seconds", agent.ended ? json(seconds(work_ms(agent))) : json(nullptr)},
          {"tokens", tokens_json(usage)},
          {"cost_usd", nullable(usage.cost_usd)},
          {"integrity", detail::integrity_json(state, agent, kShownFindings)}};
}

// Files that nobody writes by hand do not count in the diff size, and are not hidden by that.
std::vector<std::string> weighing_notes(const State& state) {
  std::vector<std::string> notes;
  for (const auto& agent : state.agents) {
    if (!agent.capture || agent.capture->set_apart.empty()) continue;
    constexpr std::size_t kShown = 3;
    const auto& apart = agent.capture->set_apart;
    std::string note = agent.entry.name + ": not counted in its diff size: ";
    for (std::size_t i = 0; i < std::min(kShown, apart.size()); ++i) note += (i == 0 ? "" : ", ") + apart[i];
    if (apart.size() > kShown) note += " and " + std::to_string(apart.size() - kShown) + " more";
    notes.push_back(std::move(note));
  }
  return notes;
}

json baseline_json(const State& state) {
  json j;
  const std::string baseline(model::kBaseline);
  const auto found = state.subjects.find(baseline);
  const auto checks = effective_checks(state, baseline);
  const std::string error = found == state.subjects.end() ? "" : found->second.error;
  j["state"] = baseline_phase(state);
  j["reason"] = error;
  j["attempt"] = found == state.subjects.end() ? "" : found->second.error_attempt;
  j["advice"] = found != state.subjects.end() && found->second.advice ? found->second.advice->text : "";
  j["problem"] = baseline_problem(state);
  j["limit_seconds"] = state.spec.config.scoring.timeout_per_check_seconds;
  j["workspace"] = workspace_json(state, baseline);
  j["test_runs"] = checks.tests ? 1 + checks.repeats.size() : 0;
  j["unstable"] = unstable_tests(checks);
  const auto cold = baseline + std::string(model::kCold);
  const bool cold_run = state.subjects.contains(cold) && checks_done(state, cold);
  j["cold_difference"] = cold_run ? cold_difference(state, baseline) : "";
  j["template"] = nullptr;
  if (const auto& made = state.checks_template) {
    j["template"] = {{"cached", made->cached}, {"warm", made->warm}, {"steps", json::array()}};
    for (const auto& step : made->steps)
      j["template"]["steps"].push_back({{"name", step.name}, {"wall_seconds", seconds(step.wall_ms)}});
  }
  j["cached"] = false;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    const auto& check = evidence(checks, dimension);
    const std::string key(model::name(dimension));
    if (!check) {
      j[key] = nullptr;
      continue;
    }
    j[key] = evidence_json(*check);
    j[key]["status"] = model::name(check->status);
    if (cold_run)
      if (const auto& again = evidence(state.subjects.at(cold).checks, dimension))
        j[key]["cold_wall_seconds"] = seconds(again->wall_ms);
    if (check->cached) j["cached"] = true;
  }
  return j;
}

}  // namespace

std::string status_json(const State& state, const Moment& now, const LiveOf& live_of,
                        const WorkspaceStep& step, const std::string& problem) {
  json j;
  const auto& spec = state.spec;
  j["race"] = spec.id;
  j["task"] = spec.task;
  j["state"] = race_phase(state);
  j["reason"] = state.ended.empty() && !problem.empty() ? problem : state.failure;
  j["created_ms"] = spec.created_ms;
  j["elapsed_ms"] = duration_ms(state, now);
  j["repository"] = spec.repository.root;
  j["base"] = spec.repository.base;
  j["sandbox"] = spec.isolation;
  j["image"] = spec.image;
  j["placement"] = detail::placement_name(state);
  j["winner"] = state.ranking ? state.ranking->winner : "";
  j["notes"] = state.notes;
  j["repository_changes"] = detail::repository_json(state);
  j["last_event"] = state.last_event;
  j["server_ms"] = now.at_ms;
  j["agents"] = json::array();
  for (const auto& agent : state.agents) {
    json a;
    const auto live = live_of(agent);
    const auto phase = agent_phase(state, agent);
    a["agent"] = agent.entry.name;
    a["display"] = agent.display;
    a["tester"] = agent.entry.tester;
    a["state"] = phase;
    a["outcome"] = model::name(final_outcome(agent));
    a["message"] = live.waits.empty() ? detail::message_of(state, agent) : live.waits;
    a["elapsed_ms"] = agent.ended     ? agent.ended->job.wall_ms
                      : agent.begun() ? hydra::elapsed_ms({agent.started_ms, agent.started_up}, now)
                                      : 0;
    a["last_line"] = live.known ? live.stream.last_line : "";
    a["tool"] = live.known ? live.stream.tool : "";
    a["progress_ms"] = live.known ? json(live.silent_ms) : json(nullptr);
    const auto rules = spec.config.agents.find(agent.entry.id);
    const auto idle = rules == spec.config.agents.end() ? 0 : idle_limit(spec.config.limits, rules->second);
    a["idle_limit_ms"] = idle > 0 ? json(static_cast<std::int64_t>(idle * 1000)) : json(nullptr);
    a["growth"] = live.growth;
    a["diff"] = diff_json(agent.capture ? agent.capture->diff : live.diff);
    const auto usage =
        add_usage(earlier_usage(agent, false), agent.ended ? agent.ended->verdict.usage : live.stream.usage);
    a["tokens"] = tokens_json(usage);
    a["tokens_counted"] = nullable(adapters::counted_tokens(usage));
    a["cost_usd"] = nullable(usage.cost_usd);
    a["cost_estimated"] = usage.estimated || usage.partial;
    a["usage_partial"] = usage.partial;
    a["attempt"] = agent.due;
    a["stopped"] = agent.stop ? agent.stop->reason : "";
    a["unchecked"] = unchecked(state, agent);
    a["checks"] =
        needs_checks(state, agent) || (agent.capture && agent.capture->changed && state.cancelled)
            ? check_states(state, check_owner(state, agent), phase == "checking" && live.checks_wait.empty())
            : json::object();
    a["waits"] = phase == "checking" ? live.checks_wait : "";
    const auto* rank = views_ranked(state, agent.entry.name);
    a["composite"] = rank ? json(rank->score.composite) : json(nullptr);
    a["branch"] = agent.branch;
    a["left_out"] =
        agent.capture ? detail::left_out_json(agent.capture->left_out, kShownLeftOut) : json::array();
    j["agents"].push_back(std::move(a));
  }
  const auto cross = cross_progress(state);
  j["cross_tests"] = {{"done", cross.done}, {"of", cross.of}};
  const auto judging = judging_progress(state);
  j["judging"] = {{"done", judging.done}, {"of", judging.of}};
  const std::string baseline(model::kBaseline);
  const auto subject = baseline_json(state);
  const auto found = state.subjects.find(baseline);
  const bool made = found != state.subjects.end() && !found->second.path.empty();
  const bool preparing = subject["state"] == "checking" && !made && state.ended.empty();
  j["baseline"] = {
      {"state", preparing ? json("preparing") : subject["state"]},
      {"step", preparing ? step.kind : ""},
      {"command", preparing ? step.command : ""},
      {"step_ms",
       preparing && step.started_ms > 0 ? std::max<std::int64_t>(0, now.at_ms - step.started_ms) : 0},
      {"last_line", preparing ? step.last_line : ""},
      {"waits", state.ended.empty() ? step.waits : ""},
      {"checks", check_states(state, baseline, state.ended.empty() && step.waits.empty())}};
  return views_dump(j);
}

std::string results_json(const State& state, const Moment& now, const league::Calibration* calibration) {
  json j;
  const auto& spec = state.spec;
  j["schema"] = 1;
  j["race"] = spec.id;
  j["task"] = spec.task;
  j["base"] = spec.repository.base;
  j["state"] = race_phase(state);
  j["reason"] = state.failure;
  j["repository"] = spec.repository.root;
  j["created_ms"] = spec.created_ms;
  j["duration_seconds"] = seconds(duration_ms(state, now));
  j["sandbox"] = spec.isolation;
  j["image"] = spec.image;
  j["placement"] = detail::placement_name(state);
  j["winner"] = state.ranking ? state.ranking->winner : "";
  j["kind"] = spec.kind;
  j["order"] = state.ranking ? state.ranking->order : "";
  j["winner_remark"] = state.ranking ? state.ranking->remark : "";
  j["points_winner"] = state.ranking ? state.ranking->points_winner : "";
  j["told_apart"] = state.ranking && state.ranking->evidence;
  j["evidence"] = detail::matrix_json(state);
  j["contested"] = detail::contested_json(state);
  j["approved_tests"] = state.approved;
  j["decisions"] = detail::decisions_json(state);
  j["all_failed"] = state.ranking && state.ranking->all_failed;
  j["auto_merged"] = state.merged && state.merged->automatic;
  j["merged"] =
      state.merged
          ? json{{"agent", state.merged->agent}, {"commit", state.merged->commit}, {"ref", state.merged->ref}}
          : json(nullptr);
  j["auto_merge_refused"] = state.merge_refused ? state.merge_refused->reason : "";
  j["notes"] = state.notes;
  if (!spec.isolation_note.empty()) j["notes"].push_back(spec.isolation_note);
  if (state.ranking)
    for (const auto& note : state.ranking->notes) j["notes"].push_back(note);
  if (state.merge_refused && spec.config.merge.automatic)
    j["notes"].push_back("not merged automatically: " + state.merge_refused->reason);
  for (const auto& note : weighing_notes(state)) j["notes"].push_back(note);
  j["repository_changes"] = detail::repository_json(state);
  j["checks"] = detail::checks_name(spec.config.workspace.checks);
  if (spec.config.workspace.checks == model::CheckPlace::in_place)
    j["notes"].push_back(
        "checked in place: in the agents' own directories, with whatever they left there and nothing "
        "restored");
  j["verify"] = verify_name(spec.config.evaluation.verify);
  j["hidden_tests"] = spec.hidden_tests.size();
  j["verifies"] = spec.verifies;
  j["weights"] = weights_json(spec.config.scoring.weights);
  j["thresholds"] = {{"good", 80},
                     {"fair", 50},
                     {"auto_merge_minimum", spec.config.scoring.thresholds.auto_merge_minimum},
                     {"fail_maximum", spec.config.scoring.thresholds.fail_maximum}};
  j["baseline"] = baseline_json(state);
  const auto rows = agent_evidence(state);
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (state.ranking) {
    const auto place = [&](std::size_t i) {
      const auto& ranking = state.ranking->agents;
      return std::find_if(ranking.begin(), ranking.end(),
                          [&](const auto& r) { return r.agent == rows[i].agent; });
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return place(a) < place(b); });
  }
  j["entries"] = detail::entries_json(state);
  j["agents"] = json::array();
  for (const auto i : order)
    j["agents"].push_back(agent_result(state, *state.agent(rows[i].agent), rows[i], calibration));
  j["testers"] = json::array();
  for (const auto& agent : state.agents)
    if (agent.entry.tester) j["testers"].push_back(tester_result(state, agent));
  return views_dump(j);
}

}  // namespace hydra::race
