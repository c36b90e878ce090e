// race: one race as the fold of its events, and its wanted commands. Pure: no clock, no file, no process.
#pragma once

#include "model/phase.hpp"
#include "race/state/agent_state.hpp"
#include "race/state/command.hpp"
#include "race/state/passed_tests.hpp"
#include "race/state/test_names.hpp"
#include "wire/results.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::race {

/// Version of a subject's checks: both numbers only grow, and evidence of an earlier life no longer counts.
struct Life {
  int round = 0;       ///< earlier checked results of the agent
  int generation = 0;  ///< discarded workspaces of this result
  bool operator==(const Life&) const = default;
};

/// Identifies one run of a subject's command.
struct CheckRun {
  enum class Why : std::uint8_t {
    first,
    alone,    ///< a rerun without other jobs, since those may have made the first run fail
    repeat,   ///< a rerun of tests, to find flaky ones
    setup,    ///< the subject's own set-up; the template's belongs to the baseline
    measure,  ///< tests of the base that timed out, under kMeasureFactor times the limit
  };
  Life life;
  Why why = Why::first;
  int nth = 0;            ///< number of earlier reruns
  std::string command{};  ///< empty: the subject's
  /// Number in the attempt's directory and key, unique within a subject's command. The number depends only on
  /// the fold, so that after a crash the daemon finds the surviving job.
  [[nodiscard]] int number() const;
};

/// SubjectState::path of evidence from the cache.
inline constexpr std::string_view kNoWorkspace = "cache";

/// A check workspace and its evidence.
struct SubjectState {
  SubjectState() = default;
  explicit SubjectState(const Life& now) : life(now) {}

  Life life;
  std::string path;
  model::WorkspaceFacts facts;
  std::string error;                    ///< the workspace could not be made or set up
  std::string error_attempt;            ///< attempt of the failed set-up command
  std::optional<model::Advice> advice;  ///< advice about that set-up
  bool cancelled = false;               ///< a user cancelled it
  model::CheckSet checks;
};

/// A person's rating, and the result's tree at that time.
struct GivenRating {
  std::string agent, tree;
  model::Rating rating;
  std::int64_t at_ms = 0;  ///< Unix time
};

/// Evidence that was computed of a State, kept until the next event; a copied State begins without.
struct Derived {
  Derived() = default;
  Derived(Derived&&) = default;
  Derived(const Derived&) {}
  Derived& operator=(Derived&&) = default;
  Derived& operator=(const Derived&) { return *this = Derived(); }
  ~Derived() = default;

  std::map<Subject, model::CheckSet> checks;                ///< effective_checks()
  std::map<Subject, std::vector<std::string>> failing_own;  ///< failing_own_tests()
  std::map<Subject, bool> repeats;                          ///< whether the subject's tests run again
  std::map<Subject, std::optional<PassedTests>> passed;     ///< passed_of() the subject's checks
  std::optional<std::vector<model::AgentEvidence>> rows;    ///< agent_evidence()
  std::optional<model::Ranking> ranking;                    ///< ranking_of()
};

/// The newest GreenReached.
struct GreenState {
  std::string agent;
  std::int64_t at_ms = 0;  ///< Unix time
};

struct State {
  // Defined in one source: these functions are long, and most sources of this room copy or destroy a State.
  State();
  State(const State& other);
  State(State&& other) noexcept;
  State& operator=(const State& other);
  State& operator=(State&& other) noexcept;
  ~State();

