// race: the engine under all races: stores, folds and publishes events, runs blocking work on threads, and
// holds the live races. The owners of commands carry out the consequences of events.
#pragma once

#include "base/clock.hpp"
#include "race/agents/secrets.hpp"
#include "race/limits/leases.hpp"
#include "race/limits/reserve.hpp"
#include "race/offloaded.hpp"
#include "race/race.hpp"
#include "race/service.hpp"
#include "race/work_pool.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hydra::race {

/// Runs on the loop's thread, except for work passed to background().
class Engine {
 public:
  using OnEvent = Service::OnEvent;
  using Stored = std::function<void(const Result<void>&)>;

  Engine(boost::asio::io_context& loop, Service::Options options, storage::EventStore& store,
         exec::Executor& executor, const Clock& clock, IdSource& ids);
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Records an event of a race in memory. Calls `then` when the event is stored and its commands have been
  /// issued.
  void emit(const std::string& race, model::EventBody body, std::function<void()> then = {});
  /// emit() of what a request asked for, which does not wait for a disk: where the events can't be stored now
  /// they are dropped, and `answer` gets the error.
  void ask(const std::string& race, std::vector<model::EventBody> bodies, Stored answer);
  /// Records an event of any race; for an ended race no commands follow.
  void record(const RacePtr& race, model::EventBody event, Stored then = {});
  /// Keeps evidence for later races, in the background.
  void put_cached(const std::string& key, std::string value);
  void put_cached(const std::string& key, model::CheckSet checks);
  /// Returns why events wait to be stored, for people; empty: no event waits.
  [[nodiscard]] const std::string& problem() const { return storage_problem; }
  /// Delivers stored events after `after`, then each new one; see Service::subscribe().
  Result<std::uint64_t> subscribe(const std::string& race, std::int64_t after, OnEvent on_event);
  void unsubscribe(std::uint64_t subscription) { subscribers.erase(subscription); }

  /// Returns the live races, by id: running, or ended a moment ago.
  [[nodiscard]] const std::map<std::string, RacePtr>& all() const { return races; }
  Result<RacePtr> load(const std::string& id);  ///< from memory, or folded from the store for reading
  /// Calls `then` on the loop once load() takes no time: a race with many tests is read on the pool.
  void with_loaded(const std::string& id, std::function<void()> then);
  [[nodiscard]] RacePtr make_race(const std::string& id) const;
  void open_store(Race& race) const;
  /// Registers the race in memory; an ended race is resumed as after a restart.
  void enter(const RacePtr& race);
  /// Unregisters the race; from now on it is read from the store.
  void leave(const std::string& id) { races.erase(id); }
  /// leave() of an ended race, which need not be read soon after.
  void retire(const RacePtr& race);
  /// Returns whether this object is the registered race. Results of an effect for any other object are
  /// dropped: the race may have ended, or be resumed under the same id.
  [[nodiscard]] bool lives(const RacePtr& race) const;
  [[nodiscard]] bool anything_runs() const;

  /// Marks the race as busy until unmark_busy(); `conflict` if another operation has marked it.
  Result<void> mark_busy(const std::string& race, const std::string& what);
  void unmark_busy(const std::string& race) {
    busy.erase(race);
    recent.reset();
  }
  /// Returns "is being cleaned", for example; empty: not busy.
  [[nodiscard]] std::string busy_with(const std::string& race) const;

  /// Stops carrying out commands and starting work.
  /// Accepts no further work; calls `stored` on the loop once no event waits to be stored.
  void drain(std::function<void()> stored);
  [[nodiscard]] bool stopping() const { return draining; }

  /// Runs `work` on the loop in one second.
  void later(std::function<void()> work);
  /// Runs `work` on the loop after so many milliseconds (0: immediately) if the race still lives and the
  /// engine is not stopping. Destroying the returned timer cancels it.
  std::unique_ptr<boost::asio::steady_timer> timer(const RacePtr& race, std::int64_t milliseconds,
                                                   std::function<void(const RacePtr&)> work);
  /// Runs `work` on the pool, then `done(result)` on the loop (offloaded.hpp).
  template <class Work, class Done>
  void background(Work work, Done done) {
    run_offloaded(pool, loop, offloaded(std::move(work), std::move(done)));
  }
  template <class Work>
  void background(Work work) {
    background(std::move(work), [] {});
  }
  /// background() for an answer that somebody waits for: no capture or set-up is before it.
  template <class Work, class Done>
  void read_aside(Work work, Done done) {
    run_offloaded(reader, loop, offloaded(std::move(work), std::move(done)));
  }
  /// Waits for background work; call after the loop has ended.
  void join() {
    pool.join();
    reader.join();
    writer.join();
  }

