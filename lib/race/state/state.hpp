// race: one race as the fold of its events, and what follows from it. Pure: no clock, no file, no process.
#pragma once

#include "race/state/agent_state.hpp"
#include "race/state/command.hpp"
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

/// Since when what a subject's checks find is about it: both only grow, and what ran before them counts no
/// more.
struct Life {
  int round = 0;       ///< results of the agent that were checked before
  int generation = 0;  ///< workspaces of this result that were given up
  bool operator==(const Life&) const = default;
};

/// Which run of one of a subject's commands.
struct CheckRun {
  enum class Why : std::uint8_t {
    first,
    alone,   ///< once more, with nothing beside it, since the first may have failed for others' sake
    repeat,  ///< of tests, to find those that are flaky
    setup,   ///< of its own; the template's are the baseline's
  };
  Life life;
  Why why = Why::first;
  int nth = 0;  ///< of the repeats before it
  /// Of its attempt's directory and key. A function of what the fold knows, so that after a crash the daemon
  /// finds the job that survived, and no number is used twice within a subject's command.
  [[nodiscard]] int number() const;
};

/// A check workspace and what was found in it.
struct SubjectState {
  SubjectState() = default;
  explicit SubjectState(const Life& now) : life(now) {}

  Life life;
  std::string path;
  model::WorkspaceFacts facts;
  std::string error;                    ///< the workspace could not be made or set up
  std::string error_attempt;            ///< attempt of the set-up command that failed
  std::optional<model::Advice> advice;  ///< about that set-up
  bool cancelled = false;               ///< somebody ended it
  model::CheckSet checks;
};

/// Cross tests under way; what they came to is in the subjects of their runs.
struct CrossState {
  model::CrossPlan plan;
  std::int64_t began_ms = 0;  ///< Unix time
  Uptime began_up{};
  std::string stopped;  ///< why no more are run: "out_of_time"; empty: they are
};

/// A person's word on a result, as that was then.
struct GivenRating {
  std::string agent, tree;
  model::Rating rating;
  std::int64_t at_ms = 0;  ///< Unix time
};

/// The newest GreenReached.
struct GreenState {
  std::string agent;
  std::int64_t at_ms = 0;  ///< Unix time
};

struct State {
  // In one source: they are long, and most sources of this room copy or end one.
  State();
  State(const State& other);
  State(State&& other) noexcept;
  State& operator=(const State& other);
  State& operator=(State&& other) noexcept;
  ~State();

  model::RaceSpec spec;
  bool prepared = false;
  std::string failure;
  std::vector<AgentState> agents;  ///< in the order in which they were asked for
  std::map<std::string, SubjectState, std::less<>> subjects;
  std::optional<model::TemplateReady> checks_template;
  std::vector<std::string> capture_order;
  bool cancelled = false;
  bool published = false;
  int round = 1;                                         ///< see RoundBegan
  std::optional<CrossState> cross;                       ///< absent: not planned, or not yet
  std::optional<model::Matrix> matrix;                   ///< cross tests; absent: not measured, or not yet
  std::vector<model::TwinPlan> twins;                    ///< oldest first
  std::optional<model::JudgePlan> judging;               ///< absent: not planned, or not yet
  int judge_plans = 0;                                   ///< how often they were planned
  std::map<std::string, model::Judgement> answers;       ///< of judges, by subject: kept when planned anew
  std::vector<GivenRating> ratings;                      ///< the newest of an author on a result counts
  std::optional<GreenState> green;                       ///< absent: no result was enough yet
  std::vector<std::string> approved;                      ///< tests of the base that say nothing any more
  std::vector<wire::Decision> decisions;                  ///< oldest first; those about `approved` too
  std::optional<model::Ranking> ranking;
  std::map<std::string, std::int64_t> merged_ms;        ///< by commit that a merge made: Unix time
  std::set<std::string> undone;                         ///< agents of which a merge was taken back
  std::vector<model::Merged> merges;                    ///< that landed and were not undone, oldest first
  std::optional<model::MergeRefused> merge_refused;     ///< of an automatic merge
  std::optional<model::RepositoryCompared> repository;  ///< at the race's end; absent: nothing differs
  std::vector<std::string> notes;
  std::string retried_last;             ///< agent of the last `hydra retry`; empty: none
  std::optional<model::RaceEnd> ended;  ///< absent while it runs
  std::int64_t ended_ms = 0;
  Uptime created_up{}, ended_up{};  ///< the moments of spec.created_ms and ended_ms
  std::int64_t last_event = 0;
  bool forgotten = false;  ///< by `hydra clean --history`

  std::set<Command> issued;  ///< given to the effects and not done; not part of the fold
  Wants wants;               ///< neither

  [[nodiscard]] const AgentState* agent(const std::string& name) const;
  AgentState* agent(const std::string& name);
  /// Null: nothing of it is checked yet.
  [[nodiscard]] const SubjectState* subject(std::string_view name) const;
  /// What its checks found so far; null: as subject().
  [[nodiscard]] const model::CheckSet* checks(std::string_view subject_name) const;
  /// Its row of the ranking; null: there is none, or no ranking.
  [[nodiscard]] const model::RankedAgent* ranked(const std::string& name) const;
  /// The newest of `merges`; null: there is none.
  [[nodiscard]] const model::Merged* merged() const { return merges.empty() ? nullptr : &merges.back(); }
};

/// Folds one event into the state. Events that do not fit (a second capture, an unknown agent) change
/// nothing.
void apply(State& state, const model::Event& event);

