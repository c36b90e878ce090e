// Only this file of the room uses the JSON library. Members with their default value are not stored.
#include "model/json.hpp"

#include "model/json_text.hpp"
#include "model/json_value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace hydra::model {

using nlohmann::json;

#define HYDRA_WRITE(name) write_member(out, before, #name, v.name);
#define HYDRA_READ(name) read_member(from, #name, v.name);
#define HYDRA_EACH(What, ...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(What, __VA_ARGS__))
#define HYDRA_JSON(Type, ...)                                  \
  void write_json(std::string& out, const Type& v) {           \
    char before = '{';                                         \
    HYDRA_EACH(HYDRA_WRITE, __VA_ARGS__)                       \
    out += '}';                                                \
  }                                                            \
  void read_json(const json& value, Type& v) {                 \
    const auto& from = value.get_ref<const json::object_t&>(); \
    HYDRA_EACH(HYDRA_READ, __VA_ARGS__)                        \
  }

constexpr std::string_view kLetters = "pfse";  // in the order of TestStatus

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

// Names of one file begin alike, and events are kept and sent whole: "p12 3 abc" is a passed test whose name
// shares 12 bytes with the one before it and ends in 3 more. Shared bytes are ASCII, which JSON never
// changes.
void write_json(std::string& out, const TestList& tests) {
  std::string text, name, last;
  for (const auto& test : tests) {
    name = test.name;
    // JSON replaces invalid UTF-8, and lengths are of what will be read.
    if (!std::all_of(name.begin(), name.end(), is_plain)) name = json::parse(dump(name)).get<std::string>();
    const auto most = std::min(last.size(), name.size());
    std::size_t shared = 0;
    while (shared < most && name[shared] == last[shared] && is_plain(name[shared])) ++shared;
    text += kLetters[static_cast<std::size_t>(test.status)];
    text.append(std::to_string(shared)).append(1, ' ').append(std::to_string(name.size() - shared));
    text.append(1, ' ').append(name, shared);
    std::swap(name, last);
  }
  out += "{\"coded\":";
  write_json(out, text);
  out += '}';
}

void read_json(const json& value, TestList& tests) {
  const auto* coded = find_member(value.get_ref<const json::object_t&>(), "coded");
  if (coded == nullptr) return;
  std::string_view text = coded->get_ref<const std::string&>();
  const auto refuse = [&](bool damaged) {
    if (damaged) throw json::other_error::create(501, "a damaged list of tests", &value);
  };
  const auto number = [&] {
    std::size_t n = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
    const auto length = static_cast<std::size_t>(read.ptr - text.data());
    refuse(read.ec != std::errc() || length == text.size() || text[length] != ' ');
    text.remove_prefix(length + 1);
    return n;
  };
  for (std::string name; !text.empty();) {
    const auto status = kLetters.find(text.front());
    text.remove_prefix(1);
    const auto shared = number(), more = number();
    refuse(status == kLetters.npos || shared > name.size() || more > text.size());
    name.replace(shared, std::string::npos, text, 0, more);
    text.remove_prefix(more);
    tests.push_back({name, static_cast<TestStatus>(status)});
  }
  (void)tests.numbered();  // here, as large races are read in a worker
}

// Configuration.
HYDRA_JSON(Weights, build, tests, lint, diff_size, speed, judges)
HYDRA_JSON(Thresholds, auto_merge_minimum, fail_maximum)
HYDRA_JSON(ScoringConfig, weights, build_command, test_command, lint_command, test_reports,
           timeout_per_check_seconds, thresholds, allow_trivial, order)
HYDRA_JSON(WorkspaceConfig, checks, worktrees, home, directory, setup, setup_network, copy, share, outputs,
           warm, caches, read, run, env, env_pass, mounts)
HYDRA_JSON(EvaluationConfig, verify, protected_paths, unprotected_paths, hidden, findings_count, budget)
HYDRA_JSON(LimitsConfig, agent_timeout_seconds, agents, checks, memory_bytes, processes, disk_bytes,
           disk_free_mib, disk_gib, budget_usd, budget_tokens, race_budget_usd, race_budget_tokens,
           idle_timeout, per_provider, retries, retry_delay_seconds)
