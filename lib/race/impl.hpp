// race: what the sources of the service share. Private to this room.
#pragma once

#include "adapters/adapters.hpp"
#include "base/log.hpp"
#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "league/calibration.hpp"
#include "race/jobs.hpp"
#include "race/judging.hpp"
#include "race/layout.hpp"
#include "race/leases.hpp"
#include "race/providers.hpp"
#include "race/reserve.hpp"
#include "race/service.hpp"
#include "race/slots.hpp"
#include "race/state.hpp"
#include "race/turns.hpp"
#include "race/views.hpp"
#include "race/watch.hpp"
#include "race/work_pool.hpp"
#include "trees/layered.hpp"
#include "trees/machines.hpp"
#include "trees/template.hpp"
#include "trees/workspace.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

/// What a running agent shows and nobody stores.
struct Live {
  std::unique_ptr<adapters::StreamReader> reader;
  std::int64_t offset = 0;
  bool skipped = false;  ///< a part of the log was gone before it was read
  Watch watch;
  bool stopping = false;       ///< a stop was asked for
  std::uint64_t tokens = 0;    ///< of it that its provider's rate has been told
  bool told_unpriced = false;  ///< that the dollar budget can't be applied
  std::int64_t usage_at_ms = 0;
  std::size_t usage_hash = 0;  ///< of what was read last of the usage file
  bool usage_running = false;
  std::uint64_t usage_log_offset = 0;  ///< so much of the usage log was read
  model::DiffStat diff;
  std::int64_t diff_at_ms = 0;
  bool diff_running = false;
  std::vector<std::array<std::int64_t, 3>> growth;  ///< [Unix time, lines added, removed], the newest 60
};

/// An agent that waits or runs: what it waits for, and what it holds.
struct Turn {
  enum class Stage { sign_in, provider, slot, files, running };
  Stage stage = Stage::provider;
  bool slot = false, placed = false;  ///< of its race, and among the agents of all races
  std::string sign_in, provider;      ///< empty: holds none
};

/// Why no check workspace can be made.
struct SubjectProblem {
  std::string reason;
  std::string attempt;  ///< of the command that failed
  std::optional<model::Advice> advice;
};

/// Events that are stored together, and what is called when each of them is delivered.
struct Batch {
  std::vector<model::Event> events;
  std::vector<std::function<void()>> then;  ///< one an event; may be null
};

/// A template in the making: one race makes it, others that need the same one wait.
struct TemplateBuild {
  trees::TemplateKey key;
  std::shared_ptr<struct Race> builder;
  std::vector<std::shared_ptr<struct Race>> waiting;
  int number = 1;  ///< of its attempts
  WorkspaceStep running;
  fs::path running_log;
  std::vector<model::TemplateStep> steps;
  std::vector<std::string> notes;
};

/// One race in memory: its fold and what only the running daemon has.
struct Race {
  Race(const fs::path& state_directory, const std::string& id) : layout(state_directory, id) {}

  State state;
  Layout layout;
  std::optional<git::Store> store;
  std::shared_ptr<trees::WorkspaceProvider> workspaces;
  std::shared_ptr<integrity::KnownRules> rules = std::make_shared<integrity::KnownRules>();
  SecretEnv secrets;
  std::unique_ptr<SlotPool> agent_slots;
  std::unique_ptr<SlotPool> own_check_slots;  ///< [limits] checks; null: those of the daemon
  std::map<std::string, Live> live;
  std::map<std::string, std::set<std::string>> running_checks;  ///< subject -> keys at the executor
  std::string baseline_key;
  config::EcosystemSet tools;  ///< of the base; known once with_template() has called back
  bool tools_known = false;
  std::string template_digest;  ///< of the template that `workspaces` use: not evicted meanwhile
  using OnTemplate = std::function<void(const std::optional<SubjectProblem>&)>;
  std::vector<OnTemplate> template_waiters;
  std::map<std::string, Turn> turns;                ///< by agent
  std::map<std::string, std::int64_t> retry_at_ms;  ///< agents that run again by themselves: Unix time
  std::map<std::string, std::string> wants_room;    ///< by agent, "" the race: what is tried again and why
  std::optional<adapters::PriceTable> prices;
  std::unique_ptr<boost::asio::steady_timer> cross_timer;    ///< of the cross tests under way
  std::unique_ptr<boost::asio::steady_timer> measure_timer;  ///< of mutants and coverage under way
  std::unique_ptr<boost::asio::steady_timer> green_timer;    ///< the grace time of `--until green`
};
using RacePtr = std::shared_ptr<Race>;

