// race: the service behind the daemon's verbs: races as state, plus the effects that carry out their
// commands. Everything runs on the loop's thread; blocking work runs on a small pool.
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

// Calls are the API's requests (wire/requests.hpp) plus values that only the daemon knows.

struct CreateRequest : wire::RaceRequest {
  std::map<std::string, std::string> versions;  ///< see model::RaceSpec
};

struct MergeCall : wire::MergeRequest {
  std::function<bool()> gone;  ///< asked when the merge's turn comes; true: the client has gone, and nothing
                               ///< is done
};
using CombineCall = wire::CombineRequest;
struct RetryCall : wire::RetryRequest {
  std::string race;      ///< full id
  std::string comments;  ///< `review` as a part of a prompt; empty: not made yet
};
struct RateCall : wire::RateRequest {
  std::string race;  ///< full id
};

struct TryCall : wire::TryRequest {
  std::string race;  ///< full id
};

/// `hydra verify` with a person's decisions.
struct DecideCall {
  std::string race;  ///< full id
  std::vector<model::Decision> decisions;
  std::string by;  ///< one line of at most 200 bytes; empty: the git user when the race began
};

struct CleanCall {
  std::string race;  ///< empty: all
  CleanAges ages;
  bool apply = false;
  bool wait = true;                           ///< see MergeCall; only for one race
  std::optional<std::set<std::string>> only;  ///< with `apply`: paths, and names of templates, of a plan that
                                              ///< was shown; nothing else is removed
};

struct LeaderboardCall {
  storage::HistoryFilter filter;
  std::string by = "agent";          ///< "agent", "model", "version" or "label:KEY"
  std::int64_t minimum = 5, k = 0;   ///< league::TableOptions
  std::vector<std::string> entries;  ///< only attempts of these entries, agents or AGENT=MODEL; empty: all
  std::string compare;               ///< "A,B": two entries of the table; empty: the first two
};

struct TestsQuery {
  std::string show = "changed";  ///< "changed", "failed", "all"
  std::string text;              ///< a part of the name
  std::size_t from = 0, limit = 5000;
};

/// Selects a part of a log.
struct LogQuery {
  model::Subject subject;
  std::string kind = "agent";  ///< agent, setup, build, tests, lint, template, warm, run
  std::string attempt;  ///< number, or key from evidence (which then determines subject and kind); empty: the
                        ///< newest
  bool err = false, raw = false;
  std::int64_t offset = 0;
  std::int64_t tail = 0;        ///< > 0: start at the first line that begins within the last so many bytes
  std::int64_t line = 0;        ///< > 0: start at this line
  std::int64_t most = 1 << 20;  ///< bytes
};

struct DiffQuery {
  std::string against;       ///< another agent; empty: the base
  bool since_retry = false;  ///< against the agent's own result before its last `hydra retry`
  std::string path;          ///< one file; empty: all
  int context = 3;           ///< lines around a change
  bool ignore_space = false;
  bool utf8 = false;  ///< git::CompareRequest::utf8
};

struct Patch {
  std::string text;
  bool cut = false;      ///< the diff exceeds the size limit and was truncated
  std::string identity;  ///< identifies both commits and the kind of comparison
};

struct LogSlice {
  std::string bytes;
  std::int64_t offset = 0;  ///< offset of `bytes` in the log
  std::int64_t next_offset = 0;
  bool ended = false;  ///< no more bytes will follow
  bool cut = false;    ///< the log's middle was dropped somewhere before next_offset
};

class Service {
 public:
  struct Options {
    Paths paths;
    std::filesystem::path shim;  ///< path of hydra-shim
    int check_slots = 0;         ///< slots of two cores each; 0: half the number of cores
    int pool_threads = 4;
    /// Environment of the process that started the daemon: see KnownSecrets.
    std::map<std::string, std::string> starter{};
  };
  using OnEvent = std::function<void(const model::Event&)>;

  Service(boost::asio::io_context& loop, Options options, storage::EventStore& store,
          exec::Executor& executor, const Clock& clock, IdSource& ids);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Finishes interrupted merges after a start, folds the open races, and resumes them.
  Result<void> recover();
  /// Returns damage found in the database since the start, one sentence each.
  [[nodiscard]] std::vector<std::string> storage_findings() const;
  /// Calls `then` on the loop once calls about this race take no time: a large one is read on the pool.
  void with_loaded(const std::string& race, std::function<void()> then);
  /// Refuses new races; calls `stored` once no event waits to be stored. Running agents continue under their
  /// supervisors.
  void drain(std::function<void()> stored);

  void create(CreateRequest request, std::function<void(Result<wire::Created>)> done);
  Result<void> cancel(const std::string& race, const std::string& agent);
  /// Answers once the race has resumed. `conflict`: the race still runs; `refused`: the result was merged or
  /// the worktree is gone.
  void retry(RetryCall call, std::function<void(Result<wire::Retried>)> done);
  void merge(MergeCall call, std::function<void(Result<wire::MergeAnswer>)> done);
  /// Combines parts of results into a new result; the race runs again until that is checked and ranked.
  void combine(CombineCall call, std::function<void(Result<wire::Combined>)> done);