  boost::asio::io_context& loop;
  const Service::Options options;
  storage::EventStore& store;
  exec::Executor& executor;
  const Clock& clock;
  IdSource& ids;
  const Reserve reserve;
  KnownSecrets secrets;
  PortLeases ports;

 protected:
  virtual void carry_out(const RacePtr& race, const Command& command) = 0;
  /// Called for each event after it is stored, before subscribers are told.
  virtual void note_stored(const model::Event& event) = 0;
  /// Called for each event after subscribers were told and its commands issued.
  virtual void note_told(const model::Event& event) = 0;

 private:
  struct Subscriber {
    std::string race;
    std::int64_t after = 0;
    OnEvent on_event;
  };
  struct Then {
    Stored call;  ///< after delivery; may be null
    bool asked = false;
  };
  /// Events that are stored together, with their callbacks.
  struct Batch {
    std::vector<model::Event> events;
    std::vector<Then> then;  ///< one per event
  };
  Result<RacePtr> read(const std::string& id) const;  ///< folded from the store; thread-safe
  void keep_recent(const RacePtr& race);
  void add(const std::string& race, model::EventBody body, Then then);
  void flush();
  /// Delivers the events after append(), or queues them for another attempt.
  void flushed(Batch batch, const Result<void>& stored);
  void tell_drained();
  void deliver(const model::Event& event);
  void tell_subscribers(const model::Event& event);
  /// Stops what a cancel is about although its event can't be stored now.
  void stop_unrecorded(const std::string& race, const std::string& agent);

  std::map<std::string, RacePtr> races;
  RacePtr recent;  ///< an ended race that was read just now: the next question is likely to be about it
  boost::asio::steady_timer forget_timer;  ///< ends `recent`
  std::map<std::string, std::string> busy;
  Batch pending;
  bool flush_posted = false, draining = false;
  std::function<void()> drained;  ///< see drain(); empty: not draining, or told
  bool storing = false;           ///< the writer has a batch; further events wait, to keep their order
  std::string storage_problem;
  boost::asio::steady_timer retry_timer;
  std::map<std::uint64_t, Subscriber> subscribers;
  std::uint64_t next_subscription = 1;
  WorkPool writer{1};  ///< threads that wait for the disk
  WorkPool reader{1};  ///< see read_aside()
  WorkPool pool;       ///< last member: joined before anything that its work uses is destroyed
};

/// Returns the error for requests while the engine drains.
Error daemon_stops();

/// Base of the owners of parts of a race; gives them the engine's members under the same names.
class Owner {
 protected:
  explicit Owner(Engine& engine)
      : engine(engine),
        loop(engine.loop),
        options(engine.options),
        store(engine.store),
        executor(engine.executor),
        clock(engine.clock),
        races(engine.all()) {}
  ~Owner() = default;
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  void emit(const std::string& race, model::EventBody body, std::function<void()> then = {}) const {
    engine.emit(race, std::move(body), std::move(then));
  }
  Result<RacePtr> load(const std::string& id) const { return engine.load(id); }
  void ask(const std::string& race, std::vector<model::EventBody> bodies, Engine::Stored answer) const {
    engine.ask(race, std::move(bodies), std::move(answer));
  }
  [[nodiscard]] bool lives(const RacePtr& race) const { return engine.lives(race); }
  [[nodiscard]] bool draining() const { return engine.stopping(); }
  void later(std::function<void()> work) const { engine.later(std::move(work)); }
  /// Runs `work` in one second if the race still lives and the engine is not stopping.
  void later(const RacePtr& race, std::function<void()> work) const {
    engine.later([this, race, work = std::move(work)] {
      if (lives(race) && !draining()) work();
    });
  }
  template <class... WorkAndDone>
  void background(WorkAndDone... both) const {
    engine.background(std::move(both)...);
  }

  Engine& engine;
  boost::asio::io_context& loop;
  const Service::Options& options;
  storage::EventStore& store;
  exec::Executor& executor;
  const Clock& clock;
  const std::map<std::string, RacePtr>& races;
};

}  // namespace hydra::race