/// How often what failed so is tried, a second apart: what the machine lacks for a moment is no verdict about
/// an agent's work, and a full disk is emptied by people. 1: once.
int tries_of(const Error& error, bool cancelled);

struct Service::Impl {
  Impl(boost::asio::io_context& loop, Options options, storage::EventStore& store, exec::Executor& executor,
       const Clock& clock, IdSource& ids);

  // service.cpp
  Result<void> recover();
  void create(CreateRequest request, std::function<void(Result<Created>)> done);
  void create_new(CreateRequest request, const std::string& id, std::function<void(Result<Created>)> done);
  void verify(const std::string& race, std::function<void(Result<Created>)> done);
  /// Whether a verification of this race has checked this agent's result as it is.
  [[nodiscard]] bool verified(const State& state, const AgentState& agent);
  Result<RacePtr> load(const std::string& id);  ///< from memory, or folded from the store for reading
  RacePtr make_race(const std::string& id);
  void open_store(Race& race);

  // events.cpp
  void emit(const std::string& race, model::EventBody body, std::function<void()> then = {});
  void flush();
  /// After append(): the events are delivered, or wait to be stored again.
  void flushed(Batch batch, const Result<void>& stored);
  /// Whether this is the race as it runs now. What an effect finds afterwards is nobody's: the race may have
  /// ended, or have been begun again with the same id.
  [[nodiscard]] bool lives(const RacePtr& race) const;
  void deliver(const model::Event& event);
  void announce(const Race& race);

  // effects.cpp
  void carry_out(const RacePtr& race, const Command& command);
  void prepare_race(const RacePtr& race);
  void prepare_workspace(const RacePtr& race, const std::string& agent);
  void capture(const RacePtr& race, const std::string& agent, int tries = 1);
  void publish(const RacePtr& race, int tries = 1);
  /// In a second, on the loop.
  void later(std::function<void()> work);
  void rank(const RacePtr& race);
  void finish(const RacePtr& race);
  void clear_up(const RacePtr& race);
  /// Ends what a cancel is about without its record, which can't be stored now.
  void stop_unrecorded(const std::string& race, const std::string& agent);
  void empty_trash();

  // agent_effects.cpp
  void run_agent(const RacePtr& race, const std::string& agent);
  void adopt_agent(const RacePtr& race, const AgentState& agent);
  void await_provider(const RacePtr& race, const std::string& agent);
  void await_slot(const RacePtr& race, const std::string& agent);
  void its_turn(const RacePtr& race, const std::string& agent);
  void grant_providers();
  /// What this agent's attempt has used so far, for the rate of its provider.
  void count_tokens(const RacePtr& race, const AgentState& agent, const model::Usage& usage);
  void note_lost_keys(const RacePtr& race);
  void leave_agent(const RacePtr& race, const std::string& agent);
  void start_agent(const RacePtr& race, const std::string& agent, int number);
  void agent_ended(const RacePtr& race, const std::string& agent, const exec::JobResult& result);
  void stop_agent(const RacePtr& race, const std::string& agent);

  // watch_effects.cpp
  static std::int64_t steady_ms();
  void watch_agents();
  void look_at_agents();
  void look_at(const RacePtr& race, const AgentState& agent);
  void request_stop(const RacePtr& race, const AgentState& agent, model::StopRequested stop);
  void read_live_usage(const RacePtr& race, const AgentState& agent);
  void read_live_log(const RacePtr& race, const std::string& name, int attempt);
  bool race_over_budget(const RacePtr& race);
  void note_budget(const RacePtr& race, const std::string& agent, const model::Verdict& verdict);
  static const adapters::PriceTable& prices_of(const RacePtr& race);

  // retry_effects.cpp
  void retry_agent(const RacePtr& race, const std::string& agent);
  void retry_now(const RacePtr& race, const std::string& agent);
  void retry(RetryCall call, std::function<void(Result<std::string>)> done);

