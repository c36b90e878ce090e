// cli: the API's answers as plain structs. Unknown members are ignored, missing ones keep their defaults, so
// that a newer daemon stays readable.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::cli {

struct DiffView {
  std::int64_t added = 0, removed = 0, files = 0;
};

struct TokensView {
  std::optional<std::int64_t> input, output, cache_read, cache_write;
};

/// A path of an agent's directory that is in no result.
struct LeftOutView {
  std::string path, reason;
  std::int64_t bytes = 0;
};

struct AgentStatus {
  std::string agent, display, state, outcome, message, last_line, tool, branch, stopped;
  std::string waits;  ///< what its checks wait for
  std::int64_t elapsed_ms = 0, attempt = 1;
  bool cost_estimated = false;
  DiffView diff;
  TokensView tokens;
  std::optional<double> cost_usd, composite;
  std::vector<std::pair<std::string, std::string>>
      checks;                         ///< build, tests, lint -> state; those that are known
  std::vector<LeftOutView> left_out;  ///< the first of them
  std::vector<std::int64_t> growth;   ///< lines added and removed over its time, while it runs
};

/// What differs in the user's repository from when the race started.
struct RepositoryView {
  std::vector<std::string> blocking, meanwhile;
};

struct StatusView {
  std::string race, task, state, reason, repository, base, sandbox, winner;
  std::int64_t created_ms = 0, elapsed_ms = 0;
  std::vector<AgentStatus> agents;
  std::string baseline_state;
  std::string baseline_step,
      baseline_command;  ///< while its workspace is being made: "setup", "template", "warm"
  std::int64_t baseline_step_ms = 0;
  std::string baseline_last_line, baseline_waits;
  std::vector<std::pair<std::string, std::string>> baseline_checks;
  RepositoryView changes;
};

struct DimensionView {
  std::string status = "not_configured", reason;
  double points = 0;
};

/// One row of a tamper report.
struct FindingView {
  std::string rule, severity, path, reason, text;
  std::int64_t line = 0;
};

/// What keeps a result honest.
struct IntegrityView {
  std::vector<std::string> restored, unrestored;  ///< paths
  std::vector<FindingView> findings;              ///< worst first
  std::int64_t blocking = 0, not_shown = 0, suppressions = 0;
  bool own_run = false;
  std::string error;
};

/// One author's tests on one result (docs/results.md, "Evidence").
struct EvidenceTest {
  std::string name, klass, reason, status;
};
struct EvidenceCell {
  std::string result, author, log;
  std::int64_t passed = 0, failed = 0, no_contact = 0, unstable = 0;
  std::vector<EvidenceTest> tests;
};
struct EvidenceAuthor {
  std::string name, void_reason;
  bool tester = false;
  std::vector<std::string> members;
  std::int64_t tests = 0, fails_before = 0, alone = 0, voided = 0;
  bool mutants = false;  ///< its "tests" are mutants of the base
};
struct EvidenceView {
  std::string state, reason;
  std::vector<EvidenceAuthor> authors;
  std::vector<EvidenceCell> cells;
};
struct ContestedView {
  std::string name;
  std::int64_t broken_by = 0, of = 0;
};

/// One judge's or person's word on a result (docs/results.md, "Judges").
struct VoteView {
  std::string judge, invalid, reason;
  bool person = false, outlier = false;
  std::optional<double> score;
  double stake = 0;
};
struct JudgesView {
  std::string status, text;  ///< empty: nobody was asked
  std::optional<double> score;
  std::int64_t valid = 0, asked = 0;
  std::vector<VoteView> votes;
};

/// How often a word of confidence was right in own races; n 0: not known.
struct OwnRacesView {
  double share = 0, low = 0, high = 0, brier = 0;
  std::int64_t n = 0, races = 0;
};

/// One check of the baseline, as `hydra check` shows it, or of a result.
struct CheckView {
  std::string name, status, command, message, advice, attempt;
  double seconds = 0;
  std::optional<double> cold_seconds;
  std::optional<std::int64_t> passed, failed, skipped, errors, warnings;
};

struct AgentResult {
  std::string agent, display, model, branch, state, outcome, message, sandbox;
  bool eligible = false, tied = false;
  bool unchecked = false;  ///< captured, and not checked
  std::vector<std::string> ineligible_reasons, flags, warnings;
  std::string branch_refused;  ///< why it has no branch
  std::int64_t leaked = 0;     ///< processes that it left running
  std::vector<LeftOutView> left_out;
  int rank = 0;
  std::optional<double> composite;
  std::string measured;  ///< mutants and coverage, one line; may be empty
  std::optional<double> evidence_points;
  std::string confidence_word, confidence_text;  ///< empty: not known
  OwnRacesView own_races;
  JudgesView judges;
  std::int64_t tests_passed = 0, tests_failed = 0;  ///< of other authors, that fail without the change
  DimensionView dimensions[5];                      ///< build, tests, lint, diff_size, speed
  std::vector<CheckView> checks;                    ///< those that ran, in their order
  double duration_seconds = 0;
  DiffView diff;
  TokensView tokens;
  std::optional<double> cost_usd;
  bool cost_estimated = false;
  std::vector<std::pair<std::string, std::vector<std::string>>>
      tests_by_name;  ///< "fixed", "broken", …: those that are not empty
  IntegrityView integrity;
  std::string undecided;  ///< why it waits for a person's decision; empty: it does not
};

