#include "sim/simulation.hpp"

#include "exec/window.hpp"
#include "model/json.hpp"
#include "race/state/state.hpp"
#include "storage/event_store.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace hydra::sim {
namespace {

using model::Dimension;
using race::Command;
using race::Verb;

constexpr std::size_t kGroup = 2000;  ///< events that are stored at once at most
constexpr int kMostRetries = 3;       ///< of an agent that a cluster lost
constexpr std::int64_t kAgentMs = 600'000, kCheckMs = 20'000;

std::string race_name(int number) { return "race" + std::to_string(number); }

model::RaceSpec spec_of(int number, int agents) {
  model::RaceSpec spec;
  spec.id = race_name(number);
  spec.task = "simulated";
  spec.repository.base_tree = "base";
  spec.config.scoring.build_command = "make";
  spec.config.scoring.test_command = "make test";
  spec.config.scoring.lint_command = "make lint";
  spec.config.evaluation.verify = model::Verify::fast;
  spec.config.execution.placement = model::Placement::slurm;
  spec.isolation = model::Isolation::bwrap;
  for (int i = 0; i < agents; ++i) {
    const auto name = "a" + std::to_string(i);
    spec.agents.push_back({name, name, ""});
  }
  return spec;
}

std::uint64_t fold_in(std::uint64_t digest, std::string_view text) {
  for (const char c : text) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return digest;
}

class Simulation {
 public:
  explicit Simulation(const Options& options)
      : options_(options),
        random_(options.seed * 2 + 1),
        engine_(clock_, options.seed * 2, options.faults),
        open_limit_(options.open_races > 0 ? options.open_races
                                           : std::max(1, 2 * options.window / std::max(1, options.agents))) {}

  Result<Report> run() {
    HYDRA_CHECK(open());
    const auto events_wanted =
        static_cast<std::uint64_t>(options_.races) * static_cast<std::uint64_t>(options_.agents) * 8;
    const auto between = events_wanted / (options_.restarts + 1) + 1;
    while (ended_ < options_.races) {
      while (static_cast<int>(races_.size()) < open_limit_ && created_ < options_.races) create();
      HYDRA_CHECK(next_group());
      if (report_.restarts < options_.restarts && report_.events > between * (report_.restarts + 1))
        HYDRA_CHECK(restart());
      // Events that are due in the same moment are stored together, as in a turn of the daemon's loop.
      const auto until = clock_.next() + options_.group_ms;
      if (ended_ < options_.races && clock_.next() < 0 && events_.empty() && storing_.empty())
        return Error{Errc::internal, "the simulation stands still: " + what_waits(), "", ""};
      while (clock_.next() >= 0 && clock_.next() <= until && events_.size() < kGroup) turn();
    }
    while (!events_.empty() || !storing_.empty()) HYDRA_CHECK(next_group());
    while (clock_.step()) loop_.poll();  // what the engine still has to say
    report_.engine = engine_.counts();
    report_.live_at_end = engine_.live();
    for (const auto& [run, times] : engine_.losses())
      if (run.ends_with("/agent") && times > kMostRetries) ++report_.hopeless;
    report_.virtual_ms = clock_.now();
    report_.runs = static_cast<std::uint64_t>(options_.races) * static_cast<std::uint64_t>(options_.agents);
    return report_;
  }

 private:
  struct Race {
    race::State state;
    std::map<std::string, int> numbers;  ///< of attempts, by "SUBJECT/KIND"
  };

  Result<void> open() {
    auto opened = storage::EventStore::open(options_.database);
    if (!opened.ok()) return std::move(opened).error();
    store_ = std::move(*opened);
    window_ = exec::make_window(loop_, engine_, options_.window);
    ++life_;
    return {};
  }

  /// Commands that were issued and came to no event, of one race.
  [[nodiscard]] std::string what_waits() const {
    if (races_.empty()) return "no race is open";
    std::string text = races_.begin()->first;
    for (const auto& command : races_.begin()->second.state.issued)
      text += " " + std::to_string(static_cast<int>(command.verb)) + ":" + model::text(command.subject);
    return text;
  }

  void turn() {
    clock_.step();
    loop_.restart();
    loop_.poll();
  }

  void create() {
    const auto spec = spec_of(created_++, options_.agents);
    races_.try_emplace(spec.id);
    emit(spec.id, model::RaceCreated{spec});
  }

  void emit(const std::string& id, model::EventBody body) {
    events_.push_back({0, id, clock_.now(), std::move(body), {}});
  }

