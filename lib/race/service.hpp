// race: the service behind the daemon's verbs: races as state plus the effects that carry their commands out.
// Everything here runs on the loop's thread; blocking work goes to a small pool and comes back.
#pragma once

#include "base/clock.hpp"
#include "base/paths.hpp"
#include "base/result.hpp"
#include "exec/executor.hpp"
#include "model/race_spec.hpp"
#include "race/clean.hpp"
#include "storage/event_store.hpp"
#include "storage/history.hpp"
#include "wire/answers.hpp"
#include "wire/details.hpp"
#include "wire/history.hpp"
#include "wire/requests.hpp"
#include "wire/status.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace hydra::race {

// Calls are the requests of the API (wire/requests.hpp), and what the daemon knows beside them.

struct CreateRequest : wire::RaceRequest {
  std::map<std::string, std::string> versions;  ///< see model::RaceSpec
};

struct MergeCall : wire::MergeRequest {
  std::function<bool()> gone;  ///< asked when the turn comes: where nobody waits any more, nothing is done
};
using CombineCall = wire::CombineRequest;
struct RetryCall : wire::RetryRequest {
  std::string race;  ///< full id
};
struct RateCall : wire::RateRequest {
  std::string race;  ///< full id
};

/// `hydra verify` with a person's decisions.
struct DecideCall {
  std::string race;  ///< full id
  std::vector<model::Decision> decisions;
  std::string by;  ///< one line of 200 bytes at most; empty: whom git named when the race began
};

struct CleanCall {
  std::string race;  ///< empty: all
  CleanAges ages;
  bool apply = false;
  bool wait = true;                           ///< see MergeCall; of one race only
  std::optional<std::set<std::string>> only;  ///< with `apply`: paths, and names of templates, of a plan that
                                              ///< was shown; nothing else goes
};

struct LeaderboardCall {
  storage::HistoryFilter filter;
  std::string by = "agent";         ///< "agent", "model", "version" or "label:KEY"
  std::int64_t minimum = 5, k = 0;  ///< league::TableOptions
  std::string compare;              ///< "A,B": two entries of the table; empty: the first two
};

struct TestsQuery {
  std::string show = "changed";  ///< "changed", "failed", "all"
  std::string text;              ///< a part of the name
  std::size_t from = 0, limit = 5000;
};

/// Which part of which log.
struct LogQuery {
  std::string subject;         ///< an agent, one of its own or cold subjects ("codex@own"), or the baseline
  std::string kind = "agent";  ///< agent, setup, build, tests, lint, template, warm
  std::string attempt;  ///< a number, or a key as evidence has it (then it says subject and kind); empty:
                        ///< the newest
  bool err = false, raw = false;
  std::int64_t offset = 0;
  std::int64_t tail = 0;        ///< > 0: from the first line that begins in the last so many bytes
  std::int64_t line = 0;        ///< > 0: from that line on
  std::int64_t most = 1 << 20;  ///< bytes
};

struct DiffQuery {
  std::string against;  ///< another agent; empty: the base
  std::string path;     ///< of one file only; empty: all
  int context = 3;      ///< lines around a change
  bool ignore_space = false;
};

struct Patch {
  std::string text;
  bool cut = false;      ///< longer than what is sent
  std::string identity;  ///< names both commits and how they are compared
};

struct LogSlice {
  std::string bytes;
  std::int64_t offset = 0;  ///< where they begin
  std::int64_t next_offset = 0;
  bool ended = false;  ///< no more bytes will come
  bool cut = false;    ///< the middle was dropped somewhere before next_offset
};

class Service {
 public:
  struct Options {
    Paths paths;
    std::filesystem::path shim;  ///< hydra-shim
    int check_slots = 0;         ///< of two cores each; 0: half as many as there are cores
    int pool_threads = 4;
    /// What the environment of whoever started the daemon had: see KnownSecrets.
    std::map<std::string, std::string> starter{};
  };
  using OnEvent = std::function<void(const model::Event&)>;

  Service(boost::asio::io_context& loop, Options options, storage::EventStore& store,
          exec::Executor& executor, const Clock& clock, IdSource& ids);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// After a start: finishes interrupted merges, folds the races that have not ended, and goes on with them.
  Result<void> recover();
  /// Damage of the database that was found since the start, a sentence each.
  [[nodiscard]] std::vector<std::string> storage_findings() const;
  /// No new races; returns at once. Running agents go on under their supervisors.
  void drain();

  void create(CreateRequest request, std::function<void(Result<wire::Created>)> done);
  Result<void> cancel(const std::string& race, const std::string& agent);
  /// Answers once the race goes on. `conflict`: it still runs; `refused`: the result
  /// was merged or the worktree is gone.
  void retry(RetryCall call, std::function<void(Result<wire::Retried>)> done);
  void merge(MergeCall call, std::function<void(Result<wire::MergeAnswer>)> done);
  /// Makes a result of parts of results; its race runs again until that is checked and ranked.
  void combine(CombineCall call, std::function<void(Result<wire::Combined>)> done);

