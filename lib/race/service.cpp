// The service's interface, and the dispatch of commands to their owners.
#include "race/service.hpp"

#include "base/strings.hpp"
#include "exec/slurm.hpp"
#include "model/json.hpp"
#include "race/agents/secrets.hpp"
#include "race/impl.hpp"
#include "race/views/views.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::race {

Service::Impl::Impl(boost::asio::io_context& loop_, Options options_, storage::EventStore& store_,
                    exec::Executor& executor_, const Clock& clock_, IdSource& ids_)
    : Engine(loop_, std::move(options_), store_, executor_, clock_, ids_),
      templates(*this, checks, upkeep),
      checks(*this, templates),
      agents(*this, merges, templates, upkeep),
      judges(*this, agents, checks),
      tries(*this, checks, templates, upkeep),
      merges(*this, upkeep),
      upkeep(*this, merges, templates, tries),
      flow(*this, checks, merges, templates, upkeep) {}

Service::Impl::~Impl() {
  join();
  upkeep.join();
  merges.stop();
  upkeep.stop();
}

void Service::Impl::carry_out(const RacePtr& race, const Command& command) {
  switch (command.verb) {
    case Verb::prepare_race:
      return flow.prepare_race(race);
    case Verb::prepare_workspace:
      return agents.prepare_workspace(race, command.subject.agent);
    case Verb::run_agent:
      return agents.run_agent(race, command.subject.agent);
    case Verb::retry_agent:
      return agents.retry_agent(race, command.subject.agent);
    case Verb::stop_agent:
      return agents.stop_agent(race, command.subject.agent);
    case Verb::capture:
      return agents.capture(race, command.subject.agent);
    case Verb::inspect:
      return checks.inspect(race, command.subject.agent);
    case Verb::prepare_subject:
      return checks.prepare_subject(race, command.subject);
    case Verb::run_check:
      return checks.run_check(race, command.subject, command.dimension,
                              {life_of(race->state, command.subject), CheckRun::Why::first, 0});
    case Verb::repeat_tests:
      return checks.repeat_tests(race, command.subject);
    case Verb::stop_checks:
      return checks.stop_checks(race, command.subject);
    case Verb::publish:
      return merges.publish(race);
    case Verb::plan_twins:
      return checks.plan_twins(race);
    case Verb::plan_cross:
      return checks.plan_cross(race);
    case Verb::preflight_clock:
      return checks.preflight_clock(race, command.number > 0);
    case Verb::sum_cross:
      return checks.sum_cross(race);
    case Verb::plan_judges:
      return judges.plan_judges(race);
    case Verb::judge:
      return judges.judge(race, command.subject);
    case Verb::rank_first:
      return flow.rank_first(race);
    case Verb::rank:
      return flow.rank(race);
    case Verb::next_round:
      return agents.next_round(race);
    case Verb::stop_rest:
      return agents.stop_rest(race);
    case Verb::auto_merge:
      return merges.auto_merge(race, command.subject.agent);
    case Verb::finish:
      return flow.finish(race);
  }
}

void Service::Impl::note_told(const model::Event& event) {
  const auto race = all().find(event.race);
  if (race != all().end() && std::holds_alternative<model::RaceEnded>(event.body))
    upkeep.announce(*race->second);
  if (const auto* captured = std::get_if<model::Captured>(&event.body); captured && race != all().end())
    agents.give_room(race->second, captured->agent);
  upkeep.note_history(event);
}

Result<void> Service::Impl::recover() {
  merges.recover_merges();
  tries.clear_left();
  HYDRA_TRY(const auto open, store.open_races());
  templates.kept().drop_unfinished({open.begin(), open.end()});
  std::vector<std::pair<RacePtr, Command>> adoptions, rest;
  for (const auto& id : open) {
    auto race = load(id);
    if (!race.ok()) {
      log::error("race {}: {}", id, describe(race.error()));
      continue;
    }
    const auto& spec = (*race)->state.spec;
    // Secrets were in the earlier daemon's memory only: use the variables that this daemon was started with.
    for (const auto& name : spec.secret_names)
      if (auto value = secrets.of_starter(name)) (*race)->secrets[name] = std::move(*value);
    enter(*race);
    agents.note_lost_keys(*race);
    const auto commands = resume((*race)->state);
    log::info("race {}: going on with {} steps", id, commands.size());
    for (const auto& command : commands) {
      const auto* agent = (*race)->state.agent(command.subject.agent);
      const bool runs = command.verb == Verb::run_agent && agent && agent->begun();
      (runs ? adoptions : rest).emplace_back(*race, command);
    }
  }
  // Running agents hold resources that limit others in all races, so they are adopted before any other
  // starts; jobs in a cluster are adopted before those that wait for its window.
  std::stable_partition(adoptions.begin(), adoptions.end(), [](const auto& each) {
    const auto* agent = each.first->state.agent(each.second.subject.agent);
    return exec::handed_in(each.first->layout.attempt(agent->entry.name, "agent", agent->attempts));
  });
  for (const auto& [race, command] : adoptions) carry_out(race, command);
  for (const auto& [race, command] : rest) carry_out(race, command);
  upkeep.empty_trash();
  upkeep.with_history([] {});
  background(
      [this, path = secrets.of_starter("PATH").value_or("")] { templates.machines().look_ahead(path); });
  return {};
}