HYDRA_JSON(SelectionConfig, testers)
HYDRA_JSON(JudgeConfig, name, command, agent, rubric, stake, budget_usd)
HYDRA_JSON(SandboxConfig, mode, check_network, read, write, hide, isolation, image)
HYDRA_JSON(ExecutionConfig, placement, window, sbatch, scratch)
HYDRA_JSON(MergeConfig, automatic, style, message, auto_merge_evidence)
HYDRA_JSON(NotifyConfig, command, webhook)
HYDRA_JSON(JsonCondition, pointer, equals)
HYDRA_JSON(UsageRule, mode, when, unique, input, output, cache_read, cache_write, reasoning, total, cost_usd,
           input_includes_cache, output_excludes_reasoning, cumulative, cumulative_from, cost_cumulative_from)
HYDRA_JSON(UsageFile, path, format, live, model, rule)
HYDRA_JSON(TextRules, usage, input_includes_cache, sum_tokens, error, progress, session, tool)
HYDRA_JSON(StreamRules, format, max_line_bytes, skip_prefixes, session_when, session_path, progress,
           retry_when, retry_status, terminal_when, terminal_required, terminal_ok, error_when, error_text,
           error_status, terminal_text, error_regex, usage, usage_fallbacks, usage_file, usage_log, text,
           denied_when, denied_path, text_paths, tool_paths, retry_text, retry_regex, resume_when,
           session_guard, stop_reason, error_class, model_when, model_path, version_path, open_when,
           open_list, open_name, turns, turn_when, tool_when, stderr_error_when, stderr_error_text,
           stderr_retry_regex, stderr_denied_regex)
HYDRA_JSON(StopStep, signal, wait_seconds)
HYDRA_JSON(AgentDescriptor, id, display, like, model, prompt_prefix, command, long_command, prompt, env,
           env_if_root, env_pass, env_unset, probe_command, probe_regex, probe_timeout_seconds, version_min,
           version_tested, auth_env, auth_files, auth_proof, auth_command, auth_static, auth_rotates,
           home_variable, home, home_seed, home_personal, home_cache, home_write, stop, litter, ok_exit,
           ignore_exit_code, exit_class, stream, install_hint, sign_in_hint, provider, models, resume_command)
HYDRA_JSON(Price, input, output, cache_read, cache_write)
HYDRA_JSON(Config, scoring, workspace, evaluation, selection, limits, sandbox, execution, merge, notify,
           preflight, default_agents, agents, prices, judges)

// The race.
HYDRA_JSON(RepositoryFacts, root, subdirectory, git_dir, common_dir, object_format, base, base_tree, head_ref,
           head, user_name, user_email, origin, conversion, excludes_file, alternates, shallow, partial,
           sparse, safe_directory, has_submodules, empty_submodules, file_count, dirty, included_dirty,
           worktree_include)
HYDRA_JSON(AgentEntry, name, id, model, entry, attempt, tester)
HYDRA_JSON(RaceSpec, id, created_ms, task, repository, config, agents, environment, tools, secret_names,
           fresh_baseline, token, isolation, isolation_note, image, tree_rung, hidden_source, hidden_digest,
           hidden_tests, verifies, preflight, base_fails, rounds, until_green, check_only, kind, labels,
           versions)

// Evidence and scores.
HYDRA_JSON(TestCounts, passed, failed, skipped, errors, total)
HYDRA_JSON(LineRange, format, first, last)
HYDRA_JSON(TestReport, format, complete, counts, tests, outcome, suspicious, exit_disagrees, confidence,
           evidence)
HYDRA_JSON(LintFinding, file, line, column, rule, severity, message)
HYDRA_JSON(LintReport, format, errors, warnings, suspicious, findings, confidence, complete, outcome,
           evidence)