  model::RaceSpec spec;
  bool prepared = false;
  bool baseline_works = false;  ///< see BaselineWorks
  bool base_doubted = false;    ///< a test of the base fails there, or does not pass on a result
  std::string failure;
  std::vector<AgentState> agents;  ///< in the requested order
  std::map<Subject, SubjectState> subjects;
  std::vector<NameStem> name_stems;  ///< of names that differ between runs of the base
  std::optional<model::TemplateReady> checks_template;
  std::vector<std::string> capture_order;
  bool cancelled = false;
  bool published = false;
  int round = 1;                                ///< see RoundBegan
  std::optional<model::CrossPlan> cross;        ///< absent: not planned, or not yet
  std::optional<model::Matrix> matrix;          ///< cross tests; absent: not measured, or not yet
  std::vector<model::TwinPlan> twins;           ///< oldest first
  std::optional<model::JudgePlan> judging;      ///< absent: not planned, or not yet
  int judge_plans = 0;                          ///< number of judging plans so far
  std::map<Subject, model::Judgement> answers;  ///< kept when judgements are planned again
  std::vector<GivenRating> ratings;             ///< the newest of an author on a result counts
  std::optional<GreenState> green;              ///< absent: no result was good enough yet
  std::vector<std::string> approved;            ///< tests of the base that no longer count
  std::vector<wire::Decision> decisions;        ///< oldest first; including those about `approved`
  std::optional<model::Ranking> ranking;
  std::optional<model::Ranking>
      first_ranking;  ///< by the configured checks alone, while verification goes on
  std::map<std::string, std::int64_t> merged_ms;        ///< by commit of the merge: Unix time
  std::set<std::string> undone;                         ///< agents with an undone merge
  std::vector<model::Merged> merges;                    ///< landed and not undone, oldest first
  std::optional<model::MergeRefused> merge_refused;     ///< refusal of an automatic merge
  std::optional<model::RepositoryCompared> repository;  ///< at the race's end; absent: no differences
  std::vector<std::string> notes;
  std::set<std::string> retried;        ///< agents of the last `hydra retry`
  std::optional<model::RaceEnd> ended;  ///< absent: the race runs
  std::int64_t ended_ms = 0;
  Uptime created_up{}, ended_up{};  ///< uptimes at spec.created_ms and ended_ms
  std::int64_t last_event = 0;
  bool forgotten = false;  ///< by `hydra clean --history`

  std::set<Command> issued;  ///< issued to the effects and not done; not part of the fold
  Wants wants;               ///< not part of the fold either
  mutable Derived derived;   ///< nor this

  [[nodiscard]] const AgentState* agent(const std::string& name) const;
  AgentState* agent(const std::string& name);
  /// Returns the subject; null: nothing of it is checked yet.
  [[nodiscard]] const SubjectState* subject(const Subject& of) const;
  /// Returns the subject's evidence so far; null: as subject().
  [[nodiscard]] const model::CheckSet* checks(const Subject& of) const;
  /// Returns the agent's row of newest_ranking(); null: no row, or no ranking.
  [[nodiscard]] const model::RankedAgent* ranked(const std::string& name) const;
  /// Returns the ranking, or before it the first one; null: neither, or cancelled in between.
  [[nodiscard]] const model::Ranking* newest_ranking() const;
  /// Returns the newest of `merges`; null: none.
  [[nodiscard]] const model::Merged* merged() const { return merges.empty() ? nullptr : &merges.back(); }
};

/// Folds one event into the state. Events that do not fit (a second capture, an unknown agent) change
/// nothing.
void apply(State& state, const model::Event& event);

/// Returns all commands that the state wants now, issued or not.
std::set<Command> wanted(const State& state);

/// Folds the event and returns wanted commands that were not issued yet. Only agents that the event can
/// affect are asked; the results equal those of apply() and resume().
std::vector<Command> reduce(State& state, const model::Event& event);
/// Issues all wanted commands again, after a restart.
std::vector<Command> resume(State& state);

/// Returns whether any agent of this race has started.
bool agents_began(const State& state);

/// Returns the command line of a check, if configured.
const std::optional<std::string>& check_command(const model::Config& config, model::Dimension dimension);
const std::optional<model::CheckEvidence>& evidence(const model::CheckSet& checks,
                                                    model::Dimension dimension);
std::optional<model::CheckEvidence>& evidence(model::CheckSet& checks, model::Dimension dimension);