  /// Waits until the group that is being stored is; the next one is stored while the thread that folds
  /// carries this one out, as in a daemon (Engine::flush()).
  Result<void> next_group() {
    HYDRA_CHECK(wait());
    stored_.swap(storing_);
    storing_.clear();
    storing_.swap(events_);  // an event is large: each of the three keeps its room
    if (!storing_.empty())
      writing_ = std::async(std::launch::async, [this] { return store_->append(storing_); });
    for (const auto& event : stored_) deliver(event);
    stored_.clear();
    return {};
  }

  Result<void> wait() {
    if (!writing_.valid()) return {};
    HYDRA_CHECK(writing_.get());
    report_.events += storing_.size();
    return {};
  }

  void deliver(const model::Event& event) {
    if (options_.digest) note(event);
    release(event.body);
    const auto found = races_.find(event.race);
    if (found == races_.end()) return;  // it has ended
    auto& race = found->second;
    count(race.state, event, false);
    const auto commands = race::reduce(race.state, event);
    count(race.state, event, true);
    for (const auto& command : commands) carry_out(event.race, race, command);
    if (race.state.ended) close(found);
  }

  /// A stored event needs no result of the engine's any more.
  void release(const model::EventBody& body) {
    if (const auto* agent = std::get_if<model::AgentEnded>(&body)) engine_.release(agent->job.attempt);
    if (const auto* check = std::get_if<model::CheckEnded>(&body)) engine_.release(check->evidence.attempt);
  }

  void note(const model::Event& event) {
    report_.digest = fold_in(report_.digest, event.race + " " + std::to_string(event.id) + " " +
                                                 std::to_string(event.at_ms) + " ");
    report_.digest = fold_in(report_.digest, model::kind(event.body));
    report_.digest = fold_in(report_.digest, model::to_json(event.body));
  }

  /// The end of an attempt counts when the fold takes it: at most once each.
  void count(const race::State& state, const model::Event& event, bool after) {
    const auto* ended = std::get_if<model::AgentEnded>(&event.body);
    const auto* agent = ended ? state.agent(ended->agent) : nullptr;
    if (!agent) return;
    if (!after) {
      open_before_ = !agent->ended;
    } else if (open_before_ && agent->ended) {
      if (ended->job.attempt != agent->attempt) ++report_.accepted_twice;
      if (ended->verdict.outcome == model::Outcome::lost) ++report_.retries;
    }
  }

  void close(std::unordered_map<std::string, Race>::iterator found) {
    for (const auto& agent : found->second.state.agents) {
      const bool whole = agent.ended && agent.ended->verdict.outcome == model::Outcome::completed &&
                         agent.capture &&
                         race::checks_done(found->second.state, model::Subject::of(agent.entry.name));
      if (whole) ++report_.accepted;
      std::set<std::string> attempts{agent.attempt};
      for (const auto& earlier : agent.earlier)
        if (!attempts.insert(earlier.ended.job.attempt).second) ++report_.accepted_twice;
    }
    races_.erase(found);
    ++ended_;
  }

  /// All that was in memory is gone; the engine and its jobs are not.
  Result<void> restart() {
    const auto begin = std::chrono::steady_clock::now();
    ++report_.restarts;
    window_.reset();
    engine_.forget_listeners();
    HYDRA_CHECK(wait());  // a transaction is whole or not there; this one is, and nobody was told
    races_.clear();
    events_.clear();
    storing_.clear();
    store_.reset();
    HYDRA_CHECK(open());
    const auto before = engine_.counts().executions + engine_.counts().adopted;
    bool handed_out = false;
    std::set<std::string> alive;  // "RACE/SUBJECT"
    for (const auto& key : engine_.running()) alive.insert(key.substr(0, key.find('/', key.find('/') + 1)));
    std::vector<std::pair<std::string, Command>> todo;
    auto open_races = store_->open_races();
    if (!open_races.ok()) return open_races.error();
    for (const auto& id : *open_races) {
      auto events = store_->events(id, 0);
      if (!events.ok()) return std::move(events).error();
      auto& race = races_[id];
      for (const auto& event : *events) race::apply(race.state, event);
      for (const auto& command : race::resume(race.state)) todo.emplace_back(id, command);
    }
    // Jobs that the engine has hold the window before jobs that only wait for it, as in Service::recover().
    std::stable_partition(todo.begin(), todo.end(), [&](const auto& each) {
      return alive.contains(each.first + "/" + model::text(each.second.subject));
    });
    for (const auto& [id, command] : todo) {
      carry_out(id, races_.at(id), command);
      if (engine_.counts().executions + engine_.counts().adopted == before || handed_out) continue;
      handed_out = true;
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      report_.slowest_restart = std::max(report_.slowest_restart, took.count());
    }
    return {};
  }

  /// Ends in an event after a while, unless the daemon dies meanwhile. The timer keeps the body in its own
  /// size, not as an EventBody: many thousand wait at once.
  template <class Body>
  void soon(const std::string& id, std::int64_t milliseconds, Body body) {
    clock_.after(milliseconds, [this, id, life = life_, body = std::move(body)]() mutable {
      if (life != life_) return;
      if (random_.chance(options_.again)) emit(id, body);
      emit(id, std::move(body));
    });
  }