  // waits.cpp
  /// For people: what keeps the whole race from going on; empty: nothing, or it has ended.
  [[nodiscard]] std::string race_waits(const Race& race) const;
  [[nodiscard]] std::string waits_for(const Race& race, const AgentState& agent) const;
  std::string check_waits(const Race& race, const std::string& subject);

  // check_effects.cpp
  Result<void> submit_check(const RacePtr& race, const std::string& subject, exec::JobSpec& job,
                            const std::function<void(const exec::JobResult&)>& ended,
                            Share share = Share::whole);
  void prepare_subject(const RacePtr& race, const std::string& subject);
  void make_subject(const RacePtr& race, const std::string& subject, int tries = 1);
  void inspect(const RacePtr& race, const std::string& agent, int tries = 1);
  /// Where the transcripts are of the agents whose results this race has.
  [[nodiscard]] Layout transcripts_of(const Race& race) const;
  void set_up_subject(const RacePtr& race, const std::string& subject, const model::WorkspaceFacts& facts);
  void seal_set_up(const RacePtr& race, const trees::Workspace& workspace, const model::SubjectReady& ready);
  bool take_from_cache(const RacePtr& race);
  void run_check(const RacePtr& race, const std::string& subject, model::Dimension dimension, int number);
  void repeat_tests(const RacePtr& race, const std::string& subject);
  void queue_check(const RacePtr& race, const std::string& subject, model::Dimension dimension, int number);
  void check_ended(const RacePtr& race, const std::string& subject, model::Dimension dimension, int number,
                   const exec::JobResult& result, bool alone);
  void stop_checks(const RacePtr& race, const std::string& subject);
  [[nodiscard]] std::string root_of(const Race& race, const std::string& subject) const;
  void remember_baseline(const RacePtr& race, const std::string& subject);
  [[nodiscard]] trees::Workspace workspace_of(const Race& race, const std::string& subject,
                                              const model::WorkspaceFacts& facts) const;
  static bool agents_alive(const Race& race);
  WorkspaceStep step_now(const Race& race);
  /// By which a subject's checks wait for a slot.
  static std::string tag(const Race& race, const std::string& subject) {
    return race.state.spec.id + "/" + subject;
  }
  SlotPool& slots_of_checks(const Race& race) {
    return race.own_check_slots ? *race.own_check_slots : check_slots;
  }
  static void set_limits(Race& race);

  // twins_effects.cpp
  void plan_twins(const RacePtr& race);

  // cross_effects.cpp
  void plan_cross(const RacePtr& race);
  void prepare_cross(const RacePtr& race, const std::string& subject);
  /// Evidence of a cross run for later races; its workspace goes.
  void remember_cross(const RacePtr& race, const std::string& subject);
  /// Shows nothing that tells whose commit it is.
  [[nodiscard]] static trees::Workspace cross_workspace(const Race& race, const std::string& subject,
                                                        const model::WorkspaceFacts& facts);
  void cross_clock(const RacePtr& race);
  void sum_cross(const RacePtr& race);

  // judge_effects.cpp
  void plan_judges(const RacePtr& race);
  void judge(const RacePtr& race, const std::string& subject);
  void await_judge_turn(const RacePtr& race, const JudgeTask& task);
  /// `leave` gives back what its turn holds.
  void start_judge(const RacePtr& race, const JudgeTask& task, const std::function<void()>& leave);
  void submit_judge(const RacePtr& race, const JudgeTask& task, const std::function<void()>& leave);
  [[nodiscard]] Result<exec::JobSpec> judging_agent_job(const RacePtr& race, const JudgeTask& task);
  [[nodiscard]] exec::JobSpec judging_command_job(const RacePtr& race, const JudgeTask& task);
  void judge_ended(const RacePtr& race, const JudgeTask& task, const exec::JobResult& result,
                   const std::function<void()>& leave);
  void rate(RateCall call, std::function<void(Result<std::string>)> done);

  // rounds_effects.cpp
  void next_round(const RacePtr& race);

  // green_effects.cpp
  void stop_rest(const RacePtr& race);
  void stop_dominated(const RacePtr& race);

  // measure_effects.cpp
  void plan_measure(const RacePtr& race);
  void measure_clock(const RacePtr& race);
  void sum_measure(const RacePtr& race);
  void measure(MeasureCall call, std::function<void(Result<std::string>)> done);

