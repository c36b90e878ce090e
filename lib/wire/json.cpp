#include "wire/json.hpp"

#include "model/config_json.hpp"
#include "wire/machine.hpp"
#include "wire/requests.hpp"
#include "wire/results.hpp"
#include "wire/status.hpp"

#include <nlohmann/json.hpp>

#include <concepts>
#include <type_traits>

namespace hydra::wire {
namespace {

using nlohmann::json;

template <class V, class T>
concept Is = std::same_as<std::remove_const_t<V>, T>;
template <class T>
concept Leaf = std::is_arithmetic_v<T> || std::same_as<T, std::string>;
template <class T>
concept Absent = requires(T value) {
  value.has_value();
};
template <class T>
concept Map = requires {
  typename T::mapped_type;
};
template <class T>
concept List = !Leaf<T> && !Map<T> && requires(T value) {
  value.begin();
};

template <class T>
json made(const T& value);
template <class T>
bool read(const json& from, T& value);  ///< false: of another kind

// "template_" is the member "template": a word of C++ can't be a name.
std::string key_of(std::string_view name) {
  return std::string(name.substr(0, name.size() - (name.ends_with('_') ? 1 : 0)));
}

struct Writer {
  json& object;

  template <class T>
  void operator()(const char* name, const T& value) {
    object[key_of(name)] = made(value);
  }
  /// Left out where there is nothing to say.
  template <class T>
  void sparse(const char* name, const T& value) {
    if constexpr (Absent<T>) {
      if (value) (*this)(name, *value);
    } else {
      if (!(value == T{})) (*this)(name, value);
    }
  }
  /// Its members stand among those of this object, and `name` is one that only they have.
  template <class T>
  void flat(const char*, const std::optional<T>& value) {
    if (value) members(*this, *value);
  }
  /// What has no member of that name.
  void rest(const std::map<std::string, double>& values) {
    for (const auto& [name, value] : values)
      if (!object.contains(name)) object[name] = value;
  }
};

struct Reader {
  const json& object;

