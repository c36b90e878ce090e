// model: the events of a race. Only events are stored; a race's state is their fold.
#pragma once

#include "base/clock.hpp"
#include "model/agent_run.hpp"
#include "model/check.hpp"
#include "model/cross_plan.hpp"
#include "model/integrity.hpp"
#include "model/judging.hpp"
#include "model/race_spec.hpp"
#include "model/score.hpp"
#include "model/subject.hpp"
#include "model/twins.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace hydra::model {

struct RaceCreated {
  RaceSpec spec;
};
struct RacePrepared {};  ///< store made, base pinned
struct RaceFailed {
  std::string reason;
};  ///< the race could not be prepared and ends
struct WorkspaceReady {
  std::string agent;
  std::string path;
  std::vector<std::string>
      dependencies{};  ///< directories that the checks' template has and git does not track
};
struct WorkspaceFailed {
  std::string agent;
  std::string reason;
};
struct AgentStarting {
  std::string agent;
  std::string attempt;
  int number = 1;
};  ///< written before the start
struct AgentEnded {
  std::string agent;
  JobFacts job;
  Verdict verdict;
};
struct Captured {
  std::string agent;
  Capture capture;
};
struct CaptureFailed {
  std::string agent;
  std::string reason;
};
struct Inspected {
  std::string agent;
  Integrity integrity;
};  ///< commit that the checks run on, and the tamper findings of the diff
struct SubjectReady {
  Subject subject;
  std::string path;
  WorkspaceFacts facts{};
};  ///< the check workspace is made and set up
struct SubjectFailed {
  Subject subject;
  std::string reason;
  std::string attempt;
  std::optional<Advice> advice{};
  bool cancelled = false;  ///< a user ended the set-up: no verdict about the subject
};
struct SubjectReset {
  Subject subject;
  std::string reason;
};  ///< the workspace and its evidence are discarded: the subject starts again, as a copy
struct TemplateReady {
  std::string digest;
  bool cached = false;
  bool warm = false;  ///< the template has build results, so cold confirmations make sense
  std::vector<TemplateStep> steps;
  std::vector<std::string> notes;
};  ///< the template of the check workspaces
struct CheckEnded {
  Subject subject;
  CheckEvidence evidence;
};
struct CheckRepeated {
  Subject subject;
  CheckEvidence evidence;
};  ///< a rerun of the tests, to find flaky ones
struct Published {
  std::vector<std::pair<std::string, std::string>> branches;   ///< agent -> full branch name
  std::vector<std::pair<std::string, std::string>> refused{};  ///< agent -> why it has no branch
};
struct ScoringResult {
  Ranking ranking;
  bool final = true;  ///< false: all configured checks have ended, and verification goes on
};
struct CancelRequested {
  std::string agent;
};  ///< empty: the whole race
enum class RaceEnd { done, cancelled, failed };
template <>
inline constexpr auto kWords<RaceEnd> = words_or(RaceEnd::failed, "done", "cancelled", "failed");
struct RaceEnded {
  RaceEnd state = RaceEnd::failed;
};
struct Merged {
  std::string agent;
  std::string commit;
  std::string ref;
  bool automatic = false;
  std::string before{};  ///< commit of the branch before the merge
  std::string state{};   ///< commit of the uncommitted state that was merged too; empty: none
};
/// A merge was undone: the branch is at its earlier commit again.
struct MergeUndone {
  std::string agent;
  std::string commit;
  std::string ref;
};
/// Parts of results combined into a new result after the race had ended: the race runs again until that
/// result is checked and ranked too.
struct Combined {
  std::string agent;    ///< name of the result in the race
  std::string display;  ///< "codex:src/x.c, claude:tests/"
  Capture capture;
  std::int64_t wall_ms = 0;  ///< duration of the slowest agent that contributed; the Speed dimension uses it
};
enum class Refusal {
  failed,  ///< git, the repository or the machine
  held,    ///< a rule about evidence; a new ranking may be merged
  undone,  ///< the user undid the merge
};
template <>
inline constexpr auto kWords<Refusal> = words<Refusal>("failed", "held", "undone");

struct MergeRefused {
  std::string agent;
  std::string reason;  ///< for people
  bool automatic = false;
  Refusal because = Refusal::failed;
};
struct Note {
  Subject subject;
  std::string text;
};  ///< for people; changes no state

enum class StopReason {
  none,  ///< not stopped
  budget,
  race_budget,
  auth,  ///< the agent waits for a sign-in
  idle,
  finished,  ///< the agent had reported its end and did not exit
  green,     ///< another result is good enough
};
template <>
inline constexpr auto kWords<StopReason> = words_or(StopReason::budget, "", "budget", "race_budget", "auth",
                                                    "idle", "finished", "green");