Service::Service(boost::asio::io_context& loop, Options options, storage::EventStore& store,
                 exec::Executor& executor, const Clock& clock, IdSource& ids)
    : impl_(std::make_unique<Impl>(loop, std::move(options), store, executor, clock, ids)) {}

Service::~Service() = default;

Result<void> Service::recover() { return impl_->recover(); }

std::vector<std::string> Service::storage_findings() const { return impl_->store.findings(); }

void Service::with_loaded(const std::string& race, std::function<void()> then) {
  impl_->with_loaded(race, std::move(then));
}

void Service::drain(std::function<void()> stored) { impl_->drain(std::move(stored)); }

void Service::background(std::function<void()> work, std::function<void()> done) {
  impl_->background(std::move(work), std::move(done));
}

void Service::background_read(std::function<void()> work, std::function<void(const Result<void>&)> done) {
  impl_->read_aside(std::move(work), std::move(done));
}

void Service::create(CreateRequest request, std::function<void(Result<wire::Created>)> done) {
  impl_->flow.create(std::move(request), std::move(done));
}

void Service::merge(MergeCall call, std::function<void(Result<wire::MergeAnswer>)> done) {
  if (!call.repair_only) return impl_->merges.merge(std::move(call), std::move(done));
  // Repairs a race's repository, whether the race has a result to merge or not.
  auto id = resolve(call.target.substr(0, call.target.find('/')), call.directory);
  if (!id.ok() && id.error().code == Errc::not_found && !call.target.empty())
    if (const auto target = impl_->merges.find_target(call); target.ok()) id = target->first->state.spec.id;
  if (!id.ok()) return done(std::move(id).error());
  auto race = impl_->load(*id);
  if (!race.ok()) return done(std::move(race).error());
  impl_->merges.repair(*race, call.directory, std::move(done));
}

void Service::combine(CombineCall call, std::function<void(Result<wire::Combined>)> done) {
  impl_->merges.combine(std::move(call), std::move(done));
}

void Service::retry(RetryCall call, std::function<void(Result<wire::Retried>)> done) {
  impl_->agents.retry(std::move(call), std::move(done));
}

void Service::decide(DecideCall call, std::function<void(Result<wire::Results>)> done) {
  impl_->flow.decide(std::move(call), std::move(done));
}

void Service::rate(RateCall call, std::function<void(Result<wire::Rated>)> done) {
  impl_->judges.rate(std::move(call), std::move(done));
}

Result<std::uint64_t> Service::try_results(TryCall call, std::function<void(const wire::TryFrame&)> tell) {
  return impl_->tries.start(call, std::move(tell));
}

void Service::stop_try(std::uint64_t number) { impl_->tries.stop(number); }

void Service::verify(const std::string& race, std::function<void(Result<wire::Created>)> done) {
  impl_->flow.verify(race, std::move(done));
}

void Service::leaderboard(LeaderboardCall call, std::function<void(Result<wire::Leaderboard>)> done) {
  impl_->upkeep.leaderboard(std::move(call), std::move(done));
}

void Service::history(storage::HistoryFilter filter, std::size_t limit,
                      std::function<void(Result<wire::History>)> done) {
  impl_->upkeep.history(std::move(filter), limit, std::move(done));
}

void Service::import_history(const std::vector<model::HistoryRace>& races,
                             std::function<void(Result<wire::Imported>)> done) {
  impl_->upkeep.import_history(races, std::move(done));
}

void Service::rebuild_history(std::function<void(Result<wire::Rebuilt>)> done) {
  impl_->upkeep.rebuild_history(std::move(done));
}

void Service::forget_history(const std::string& race, std::function<void(Result<wire::Forgotten>)> done) {
  impl_->upkeep.forget_history(race, std::move(done));
}

void Service::list_templates(std::function<void(Result<wire::Templates>)> done) {
  impl_->templates.list(std::move(done));
}

void Service::clean(CleanCall call, std::function<void(Result<wire::CleanAnswer>)> done) {
  impl_->upkeep.clean(std::move(call), std::move(done));
}

