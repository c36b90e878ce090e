// model: the events of a race. Its state is their fold; they are all that is stored.
#pragma once

#include "base/clock.hpp"
#include "model/agent_run.hpp"
#include "model/check.hpp"
#include "model/cross_plan.hpp"
#include "model/integrity.hpp"
#include "model/judging.hpp"
#include "model/race_spec.hpp"
#include "model/score.hpp"
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

/// Appended to a subject: the same commit once more, without build results of the base.
inline constexpr std::string_view kCold = "@cold";

/// Appended to a subject: the captured commit as it is, where the checks restored paths of it.
inline constexpr std::string_view kOwn = "@own";

/// Appended to a subject: the checked commit once more, each test file of the base by itself: one that can't
/// be loaded takes no other with it.
inline constexpr std::string_view kFiles = "@files";

/// A subject or agent as the name of a directory: "baseline", "codex.2" for codex#2 (tools take "#" in a path
/// for the begin of a comment or of a fragment).
std::string directory_name(std::string_view subject);
/// The agent whose directory this is; names of agents have no ".".
std::string name_of_directory(std::string_view directory);

struct RaceCreated {
  RaceSpec spec;
};
struct RacePrepared {};  ///< store made, base pinned
struct RaceFailed {
  std::string reason;
};  ///< could not be prepared: the race ends
struct WorkspaceReady {
  std::string agent;
  std::string path;
};
struct WorkspaceFailed {
  std::string agent;
  std::string reason;
};
struct AgentStarting {
  std::string agent;
  std::string attempt;
  int number = 1;
};  ///< written ahead of the start
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
};  ///< what its checks will run on, and what its diff attempts
struct SubjectReady {
  std::string subject;
  std::string path;
  WorkspaceFacts facts{};
};  ///< check workspace made and set up
struct SubjectFailed {
  std::string subject;
  std::string reason;
  std::string attempt;
  std::optional<Advice> advice{};
  bool cancelled = false;  ///< somebody ended its set-up: no verdict about it
};
struct SubjectReset {
  std::string subject;
  std::string reason;
};  ///< the workspace and its evidence are given up: it begins again, as a copy
struct TemplateReady {
  std::string digest;
  bool cached = false;
  bool warm = false;  ///< has build results: cold confirmations mean something
  std::vector<TemplateStep> steps;
  std::vector<std::string> notes;
};  ///< what the check workspaces are made from
struct CheckEnded {
  std::string subject;
  CheckEvidence evidence;
};
struct CheckRepeated {
  std::string subject;
  CheckEvidence evidence;
};  ///< the tests once more, to tell unstable ones
struct Published {
  std::vector<std::pair<std::string, std::string>> branches;   ///< agent -> full branch name
  std::vector<std::pair<std::string, std::string>> refused{};  ///< agent -> why it has none
};
struct ScoringResult {
  Ranking ranking;
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
  std::string before{};  ///< what the branch held before
  std::string state{};   ///< commit of the uncommitted state that went in with it; empty: none
};
/// A merge was taken back: the branch holds again what it held before.
struct MergeUndone {
  std::string agent;
  std::string commit;
  std::string ref;
};
/// Parts of results as a result of their own, made after the race had ended: it runs again until that one is
/// checked and ranked too.
struct Combined {
  std::string agent;    ///< its name in the race
  std::string display;  ///< "codex:src/x.c, claude:tests/"
  Capture capture;
  std::int64_t wall_ms = 0;  ///< of the slowest agent that it is made of: what its Speed is measured by
};
enum class Refusal {
  failed,  ///< git, the repository or the machine
  held,    ///< a rule about evidence; another ranking may be merged
  undone,  ///< the user took the merge back
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
  std::string subject;
  std::string text;
};  ///< worth telling, changes nothing

enum class StopReason {
  budget,
  race_budget,
  auth,  ///< it waits for a sign-in
  idle,
  finished,   ///< it had reported its end and did not exit
  green,      ///< another result is enough
  dominated,  ///< it can't win any more
};
template <>
inline constexpr auto kWords<StopReason> = words<StopReason>("budget", "race_budget", "auth", "idle",
                                                             "finished", "green", "dominated");

