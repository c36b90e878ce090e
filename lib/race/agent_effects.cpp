// Carries out the commands about agents' runs: waiting for a turn, starting, stopping, ending. Each effect
// ends in an event, whatever happens, or the race would stand still.
#include "race/hidden.hpp"
#include "race/impl.hpp"
#include "race/provider_of.hpp"
#include "race/secrets.hpp"
#include "race/sign_in.hpp"
#include "race/verdict.hpp"
#include "race/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hydra::race {
namespace {

std::string tag_of(const Race& race, const std::string& agent) { return race.state.spec.id + "/" + agent; }

std::int64_t to_ms(double seconds) { return static_cast<std::int64_t>(std::llround(seconds * 1000)); }

}  // namespace

// A sign-in file that its CLI rewrites is used by one live run at a time: two copies of it would spend the
// same refresh token, and log all of them out. What only this race limits is waited for before what all races
// share; a place among all agents last, since it is the scarcest.
void Service::Impl::run_agent(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent) return;
  auto& turn = race->turns[name] = {};
  if (agent->begun()) return adopt_agent(race, *agent);
  const auto file = shared_sign_in(race->state.spec, *agent, race->layout);
  if (file.empty()) return await_slot(race, name);
  turn.stage = Turn::Stage::sign_in;
  sign_ins.try_emplace(file, 1).first->second.acquire(tag_of(*race, name), 0, false,
                                                      [this, race, name, file] {
                                                        race->turns[name].sign_in = file;
                                                        await_slot(race, name);
                                                      });
}

// It runs, whatever the limits say: it holds its places at once, and those that were not begun wait for them.
void Service::Impl::adopt_agent(const RacePtr& race, const AgentState& agent) {
  const auto& name = agent.entry.name;
  auto& turn = race->turns[name];
  turn.sign_in = shared_sign_in(race->state.spec, agent, race->layout);
  if (!turn.sign_in.empty()) sign_ins.try_emplace(turn.sign_in, 1).first->second.hold();
  race->agent_slots->hold();
  turn.slot = true;
  turn.provider = provider_of(race->state.spec, agent.entry);
  providers.hold(turn.provider);
  turn.placed = true;
  its_turn(race, name);
}

void Service::Impl::await_slot(const RacePtr& race, const std::string& name) {
  race->turns[name].stage = Turn::Stage::slot;
  race->agent_slots->acquire(name, 0, false, [this, race, name] {
    race->turns[name].slot = true;
    await_provider(race, name);
  });
}

void Service::Impl::await_provider(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  const auto provider = provider_of(race->state.spec, agent->entry);
  race->turns[name].stage = Turn::Stage::provider;
  const auto& limits = race->state.spec.config.limits;
  providers.ask(
      tag_of(*race, name), provider,
      {limits.per_provider, to_ms(limits.stagger_seconds), limits.agents_total, limits.tokens_per_minute},
      [this, race, name, provider] {
        race->turns[name].provider = provider;
        race->turns[name].placed = true;
        its_turn(race, name);
      });
  grant_providers();
}

void Service::Impl::count_tokens(const RacePtr& race, const AgentState& agent, const model::Usage& usage) {
  auto& counted = race->live[agent.entry.name].tokens;
  const auto now = static_cast<std::uint64_t>(std::max<std::int64_t>(0, spent(usage).tokens));
  if (now <= counted) return;
  providers.used(provider_of(race->state.spec, agent.entry), now - counted, steady_ms());
  counted = now;
}

void Service::Impl::grant_providers() {
  const auto again = providers.grant(steady_ms());
  if (!again) return;
  provider_timer.expires_after(std::chrono::milliseconds(std::max<std::int64_t>(*again, 1)));
  provider_timer.async_wait([this](const boost::system::error_code& ec) {
    if (!ec) grant_providers();
  });
}

void Service::Impl::its_turn(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent || agent->ended || agent->never_runs()) return leave_agent(race, name);
  if (agent->begun()) return start_agent(race, name, agent->attempts);
  if (race_over_budget(race)) return leave_agent(race, name);
  race->turns[name].stage = Turn::Stage::files;
  // A later attempt finds what the one before left; a shared sign-in may have been renewed by whoever had it.
  const bool files = agent->due > 1 || !race->turns[name].sign_in.empty();
  background(
      [spec = race->state.spec, agent = *agent, layout = race->layout, files]() -> Result<void> {
        return files ? lay_out_agent_files(spec, agent, layout) : Result<void>{};
      },
      [this, race, name](Result<void> laid_out) {
        const auto* due = race->state.agent(name);
        if (due->ended || due->never_runs()) {
          leave_agent(race, name);
          // The end of the race may have come while copies of credentials were laid out.
          if (!race->state.ended.empty())
            background(
                [spec = race->state.spec, agent = *due, layout = race->layout] {
                  close_agent_files(spec, agent, layout);
                  return 0;
                },
                [](int) {});
          return;
        }
        if (!laid_out.ok()) {
          leave_agent(race, name);
          return emit(race->state.spec.id, model::WorkspaceFailed{name, describe(laid_out.error())});
        }
        race->turns[name].stage = Turn::Stage::running;
        const int number = due->due;
        // Written ahead of the start: a daemon that dies in between adopts or starts this very attempt, never
        // a second.
        emit(race->state.spec.id, model::AgentStarting{name, race->layout.key(name, "agent", number), number},
             [this, race, name, number] {
               // A stop may have been stored before it.
               if (race->state.agent(name)->attempts != number) return leave_agent(race, name);
               start_agent(race, name, number);
             });
      });
}