  template <class T>
  void operator()(const char* name, T& value) {
    if (const auto found = object.find(key_of(name)); found != object.end()) (void)read(*found, value);
  }
  template <class T>
  void sparse(const char* name, T& value) {
    (*this)(name, value);
  }
  template <class T>
  void flat(const char* name, std::optional<T>& value) {
    if (object.contains(name)) members(*this, value.emplace());
  }
  void rest(std::map<std::string, double>& values) {
    for (const auto& [name, value] : object.items())
      if (value.is_number()) values[name] = value.template get<double>();
  }
};

template <class B, class Io, class V>
void base(Io& io, V& v) {
  members(io, static_cast<std::conditional_t<std::is_const_v<V>, const B&, B&>>(v));
}

#define HYDRA_MEMBER(name) io(#name, v.name);
#define HYDRA_SPARSE_MEMBER(name) io.sparse(#name, v.name);
#define HYDRA_MEMBERS(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_MEMBER, __VA_ARGS__))
#define HYDRA_SPARSE(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_SPARSE_MEMBER, __VA_ARGS__))
#define HYDRA_WIRE(Type, ...)     \
  template <class Io, Is<Type> V> \
  void members(Io& io, V& v) {    \
    HYDRA_MEMBERS(__VA_ARGS__)    \
  }                               \
  static_assert(true)

// What the model has already.
HYDRA_WIRE(model::DiffStat, lines_added, lines_removed, files_changed);
HYDRA_WIRE(model::Usage, input, output, cache_read, cache_write);
HYDRA_WIRE(model::LeftOut, path, bytes, reason);
HYDRA_WIRE(model::Advice, signature, text, environment);
HYDRA_WIRE(model::TestCounts, passed, failed, skipped, errors, total);
HYDRA_WIRE(model::LineRange, format, first, last);
HYDRA_WIRE(model::RestoredPath, path, how, reason);
HYDRA_WIRE(model::TamperFinding, rule, severity, path, line, reason, text);
HYDRA_WIRE(model::Mutant, path, line, change, state, by);
HYDRA_WIRE(model::MutantReport, state, reason, killed, survived, never_run, mutants);
HYDRA_WIRE(model::UnrunLines, path, from, to);
HYDRA_WIRE(model::CoverageReport, state, reason, lines, run, never_run);
HYDRA_WIRE(model::ContestedTest, name, broken_by, of);
HYDRA_WIRE(model::Weights, build, tests, lint, diff_size, speed, judges);
HYDRA_WIRE(model::ConfidenceFacts, passed_authors, failed_authors, tests_passed, tests_failed, own_tests,
           fixed, left_failing, broken, broken_alone, out_of_contact, rivals, hidden_passed, hidden_failed,
           mutants_noticed, mutants, alike, results);
template <class Io, Is<model::WorkspaceFacts> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(tree, warm, reasons, left_out);
  io("setup_again", v.setup);
}

// Checks, and what points are made of.
HYDRA_WIRE(LintCounts, errors, warnings);
template <class Io, Is<Check> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(exit_code, wall_seconds, command, attempt, cached);
  HYDRA_SPARSE(signal, advice, message, format, outcome, suspicious);
  io.flat("passed", v.tests);
  io.flat("warnings", v.lint);
}
template <class Io, Is<BaselineCheck> V>
void members(Io& io, V& v) {
  base<Check>(io, v);
  HYDRA_MEMBERS(status);
  HYDRA_SPARSE(cold_wall_seconds);
}
template <class Io, Is<Run> V>
void members(Io& io, V& v) {
  base<Check>(io, v);
  HYDRA_MEMBERS(purpose, status, isolation, evidence);
}
template <class Io, Is<CountedDiff> V>
void members(Io& io, V& v) {
  base<model::DiffStat>(io, v);
  HYDRA_MEMBERS(set_apart);
  HYDRA_SPARSE(tests);
}
template <class Io, Is<Detail> V>
void members(Io& io, V& v) {
  io.flat("attempt", v.check);
  io.flat("set_apart", v.size);
  HYDRA_SPARSE(duration_seconds);
  io.rest(v.terms);
}
HYDRA_WIRE(Dimension, status, points, reason, detail);
HYDRA_WIRE(ExplainDimension, dimension, status, points, share, contribution, reason, formula, inputs, runs);
HYDRA_WIRE(PointsRun, attempt, status);

// A race and its results.
HYDRA_WIRE(RepositoryChanges, blocking, meanwhile);
HYDRA_WIRE(Decision, kind, what, by, at_ms);
HYDRA_WIRE(Undecided, own_passed, own_total, not_loaded, snapshots, tests);
HYDRA_WIRE(TemplateStep, name, wall_seconds);
HYDRA_WIRE(Template, cached, warm, steps);
HYDRA_WIRE(Baseline, state, reason, attempt, advice, problem, limit_seconds, workspace, test_runs, unstable,
           cold_difference, template_, cached, build, tests, lint);
HYDRA_WIRE(Twins, state, reason, seed, told, assertions, untouched, cpu_seconds, plain_cpu_seconds);
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
           evidence_points, confidence, mutants, diff_coverage, dimensions, judges, duration_seconds, diff,
           flags, warnings, agent_commits, left_out, tokens, tokens_counted, cost_usd, cost_estimated,
           usage_partial, exit_code, signal, session, stopped, attempt, earlier_attempts, final_text, sandbox,
           workspace, runs, tests_by_name, own_tests_failing, integrity, undecided, repository_changed,
           leaked_processes, output_bytes);
HYDRA_WIRE(TesterResult, agent, display, model, state, outcome, message, branch, commit, duration_seconds,
           tokens, cost_usd, integrity);
HYDRA_WIRE(EvidenceTest, name, file, class_, reason, status, log);
HYDRA_WIRE(EvidenceCell, result, author, passed, failed, no_contact, unstable, not_run, log, tests);
HYDRA_WIRE(EvidenceAuthor, author, kind, members, void_reason, tests, fails_before, no_contact_before,
           passes_before, alone, void_);
template <class Io, Is<Evidence> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(state, reason, authors, cells, clusters, points_configured);
  HYDRA_SPARSE(points_reason);
}
HYDRA_WIRE(Entry, entry, rank, attempts, best, best_attempt, success_rate, mean, deviation, mean_seconds,
           cost_usd, interval, successes, lost, tokens, priced_attempts);
