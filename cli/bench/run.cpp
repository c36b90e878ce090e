#include "cli/bench/run.hpp"

#include "base/clock.hpp"
#include "cli/ask.hpp"
#include "cli/interrupt.hpp"
#include "cli/render/agent_notes.hpp"
#include "wire/history.hpp"
#include "wire/json.hpp"
#include "wire/machine.hpp"
#include "wire/requests.hpp"
#include "wire/status.hpp"

#include <algorithm>
#include <thread>

namespace hydra::cli {
namespace {

constexpr int kTries = 3;  ///< races of one task per session, for lost keys
constexpr std::chrono::milliseconds kLook{300};
constexpr int kConnections = 40;  ///< attempts to reach the daemon, half a second apart

std::vector<std::string> names_of(const suite::Suite& suite) {
  std::vector<std::string> names;
  for (const auto& task : suite.tasks) names.push_back(task.name);
  return names;
}

std::vector<std::string> names_of(const std::vector<model::AgentEntry>& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

bool of_machine(Errc code) {
  return code == Errc::environment || code == Errc::io || code == Errc::timeout || code == Errc::protocol ||
         code == Errc::internal;
}

suite::Outcome outcome_of(const model::HistoryAttempt& attempt, const std::string& race, bool own_budget) {
  suite::Outcome outcome{league::attempt_of(attempt), race, std::string(model::name(attempt.outcome))};
  // Exceeding the suite's own budget is no failure of the agent.
  outcome.lost = attempt.lost || (attempt.outcome == model::Outcome::over_budget && own_budget);
  return outcome;
}

}  // namespace

Result<std::map<std::string, std::string>> probed_versions(const BenchPlan& plan, const Context& context) {
  wire::AgentsRequest request{plan.config, true, {}, environment()};
  for (const auto& entry : plan.entries) request.only.push_back(entry.id);
  HYDRA_TRY(auto client, context.daemon(kProbingTime));
  HYDRA_TRY(const auto list, post<wire::AgentList>(client, "/v1/agents", request));
  std::map<std::string, std::string> versions;
  for (const auto& agent : list.agents)
    if (!agent.version.empty()) versions[agent.id] = agent.version;
  return versions;
}

struct BenchDriver::Work {
  const suite::Task* task = nullptr;
  std::string race;  ///< running race; empty: none
  int tries = 0;     ///< races in this session
  bool failed = false;
  Budget reserved;
};

BenchDriver::BenchDriver(Context& context, BenchStore store, BenchPlan plan)
    : context_(context),
      store_(std::move(store)),
      plan_(std::move(plan)),
      board_(names_of(plan_.suite), names_of(plan_.entries), plan_.run.attempts) {
  for (const auto& task : plan_.suite.tasks) {
    work_.push_back(std::make_unique<Work>());
    work_.back()->task = &task;
  }
}

BenchDriver::~BenchDriver() = default;

// A killed daemon is started again; its agents continue under their supervisors.
Result<std::string> BenchDriver::call(std::string_view method, const std::string& target,
                                      const std::string& body) {
  Error last;
  for (int i = 0; i < kConnections; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (!client_) {
      auto made = context_.daemon();
      if (!made) {
        last = std::move(made).error();
        continue;
      }
      // A new daemon knows no versions.
      if (reached_ && !plan_.run.validation) (void)probed_versions(plan_, context_);
      reached_ = true;
      client_.emplace(std::move(*made));
      client_->set_timeout(std::chrono::minutes(10));
    }
    auto answer = client_->request(method, target, body);
    if (answer && answer->status / 100 == 2) return std::move(answer->body);
    if (answer && !of_machine(client::error_of(*answer).code)) return client::error_of(*answer);
    last = answer ? client::error_of(*answer) : answer.error();
    // A third error answer is final: the machine will lack the same thing next time.
    if (answer && i >= 2) return last;
    if (!answer) client_.reset();
  }
  return last;
}

Result<std::size_t> BenchDriver::take_page(const std::string& body, std::int64_t& next) {
  HYDRA_TRY(const auto page, wire::from_json<wire::History>(body));
  const bool limited = plan_.budget.usd > 0 || plan_.budget.tokens > 0;
  const auto& limits = plan_.config.limits;
  const bool suites_own = limited && limits.budget_usd <= 0 && limits.budget_tokens == 0;
  for (const auto& race : page.races) {
    next = std::max(next, race.number);
    std::string task;
    for (const auto& [key, value] : race.labels)
      if (key == "suite-task") task = value;
    for (const auto& attempt : race.attempts)
      board_.add(task, attempt.entry, attempt.attempt, outcome_of(attempt, race.race, suites_own));
    end_.races[task] = race.race;
    close(race.race);
  }
  return page.races.size();
}

void BenchDriver::close(const std::string& race) {
  const auto found = by_race_.find(race);
  if (found == by_race_.end()) return;
  auto& work = *found->second;
  by_race_.erase(found);
  work.race.clear();
  work.reserved = {};
  if (!wants(work)) ended_.push_back(work.task->name);
}

Result<void> BenchDriver::read_history() {
  constexpr std::size_t kPage = 1000;
  for (;;) {
    HYDRA_TRY(const auto body, call("GET", "/v1/history?after=" + std::to_string(after_) +
                                               "&label=" + client::url_encode("suite-run=" + plan_.run.id)));
    HYDRA_TRY(const auto count, take_page(body, after_));
    if (count < kPage) return {};
  }
}

// Requests races that were noted and have not ended again, by the same id.
Result<void> BenchDriver::adopt() {
  std::map<std::string, std::string> newest;
  for (const auto& [task, race] : store_.races(plan_.run.id)) newest[task] = race;
  for (const auto& work : work_) {
    const auto& name = work->task->name;
    const auto known = newest.find(name);
    if (known == newest.end() || board_.missing(name).empty()) continue;
    const auto over = end_.races.find(name);
    if (over != end_.races.end() && over->second == known->second) continue;
    work->race = known->second;
    by_race_[known->second] = work.get();
    ++work->tries;
  }
  for (const auto& work : work_) {
    if (work->race.empty()) continue;
    const auto files = prepare_files(plan_.suite, *work->task, store_.task(plan_.run.id, work->task->name));
    if (!files) return files.error();
    const auto id = work->race;
    HYDRA_TRY(
        const bool asked,
        ask(*work, id, *files, runners(plan_.entries, plan_.run.attempts, board_.missing(work->task->name))));
    if (!asked) continue;
    HYDRA_TRY(const auto body, call("GET", race_path(id)));
    HYDRA_TRY(const auto status, wire::from_json<wire::Status>(body));
    if (!is_over(status.state)) continue;
    // The race has ended meanwhile; if the history was told to forget it, its keys count as not run.
    HYDRA_CHECK(read_history());
    close(id);
  }
  return {};
}

std::size_t BenchDriver::running() const { return by_race_.size(); }

bool BenchDriver::wants(const Work& work) const {
  return work.race.empty() && !work.failed && work.tries < kTries && !board_.missing(work.task->name).empty();
}

bool BenchDriver::affordable() const {
  const auto& budget = plan_.budget;
  return (budget.usd <= 0 || board_.cost_usd() < budget.usd) &&
         (budget.tokens == 0 || static_cast<std::uint64_t>(board_.tokens()) < budget.tokens);
}

// Divides the remaining budget among the races that may run at once, so that their sum stays within it.
void BenchDriver::share_budget(model::Config& config, Work& work) const {
  double usd = plan_.budget.usd - board_.cost_usd();
  auto tokens = static_cast<double>(plan_.budget.tokens) - static_cast<double>(board_.tokens());
  for (const auto& other : work_) {
    usd -= other->reserved.usd;
    tokens -= static_cast<double>(other->reserved.tokens);
  }
  const auto shares =
      static_cast<double>(std::max<std::size_t>(1, static_cast<std::size_t>(plan_.jobs) - running()));
  auto& limits = config.limits;
  if (plan_.budget.usd > 0) {
    work.reserved.usd = std::max(usd / shares, 0.0001);
    limits.race_budget_usd =
        limits.race_budget_usd > 0 ? std::min(limits.race_budget_usd, work.reserved.usd) : work.reserved.usd;
  }
  if (plan_.budget.tokens > 0) {
    work.reserved.tokens = static_cast<std::uint64_t>(std::max(tokens / shares, 1.0));
    limits.race_budget_tokens = limits.race_budget_tokens > 0
                                    ? std::min(limits.race_budget_tokens, work.reserved.tokens)
                                    : work.reserved.tokens;
  }
}

/// Returns false if the race could not be started because of the task.
Result<bool> BenchDriver::ask(Work& work, const std::string& id, const TaskFiles& files,
                              const std::vector<model::AgentEntry>& agents) {
  auto config = race_config(plan_.config, plan_.suite, *work.task, files, plan_.timed);
  if (plan_.run.validation) config.workspace.mounts.push_back("/solution=" + files.solution.string());
  share_budget(config, work);
  for (int i = 0;; ++i) {
    const auto answer =
        call("POST", "/v1/races", race_request(plan_.run, *work.task, files, id, config, agents));
    if (answer) {
      by_race_[id] = &work;
      work.race = id;
      return true;
    }
    const auto& error = answer.error();
    if (of_machine(error.code)) return error;
    const bool busy = error.code == Errc::conflict && i < 100;
    if (busy) {
      std::this_thread::sleep_for(kLook);
      continue;
    }
    by_race_.erase(id);
    work.race.clear();
    work.failed = true;
    work.reserved = {};
    end_.failed[work.task->name] = describe(error);
    return false;
  }
}

Result<bool> BenchDriver::start(Work& work) {
  const auto& name = work.task->name;
  const auto files = prepare_files(plan_.suite, *work.task, store_.task(plan_.run.id, name));
  if (!files) {
    if (files.error().code == Errc::io) return files.error();
    work.failed = true;
    end_.failed[name] = describe(files.error());
    return false;
  }
  ++work.tries;
  RandomIds ids;
  const auto id = ids.race_id();
  HYDRA_CHECK(store_.note_race(plan_.run.id, name, id));
  return ask(work, id, *files, runners(plan_.entries, plan_.run.attempts, board_.missing(name)));
}

Result<void> BenchDriver::fill() {
  for (const auto& work : work_) {
    if (running() >= static_cast<std::size_t>(plan_.jobs)) return {};
    if (!wants(*work)) continue;
    if (!affordable()) {
      end_.over_budget = true;
      return {};
    }
    HYDRA_TRY(const bool started, start(*work));
    if (!started) ended_.push_back(work->task->name);
  }
  return {};
}

void BenchDriver::tell(const std::string& task, const OnBenchNews& on_news) const {
  BenchNews news;
  news.task = task;
  news.tasks = work_.size();
  news.running = running();
  for (const auto& work : work_)
    if (work->race.empty() && !wants(*work)) ++news.tasks_done;
  const auto done = board_.verdicts() - verdicts_before_;
  const auto left = board_.keys() - board_.verdicts();
  if (done > 0) news.left_ms = (SystemClock().now() - begun_ms_) * left / done;
  on_news(news, board_);
}

Result<BenchEnd> BenchDriver::carry_out(const OnBenchNews& on_news) {
  Interrupts interrupts;
  HYDRA_CHECK(read_history());
  begun_ms_ = SystemClock().now();
  verdicts_before_ = board_.verdicts();
  HYDRA_CHECK(adopt());
  ended_.clear();
  for (;;) {
    HYDRA_CHECK(fill());
    for (const auto& task : std::exchange(ended_, {})) tell(task, on_news);
    if (running() == 0) break;
    tell({}, on_news);
    if (interrupts.take(kLook) != 0) {
      end_.interrupted = true;
      break;
    }
    HYDRA_CHECK(read_history());
    for (const auto& task : std::exchange(ended_, {})) tell(task, on_news);
  }
  return end_;
}

}  // namespace hydra::cli