/// Returns the subject whose checks count for this agent: its own result, an agent's with the same tree, or
/// the baseline (identical captured trees are checked once).
Subject check_owner(const State& state, const AgentState& agent);
/// Returns whether any check is configured.
bool any_check(const model::Config& config);
/// Returns whether a disk limit ended the agent: its result can't win, and others need its room.
bool ended_by_disk(const AgentState& agent);
/// Returns whether this agent's result is checked at all.
bool needs_checks(const State& state, const AgentState& agent);
/// Returns whether all configured checks of the subject have evidence or never will.
bool checks_done(const State& state, const Subject& subject);
/// Returns whether nothing more will run for this subject: its checks, their reruns, its own tests, and with
/// `verify = "strict"` its build from nothing.
bool fully_checked(const State& state, const Subject& subject);
/// Returns the total number of runs of the base's tests.
int baseline_runs(const model::Config& config);
/// Returns tests that both passed and did not pass in runs of the same commit.
std::vector<std::string> unstable_tests(const model::CheckSet& checks);
/// Returns the current life of a subject's runs.
Life life_of(const State& state, const Subject& subject);
/// Returns whether this subject's evidence used build results of the base, so that a cold run adds evidence.
bool began_warm(const State& state, const Subject& subject);
/// Returns the dimension in which a subject's cold run differs from its first; empty: no relevant difference.
std::string cold_difference(const State& state, const Subject& subject);
/// Returns the events that replay stored evidence of a subject: reruns before the first runs, or more reruns
/// would be issued; the workspace last, or its build would be.
std::vector<model::EventBody> cached_checks(const Subject& subject, model::CheckSet checks);
/// Returns the subject's evidence, completed by short-circuited and impossible checks and by tests that only
/// its own run shows (docs/integrity.md); valid until the next event.
const model::CheckSet& effective_checks(const State& state, const Subject& subject);

/// Returns the limit of automatic retries for the agent's kind of end: [limits] retries, or 3 if a cluster
/// lost it.
int most_retries(const State& state, const AgentState& agent);
/// Returns whether the agent runs again automatically: after a rate limit, a provider error or a lost node,
/// unless it was stopped or most_retries() or a budget is used up.
bool retry_due(const State& state, const AgentState& agent);
/// Returns whether this agent's usage counts against the race's budget: after a manual retry only that
/// agent's new attempts count, since all else was paid before.
bool counts_for_race(const State& state, const AgentState& agent);
/// Returns the usage of judges that a race's budget counts.
model::Usage judges_in_budget(const State& state);
/// Returns the prompt of a new session in the old worktree: the task, the previous session's last words, and
/// the message. Empty: the task suffices, since nothing was done.
std::string told_again(const State& state, const AgentState& agent, const std::string& message);
/// Discards the checks of this agent's result, which then run again in attempts with new numbers.
/// `everything`: of all results, and the baseline's.
void check_again(State& state, const std::string& agent, bool everything);
/// Resumes a race for this agent's new result; results that a cancel left unchecked are checked then, too.
void wake(State& state, const std::string& agent);
/// Folds RetryRequested: the agent is due again, the race resumes.
void begin_again(State& state, const model::RetryRequested& retry);

/// Returns the ranking's input: one row per agent, in their order, without testers; valid until the next
/// event.
const std::vector<model::AgentEvidence>& agent_evidence(const State& state);
model::BaselineEvidence baseline_evidence(const State& state);

/// Returns whether a cancel ended the race, or is ending it.
bool was_cancelled(const State& state);
/// Returns whether only the capture of this agent's work is known: a cancel came before its checks ended, or
/// they have not ended yet. False without a change, or without configured checks.
bool unchecked(const State& state, const AgentState& agent);
/// Returns why a result is unchecked, and the remedy; a clause for people.
std::string why_unchecked(const State& state, const AgentState& agent);
model::BasePhase baseline_phase(const State& state);
/// `next`: the check is the next one of a subject whose checks run.
model::CheckPhase check_phase(const State& state, const Subject& subject, model::Dimension dimension,
                              bool next);
/// Returns the race's duration, up to `now` if it runs.
std::int64_t duration_ms(const State& state, const Moment& now);
model::RacePhase race_phase(const State& state);
model::AgentPhase agent_phase(const State& state, const AgentState& agent);

}  // namespace hydra::race