HYDRA_JSON(Advice, signature, text, environment)
HYDRA_JSON(WorkspaceFacts, tree, warm, setup, reasons, left_out)
HYDRA_JSON(TemplateStep, name, wall_ms)
HYDRA_JSON(ArenaFigures, episodes, best_score, success_rate, avg_steps, avg_max_x, avg_score,
           std_score_population)
HYDRA_JSON(CheckEvidence, dimension, status, exit_code, signal, wall_ms, cpu_ms, command, attempt, isolation,
           message, advice, cached, tests, lint, rewrote, built, measured, no_contact, wrong_arguments, arena)
HYDRA_JSON(CheckSet, build, tests, lint, repeats)
HYDRA_JSON(RestoredPath, path, how, reason, own_test, is_data)
HYDRA_JSON(TamperFinding, rule, severity, path, line, reason, text)
HYDRA_JSON(Integrity, commit, effective, own_run, restored, unrestored, more_restored, findings, suppressions,
           not_shown, error, unseen, own_command, files_command)
HYDRA_JSON(Usage, input, output, cache_read, cache_write, reasoning, cost_usd, estimated, partial)
HYDRA_JSON(Verdict, outcome, error_class, message, advice, session, final_text, model, turns, usage, denied)
HYDRA_JSON(DiffStat, lines_added, lines_removed, files_changed)
HYDRA_JSON(LeftOut, path, bytes, reason)
HYDRA_JSON(CaptureFlag, kind, path)
HYDRA_JSON(Capture, commit, tree, diff, changed, trivial, flags, warnings, left_out, agent_commits, weighed,
           tests, set_apart)
HYDRA_JSON(JobFacts, attempt, wall_ms, cpu_user_ms, cpu_system_ms, max_rss_kib, leaked, output_bytes,
           output_cut, isolation, end, exit_code, signal, leaving_ms)
HYDRA_JSON(ConfidenceFacts, passed_authors, failed_authors, tests_passed, tests_failed, tests_of_failed,
           own_tests, brought, fixed, failing, left_failing, broken, broken_alone, out_of_contact,
           hidden_passed, hidden_failed, alike, results, rivals)
HYDRA_JSON(ResultConfidence, word, text, range, facts)
HYDRA_JSON(ContestedTest, name, broken_by, of)
HYDRA_JSON(ScoreTerm, name, value)
HYDRA_JSON(DimensionScore, status, points, reason, terms)
HYDRA_JSON(ScoreBreakdown, dimensions, composite, judges)
HYDRA_JSON(OrderReason, by, tied, count, points)
HYDRA_JSON(RankedAgent, agent, eligible, ineligible_reasons, rank, tied, score, evidence, confidence, reason)
HYDRA_JSON(Ranking, agents, winner, decision, decision_with, all_failed, auto_merge, notes, order, evidence,
           points_winner, contested, clusters)

HYDRA_JSON(CrossTest, name, file, klass, reason)
HYDRA_JSON(CrossAuthor, name, kind, members, same_product, voice, voided, tests)
HYDRA_JSON(CrossRow, result, author, cells, log)
HYDRA_JSON(Matrix, state, reason, authors, rows)
HYDRA_JSON(PlannedAuthor, name, kind, members, files, voided, whole, apart)
HYDRA_JSON(PlannedRun, subject, result, author, commit, command, key, neutral)
HYDRA_JSON(CrossPlan, authors, runs, early_of)
HYDRA_JSON(TwinRun, run, of, copy)
HYDRA_JSON(TwinPlan, seed, runs, files, assertions, untouched, tests, left_out, reason)

HYDRA_JSON(PlannedJudgement, subject, judge, result, commit)
HYDRA_JSON(JudgePlan, seed, secret, judgements)
HYDRA_JSON(Judgement, subject, judge, result, commit, invalid, score, reason, attempt, wall_ms, usage)
HYDRA_JSON(Rating, author, stars, note)