/// Hydra stops an agent by itself. An agent that never ran ends with this.
struct StopRequested {
  std::string agent;
  StopReason reason = StopReason::budget;
  ErrorClass error_class = ErrorClass::none;
  std::string message;  ///< "stopped: budget of $1.00 reached at $1.03"
  std::string advice;   ///< what to do about it; may be empty
};
/// An agent runs once more, as a new attempt; a race that has ended goes on.
struct RetryRequested {
  std::string agent;
  bool automatic = false;  ///< [limits] retries, as opposed to `hydra retry`
  bool fresh = false;      ///< in a new workspace: nothing was changed in the old one
  std::string session;     ///< the CLI's own, gone on with; empty: a new one
  std::string prompt;      ///< empty: the task
  std::string reason;
  std::optional<double> budget_usd{};  ///< of this attempt and its automatic repetitions, 0: none; absent:
                                       ///< as configured
  std::optional<std::uint64_t> budget_tokens{};
};

/// Which cross tests are run from now on, once the checks of all results are over.
struct CrossPlanned {
  CrossPlan plan;
};

/// No more of them are: [selection] seconds are over.
struct CrossStopped {
  std::string reason;  ///< "out_of_time"
};

/// Agents are told what their results fell short of, and go on; the race is ranked again after it.
struct RoundBegan {
  int number = 2;                   ///< the first one is 1, without such an event
  std::vector<std::string> agents;  ///< that are asked; empty: nobody falls short of anything
};

/// What the authors' tests say of each other's results. The newest one counts; a ranking that was there is
/// made again.
struct CrossTested {
  Matrix matrix;
};

/// Tests of the base that the user says the task has changed: from now on they say nothing about any result,
/// and the ranking is made again out of the evidence that is there.
struct TestsApproved {
  std::vector<std::string> names;
};

/// The user's repository was compared with the race's start (docs/integrity.md). The newest one counts.
struct RepositoryCompared {
  std::string agent;                   ///< when its run had ended; empty: at the end of the race
  std::vector<std::string> blocking;   ///< what no merge goes past without a word, and Hydra did not do
  std::vector<std::string> meanwhile;  ///< as people work: commits, fetches, edits
};

/// `hydra race --until green`: this result is enough; the time that the others are given begins.
struct GreenReached {
  std::string agent;
};

/// `hydra clean --history`: nothing of this race is remembered beyond its events.
struct HistoryForgotten {};

/// Who judges which results, once their checks and cross tests are over.
struct JudgesPlanned {
  JudgePlan plan;
};
/// One judge has answered, or will not.
struct Judged {
  Judgement judgement;
};
/// `hydra rate`: what a person thinks of a result, after the race.
struct Rated {
  std::string agent;
  Rating rating;
};

/// Which results are run with twins of the base's tests; another plan follows where others come to lead.
struct TwinsPlanned {
  TwinPlan plan;
};

/// `other`: of a later version, which this one does not follow.
enum class DecisionKind { other, approve_test, approve_deleted, accept, unprotected };
template <>
inline constexpr auto kWords<DecisionKind> = words<DecisionKind>("other", "approve_test", "approve_deleted",
                                                                 "accept", "unprotected");

/// A person's word on a race that has ended (docs/integrity.md).
struct Decision {
  DecisionKind kind = DecisionKind::other;
  std::string what;  ///< a test of the base; RULE:PATH; a pattern of paths
};
/// `hydra verify` with such words: the race is ranked again, and runs again where a path of a result that was
/// put back is to stay as the result has it.
struct Decided {
  std::vector<Decision> decisions;
  std::string by;  ///< "Ada <ada@example.org>", as git knows whoever decides; one line
};

using AnyEvent =
    std::variant<RaceCreated, RacePrepared, RaceFailed, WorkspaceReady, WorkspaceFailed, AgentStarting,
                 AgentEnded, Captured, CaptureFailed, SubjectReady, SubjectFailed, CheckEnded, Published,
                 ScoringResult, CancelRequested, RaceEnded, Merged, MergeRefused, Note, SubjectReset,
                 TemplateReady, StopRequested, RetryRequested, Inspected, CheckRepeated, MergeUndone,
                 Combined, RepositoryCompared, CrossTested, TestsApproved, CrossPlanned, CrossStopped,
                 RoundBegan, HistoryForgotten, JudgesPlanned, Judged, Rated, TwinsPlanned, Decided,
                 GreenReached>;

/// One of them. Copies and ends of 44 structs are compiled once, not in each source that passes an event on.
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
  std::int64_t id = 0;  ///< row id of the store: also the id in a live stream; 0: not stored yet
  std::string race;
  std::int64_t at_ms = 0;  ///< Unix time
  EventBody body;
  Uptime up{};  ///< the same moment, for durations
};

/// The names of all kinds, in the order of AnyEvent's alternatives.
std::span<const std::string_view> kinds();
/// "agent_ended": stable name of an event's kind, as in the API.
std::string_view kind(const EventBody& body);

}  // namespace hydra::model
