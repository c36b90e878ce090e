// The only file of this room that knows the JSON library. Members that are missing keep their defaults, so
// that an event of an older version can be read; unknown members are ignored.
#include "model/json.hpp"

#include "model/json_text.hpp"
#include "model/json_value.hpp"

#include <nlohmann/json.hpp>

#include <array>

namespace nlohmann {
template <class T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& j, const std::optional<T>& value) {
    if (value)
      j = *value;
    else
      j = nullptr;
  }
  static void from_json(const json& j, std::optional<T>& value) {
    if (j.is_null())
      value.reset();
    else
      value = j.get<T>();
  }
};
}  // namespace nlohmann

namespace hydra::model {

using nlohmann::json;

#define HYDRA_JSON_MEMBER(name) write_member(out, before, #name, v.name);
#define HYDRA_JSON(Type, ...)                                                             \
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Type, __VA_ARGS__)                      \
  void write_json(std::string& out, const Type& v) {                                      \
    char before = '{';                                                                    \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HYDRA_JSON_MEMBER, __VA_ARGS__)) out += '}'; \
  }

// Enumerations without a name table of their own.
NLOHMANN_JSON_SERIALIZE_ENUM(WorkspaceIsolation, {{WorkspaceIsolation::private_repository, "private"},
                                                  {WorkspaceIsolation::linked, "linked"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Preflight, {{Preflight::automatic, "auto"},
                                         {Preflight::always, "always"},
                                         {Preflight::never, "never"}})
NLOHMANN_JSON_SERIALIZE_ENUM(CheckPlace, {{CheckPlace::fresh, "fresh"}, {CheckPlace::in_place, "in_place"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Verify, {{Verify::fast, "fast"},
                                      {Verify::standard, "standard"},
                                      {Verify::strict, "strict"}})
NLOHMANN_JSON_SERIALIZE_ENUM(OnTamper, {{OnTamper::block, "block"},
                                        {OnTamper::hold, "hold"},
                                        {OnTamper::report, "report"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SandboxMode, {{SandboxMode::required, "required"},
                                           {SandboxMode::automatic, "auto"},
                                           {SandboxMode::off, "off"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SandboxEngine, {{SandboxEngine::bwrap, "bwrap"},
                                             {SandboxEngine::podman, "podman"},
                                             {SandboxEngine::docker, "docker"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Placement, {{Placement::local, "local"}, {Placement::slurm, "slurm"}})
NLOHMANN_JSON_SERIALIZE_ENUM(PromptVia, {{PromptVia::argument, "argument"},
                                         {PromptVia::standard_input, "stdin"},
                                         {PromptVia::file, "file"}})
NLOHMANN_JSON_SERIALIZE_ENUM(StreamFormat, {{StreamFormat::text, "text"},
                                            {StreamFormat::jsonl, "jsonl"},
                                            {StreamFormat::json_last, "json_last"},
                                            {StreamFormat::json_whole, "json_whole"}})
NLOHMANN_JSON_SERIALIZE_ENUM(HomePolicy, {{HomePolicy::shared, "shared"}, {HomePolicy::per_run, "per_run"}})
NLOHMANN_JSON_SERIALIZE_ENUM(UsageMode, {{UsageMode::none, "none"},
                                         {UsageMode::last, "last"},
                                         {UsageMode::sum, "sum"},
                                         {UsageMode::max, "max"}})
NLOHMANN_JSON_SERIALIZE_ENUM(TestStatus, {{TestStatus::passed, "passed"},
                                          {TestStatus::failed, "failed"},
                                          {TestStatus::skipped, "skipped"},
                                          {TestStatus::error, "error"}})
NLOHMANN_JSON_SERIALIZE_ENUM(LintSeverity,
                             {{LintSeverity::error, "error"}, {LintSeverity::warning, "warning"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Confidence, {{Confidence::none, "none"},
                                          {Confidence::low, "low"},
                                          {Confidence::medium, "medium"},
                                          {Confidence::high, "high"}})
NLOHMANN_JSON_SERIALIZE_ENUM(DimensionStatus, {{DimensionStatus::not_configured, "not_configured"},
                                               {DimensionStatus::scored, "scored"},
                                               {DimensionStatus::skipped, "skipped"},
                                               {DimensionStatus::failed, "failed"}})

NLOHMANN_JSON_SERIALIZE_ENUM(Order, {{Order::evidence, "evidence"}, {Order::composite, "composite"}})
NLOHMANN_JSON_SERIALIZE_ENUM(CrossTests, {{CrossTests::automatic, "auto"},
                                          {CrossTests::off, "off"},
                                          {CrossTests::always, "always"}})
NLOHMANN_JSON_SERIALIZE_ENUM(CoverageOf, {{CoverageOf::none, "off"},
                                          {CoverageOf::winner, "winner"},
                                          {CoverageOf::all, "all"}})
NLOHMANN_JSON_SERIALIZE_ENUM(EvidenceFloor, {{EvidenceFloor::any, "any"},
                                             {EvidenceFloor::some, "some"},
                                             {EvidenceFloor::good, "good"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Cell, {{Cell::not_run, "not_run"},
                                    {Cell::pass, "pass"},
                                    {Cell::fail, "fail"},
                                    {Cell::no_contact, "no_contact"},
                                    {Cell::unstable, "unstable"}})
NLOHMANN_JSON_SERIALIZE_ENUM(TestClass, {{TestClass::fails_before, "fails_before"},
                                         {TestClass::no_contact_before, "no_contact_before"},
                                         {TestClass::passes_before, "passes_before"},
                                         {TestClass::alone, "alone"},
                                         {TestClass::voided, "void"}})
NLOHMANN_JSON_SERIALIZE_ENUM(AuthorKind, {{AuthorKind::result, "result"},
                                          {AuthorKind::tester, "tester"},
                                          {AuthorKind::mutants, "mutants"}})

void to_json(json& j, Dimension v) { j = name(v); }
void from_json(const json& j, Dimension& v) {
  v = dimension_from_name(j.get_ref<const std::string&>()).value_or(Dimension::build);
}
void to_json(json& j, CheckStatus v) { j = name(v); }
void from_json(const json& j, CheckStatus& v) {
  v = check_status_from_name(j.get_ref<const std::string&>()).value_or(CheckStatus::not_started);
}
void to_json(json& j, Outcome v) { j = name(v); }
void from_json(const json& j, Outcome& v) {
  v = outcome_from_name(j.get_ref<const std::string&>()).value_or(Outcome::unknown);
}

// Configuration.
HYDRA_JSON(Weights, build, tests, lint, diff_size, speed, judges)
HYDRA_JSON(Thresholds, auto_merge_minimum, fail_maximum)
HYDRA_JSON(ScoringConfig, weights, build_command, test_command, lint_command, test_reports, lint_reports,
           timeout_per_check_seconds, thresholds, allow_trivial, order)
HYDRA_JSON(WorkspaceConfig, isolation, checks, directory, setup, setup_timeout_seconds, setup_network, copy,
           share, outputs, warm, caches, read, ports, mounts)
HYDRA_JSON(EvaluationConfig, verify, baseline_runs, protected_paths, unprotected_paths, hidden, on_tamper)
HYDRA_JSON(LimitsConfig, agent_timeout_seconds, stop_grace_seconds, agents, agents_total, checks,
           log_head_bytes, log_tail_bytes, memory_bytes, processes, disk_bytes, template_cache_gib, disk_gib,
           budget_usd, budget_tokens, race_budget_usd, race_budget_tokens, idle_timeout, exit_grace_seconds,
           per_provider, stagger_seconds, retries, retry_delay_seconds, stop_dominated, green_grace_seconds,
           disk_free_percent, disk_free_mib, tokens_per_minute)
HYDRA_JSON(SelectionConfig, cross_tests, seconds, ask_for_tests, testers, testers_budget_usd, coverage,
           coverage_command, coverage_report, mutants, mutants_seconds, outcome_days)
HYDRA_JSON(JudgeConfig, name, command, agent, rubric, stake, timeout_seconds, budget_usd)
HYDRA_JSON(JudgingConfig, min_judges, min_stake_fraction, outlier_threshold, person_stake)
HYDRA_JSON(SandboxConfig, mode, check_network, read, write, hide, isolation, image, containerfile)
HYDRA_JSON(ExecutionConfig, placement, window, partition, account, gres, time_minutes, memory_mib, cpus,
           scratch)
HYDRA_JSON(MergeConfig, automatic, squash, ff_only, message, auto_merge_evidence, auto_merge_with_rivals)
HYDRA_JSON(CaptureConfig, generated, max_file_mib)
HYDRA_JSON(CleanConfig, keep_days)
HYDRA_JSON(NotifyConfig, command, webhook, desktop)
HYDRA_JSON(JsonCondition, pointer, equals)
HYDRA_JSON(UsageRule, mode, when, unique, input, output, cache_read, cache_write, reasoning, total, cost_usd,
           input_includes_cache, output_excludes_reasoning, cumulative, cumulative_from, cost_cumulative_from)
HYDRA_JSON(UsageFile, path, format, live, model, rule)
HYDRA_JSON(TextRules, usage, input_includes_cache, sum_tokens, error, progress, session, tool)
HYDRA_JSON(StreamRules, format, max_line_bytes, skip_prefixes, session_when, session_path, progress,
           retry_when, retry_status, terminal_when, terminal_required, terminal_ok, error_when, error_text,
           error_status, terminal_text, error_regex, usage, usage_fallbacks, usage_file, usage_log, text,
           denied_when, denied_path, text_paths, tool_paths, retry_text, retry_regex, resume_when,
           session_guard, stop_reason, error_class, model_when, model_path, version_path, turns, turn_when,
           tool_when, stderr_error_when, stderr_error_text, stderr_retry_regex, stderr_denied_regex)
HYDRA_JSON(StopStep, signal, wait_seconds)
HYDRA_JSON(AgentDescriptor, id, display, command, long_command, prompt, env, env_if_root, env_pass, env_unset,
           probe_command, probe_regex, probe_timeout_seconds, version_min, version_tested, auth_env,
           auth_files, auth_proof, auth_command, auth_static, auth_rotates, home_variable, home, home_seed,
           home_cache, home_write, stop, litter, ok_exit, ignore_exit_code, exit_class, stream, install_hint,
           sign_in_hint, provider, models, resume_command)
HYDRA_JSON(Price, input, output, cache_read, cache_write)
HYDRA_JSON(Config, scoring, workspace, evaluation, selection, limits, sandbox, execution, merge, capture,
           clean, notify, preflight, default_agents, agents, prices, judges, judging)

// The race.
HYDRA_JSON(RepositoryFacts, root, subdirectory, git_dir, common_dir, object_format, base, base_tree, head_ref,
           head, user_name, user_email, origin, conversion, excludes_file, alternates, shallow, partial,
           sparse, safe_directory, has_submodules, empty_submodules, file_count, dirty, included_dirty)
HYDRA_JSON(AgentEntry, name, id, model, entry, attempt, tester)
HYDRA_JSON(RaceSpec, id, created_ms, task, repository, config, agents, environment, secret_names,
           fresh_baseline, token, isolation, isolation_note, image, tree_rung, hidden_source, hidden_digest,
           hidden_tests, verifies, preflight, rounds, until_green, check_only, kind, labels, versions)

// Evidence and scores.
HYDRA_JSON(TestCounts, passed, failed, skipped, errors, total)
HYDRA_JSON(TestCase, name, status)
HYDRA_JSON(LineRange, format, first, last)
HYDRA_JSON(TestReport, format, complete, counts, tests, outcome, suspicious, confidence, evidence)
HYDRA_JSON(LintFinding, file, line, column, rule, severity, message)
HYDRA_JSON(LintReport, format, errors, warnings, suspicious, findings, confidence, complete, outcome,
           evidence)
HYDRA_JSON(Advice, signature, text, environment)
HYDRA_JSON(WorkspaceFacts, tree, warm, setup, reasons, left_out)
HYDRA_JSON(TemplateStep, name, wall_ms)
HYDRA_JSON(CheckEvidence, dimension, status, exit_code, signal, wall_ms, cpu_ms, command, attempt, isolation,
           message, advice, cached, tests, lint, rewrote, no_contact)
HYDRA_JSON(CheckSet, build, tests, lint, repeats)
HYDRA_JSON(RestoredPath, path, how, reason)
HYDRA_JSON(TamperFinding, rule, severity, path, line, reason, text)
HYDRA_JSON(Integrity, commit, effective, own_run, restored, unrestored, more_restored, findings, suppressions,
           not_shown, error, unseen, files_command)
HYDRA_JSON(Usage, input, output, cache_read, cache_write, reasoning, cost_usd, estimated, partial)
HYDRA_JSON(Verdict, outcome, error_class, message, advice, session, final_text, model, turns, usage, denied)
HYDRA_JSON(DiffStat, lines_added, lines_removed, files_changed)
HYDRA_JSON(LeftOut, path, bytes, reason)
HYDRA_JSON(Capture, commit, tree, diff, changed, trivial, flags, warnings, left_out, agent_commits, weighed,
           tests, set_apart)
HYDRA_JSON(JobFacts, attempt, wall_ms, cpu_user_ms, cpu_system_ms, max_rss_kib, leaked, output_bytes,
           output_cut, isolation, end, exit_code, signal, leaving_ms)
HYDRA_JSON(ConfidenceFacts, passed_authors, failed_authors, tests_passed, tests_failed, tests_of_failed,
           own_tests, fixed, left_failing, broken, broken_alone, out_of_contact, hidden_passed, hidden_failed,
           alike, results, mutants_noticed, mutants, rivals)
HYDRA_JSON(ResultConfidence, word, text, range, facts)
HYDRA_JSON(ContestedTest, name, broken_by, of)
HYDRA_JSON(ScoreTerm, name, value)
HYDRA_JSON(DimensionScore, status, points, reason, terms)
HYDRA_JSON(ScoreBreakdown, dimensions, composite, judges)
HYDRA_JSON(RankedAgent, agent, eligible, ineligible_reasons, rank, tied, score, evidence, confidence)
HYDRA_JSON(Ranking, agents, winner, all_failed, auto_merge, notes, order, evidence, points_winner, remark,
           contested, clusters)

HYDRA_JSON(CrossTest, name, file, klass, reason)
HYDRA_JSON(CrossAuthor, name, kind, members, voided, tests)
HYDRA_JSON(CrossRow, result, author, cells, log)
HYDRA_JSON(Matrix, state, reason, authors, rows)
HYDRA_JSON(PlannedAuthor, name, kind, members, files, voided, whole, apart)
HYDRA_JSON(PlannedRun, subject, result, author, commit, command, key, mutant)
HYDRA_JSON(CrossPlan, authors, runs, early_of)
HYDRA_JSON(MutantRun, run, path, line, change)
HYDRA_JSON(ChangedLines, path, lines)
HYDRA_JSON(CoverageRun, agent, run, lines, reason)
HYDRA_JSON(MeasurePlan, agent, reason, reference, mutants, coverage, never_run)
HYDRA_JSON(TwinRun, run, of, copy)
HYDRA_JSON(TwinPlan, seed, runs, files, assertions, untouched, tests, reason)
HYDRA_JSON(Mutant, path, line, change, state, by)
HYDRA_JSON(MutantReport, agent, state, reason, killed, survived, mutants, never_run)
HYDRA_JSON(UnrunLines, path, from, to)
HYDRA_JSON(CoverageReport, agent, state, reason, lines, run, never_run)

HYDRA_JSON(PlannedJudgement, subject, judge, result, commit)
HYDRA_JSON(JudgePlan, seed, secret, judgements)
HYDRA_JSON(Judgement, subject, judge, result, commit, invalid, score, reason, attempt, wall_ms, usage)
HYDRA_JSON(Rating, author, stars, note)

// Events.
void to_json(json& j, const RacePrepared&) { j = json::object(); }
void from_json(const json&, RacePrepared&) {}
void to_json(json& j, const HistoryForgotten&) { j = json::object(); }
void from_json(const json&, HistoryForgotten&) {}
HYDRA_JSON(RaceCreated, spec)
HYDRA_JSON(RaceFailed, reason)
HYDRA_JSON(WorkspaceReady, agent, path)
HYDRA_JSON(WorkspaceFailed, agent, reason)
HYDRA_JSON(AgentStarting, agent, attempt, number)
HYDRA_JSON(AgentEnded, agent, job, verdict)
HYDRA_JSON(Captured, agent, capture)
HYDRA_JSON(CaptureFailed, agent, reason)
HYDRA_JSON(Inspected, agent, integrity)
HYDRA_JSON(CheckRepeated, subject, evidence)
HYDRA_JSON(SubjectReady, subject, path, facts)
HYDRA_JSON(SubjectFailed, subject, reason, attempt, advice, cancelled)
HYDRA_JSON(SubjectReset, subject, reason)
HYDRA_JSON(TemplateReady, digest, cached, warm, steps, notes)
HYDRA_JSON(CheckEnded, subject, evidence)
HYDRA_JSON(Published, branches, refused)
HYDRA_JSON(ScoringResult, ranking)
HYDRA_JSON(CancelRequested, agent)
HYDRA_JSON(RaceEnded, state)
HYDRA_JSON(Merged, agent, commit, ref, automatic, before, state)
HYDRA_JSON(MergeUndone, agent, commit, ref)
HYDRA_JSON(Combined, agent, display, capture, wall_ms)
HYDRA_JSON(CrossTested, matrix)
HYDRA_JSON(CrossPlanned, plan)
HYDRA_JSON(CrossStopped, reason)
HYDRA_JSON(RoundBegan, number, agents)
HYDRA_JSON(JudgesPlanned, plan)
HYDRA_JSON(Judged, judgement)
HYDRA_JSON(Rated, agent, rating)
HYDRA_JSON(TestsApproved, names)
HYDRA_JSON(Decision, kind, what)
HYDRA_JSON(Decided, decisions, by)
HYDRA_JSON(MeasureRequested, agent, mutants, coverage)
HYDRA_JSON(MeasurePlanned, plan)
HYDRA_JSON(MeasureStopped, reason)
HYDRA_JSON(Measured, mutants, coverage)
HYDRA_JSON(TwinsPlanned, plan)
HYDRA_JSON(GreenReached, agent)
HYDRA_JSON(RepositoryCompared, agent, blocking, meanwhile)
HYDRA_JSON(MergeRefused, agent, reason, automatic)
HYDRA_JSON(Note, subject, text)
HYDRA_JSON(StopRequested, agent, reason, error_class, message, advice)
HYDRA_JSON(RetryRequested, agent, automatic, fresh, session, prompt, reason, budget_usd, budget_tokens)

namespace {

/// `make` returns a json, or throws what json throws.
template <class T, class Make>
Result<T> read(const Make& make, std::string_view what) {
  try {
    return make().template get<T>();
  } catch (const json::exception& e) {
    return Error{Errc::protocol, "cannot read " + std::string(what) + ": " + e.what(), {}, {}};
  }
}

template <class T>
Result<T> parse(std::string_view text, std::string_view what) {
  return read<T>([&] { return json::parse(text); }, what);
}

template <std::size_t I = 0>
Result<EventBody> parse_body(std::string_view kind_name, std::string_view text) {
  if constexpr (I == std::variant_size_v<EventBody>) {
    return Error{Errc::protocol, "unknown kind of event: " + std::string(kind_name), {}, {}};
  } else {
    using Body = std::variant_alternative_t<I, EventBody>;
    if (kind(EventBody(std::in_place_index<I>)) != kind_name) return parse_body<I + 1>(kind_name, text);
    auto body = parse<Body>(text, kind_name);
    if (!body.ok()) return std::move(body).error();
    return EventBody(std::in_place_index<I>, std::move(body).value());
  }
}

// As deep as events are, which is little.
void rewrite_texts(json& value, const std::function<bool(std::string_view)>& kept,
                   const std::function<void(std::string&)>& rewrite) {
  if (value.is_string()) rewrite(value.get_ref<std::string&>());
  if (value.is_array())
    for (auto& item : value) rewrite_texts(item, kept, rewrite);
  if (value.is_object())
    for (auto& [key, item] : value.items())
      if (!kept(key)) rewrite_texts(item, kept, rewrite);
}

}  // namespace

json event_value(const EventBody& body) {
  return std::visit([](const auto& value) { return json(value); }, body);
}
std::string to_json(const EventBody& body) {
  std::string text;
  std::visit([&](const auto& value) { write_json(text, value); }, body);
  return text;
}

Result<EventBody> event_from_json(std::string_view kind_name, std::string_view text) {
  auto body = parse_body(kind_name, text);
  // Races of before [evaluation] order existed were ranked by points alone, and stay so.
  if (auto* made = body.ok() ? std::get_if<RaceCreated>(&*body) : nullptr;
      made != nullptr && text.find("\"order\":") == std::string_view::npos)
    made->spec.config.scoring.order = Order::composite;
  // Before it had a member of its own, words said so.
  if (auto* failed = body.ok() ? std::get_if<SubjectFailed>(&*body) : nullptr;
      failed != nullptr && text.find("\"cancelled\":") == std::string_view::npos)
    for (const auto* words : {"cancelled", "set-up cancelled", "the set-up cancelled"})
      failed->cancelled = failed->cancelled || failed->reason.starts_with(words);
  return body;
}

EventBody with_texts(EventBody body, const std::function<bool(std::string_view)>& kept,
                     const std::function<void(std::string&)>& rewrite) {
  std::visit(
      [&](auto& event) {
        json value = event;
        rewrite_texts(value, kept, rewrite);
        event = value.get<std::decay_t<decltype(event)>>();
      },
      body);
  return body;
}

json config_value(const Config& config) { return config; }
Result<Config> config_of(const json& value) {
  return read<Config>([&]() -> const json& { return value; }, "configuration");
}
std::string to_json(const CheckSet& checks) {
  std::string text;
  write_json(text, checks);
  return text;
}
Result<CheckSet> check_set_from_json(std::string_view text) { return parse<CheckSet>(text, "checks"); }

}  // namespace hydra::model