  // decide_effects.cpp
  void decide(DecideCall call, std::function<void(Result<wire::Results>)> done);

  // template_effects.cpp
  void with_template(const RacePtr& race, Race::OnTemplate then);
  void use_template(const RacePtr& race, const trees::TemplateKey& key, const trees::TemplateMeta& meta,
                    const model::TemplateReady& how);
  void template_ready(const RacePtr& race);
  void build_template(const RacePtr& race, const trees::TemplateKey& key);
  void template_step(const std::string& digest, const std::string& kind, const std::string& command,
                     bool warm, std::function<void(const exec::JobResult&)> next);
  void template_set_up(const std::string& digest);
  void template_warm_up(const std::string& digest);
  void template_done(const std::string& digest, bool warm);
  void template_failed(const std::string& digest, const SubjectProblem& problem, bool cancelled);
  void drop_template(const RacePtr& race);
  [[nodiscard]] std::set<std::string> templates_in_use() const;

  // merge_effects.cpp
  void auto_merge(const RacePtr& race, const std::string& agent);
  void merge(MergeCall call, std::function<void(Result<std::string>)> done);
  void undo_merge(const MergeCall& call, std::function<void(Result<std::string>)> done);
  void start_undo(const RacePtr& race, const model::Merged& merged, const MergeCall& call,
                  std::function<void(Result<std::string>)> finish);
  void run_merge(const RacePtr& race, const std::string& agent, const MergeCall& call, bool automatic,
                 std::function<void(Result<git::MergePreview>)> done);
  void start_merge(const RacePtr& race, const std::string& agent, const git::MergeRequest& request,
                   bool automatic, std::function<void(Result<git::MergePreview>)> finish);
  /// What it would do, beside whoever has the turn: it changes nothing, and its journal is its own.
  void preview_merge(const RacePtr& race, const git::MergeRequest& request,
                     std::function<void(Result<git::MergePreview>)> done);
  void preview_undo(const MergeCall& call, std::function<void(Result<std::string>)> done);
  /// For the journal of a preview: a directory that nobody else has.
  fs::path preview_place() { return options.paths.state / "previews" / std::to_string(++previews); }
  /// `not_found` where nothing of the race is left to merge.
  [[nodiscard]] Result<void> captures_there(const Race& race) const;

  // merge_targets.cpp
  Result<std::pair<RacePtr, std::string>> find_target(const MergeCall& call);
  Result<std::pair<RacePtr, model::Merged>> find_merged(const MergeCall& call);
  /// Common directory of the repository around `directory` as its races know it; empty: it has none.
  Result<fs::path> repository_of(const std::string& directory);
  /// Why nothing is found here, where the repository of a race that could be meant is gone or was moved.
  std::optional<Error> gone_or_moved(const MergeCall& call, const std::vector<storage::RaceRow>& rows);

  // repository_effects.cpp
  /// The user's repository compared with the race's start: for an agent, or the whole race; `then` in any
  /// case.
  void compare_repository(const RacePtr& race, const std::string& agent, std::function<void()> then);
  void repair(const RacePtr& race, const std::string& directory,
              std::function<void(Result<std::string>)> done);

  // combine_effects.cpp
  void combine(CombineCall call, std::function<void(Result<std::string>)> done);

  // merge_journals.cpp
  using Stored = std::function<void(const Result<void>&)>;
  void recover_merges();
  /// Within a turn: finishes and records what dead merges of this repository left, then calls `then`.
  void settle_journals(const fs::path& repository, Stored then);
  void settle_journal(const RacePtr& race, const fs::path& journal, Stored then);
  /// Stores the event of a journal that landed; only then the journal goes.
  void record_landed(const RacePtr& race, model::EventBody event, const fs::path& journal, Stored then);
  void drop_journal(const fs::path& journal) const;  ///< whole or not at all; from any thread
  void record(const RacePtr& race, model::EventBody event, Stored then = {});

  // history_effects.cpp
  /// After events are stored: whose history is to be made again.
  void note_history(const model::Event& event);
  /// What the history lacks is made, one race a turn of the loop; `then` when nothing is left to do.
  void with_history(std::function<void()> then);
  void remember_next();
  /// How often the words of confidence were right in own races; made anew where the history has changed.
  /// `days`: see league::known_outcome().
  const league::Calibration& calibration(double days);