// Events.
EventBody::EventBody() = default;
EventBody::EventBody(const EventBody& other) = default;
EventBody::EventBody(EventBody&& other) noexcept = default;
EventBody& EventBody::operator=(const EventBody& other) = default;
EventBody& EventBody::operator=(EventBody&& other) noexcept = default;
EventBody::~EventBody() = default;
template <class Body>
requires std::is_constructible_v<AnyEvent, Body> EventBody::EventBody(Body body)
    : AnyEvent(std::move(body)) {}

#define HYDRA_EVENT(Type, ...)  \
  HYDRA_JSON(Type, __VA_ARGS__) \
  template EventBody::EventBody(Type);

#define HYDRA_BARE_EVENT(Type)                                    \
  void write_json(std::string& out, const Type&) { out += "{}"; } \
  void read_json(const json&, Type&) {}                           \
  template EventBody::EventBody(Type);

HYDRA_BARE_EVENT(RacePrepared)
HYDRA_BARE_EVENT(HistoryForgotten)
HYDRA_BARE_EVENT(BaselineWorks)
HYDRA_EVENT(RaceCreated, spec)
HYDRA_EVENT(RaceFailed, reason)
HYDRA_EVENT(WorkspaceReady, agent, path, dependencies)
HYDRA_EVENT(WorkspaceFailed, agent, reason)
HYDRA_EVENT(AgentStarting, agent, attempt, number)
HYDRA_EVENT(AgentEnded, agent, job, verdict)
HYDRA_EVENT(Captured, agent, capture)
HYDRA_EVENT(CaptureFailed, agent, reason)
HYDRA_EVENT(Inspected, agent, integrity)
HYDRA_EVENT(CheckRepeated, subject, evidence)
HYDRA_EVENT(SubjectReady, subject, path, facts)
HYDRA_EVENT(SubjectFailed, subject, reason, attempt, advice, cancelled)
HYDRA_EVENT(SubjectReset, subject, reason)
HYDRA_EVENT(TemplateReady, digest, cached, warm, steps, notes)
HYDRA_EVENT(CheckEnded, subject, evidence)
HYDRA_EVENT(Published, branches, refused)
HYDRA_EVENT(ScoringResult, ranking, final)
HYDRA_EVENT(CancelRequested, agent)
HYDRA_EVENT(RaceEnded, state)
HYDRA_EVENT(Merged, agent, commit, ref, automatic, before, state)
HYDRA_EVENT(MergeUndone, agent, commit, ref)
HYDRA_EVENT(Combined, agent, display, capture, wall_ms)
HYDRA_EVENT(CrossTested, matrix)
HYDRA_EVENT(CrossPlanned, plan)
HYDRA_EVENT(RoundBegan, number, agents)
HYDRA_EVENT(JudgesPlanned, plan)
HYDRA_EVENT(Judged, judgement)
HYDRA_EVENT(Rated, agent, rating)
HYDRA_EVENT(TestsApproved, names)
HYDRA_JSON(Decision, kind, what)
HYDRA_EVENT(Decided, decisions, by)
HYDRA_EVENT(TwinsPlanned, plan)
HYDRA_EVENT(GreenReached, agent)
HYDRA_EVENT(RepositoryCompared, agent, blocking, meanwhile)
HYDRA_EVENT(MergeRefused, agent, reason, automatic, because)
HYDRA_EVENT(Note, subject, text)
HYDRA_EVENT(StopRequested, agent, reason, error_class, message, advice)
HYDRA_EVENT(RetryRequested, agent, automatic, fresh, session, prompt, reason, budget_usd, budget_tokens)