  void carry_out(const std::string& id, Race& race, const Command& command) {
    const auto& subject = command.subject;
    const auto& name = subject.agent;
    switch (command.verb) {
      case Verb::prepare_race:
        return soon(id, 50, model::RacePrepared{});
      case Verb::prepare_workspace:
        return soon(id, 200, model::WorkspaceReady{name, "/w/" + name});
      case Verb::run_agent:
        return run_agent(id, race, name);
      case Verb::retry_agent: {
        model::RetryRequested retry;
        retry.agent = name;
        retry.automatic = true;
        retry.reason = "lost";
        return soon(id, 1000, retry);
      }
      case Verb::capture: {
        model::Capture capture;
        capture.tree = "tree-" + name;
        capture.commit = "commit-" + name;
        capture.changed = true;
        return soon(id, 100, model::Captured{name, capture});
      }
      case Verb::prepare_subject:
        return soon(id, 100, model::SubjectReady{subject, "/c/" + text(subject), {}});
      case Verb::run_check:
        return run_check(id, race, subject, command.dimension);
      case Verb::publish:
        return soon(id, 100, model::Published{});
      case Verb::rank: {
        model::ScoringResult result;
        result.ranking.winner = race.state.agents.front().entry.name;
        return soon(id, 20, result);
      }
      case Verb::finish:
        return soon(id, 20, model::RaceEnded{model::RaceEnd::done});
      case Verb::inspect:
        return soon(id, 20, model::Inspected{name, {}});
      default:
        return;
    }
  }

  exec::JobSpec job_of(const std::string& key, std::int64_t median) {
    exec::JobSpec job;
    job.key = key;
    job.token = "t-" + key;
    job.argv = {"true"};
    job.limits.wall = std::chrono::milliseconds(median);
    return job;
  }

  /// Written ahead of the start, as in a race; after a restart the same attempt is submitted again.
  void run_agent(const std::string& id, Race& race, const std::string& name) {
    const auto& agent = *race.state.agent(name);
    const int number = agent.begun() ? agent.attempts : agent.due;
    const auto key = id + "/" + name + "/agent/" + std::to_string(number);
    if (!agent.begun()) emit(id, model::AgentStarting{name, key, number});
    (void)window_->submit(job_of(key, kAgentMs), [this, id, name](const exec::JobResult& result) {
      model::AgentEnded ended;
      ended.agent = name;
      ended.job.attempt = result.key;
      ended.job.wall_ms = result.wall_ms;
      ended.job.end = result.end;
      ended.verdict.outcome =
          result.end == exec::End::lost ? model::Outcome::lost : model::Outcome::completed;
      soon(id, 0, ended);
    });
  }

  void run_check(const std::string& id, Race& race, const model::Subject& subject, Dimension dimension) {
    const auto work = id + "/" + text(subject) + "/" + std::to_string(static_cast<int>(dimension)) + "/";
    // After a restart the same number first: what ran is adopted, what was lost is found lost again.
    const auto key = work + std::to_string(++race.numbers[work]);
    (void)window_->submit(job_of(key, kCheckMs), [this, id, subject, dimension](const exec::JobResult& r) {
      const auto found = races_.find(id);
      if (found == races_.end()) return;
      if (r.end == exec::End::lost) return run_check(id, found->second, subject, dimension);  // once more
      model::CheckEvidence evidence;
      evidence.dimension = dimension;
      evidence.status = model::CheckStatus::passed;
      evidence.exit_code = 0;
      evidence.wall_ms = r.wall_ms;
      evidence.attempt = r.key;
      soon(id, 0, model::CheckEnded{subject, evidence});
    });
  }

  const Options& options_;
  VirtualClock clock_;
  Random random_;
  FakeExecutor engine_;
  int open_limit_;
  boost::asio::io_context loop_{1};
  std::unique_ptr<storage::EventStore> store_;
  std::unique_ptr<exec::Executor> window_;
  std::unordered_map<std::string, Race> races_;
  std::vector<model::Event> events_;   ///< that are to be stored
  std::vector<model::Event> storing_;  ///< by the thread of writing_, till that is waited for
  std::vector<model::Event> stored_;   ///< that are to be folded
  Report report_;
  int created_ = 0, ended_ = 0;
  std::uint64_t life_ = 0;
  bool open_before_ = false;
  std::future<Result<void>> writing_;  ///< last member: waited for before anything that it uses is gone
};

}  // namespace

Result<Report> simulate(const Options& options) { return Simulation(options).run(); }

}  // namespace hydra::sim