HYDRA_WIRE(MergedResult, agent, commit, ref);
HYDRA_WIRE(Thresholds, good, fair, auto_merge_minimum, fail_maximum);
HYDRA_WIRE(Rescored, identical, winner_before, weights);
template <class Io, Is<Results> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(schema, race, task, base, state, reason, repository, created_ms, duration_seconds, sandbox,
                image, placement, winner, kind, order, winner_remark, points_winner, told_apart, evidence,
                contested, approved_tests, decisions, all_failed, auto_merged, merged, auto_merge_refused,
                notes, repository_changes, checks, verify, hidden_tests, verifies, weights, thresholds,
                baseline, entries, agents, testers);
  HYDRA_SPARSE(rescored, after);
}
HYDRA_WIRE(Explain, schema, race, agent, display, checked_as, commit, checked_commit, ranked, race_state,
           state, message, unchecked, rank, eligible, ineligible_reasons, composite, evidence_points,
           confidence, mutants, diff_coverage, evidence_formula, own_tests_failing, order, formula, judges,
           dimensions, tests_by_name, unstable, undecided, decisions, integrity, workspace, hidden_tests,
           sandbox, image, placement, checks, flags, warnings, left_out, branch_refused, leaked_processes,
           set_apart);

// Where a race stands, and the list.
template <class Io, Is<AgentStatus> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(agent, display, tester, state, outcome, message, elapsed_ms, last_line, tool, progress_ms,
                idle_limit_ms, growth, diff, tokens, tokens_counted, cost_usd, cost_estimated, usage_partial,
                attempt, stopped, unchecked, checks, waits, composite, branch, left_out);
}
HYDRA_WIRE(BaselineStatus, state, step, command, step_ms, last_line, waits, checks);
HYDRA_WIRE(Progress, done, of);
template <class Io, Is<Status> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(race, task, state, reason, created_ms, elapsed_ms, repository, base, sandbox, image,
                placement, winner, notes, repository_changes, last_event, server_ms, agents, cross_tests,
                judging, baseline);
  HYDRA_SPARSE(disk_bytes);
}
template <class Io, Is<RaceRow> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(race, task, state, created_ms, ended_ms, repository, agents, winner, best, merged, displays);
  HYDRA_SPARSE(disk_bytes);
}
HYDRA_WIRE(RaceList, races, next, total);

// The daemon and its machine.
HYDRA_WIRE(AgentInfo, id, display, builtin, installed, path, version, signed_in, sign_in_detail, problem,
           slow, hint);
HYDRA_WIRE(AgentList, agents);
HYDRA_WIRE(DoctorCheck, name, status, detail, remedy);
HYDRA_WIRE(Doctor, ok, checks);
HYDRA_WIRE(Written, transactions, synced, bytes);
HYDRA_WIRE(Port, port);
HYDRA_WIRE(TelemetryFacts, sent, failed, problem, problem_ms, metrics_port);
HYDRA_WIRE(Health, version, api, pid, state_dir, races_running, started_ms, server_ms, started_programs,
           written, ui, telemetry);

// What the daemon is asked.
HYDRA_WIRE(model::AgentEntry, name, id, model, entry, attempt);
HYDRA_WIRE(RaceRequest, id, directory, task, agents, config, base, kind, until, labels, include_dirty,
           fresh_baseline, check_only, auto_merge, rounds, environment);
HYDRA_WIRE(DoctorRequest, directory, environment);
HYDRA_WIRE(CombineRequest, parts, directory);
HYDRA_WIRE(CancelRequest, agent);
HYDRA_WIRE(RescoreRequest, weights);
HYDRA_WIRE(ForgetRequest, race);
template <class Io, Is<AgentsRequest> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(environment);
  HYDRA_SPARSE(config, probe, only);
}
template <class Io, Is<MergeRequest> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(target, directory, message, expected_ref, dry_run, squash, ff, ff_only, undo, wait,
                accept_changes, repair_changes, repair_only, allow, parts, environment);
  HYDRA_SPARSE(preview);
}
template <class Io, Is<RetryRequest> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(agent, message, environment);
  HYDRA_SPARSE(budget_usd, budget_tokens);
}
template <class Io, Is<UiRequest> V>
void members(Io& io, V& v) {
  HYDRA_MEMBERS(port, allow_ports, environment);
  HYDRA_SPARSE(race);
}