namespace {

/// Returns the value of `make`; a JSON exception becomes an Error.
template <class T, class Make>
Result<T> read(const Make& make, std::string_view what) {
  try {
    return make();
  } catch (const json::exception& e) {
    return Error{Errc::protocol, "cannot read " + std::string(what) + ": " + e.what(), {}, {}};
  }
}

template <class T>
T made_of(const json& value) {
  T made;
  read_json(value, made);
  return made;
}

template <class Body>
EventBody body_of(const json& value) {
  return made_of<Body>(value);
}

// In the order of the variant's alternatives.
constexpr auto kBodies = []<class... Bodies>(const std::variant<Bodies...>*) {
  return std::array{&body_of<Bodies>...};
}(static_cast<const AnyEvent*>(nullptr));

// Recursion is as deep as events are nested, which is little.
void rewrite_texts(json& value, const std::function<bool(std::string_view)>& kept,
                   const std::function<void(std::string&)>& rewrite) {
  if (value.is_string()) rewrite(value.get_ref<std::string&>());
  if (value.is_array())
    for (auto& item : value) rewrite_texts(item, kept, rewrite);
  if (value.is_object())
    for (auto& [key, item] : value.items())
      if (key != "coded" && !kept(key)) rewrite_texts(item, kept, rewrite);
}

}  // namespace

std::string to_json(const EventBody& body) {
  std::string text;
  std::visit([&](const auto& value) { write_json(text, value); }, body);
  return text;
}
json event_value(const EventBody& body) { return json::parse(to_json(body)); }

Result<EventBody> event_from_json(std::string_view kind_name, std::string_view text) {
  const auto all = kinds();
  const auto known = std::ranges::find(all, kind_name);
  if (known == all.end())
    return Error{Errc::protocol, "unknown kind of event: " + std::string(kind_name), {}, {}};
  auto body = read<EventBody>(
      [&] { return kBodies[static_cast<std::size_t>(known - all.begin())](json::parse(text)); }, kind_name);
  // Races from before [evaluation] order existed were ranked by points alone, and keep that order.
  if (auto* made = body.ok() ? std::get_if<RaceCreated>(&*body) : nullptr;
      made != nullptr && text.find("\"order\":") == std::string_view::npos)
    made->spec.config.scoring.order = Order::composite;
  // Older events have no `cancelled` member; their reason tells it.
  if (auto* failed = body.ok() ? std::get_if<SubjectFailed>(&*body) : nullptr;
      failed != nullptr && text.find("\"cancelled\":") == std::string_view::npos)
    for (const auto* words : {"cancelled", "set-up cancelled", "the set-up cancelled"})
      failed->cancelled = failed->cancelled || failed->reason.starts_with(words);
  return body;
}

EventBody with_texts(EventBody body, const std::function<bool(std::string_view)>& kept,
                     const std::function<void(std::string&)>& rewrite) {
  auto value = event_value(body);
  rewrite_texts(value, kept, rewrite);
  auto made = kBodies[body.index()](value);
  if (auto* tests = tests_in(made)) {
    TestList named;
    for (const auto& test : *tests) {
      std::string name(test.name);
      rewrite(name);
      named.push_back({name, test.status});
    }
    *tests = std::move(named);
  }
  return made;
}

TestList* tests_in(EventBody& body) {
  auto* ended = std::get_if<CheckEnded>(&body);
  auto* repeated = std::get_if<CheckRepeated>(&body);
  if (!ended && !repeated) return nullptr;
  auto& tests = (ended ? ended->evidence : repeated->evidence).tests;
  return tests ? &tests->tests : nullptr;
}

json config_value(const Config& config) {
  std::string text;
  write_json(text, config);
  return json::parse(text);
}
Result<Config> config_of(const json& value) {
  return read<Config>([&] { return made_of<Config>(value); }, "configuration");
}
std::string to_json(const ArenaFigures& figures) {
  std::string text;
  write_json(text, figures);
  return text;
}
Result<ArenaFigures> arena_figures_from_json(std::string_view text) {
  return read<ArenaFigures>([&] { return made_of<ArenaFigures>(json::parse(text)); }, "episodes");
}
std::string to_json(const CheckSet& checks) {
  std::string text;
  write_json(text, checks);
  return text;
}
Result<CheckSet> check_set_from_json(std::string_view text) {
  return read<CheckSet>([&] { return made_of<CheckSet>(json::parse(text)); }, "checks");
}

}  // namespace hydra::model