  /// Returns a race id for an id, a unique prefix, or "last" of a directory's repository.
  Result<std::string> resolve(const std::string& text, const std::string& directory);
  void list(const storage::RaceQuery& query, std::function<void(Result<wire::RaceList>)> done);
  /// Returns the roots of all repositories that have a race.
  Result<std::set<std::string>> repositories();
  Result<std::string> repository_of(const std::string& race);
  Result<wire::Status> status(const std::string& race);
  Result<wire::Results> results(const std::string& race);
  /// Explains each point of an agent (docs/integrity.md).
  Result<wire::Explain> explain(const std::string& race, const std::string& agent);
  /// Ranks again from stored evidence, with `weights` (by dimension, >= 0) instead of the race's; stores
  /// nothing.
  Result<wire::Results> rescore(const std::string& race, const std::map<std::string, double>& weights);
  /// Records a person's decisions on an ended race and ranks it again; if a restored path is released,
  /// affected checks run again, but no agent. `after`: id of the event before. `conflict`: still runs;
  /// `not_found`: no such object.
  void decide(DecideCall call, std::function<void(Result<wire::Results>)> done);
  /// Records a person's rating of a result of an ended race: a judge's vote and a known outcome. If judges
  /// have a weight, the race is ranked again. `conflict`: the race still runs.
  void rate(RateCall call, std::function<void(Result<wire::Rated>)> done);
  /// Runs results of an ended race for a person, each in the walls of a check, until stop_try() of the
  /// returned number. `tell` gets the start and the end of each, never during this call.
  Result<std::uint64_t> try_results(TryCall call, std::function<void(const wire::TryFrame&)> tell);
  void stop_try(std::uint64_t number);
  /// Creates a race that runs the checks of an ended one again, on its captured commits. Lists do not show
  /// it.
  void verify(const std::string& race, std::function<void(Result<wire::Created>)> done);
  /// Returns the differences between a verification and the verified race.
  Result<wire::Verification> verification(const std::string& race);
  void log(const std::string& race, const LogQuery& query, std::function<void(Result<LogSlice>)> done);
  /// Returns the offset of every thousandth line of a log.
  void log_lines(const std::string& race, const LogQuery& query,
                 std::function<void(Result<wire::LogLines>)> done);
  /// Returns the tests by name, with one letter for the baseline and each agent.
  void tests(const std::string& race, const TestsQuery& query,
             std::function<void(Result<wire::TestTable>)> done);
  /// Returns one test of one agent (or the baseline), by its name.
  Result<wire::NamedTest> test(const std::string& race, const std::string& agent, const std::string& name);
  /// Returns findings of the linter; `only_new`: those that the baseline lacks.
  Result<wire::LintPage> lint(const std::string& race, const std::string& agent, bool only_new,
                              std::size_t from);
  /// Returns every attempt that has a log.
  Result<wire::Attempts> attempts(const std::string& race);
  /// Lists files that differ between two results.
  void diff_files(const std::string& race, const std::string& agent, const DiffQuery& query,
                  std::function<void(Result<wire::DiffFiles>)> done);
  /// Returns the tests that two results end differently (race/state/behaviour.hpp).
  Result<wire::Behaviour> behaviour(const std::string& race, const std::string& a, const std::string& b);
  void diff(const std::string& race, const std::string& agent, const DiffQuery& query,
            std::function<void(Result<Patch>)> done);

  /// Computes the leaderboard over the history (docs/suites.md).
  void leaderboard(LeaderboardCall call, std::function<void(Result<wire::Leaderboard>)> done);
  /// Returns at most `limit` races of the history, oldest first; `next` continues the list.
  void history(storage::HistoryFilter filter, std::size_t limit,
               std::function<void(Result<wire::History>)> done);
  /// Adds races of another machine to the history.
  void import_history(const std::vector<model::HistoryRace>& races,
                      std::function<void(Result<wire::Imported>)> done);
  /// Rebuilds the history from the events.
  void rebuild_history(std::function<void(Result<wire::Rebuilt>)> done);
  /// Removes this race, or all ended races, from the history.
  void forget_history(const std::string& race, std::function<void(Result<wire::Forgotten>)> done);

  /// Lists the templates of check workspaces and whether a race uses them.
  void list_templates(std::function<void(Result<wire::Templates>)> done);
  /// Lists the disk usage of ended races, templates and the trash, and which items may be removed; removes
  /// them with `apply`.
  void clean(CleanCall call, std::function<void(Result<wire::CleanAnswer>)> done);
  /// Restores a race that clean() removed, within its keep time, and recreates its workspaces from captures.
  /// `wait`: see MergeCall.
  void restore(const std::string& race, const wire::RestoreRequest& asked,
               std::function<void(Result<wire::RestoreAnswer>)> done);

  /// Returns the text without the values of this race's secrets.
  std::string redacted(const std::string& race, const std::string& text);
  /// Returns the id of the newest event of all races.
  Result<std::int64_t> last_event();
  /// Returns the open races, oldest first.
  [[nodiscard]] std::vector<std::string> open_races() const;
  /// Delivers stored events after `after`, then each new one; returns a number for unsubscribe(). Without a
  /// race: only new events, of all races.
  Result<std::uint64_t> subscribe(const std::string& race, std::int64_t after, OnEvent on_event);
  void unsubscribe(std::uint64_t subscription);
  /// Reads the stored events of a race after `after` on the pool, without their lists of tests.
  void past(const std::string& race, std::int64_t after,
            std::function<void(Result<std::vector<model::Event>>)> done);
  /// Returns whether the race has ended and no further event will come.
  bool over(const std::string& race);
  /// Returns what delays a running race, for people: a full disk, for example; the text is stable while the
  /// cause lasts. Empty: nothing.
  [[nodiscard]] std::string waits(const std::string& race) const;
  [[nodiscard]] int running_races() const;

  /// Runs blocking work on the pool and `done` on the loop.
  void background(std::function<void()> work, std::function<void()> done);
  /// Makes a long answer beside the loop, without waiting for other blocking work; `done` runs on the loop.
  void background_read(std::function<void()> work, std::function<void(const Result<void>&)> done);

  struct Impl;  ///< defined in this room (impl.hpp)

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace hydra::race
