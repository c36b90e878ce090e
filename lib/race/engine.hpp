// race: the engine under all races. Events are stored, folded and told here, blocking work goes to threads
// from here, and the races that live are in its memory. What follows from an event is its owner's.
#pragma once

#include "base/clock.hpp"
#include "race/agents/secrets.hpp"
#include "race/limits/reserve.hpp"
#include "race/race.hpp"
#include "race/service.hpp"
#include "race/offloaded.hpp"
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

/// Lives on the loop's thread, but for the work that is given to background().
class Engine {
 public:
  using OnEvent = Service::OnEvent;
  using Stored = std::function<void(const Result<void>&)>;

  Engine(boost::asio::io_context& loop, Service::Options options, storage::EventStore& store,
         exec::Executor& executor, const Clock& clock, IdSource& ids);
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Of a race in memory. `then` when it is stored and what follows from it was begun.
  void emit(const std::string& race, model::EventBody body, std::function<void()> then = {});
  /// Of any race: what happens to an ended one is stored, and nothing follows from it.
  void record(const RacePtr& race, model::EventBody event, Stored then = {});
  /// For people: why events wait; empty: they do not.
  [[nodiscard]] const std::string& problem() const { return storage_problem; }
  /// Stored events after `after` first, then each new one; see Service::subscribe().
  Result<std::uint64_t> subscribe(const std::string& race, std::int64_t after, OnEvent on_event);
  void unsubscribe(std::uint64_t subscription) { subscribers.erase(subscription); }

  /// Those that live: they run, or have ended a moment ago. By id.
  [[nodiscard]] const std::map<std::string, RacePtr>& all() const { return races; }
  Result<RacePtr> load(const std::string& id);  ///< from memory, or folded from the store for reading
  RacePtr make_race(const std::string& id);
  void open_store(Race& race) const;
  /// From now on it lives. One that had ended goes on as after a restart of the daemon.
  void enter(const RacePtr& race);
  /// From now on it is read from the store.
  void leave(const std::string& id) { races.erase(id); }
  /// Whether this is the race as it runs now. What an effect finds afterwards is nobody's: the race may have
  /// ended, or have been begun again with the same id.
  [[nodiscard]] bool lives(const RacePtr& race) const;
  [[nodiscard]] bool anything_runs() const;

  /// `conflict` where something else is being done with the race; else it is marked until unmark_busy().
  Result<void> mark_busy(const std::string& race, const std::string& what);
  void unmark_busy(const std::string& race) { busy.erase(race); }
  /// "is being cleaned"; empty: nothing is done with it.
  [[nodiscard]] std::string busy_with(const std::string& race) const;

  /// Commands are carried out no more, and nothing begins.
  void drain() { draining = true; }
  [[nodiscard]] bool stopping() const { return draining; }

  /// In a second, on the loop.
  void later(std::function<void()> work);
  /// In so many milliseconds (none: at once), on the loop, if the race lives then and nothing stops; unless
  /// what is returned is gone before.
  std::unique_ptr<boost::asio::steady_timer> timer(const RacePtr& race, std::int64_t milliseconds,
                                                   std::function<void(const RacePtr&)> work);
  /// `work` on the pool, then `done(result)` on the loop (offloaded.hpp).
  template <class Work, class Done>
  void background(Work work, Done done) {
    offload(offloaded(std::move(work), std::move(done)));
  }
  template <class Work>
  void background(Work work) {
    background(std::move(work), [] {});
  }
  /// Once the loop is over: waits for the work in the background.
  void join() {
    pool.join();
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

 protected:
  virtual void carry_out(const RacePtr& race, const Command& command) = 0;
  /// Each event once it is stored, before anybody is told.
  virtual void note_stored(const model::Event& event) = 0;
  /// Once it was told, and what follows from it was begun.
  virtual void note_told(const model::Event& event) = 0;

 private:
  struct Subscriber {
    std::string race;
    std::int64_t after = 0;
    OnEvent on_event;
  };
  /// Events that are stored together, and what is called when each of them is delivered.
  struct Batch {
    std::vector<model::Event> events;
    std::vector<std::function<void()>> then;  ///< one an event; may be null
  };
  static constexpr int kMostTries = 3;
  void offload(std::unique_ptr<Offloaded> job, int tries = 1);
  void flush();
  /// After append(): the events are delivered, or wait to be stored again.
  void flushed(Batch batch, const Result<void>& stored);
  void deliver(const model::Event& event);
  /// Ends what a cancel is about without its record, which can't be stored now.
  void stop_unrecorded(const std::string& race, const std::string& agent);

  std::map<std::string, RacePtr> races;
  std::map<std::string, std::string> busy;
  Batch pending;
  bool flush_posted = false, draining = false;
  bool storing = false;  ///< the writer has a batch; others wait for it, since events have an order
  std::string storage_problem;
  boost::asio::steady_timer retry_timer;
  std::map<std::uint64_t, Subscriber> subscribers;
  std::uint64_t next_subscription = 1;
  WorkPool writer{1};  ///< waits for the disk
  WorkPool pool;       ///< last member: joined before anything that its work uses is gone
};

/// What whoever asks for something new is told once the engine drains.
Error daemon_stops();

/// Who owns a part of what races do; it knows the engine under the engine's own words.
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
  [[nodiscard]] bool lives(const RacePtr& race) const { return engine.lives(race); }
  [[nodiscard]] bool draining() const { return engine.stopping(); }
  void later(std::function<void()> work) const { engine.later(std::move(work)); }
  /// In a second, if the race lives then and nothing stops.
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