  /// A race id out of an id, a unique prefix, or "last" of a repository's directory.
  Result<std::string> resolve(const std::string& text, const std::string& directory);
  Result<wire::RaceList> list(const storage::RaceQuery& query);
  /// Roots of all repositories that have a race.
  Result<std::set<std::string>> repositories();
  Result<std::string> repository_of(const std::string& race);
  Result<wire::Status> status(const std::string& race);
  Result<wire::Results> results(const std::string& race);
  /// How each point of an agent came to be (docs/integrity.md).
  Result<wire::Explain> explain(const std::string& race, const std::string& agent);
  /// The ranking again out of stored evidence, with `weights` (name of a dimension, at least 0) in the place
  /// of the race's; stores nothing.
  Result<wire::Results> rescore(const std::string& race, const std::map<std::string, double>& weights);
  /// What a person decides about a race that has ended. It is ranked again out of what is stored; where a
  /// path that was put back is given free, the checks of those results run again, and no agent. Answers with
  /// the results and `after` (id of the event before it). `conflict`: it still runs; `not_found`: what it is
  /// about is not there.
  void decide(DecideCall call, std::function<void(Result<wire::Results>)> done);
  /// A person's word on a result of a race that has ended: one of the judges, and a known outcome. Where
  /// judges have a weight the race is ranked again. `conflict`: it still runs.
  void rate(RateCall call, std::function<void(Result<wire::Rated>)> done);
  /// A race that runs the checks of an ended one again, on its captured commits. It is in no list.
  void verify(const std::string& race, std::function<void(Result<wire::Created>)> done);
  /// What such a race found different from the one that it verifies.
  Result<wire::Verification> verification(const std::string& race);
  void log(const std::string& race, const LogQuery& query, std::function<void(Result<LogSlice>)> done);
  /// Where every thousandth line of a log begins.
  void log_lines(const std::string& race, const LogQuery& query,
                 std::function<void(Result<wire::LogLines>)> done);
  /// Tests by name, a letter for the baseline and each agent.
  Result<wire::TestTable> tests(const std::string& race, const TestsQuery& query);
  /// One test of one agent (or the baseline), by its name.
  Result<wire::NamedTest> test(const std::string& race, const std::string& agent, const std::string& name);
  /// Findings of the linter; `only_new`: those that the baseline has not.
  Result<wire::LintPage> lint(const std::string& race, const std::string& agent, bool only_new,
                              std::size_t from);
  /// Every attempt that has a log.
  Result<wire::Attempts> attempts(const std::string& race);
  /// Files that differ between two results.
  void diff_files(const std::string& race, const std::string& agent, const DiffQuery& query,
                  std::function<void(Result<wire::DiffFiles>)> done);
  /// In which tests two results end differently (race/state/behaviour.hpp).
  Result<wire::Behaviour> behaviour(const std::string& race, const std::string& a, const std::string& b);
  void diff(const std::string& race, const std::string& agent, const DiffQuery& query,
            std::function<void(Result<Patch>)> done);

  /// The arena's table over the history, and what is beside it (docs/leaderboard.md).
  void leaderboard(LeaderboardCall call, std::function<void(Result<wire::Leaderboard>)> done);
  /// At most `limit` races of the history, oldest first; `next` goes on with the list.
  void history(storage::HistoryFilter filter, std::size_t limit,
               std::function<void(Result<wire::History>)> done);
  /// Makes the history anew out of the events.
  void rebuild_history(std::function<void(Result<wire::Rebuilt>)> done);
  /// Nothing is remembered any more of this race, or of all that have ended.
  void forget_history(const std::string& race, std::function<void(Result<wire::Forgotten>)> done);

  /// Templates of check workspaces that are kept, and which of them a race uses now.
  void list_templates(std::function<void(Result<wire::Templates>)> done);
  /// What ended races, templates and the trash take, and what may go; with `apply` it goes.
  void clean(CleanCall call, std::function<void(Result<wire::CleanAnswer>)> done);
  /// Brings a race that clean() took away back within its keep time, and makes its workspaces again from
  /// their captures. `wait`: see MergeCall.
  void restore(const std::string& race, const wire::RestoreRequest& asked,
               std::function<void(Result<wire::RestoreAnswer>)> done);

  /// The text without the values of this race's secrets.
  std::string redacted(const std::string& race, const std::string& text);
  /// Id of the newest event of all races.
  Result<std::int64_t> last_event();
  /// Races that have not ended, the oldest first.
  [[nodiscard]] std::vector<std::string> open_races() const;
  /// Stored events after `after` first, then each new one. The number is for unsubscribe(). Without a race:
  /// new ones of all races.
  Result<std::uint64_t> subscribe(const std::string& race, std::int64_t after, OnEvent on_event);
  void unsubscribe(std::uint64_t subscription);
  /// Whether the race has ended and nothing of it will come any more.
  bool over(const std::string& race);
  /// For people: what keeps a race that runs from going on, a full disk for example; the same words while it
  /// lasts. Empty: nothing does.
  [[nodiscard]] std::string waits(const std::string& race) const;
  [[nodiscard]] int running_races() const;

  /// Runs blocking work on the pool and `done` on the loop.
  void background(std::function<void()> work, std::function<void()> done);

  struct Impl;  ///< of this room

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace hydra::race