/// Everything that the state wants done now, whether issued or not.
std::set<Command> wanted(const State& state);

/// One step: folds the event and returns the commands that are wanted and were not issued yet. Asks the
/// agents that the event can have changed; what it returns, and State::issued, are what apply() and resume()
/// come to.
std::vector<Command> reduce(State& state, const model::Event& event);
/// After a restart: everything that is wanted is issued again.
std::vector<Command> resume(State& state);

/// Command line of a check, where it is configured.
const std::optional<std::string>& check_command(const model::Config& config, model::Dimension dimension);
const std::optional<model::CheckEvidence>& evidence(const model::CheckSet& checks,
                                                    model::Dimension dimension);
std::optional<model::CheckEvidence>& evidence(model::CheckSet& checks, model::Dimension dimension);

/// Whose checks count for this agent: its own, those of an agent with the same tree, or the baseline's
/// (identical captured trees are checked once).
std::string check_owner(const State& state, const AgentState& agent);
/// Whether any check is configured.
bool any_check(const model::Config& config);
/// Whether this agent's result is checked at all.
bool needs_checks(const State& state, const AgentState& agent);
/// Whether all configured checks of the subject have evidence or never will have.
bool checks_done(const State& state, const std::string& subject);
/// Whether nothing more will be run for this subject: its checks, their repetitions, its own tests, and with
/// `verify = "strict"` its build from nothing.
bool fully_checked(const State& state, const std::string& subject);
/// How often the base's tests run in all.
int baseline_runs(const model::Config& config);
/// Tests that both passed and did not pass in runs of the same commit.
std::vector<std::string> unstable_tests(const model::CheckSet& checks);
/// The life that a subject's runs belong to now.
Life life_of(const State& state, const std::string& subject);
/// Why the baseline's checks can't work in this workspace, for people; empty: they can, or nobody knows yet.
std::string baseline_problem(const State& state);
/// The subject whose commit is checked: "codex" of "codex@cold".
std::string commit_subject(const std::string& subject);
bool is_cold(const std::string& subject);
/// "codex@own": the captured commit with its own tests.
bool is_own(const std::string& subject);
/// "codex@files": the checked commit, the base's test files one by one.
bool is_files(const std::string& subject);
/// Whether this subject's evidence came from build results of the base, so that a cold run says more.
bool began_warm(const State& state, const std::string& subject);
/// In which the cold run of a subject differs from its first one; empty: in nothing that counts.
std::string cold_difference(const State& state, const std::string& subject);
/// What replays stored evidence of a subject: repetitions before what they repeat, or more of them would be
/// asked for; the workspace last, or its build would be.
std::vector<model::EventBody> cached_checks(const std::string& subject, model::CheckSet checks);
/// The subject's evidence with short-circuited and impossible checks filled in; what only its own tests show
/// is added (docs/integrity.md).
model::CheckSet effective_checks(const State& state, const std::string& subject);

/// How often an agent that ended so runs again by itself: [limits] retries, and of one that a cluster lost 3.
int most_retries(const State& state, const AgentState& agent);
/// Whether the agent runs again by itself: a rate limit or an error of its provider, or its node was lost;
/// nobody stopped it, and neither most_retries() nor a budget is used up.
bool retry_due(const State& state, const AgentState& agent);
/// Whether what this agent uses counts against the race's budget: after a retry by hand only that agent's new
/// attempts do, all else was paid for before.
bool counts_for_race(const State& state, const AgentState& agent);
/// What a new session in the old worktree is asked: the task, what the one before said last, and the message.
/// Empty: the task alone is enough, since nothing was done.
std::string told_again(const State& state, const AgentState& agent, const std::string& message);
/// The checks of this agent's result are forgotten: they run again, in attempts with numbers of their own.
/// `everything`: those of all results, and the baseline's.
void check_again(State& state, const std::string& agent, bool everything);
/// A race goes on for the sake of this agent's new result: what a cancel left unchecked is checked then, too.
void wake(State& state, const std::string& agent);
/// The fold of RetryRequested: the agent is due once more, the race goes on.
void begin_again(State& state, const model::RetryRequested& retry);

/// What the ranking is a pure function of: a row an agent, in their order, but for testers.
std::vector<model::AgentEvidence> agent_evidence(const State& state);
model::BaselineEvidence baseline_evidence(const State& state);

/// Whether a cancel ended the race, or is ending it.
bool was_cancelled(const State& state);
/// Whether all that is known of this agent's captured work is the capture: a cancel came before its checks
/// were done, or they are not done yet. False where there is no change, or no check is configured.
bool unchecked(const State& state, const AgentState& agent);
/// Why an unchecked result is one, and what changes that; a clause for people.
std::string why_unchecked(const State& state, const AgentState& agent);
/// "checking", "checked", "cancelled", "failed", …: as the API shows it.
std::string baseline_phase(const State& state);
/// "waiting", "passed", "cancelled", …: what became of a check, as the API shows it. `next`: it is the next
/// one of a subject whose checks run.
std::string check_phase(const State& state, const std::string& subject, model::Dimension dimension,
                        bool next);
/// Of the race, up to `now` where it runs.
std::int64_t duration_ms(const State& state, const Moment& now);
/// "running", "done", …: as the API shows it.
std::string race_phase(const State& state);
/// "queued", "running", "completed", …: as the API shows it.
std::string agent_phase(const State& state, const AgentState& agent);

}  // namespace hydra::race