/// Hydra stops an agent on its own initiative. An agent that never ran ends with this event.
struct StopRequested {
  std::string agent;
  StopReason reason = StopReason::budget;
  ErrorClass error_class = ErrorClass::none;
  std::string message;  ///< "stopped: budget of $1.00 reached at $1.03"
  std::string advice;   ///< remedy for people; may be empty
};
/// An agent runs again, as a new attempt; an ended race is resumed.
struct RetryRequested {
  std::string agent;
  bool automatic = false;  ///< [limits] retries, as opposed to `hydra retry`
  bool fresh = false;      ///< in a new workspace, since the old one has no changes
  std::string session;     ///< session of the CLI to resume; empty: a new session
  std::string prompt;      ///< empty: the task
  std::string reason;
  std::optional<double> budget_usd{};  ///< of this attempt and its retries, 0: no limit; absent: as
                                       ///< configured
  std::optional<std::uint64_t> budget_tokens{};
};

/// The cross tests that run from now on, once the checks of all results have ended.
struct CrossPlanned {
  CrossPlan plan;
};

/// Agents are told the shortcomings of their results and continue; a new ranking follows.
struct RoundBegan {
  int number = 2;                   ///< the first round is 1 and has no such event
  std::vector<std::string> agents;  ///< agents that are asked; empty: no result falls short
};

/// Results of the authors' tests on each other's code. The newest event counts; an existing ranking is
/// computed again.
struct CrossTested {
  Matrix matrix;
};

/// Tests of the base that the task has changed, as the user says: the tests no longer count for any result,
/// and the ranking is computed again from the stored evidence.
struct TestsApproved {
  std::vector<std::string> names;
};

/// The user's repository was compared with the race's start (docs/integrity.md). The newest one counts.
struct RepositoryCompared {
  std::string agent;                   ///< agent whose run had ended; empty: the end of the race
  std::vector<std::string> blocking;   ///< changes not by Hydra that need consent before any merge
  std::vector<std::string> meanwhile;  ///< changes that people make as they work: commits, fetches, edits
};

/// `hydra race --until green`: this result is good enough; the remaining time of the other agents begins.
struct GreenReached {
  std::string agent;
};

/// The base's checks ran for a while without a failure: agents that waited for them begin.
struct BaselineWorks {};

/// `hydra clean --history`: only the race's events are kept.
struct HistoryForgotten {};

/// The plan of judgements, made once checks and cross tests have ended.
struct JudgesPlanned {
  JudgePlan plan;
};
/// A judge has answered, or will not answer.
struct Judged {
  Judgement judgement;
};
/// `hydra rate`: a person's rating of a result, after the race.
struct Rated {
  std::string agent;
  Rating rating;
};

/// Results that are run with twins of the base's tests; another plan follows when other results take the
/// lead.
struct TwinsPlanned {
  TwinPlan plan;
};

/// `other`: a kind from a later version, which this version ignores.
enum class DecisionKind { other, approve_test, approve_deleted, accept, unprotected };
template <>
inline constexpr auto kWords<DecisionKind> = words<DecisionKind>("other", "approve_test", "approve_deleted",
                                                                 "accept", "unprotected");

/// A person's decision about a race that has ended (docs/integrity.md).
struct Decision {
  DecisionKind kind = DecisionKind::other;
  std::string what;  ///< a test of the base; RULE:PATH; a pattern of paths
};
/// `hydra verify` with decisions: the race is ranked again, and runs again when a restored path is to stay as
/// in the result.
struct Decided {
  std::vector<Decision> decisions;
  std::string by;  ///< "Ada <ada@example.org>": the deciding person by git's configuration; one line
};

using AnyEvent =
    std::variant<RaceCreated, RacePrepared, RaceFailed, WorkspaceReady, WorkspaceFailed, AgentStarting,
                 AgentEnded, Captured, CaptureFailed, SubjectReady, SubjectFailed, CheckEnded, Published,
                 ScoringResult, CancelRequested, RaceEnded, Merged, MergeRefused, Note, SubjectReset,
                 TemplateReady, StopRequested, RetryRequested, Inspected, CheckRepeated, MergeUndone,
                 Combined, RepositoryCompared, CrossTested, TestsApproved, CrossPlanned, RoundBegan,
                 HistoryForgotten, JudgesPlanned, Judged, Rated, TwinsPlanned, Decided, GreenReached,
                 BaselineWorks>;

/// Any event body. Copy and destruction of 44 structs are compiled once, not in each source that passes an
/// event.
class EventBody : public AnyEvent {
 public:
  EventBody();
  EventBody(const EventBody& other);
  EventBody(EventBody&& other) noexcept;
  EventBody& operator=(const EventBody& other);
  EventBody& operator=(EventBody&& other) noexcept;
  ~EventBody();
  template <class Body>
  requires std::is_constructible_v<AnyEvent, Body> EventBody(
      Body body);  // NOLINT(google-explicit-constructor)
};

struct Event {
  std::int64_t id = 0;  ///< row id in the store, and id in a live stream; 0: not stored yet
  std::string race;
  std::int64_t at_ms = 0;  ///< Unix time
  EventBody body;
  Uptime up{};  ///< uptime at at_ms, for durations
};

/// Returns the names of all kinds, in the order of AnyEvent's alternatives.
std::span<const std::string_view> kinds();
/// Returns the stable name of an event's kind, as in the API: "agent_ended".
std::string_view kind(const EventBody& body);

}  // namespace hydra::model