void Service::restore(const std::string& race, const wire::RestoreRequest& asked,
                      std::function<void(Result<wire::RestoreAnswer>)> done) {
  impl_->upkeep.restore(race, asked, std::move(done));
}

Result<void> Service::cancel(const std::string& id, const std::string& agent) {
  const auto found = impl_->all().find(id);
  if (found == impl_->all().end() || found->second->state.ended.has_value())
    return Error{Errc::conflict, "the race has ended", id, {}};
  if (!agent.empty() && !found->second->state.agent(agent))
    return Error{Errc::not_found, "no agent '" + sanitize(agent) + "' in this race", id, {}};
  impl_->emit(id, model::CancelRequested{agent});
  return {};
}

Result<std::string> Service::resolve(const std::string& text, const std::string& directory) {
  if (text == "last" || text.empty()) {
    HYDRA_TRY(const auto last, impl_->store.last_race(fs::path(directory).lexically_normal().string()));
    if (!last.empty()) return last.front();
    return Error{Errc::not_found, "no race in this repository yet", directory, "hydra race \"task\""};
  }
  HYDRA_TRY(const auto found, impl_->store.races_with_prefix(text));
  if (found.empty()) return Error{Errc::not_found, "no race '" + sanitize(text) + "'", {}, "hydra list"};
  if (found.size() > 1 && found.front() != text)
    return Error{Errc::usage,
                 "'" + sanitize(text) + "' is the start of more than one race",
                 {},
                 "type more characters"};
  return found.front();
}

Result<wire::Status> Service::status(const std::string& id) {
  HYDRA_TRY(const auto race, impl_->load(id));
  const auto live_of = [&](const AgentState& agent) -> LiveView {
    impl_->agents.refresh_live(race, agent);
    const auto found = race->live.find(agent.entry.name);
    if (found == race->live.end() || !found->second.reader)
      return {false,
              {},
              {},
              impl_->agents.waits_for(*race, agent),
              impl_->checks.check_waits(*race, check_owner(race->state, agent)),
              0,
              {}};
    auto view = found->second.reader->view();
    const auto secrets = impl_->secrets.of_race(race->state.spec, race->secrets);
    for (auto* text : {&view.last_line, &view.tool, &view.model}) *text = without_secrets(*text, secrets);
    return {true,
            std::move(view),
            found->second.diff,
            {},
            {},
            found->second.watch.silent_ms(),
            found->second.growth};
  };
  const auto step = impl_->templates.step_now(*race);
  auto out = status_view(race->state, impl_->clock.moment(), live_of, step, impl_->flow.race_waits(*race));
  out.disk_bytes = impl_->upkeep.disk_of(id);
  return out;
}

Result<wire::Results> Service::results(const std::string& id) {
  HYDRA_TRY(const auto race, impl_->load(id));
  return results_view(race->state, impl_->clock.moment(), &impl_->calibration());
}

std::string Service::redacted(const std::string& id, const std::string& text) {
  const auto race = impl_->load(id);
  if (!race.ok()) return {};
  return without_secrets(text, impl_->secrets.of_race((*race)->state.spec, (*race)->secrets));
}

Result<std::int64_t> Service::last_event() { return impl_->store.last_event(); }

std::vector<std::string> Service::open_races() const {
  std::vector<std::string> open;
  for (const auto& [id, race] : impl_->all())
    if (!race->state.ended) open.push_back(id);
  return open;
}

Result<std::uint64_t> Service::subscribe(const std::string& id, std::int64_t after, OnEvent on_event) {
  return impl_->subscribe(id, after, std::move(on_event));
}

void Service::past(const std::string& race, std::int64_t after,
                   std::function<void(Result<std::vector<model::Event>>)> done) {
  impl_->background(
      [&store = impl_->store, race, after] {
        auto events = store.events(race, after);
        if (events.ok())
          for (auto& event : *events)
            if (auto* tests = model::tests_in(event.body)) tests->clear();
        return events;
      },
      std::move(done));
}

void Service::unsubscribe(std::uint64_t subscription) { impl_->unsubscribe(subscription); }

bool Service::over(const std::string& id) {
  const auto found = impl_->all().find(id);
  return found == impl_->all().end() || found->second->state.ended.has_value();
}

std::string Service::waits(const std::string& id) const {
  const auto found = impl_->all().find(id);
  return found == impl_->all().end() ? std::string() : impl_->flow.race_waits(*found->second);
}

int Service::running_races() const {
  return static_cast<int>(std::count_if(impl_->all().begin(), impl_->all().end(),
                                        [](const auto& r) { return !r.second->state.ended; }));
}

}  // namespace hydra::race