struct BaselineView {
  std::string state, reason, advice;
  std::string attempt;  ///< whose log shows why it failed; empty: no command did
  bool cached = false, template_cached = false;
  std::vector<std::pair<std::string, double>> template_steps;  ///< name, seconds
  std::string cold_difference;
  std::vector<std::string> unstable;  ///< tests of the base that both passed and failed
  std::int64_t test_runs = 0;
  double limit_seconds = 0;  ///< of each check; 0: not known
  std::vector<CheckView> checks;
};

/// What all attempts of an entry came to.
struct EntryView {
  std::string entry, best_attempt;
  std::int64_t rank = 0, attempts = 0, successes = 0, lost = 0;
  std::optional<double> best, mean, deviation, mean_seconds, cost_usd, low,
      high;  ///< low, high: Wilson, 95 %
};

struct ResultsView {
  std::vector<EntryView> entries;
  BaselineView baseline;
  std::string reason;                             ///< why it failed
  std::string race, task, state, winner, merged;  ///< merged: what was merged into, empty: nothing
  std::string winner_remark, points_winner;       ///< may be empty
  EvidenceView evidence;
  std::vector<ContestedView> contested;
  std::vector<std::string> decided;  ///< one line each
  bool all_failed = false, auto_merged = false;
  bool rescored_identical = false;  ///< of `rescore`: the same ranking, bit by bit
  double duration_seconds = 0;
  std::vector<std::string> notes;
  RepositoryView changes;
  std::vector<AgentResult> agents;
};

struct RaceRow {
  std::string race, task, state, repository, winner;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> disk_bytes;
  std::vector<std::string> agents;
};

struct AgentInfo {
  std::string id, display, path, version, signed_in, sign_in_detail, problem, hint;
  bool builtin = false, installed = false;
  bool slow = false;  ///< it did not answer in time, and may well work
};

struct DoctorCheck {
  std::string name, status, detail, remedy;
};
struct DoctorView {
  bool ok = false;
  std::vector<DoctorCheck> checks;
};

struct MergeView {
  std::string race, agent, branch, ref, old_commit, new_commit;
  bool dry_run = false, already_merged = false, is_signed = false, undone = false;
  std::vector<std::string> conflicts, overlap, changed, repaired;
  std::string replaced;  ///< directory with what was replaced, of a repair
  std::vector<std::pair<std::string, std::vector<std::string>>> consent;  ///< kind, paths
  std::string state, note;
  DiffView diff;
};

struct HealthView {
  std::string version, state_dir;
  std::int64_t pid = 0, races_running = 0;
};

struct CreatedView {
  std::string race, base;
  std::vector<std::pair<std::string, std::string>> agents;  ///< name, display
  std::vector<std::string> warnings;
};

struct RetryView {
  std::string race, agent, session;
  std::int64_t attempt = 1, after = 0;
  bool resumed = false;
  std::vector<std::string> warnings;
};

struct CleanRow {
  std::string kind, race, agent, path, kept;
  std::int64_t bytes = 0, age_ms = 0;
  std::vector<LeftOutView> left_out;  ///< the first of what is in it and was never captured
  std::string lost{};                 ///< why what is in it may be nowhere else, though it goes
};

struct TemplateRow {
  std::string name;
  std::int64_t bytes = 0, used_ms = 0;
  bool in_use = false;
};

/// Answer of POST /v1/races/ID/restore.
struct RestoreView {
  std::string race;
  std::vector<std::string> restored;  ///< agents whose workspaces were made again
  bool brought_back = false;          ///< the race itself was away
};

/// `protocol` when the text is not a JSON object.
Result<StatusView> parse_status(std::string_view json);
Result<ResultsView> parse_results(std::string_view json);
Result<std::vector<RaceRow>> parse_races(std::string_view json);
Result<std::vector<AgentInfo>> parse_agent_list(std::string_view json);
Result<DoctorView> parse_doctor(std::string_view json);
Result<MergeView> parse_merge(std::string_view json);
Result<RestoreView> parse_restore(std::string_view json);
/// "the merge of RACE/AGENT": what a call that shall not wait would have had to wait for; empty: nothing.
std::string waits_for(std::string_view json);
Result<HealthView> parse_health(std::string_view json);
Result<RetryView> parse_retry(std::string_view json);
Result<CreatedView> parse_created(std::string_view json);
Result<std::vector<TemplateRow>> parse_templates(std::string_view json);
Result<std::vector<CleanRow>> parse_clean(std::string_view json);

/// JSON with two blanks a level and a newline at the end, members in their order; the text itself if it isn't
/// JSON.
std::string pretty_json(std::string_view json);

}  // namespace hydra::cli
