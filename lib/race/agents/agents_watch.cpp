// Watches running agents through their logs; stops them by watch.hpp and `hydra race --until green`. Only the
// stop is stored; live diffs are computed only while a client watches.
#include "base/fd.hpp"
#include "exec/attempt.hpp"
#include "race/agents/agents.hpp"
#include "race/agents/usage_file.hpp"
#include "race/agents/worktrees.hpp"
#include "race/jobs.hpp"
#include "race/state/green.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <unistd.h>

namespace hydra::race {
namespace {

constexpr std::chrono::milliseconds kLookEvery{250};
constexpr std::int64_t kUsageFileEveryMs = 2000;
constexpr std::size_t kLiveUsageFileBytes = 8u << 20, kLiveUsageTail = 1u << 20;

bool running(const AgentState& agent) { return agent.begun() && !agent.ended; }

// Returns whether the agent has no stop yet and has not reported its end.
bool may_be_stopped(Race& race, const AgentState& agent) {
  const auto& live = race.live[agent.entry.name];
  const bool leaving = live.reader && live.reader->view().terminal;
  return !agent.ended && !agent.stop && !agent.cancelled && !live.stopping && !leaving;
}

std::string advice_of(const Race& race, const AgentState& agent, const model::StopRequested& stop) {
  const auto& name = agent.entry.name;
  if (stop.reason == model::StopReason::budget)
    return fmt::format("its work is kept; `hydra retry {} --budget-usd N` (or --budget-tokens) continues",
                       name);
  if (stop.reason == model::StopReason::race_budget)
    return fmt::format(
        "its work is kept; raise --race-budget-usd or --race-budget-tokens, or `hydra retry {}`", name);
  if (stop.reason == model::StopReason::green)
    return fmt::format("its work is kept; `hydra retry {}/{}` resumes it", race.state.spec.id, name);
  if (stop.reason == model::StopReason::finished) return {};
  if (stop.error_class != model::ErrorClass::none)
    return adapters::advice(race.state.spec.config.agents.at(agent.entry.id), stop.error_class);
  return fmt::format("see `hydra logs {}`; [limits] idle_timeout says how long is too long", name);
}

}  // namespace

std::int64_t Agents::steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Arms the timer while an agent runs.
void Agents::watch_agents() {
  if (watching) return;
  watching = true;
  watch_timer.expires_after(kLookEvery);
  watch_timer.async_wait([this](const boost::system::error_code& ec) {
    watching = false;
    if (!ec) look_at_agents();
  });
}

void Agents::look_at_agents() {
  bool any = false;
  for (const auto& [id, race] : races) {
    if (race->state.ended) continue;
    bool in_race = false;
    for (const auto& agent : race->state.agents) {
      if (!running(agent)) continue;
      in_race = true;
      look_at(race, agent);
    }
    if (in_race) (void)race_over_budget(race);
    any = any || in_race;
  }
  if (any) watch_agents();
}

void Agents::look_at(const RacePtr& race, const AgentState& agent) {
  read_output(race, agent);
  read_live_usage(race, agent);
  auto& live = race->live[agent.entry.name];
  if (!live.reader) return;
  const auto view = live.reader->view();
  if (agent.stop || agent.cancelled || live.stopping) return;
  const auto& name = agent.entry.name;
  if (exec::is_held(race->layout.attempt(name, "agent", agent.attempts))) {
    race->wants_room.try_emplace(name, "paused until its disk has room");
    return live.watch.hold(steady_ms());
  }
  race->wants_room.erase(name);
  Watch::Limits limits;
  limits.budget = budget_of(race->state, agent);
  limits.before = spent(earlier_usage(agent, true));
  limits.idle_seconds =
      idle_limit(race->state.spec.config.limits, race->state.spec.config.agents.at(agent.entry.id));
  if (auto stop = live.watch.look(view, steady_ms(), limits))
    return request_stop(race, agent, std::move(*stop));
  if (live.told_unpriced) return;
  const auto note = unpriced(race->state, agent, view.usage, view.model, prices_of(race), false);
  if (note.empty()) return;
  live.told_unpriced = true;
  emit(race->state.spec.id, model::Note{Subject::of(agent.entry.name), note});
}

const adapters::PriceTable& Agents::prices_of(const RacePtr& race) {
  if (!race->prices) race->prices = adapters::prices(race->state.spec.config);
  return *race->prices;
}

void Agents::request_stop(const RacePtr& race, const AgentState& agent, model::StopRequested stop) {
  stop.agent = agent.entry.name;
  stop.advice = advice_of(*race, agent, stop);
  race->live[agent.entry.name].stopping = true;
  emit(race->state.spec.id, std::move(stop));
}

// Codex and Copilot report usage only in a file.
void Agents::read_live_usage(const RacePtr& race, const AgentState& agent) {
  const auto& rules = race->state.spec.config.agents.at(agent.entry.id).stream;
  const auto& file = rules.usage_file;
  auto& live = race->live[agent.entry.name];
  if ((file.path.empty() && rules.usage_log.path.empty()) || live.usage_running || !live.reader) return;
  const auto now = steady_ms();
  if (live.usage_at_ms != 0 && now - live.usage_at_ms < kUsageFileEveryMs) return;
  live.usage_at_ms = now;
  live.usage_running = true;
  const auto& name = agent.entry.name;
  if (!rules.usage_log.path.empty()) return read_live_log(race, name, agent.attempts);
  background(
      [file, run = race->layout.run(name), session = live.reader->view().session] {
        return find_usage_file(file, run, run / "config", session,
                               end_is_enough(file) ? kLiveUsageTail : kLiveUsageFileBytes);
      },
      [race, name, number = agent.attempts](const Result<std::optional<std::string>>& read) {
        const auto found = race->live.find(name);
        const auto* now_agent = race->state.agent(name);
        if (found == race->live.end() || !now_agent || now_agent->attempts != number) return;
        found->second.usage_running = false;
        if (!read.ok() || !*read || !found->second.reader) return;
        const auto& text = *read;
        const auto hash = std::hash<std::string>{}(*text);
        if (hash == found->second.usage_hash) return;
        found->second.usage_hash = hash;
        (void)found->second.reader->usage_file(*text);
      });
}

void Agents::read_live_log(const RacePtr& race, const std::string& name, int attempt) {
  const auto& live = race->live[name];
  const auto& log = race->state.spec.config.agents.at(race->state.agent(name)->entry.id).stream.usage_log;
  background(
      [log, run = race->layout.run(name), session = live.reader->view().session,
       sizes = live.usage_log_sizes] {
        return read_usage_log(log, run, run / "config", session, sizes, kLiveUsageFileBytes);
      },
      [race, name, attempt](const Result<std::vector<UsageLogPart>>& read) {
        const auto found = race->live.find(name);
        const auto* now_agent = race->state.agent(name);
        if (found == race->live.end() || !now_agent || now_agent->attempts != attempt) return;
        auto& now_live = found->second;
        now_live.usage_running = false;
        if (!read.ok() || !now_live.reader) return;
        for (const auto& [file, offset, bytes] : *read) {
          now_live.reader->usage_log(bytes, offset, file);
          now_live.usage_log_sizes[file] = offset + bytes.size();
          if (bytes.size() == kLiveUsageFileBytes) now_live.usage_at_ms = 0;  // more data is available
        }
      });
}

namespace {

model::Usage used_now(const Race& race, const AgentState& agent) {
  auto usage = earlier_usage(agent, true);
  if (agent.ended) return add_usage(usage, agent.ended->verdict.usage);
  const auto found = race.live.find(agent.entry.name);
  if (found != race.live.end() && found->second.reader)
    usage = add_usage(usage, found->second.reader->view().usage);
  return usage;
}

}  // namespace

// Stops all agents of the race if the race's budget is used up.
bool Agents::race_over_budget(const RacePtr& race) {
  const auto budget = race_budget_of(race->state);
  if (budget.usd <= 0 && budget.tokens == 0) return false;
  auto all = judges_in_budget(race->state);
  for (const auto& agent : race->state.agents)
    if (counts_for_race(race->state, agent)) all = add_usage(all, used_now(*race, agent));
  const auto reached = race::over(budget, spent(all));
  if (!reached) return false;
  for (const auto& agent : race->state.agents)
    if (may_be_stopped(*race, agent) && agent.workspace_error.empty())
      request_stop(race, agent,
                   {{}, model::StopReason::race_budget, {}, "stopped: the race's " + *reached, {}});
  return true;
}

// Notes budgets that were exceeded by the final report, or could not be applied.
void Agents::note_budget(const RacePtr& race, const std::string& name, const model::Verdict& verdict) {
  const auto& agent = *race->state.agent(name);
  const auto& id = race->state.spec.id;
  if (verdict.outcome == model::Outcome::launch_error) return;
  const auto all = add_usage(earlier_usage(agent, true), verdict.usage);
  if (const auto reached = race::over(budget_of(race->state, agent), spent(all));
      reached && (!agent.stop || agent.stop->reason == model::StopReason::finished))
    emit(id, model::Note{Subject::of(name), *reached + ", which only its end told; it was not stopped"});
  const auto found = race->live.find(name);
  if (found != race->live.end() && found->second.told_unpriced) return;
  if (const auto note =
          unpriced(race->state, agent, verdict.usage,
                   verdict.model.empty() ? agent.entry.model : verdict.model, prices_of(race), true);
      !note.empty())
    emit(id, model::Note{Subject::of(name), note});
}

void Agents::stop_rest(const RacePtr& race) {
  const auto first = green_result(race->state);
  const auto left = green_grace_ms(race->state, first, clock.now());
  if (!first.empty() && (!race->state.green || race->state.green->agent != first))
    emit(race->state.spec.id, model::GreenReached{first});
  race->green_timer = engine.timer(race, left, [this](const RacePtr& still) {
    const auto green = green_result(still->state);
    if (still->state.ranking || green.empty()) return;
    const auto why =
        "stopped: the result of " + still->state.agent(green)->display + " is green (--until green)";
    for (const auto& agent : still->state.agents)
      if (may_be_stopped(*still, agent) && agent.workspace_error.empty())
        request_stop(still, agent, {{}, model::StopReason::green, {}, why, {}});
  });
}

namespace {
constexpr std::int64_t kDiffEveryMs = 2000;
constexpr std::size_t kMostGrowth = 60;
constexpr std::size_t kReadAtOnce = 4u << 20;
}  // namespace

void Agents::read_output(const RacePtr& race, const AgentState& agent) {
  const auto& name = agent.entry.name;
  if (!agent.begun() || agent.ended) return;
  auto& live = race->live[name];
  if (!live.reader && live.offset > 0) return;  // the reader was passed to the verdict
  if (!live.reader)
    live.reader = std::make_unique<adapters::StreamReader>(race->state.spec.config.agents.at(agent.entry.id),
                                                           reader_options(race->state.spec, agent));
  const auto log = race->layout.attempt(name, "agent", agent.attempts) / "stdout.log";
  if (const UniqueFd fd(::open(log.c_str(), O_RDONLY | O_CLOEXEC)); fd) {
    std::string buffer(64 << 10, '\0');
    for (std::size_t total = 0; total < kReadAtOnce;) {
      // The dropped middle of a long log is a hole: jump to the next data.
      const off_t data = ::lseek(fd.get(), live.offset, SEEK_DATA);
      if (data > live.offset) {
        live.offset = data;
        live.skipped = true;
      }
      const ssize_t n = ::pread(fd.get(), buffer.data(), buffer.size(), live.offset);
      if (n <= 0) break;
      live.reader->feed({buffer.data(), static_cast<std::size_t>(n)});
      live.offset += n;
      total += static_cast<std::size_t>(n);
    }
  }
}

void Agents::refresh_live(const RacePtr& race, const AgentState& agent) {
  const auto& name = agent.entry.name;
  if (!agent.begun() || agent.ended) return;
  read_output(race, agent);
  auto& live = race->live[name];
  const auto now = clock.now();
  // Skip the first look: changes of the first moments are not worth two runs of git.
  if (live.diff_at_ms == 0) live.diff_at_ms = now;
  if (live.diff_running || now - live.diff_at_ms < kDiffEveryMs || !race->store) return;
  live.diff_running = true;
  background([store_copy = *race->store, tree = worktree_of(race->layout, name),
              name] { return store_copy.live_diff(tree, name); },
             [this, race, name](const Result<model::DiffStat>& diff) {
               const auto found = race->live.find(name);
               if (found == race->live.end()) return;
               found->second.diff_running = false;
               found->second.diff_at_ms = clock.now();
               if (!diff.ok()) return;
               found->second.diff = *diff;
               auto& growth = found->second.growth;
               if (growth.size() >= kMostGrowth) growth.erase(growth.begin());
               growth.push_back({found->second.diff_at_ms, diff->lines_added, diff->lines_removed});
             });
}

}  // namespace hydra::race