// Gives back what an agent holds that has ended, or will not start.
void Service::Impl::leave_agent(const RacePtr& race, const std::string& name) {
  const auto found = race->turns.find(name);
  if (found == race->turns.end()) return;
  const Turn held = found->second;
  race->turns.erase(found);
  if (held.slot) race->agent_slots->release();
  if (held.placed) providers.leave(held.provider);
  if (!held.sign_in.empty()) sign_ins.at(held.sign_in).release();
  grant_providers();
}

void Service::Impl::start_agent(const RacePtr& race, const std::string& name, int number) {
  const auto* agent = race->state.agent(name);
  race->turns[name].stage = Turn::Stage::running;
  discard_live(race, name);  // of an earlier attempt, or of the time when it waited
  remember_secrets(race->state.spec, race->secrets);
  auto job = agent_job(race->state.spec, *agent, number, race->layout, race->secrets);
  if (job.ok())
    if (auto hidden = hide_source(*job, race->state.spec.hidden_source, race->layout.hidden(name));
        !hidden.ok())
      job = std::move(hidden).error();
  if (job.ok())
    if (auto hidden =
            hide_own(*job, hidden_from_agents(options.paths, race->state.spec), race->layout.hidden(name));
        !hidden.ok())
      job = std::move(hidden).error();
  exec::JobResult failed;
  failed.end = exec::End::start_failed;
  if (job.ok()) {
    const auto submitted = executor.submit(
        *job, [this, race, name](const exec::JobResult& result) { agent_ended(race, name, result); });
    if (submitted.ok()) {
      // Asked for while it was about to start: the command for it came before there was anything to stop.
      if (agent->cancelled || agent->stop) executor.cancel(job->key);
      return watch_agents();
    }
    failed.message = describe(submitted.error());
  } else {
    failed.message = describe(job.error());
  }
  failed.key = race->layout.key(name, "agent", number);
  failed.isolation = exec::isolation_from_name(race->state.spec.isolation).value_or(exec::Isolation::none);
  agent_ended(race, name, failed);
}

void Service::Impl::agent_ended(const RacePtr& race, const std::string& name, const exec::JobResult& result) {
  const auto& agent = *race->state.agent(name);
  Attempt attempt;
  attempt.descriptor = race->state.spec.config.agents.at(agent.entry.id);
  attempt.options = reader_options(race->state.spec, agent);
  attempt.result = result;
  attempt.directory = race->layout.attempt(name, "agent", std::max(1, agent.attempts));
  attempt.run_dir = race->layout.run(name);
  attempt.home = attempt.run_dir / "config";
  if (agent.retry) attempt.session = agent.retry->session;
  attempt.stop = agent.stop;
  attempt.cancelled = agent.cancelled;
  attempt.own_session = own_session(race->state.spec, agent, result.key);
  auto& live = race->live[name];
  attempt.silent_ms = live.watch.silent_ms();
  const auto leaving_ms =
      std::clamp<std::int64_t>(live.watch.leaving_ms(), 0, std::max<std::int64_t>(result.wall_ms, 0));
  live.stopping = true;  // nothing is left to be stopped
  if (live.reader && !live.skipped && result.out.hole_to > result.out.hole_from) {
    attempt.live = std::move(live.reader);
    attempt.live_offset = static_cast<std::uint64_t>(live.offset);
  }
  struct Ended {
    Judged judged;
    std::string sign_in;  ///< what became of the sign-in file, where that is worth telling
  };
  background(
      [attempt, spec = race->state.spec, agent, layout = race->layout] {
        return Ended{read_and_judge(attempt), carry_sign_in_back(spec, agent, layout)};
      },
      [this, race, name, result, leaving_ms](Ended ended) {
        // Only now may the next one take the sign-in: it is the renewed one.
        leave_agent(race, name);
        executor.release(result.key);
        auto& [judged, sign_in] = ended;
        count_tokens(race, *race->state.agent(name), judged.verdict.usage);
        const auto& id = race->state.spec.id;
        remember_secrets(race->state.spec, race->secrets);  // a renewed sign-in is one, too
        if (judged.incomplete)
          emit(id, model::Note{name,
                               "its output was longer than what is kept of it: it used more than is shown "
                               "([limits] log_head_bytes, log_tail_bytes)"});
        if (!sign_in.empty()) emit(id, model::Note{name, sign_in});
        note_budget(race, name, judged.verdict);
        discard_live(race, name);
        auto facts = job_facts(result);
        facts.leaving_ms = leaving_ms;
        emit(id, model::AgentEnded{name, std::move(facts), std::move(judged.verdict)});
      });
}

void Service::Impl::stop_agent(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent) return;
  if (!agent->begun()) {
    race->agent_slots->drop(name);
    providers.drop(tag_of(*race, name));
    for (auto& [file, waiting] : sign_ins) waiting.drop(tag_of(*race, name));
    return leave_agent(race, name);
  }
  executor.cancel(race->layout.key(name, "agent", agent->attempts));
}

}  // namespace hydra::race