template <class T>
json made(const T& value) {
  if constexpr (Leaf<T>) {
    return value;
  } else if constexpr (std::same_as<T, model::Config>) {
    return model::config_value(value);
  } else if constexpr (Absent<T>) {
    return value ? made(*value) : json(nullptr);
  } else if constexpr (Map<T>) {
    auto object = json::object();
    for (const auto& [name, each] : value) object[name] = made(each);
    return object;
  } else if constexpr (List<T>) {
    auto list = json::array();
    for (const auto& each : value) list.push_back(made(each));
    return list;
  } else {
    auto object = json::object();
    Writer io{object};
    members(io, value);
    return object;
  }
}

bool read_leaf(const json& from, bool& value) {
  return from.is_boolean() && (value = from.get<bool>(), true);
}
bool read_leaf(const json& from, double& value) {
  return from.is_number() && (value = from.get<double>(), true);
}
bool read_leaf(const json& from, std::string& value) {
  return from.is_string() && (value = from.get<std::string>(), true);
}
template <std::integral T>
bool read_leaf(const json& from, T& value) {
  if (!from.is_number()) return false;
  if (from.is_number_float() && !(std::abs(from.get<double>()) < 9e18)) return false;
  value = from.get<T>();
  return true;
}

template <class T>
bool read_list(const json& from, std::vector<T>& list) {
  list.clear();
  for (const auto& each : from)
    if (T value{}; read(each, value)) list.push_back(std::move(value));
  return true;
}
template <class T, std::size_t N>
bool read_list(const json& from, std::array<T, N>& list) {
  bool good = from.size() == N;
  for (std::size_t i = 0; good && i < N; ++i) good = read(from[i], list[i]);
  return good;
}

template <class T>
bool read(const json& from, T& value) {
  if constexpr (Leaf<T>) {
    return read_leaf(from, value);
  } else if constexpr (std::same_as<T, model::Config>) {
    auto config = model::config_of(from);
    if (config.ok()) value = std::move(*config);
    return config.ok();
  } else if constexpr (Absent<T>) {
    value.reset();
    return from.is_null() || read(from, value.emplace()) || (value.reset(), false);
  } else if constexpr (List<T>) {
    return from.is_array() && read_list(from, value);
  } else if constexpr (Map<T>) {
    for (const auto& [name, each] : from.items())
      if (!read(each, value[name])) value.erase(name);
    return from.is_object();
  } else {
    if (!from.is_object()) return false;
    Reader io{from};
    members(io, value);
    return true;
  }
}

}  // namespace

template <class T>
std::string to_json(const T& answer) {
  return made(answer).dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class T>
Result<T> from_json(std::string_view text) {
  const auto parsed = json::parse(text, nullptr, false);
  T answer;
  if (!parsed.is_object() || !read(parsed, answer))
    return Error{Errc::protocol,
                 "the daemon's answer is not the JSON that was expected",
                 {},
                 "are `hydra` and `hydrad` of the same version?"};
  return answer;
}

#define HYDRA_ANSWER(Type)                   \
  template std::string to_json(const Type&); \
  template Result<Type> from_json(std::string_view);

HYDRA_ANSWER(RaceRequest)
HYDRA_ANSWER(AgentsRequest)
HYDRA_ANSWER(DoctorRequest)
HYDRA_ANSWER(MergeRequest)
HYDRA_ANSWER(CombineRequest)
HYDRA_ANSWER(RetryRequest)
HYDRA_ANSWER(CancelRequest)
HYDRA_ANSWER(RescoreRequest)
HYDRA_ANSWER(UiRequest)
HYDRA_ANSWER(ForgetRequest)
HYDRA_ANSWER(Status)
HYDRA_ANSWER(Results)
HYDRA_ANSWER(Explain)
HYDRA_ANSWER(RaceList)
HYDRA_ANSWER(AgentList)
HYDRA_ANSWER(Doctor)
HYDRA_ANSWER(Health)

}  // namespace hydra::wire