  // clean_effects.cpp
  /// Neither at its place nor where `hydra clean --undo` fetches it from.
  [[nodiscard]] bool away_for_good(const std::string& race) const;
  /// The command that brings the race back; empty: none does.
  [[nodiscard]] std::string undo_hint(const std::string& race) const;
  /// `conflict` where something else is being done with the race; else it is marked until unmark_busy().
  Result<void> mark_busy(const std::string& race, const std::string& what);
  void unmark_busy(const std::string& race) { busy.erase(race); }
  [[nodiscard]] bool anything_runs() const;
  void drop_expired();
  /// Of a race's directory; nothing while it has not been measured yet.
  std::optional<std::uint64_t> disk_of(const std::string& race);
  void measure_disk(const std::string& race);

  // live.cpp
  static void read_output(const RacePtr& race, const AgentState& agent);
  void refresh_live(const RacePtr& race, const AgentState& agent);
  void discard_live(const RacePtr& race, const std::string& agent);

  /// `work` on the pool, then `done(result)` on the loop.
  template <class Work, class Done>
  void background(Work work, Done done) {
    boost::asio::post(pool, [this, work = std::move(work), done = std::move(done)]() mutable {
      auto result = work();
      boost::asio::post(
          loop, [result = std::move(result), done = std::move(done)]() mutable { done(std::move(result)); });
    });
  }

  boost::asio::io_context& loop;
  Options options;
  storage::EventStore& store;
  exec::Executor& executor;
  const Clock& clock;
  IdSource& ids;
  SlotPool check_slots;
  CpuGroups cpu_groups;
  PortLeases ports;
  std::map<std::string, SlotPool> sign_ins;  ///< by the user's file: one live run each
  ProviderQueue providers;
  boost::asio::steady_timer retry_timer, trash_timer, watch_timer, provider_timer;
  bool watching = false;
  trees::Templates templates;
  std::map<std::string, TemplateBuild> builds;  ///< by digest
  std::map<std::string, RacePtr> races;
  struct DiskUse {
    std::uint64_t bytes = 0;
    std::int64_t at_ms = 0;
  };
  std::map<std::string, DiskUse> disk;
  std::set<std::string> measuring;
  std::map<std::string, std::optional<wire::RaceRow>>
      list_facts;  ///< of ended races: what their events add to the list
  Batch pending;
  std::string storage_problem;  ///< why events wait; empty: they do not
  trees::Machines machines;     ///< asked on the pool's threads
  Reserve reserve;
  bool flush_posted = false;
  bool storing = false;            ///< the writer has a batch; others wait for it, since events have an order
  std::set<std::string> creating;  ///< ids that clients chose, of races that are about to begin
  bool draining = false;
  std::uint64_t previews = 0;  ///< made so far
  std::optional<league::Calibration> calibrated;
  std::int64_t calibrated_ms = 0;  ///< Unix time
  double calibrated_days = 0;
  std::deque<std::string> history_due;  ///< races whose history is to be made, in the order of their making
  std::vector<std::function<void()>> history_waiters;
  bool history_running = false;
  std::map<std::string, std::string> busy;  ///< races that something is done with: "is being cleaned"
  struct Subscriber {
    std::string race;
    std::int64_t after = 0;
    OnEvent on_event;
  };
  std::map<std::uint64_t, Subscriber> subscribers;
  std::uint64_t next_subscription = 1;
  WorkPool writer{1};           ///< waits for the disk
  WorkPool disk_pool{1};        ///< walks through trees, so that nothing else waits for them
  WorkPool clean_pool{1};       ///< plans of cleans, which wait for no merge
  std::stop_source merge_stop;  ///< asked for at the end of the daemon: the user's hooks are ended
  /// At users' repositories, by their common directories: merges, undoing and what a clean removes, each from
  /// its first look to the event that records it; and what only looks, since filters of the user's run there.
  Turns merging{loop}, looking{loop};
  std::stop_source notify_stop;    ///< asked for at the end of the daemon
  std::atomic<int> notifying = 0;  ///< notifications that are told, or wait
  WorkPool notify_pool{1};         ///< who is told of ends may take long to listen
  WorkPool pool;                   ///< last member: joined before anything that its work uses is gone
};

}  // namespace hydra::race
