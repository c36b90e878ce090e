#include "race/service.hpp"

#include "base/fd.hpp"
#include "base/strings.hpp"
#include "checks/evidence.hpp"
#include "config/config.hpp"
#include "exec/file_system.hpp"
#include "exec/slurm.hpp"
#include "race/hidden.hpp"
#include "race/impl.hpp"
#include "race/secrets.hpp"
#include "race/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace hydra::race {
namespace {

int slots_of(int configured) {
  if (configured > 0) return configured;
  // Builds and test runners start workers of their own: two cores for each (toolchains reference, section 6).
  return std::max(1, static_cast<int>(usable_cpus().size()) / 2);
}

constexpr int kAllAgents = 1 << 20;

}  // namespace

Service::Impl::Impl(boost::asio::io_context& loop_, Options options_, storage::EventStore& store_,
                    exec::Executor& executor_, const Clock& clock_, IdSource& ids_)
    : loop(loop_),
      options(std::move(options_)),
      store(store_),
      executor(executor_),
      clock(clock_),
      ids(ids_),
      check_slots(slots_of(options.check_slots), options.check_slots == 0 && usable_cpus().size() > 1),
      cpu_groups(usable_cpus(), check_slots.limit()),
      retry_timer(loop_),
      trash_timer(loop_),
      watch_timer(loop_),
      provider_timer(loop_),
      templates(options.paths.state / "templates", options.paths.state / "trash"),
      machines(options.paths.state, options.shim),
      reserve(options.paths.state / "reserve"),
      pool(static_cast<std::size_t>(options.pool_threads)) {}

Service::Service(boost::asio::io_context& loop, Options options, storage::EventStore& store,
                 exec::Executor& executor, const Clock& clock, IdSource& ids)
    : impl_(std::make_unique<Impl>(loop, std::move(options), store, executor, clock, ids)) {}

Service::~Service() {
  impl_->pool.join();
  impl_->writer.join();
  impl_->clean_pool.join();
  impl_->disk_pool.join();
  constexpr std::chrono::milliseconds kPatience{2000}, kLook{20};
  // The last hook of a merge gets a moment; one that hangs is ended, and what it left is recovered.
  const auto merging = [&] { return impl_->merging.working() + impl_->looking.working(); };
  for (auto waited = kLook; merging() > 0 && waited <= kPatience; waited += kLook)
    std::this_thread::sleep_for(kLook);
  if (merging() > 0) log::warn("a merge still runs: its hooks and filters are ended");
  impl_->merge_stop.request_stop();
  impl_->merging.join();
  impl_->looking.join();
  // Whoever is told of an end may take long to listen, and the end of the daemon does not wait for that.
  for (auto waited = kLook; impl_->notifying > 0 && waited <= kPatience; waited += kLook)
    std::this_thread::sleep_for(kLook);
  if (const int left = impl_->notifying; left > 0)
    log::warn("{} notifications are dropped: nobody listened for {} ms", left, kPatience.count());
  impl_->notify_stop.request_stop();
  impl_->notify_pool.join();
}

RacePtr Service::Impl::make_race(const std::string& id) {
  auto race = std::make_shared<Race>(options.paths.state, id);
  race->agent_slots = std::make_unique<SlotPool>(kAllAgents);
  return race;
}

void Service::Impl::set_limits(Race& race) {
  const auto& limits = race.state.spec.config.limits;
  if (limits.agents > 0) race.agent_slots = std::make_unique<SlotPool>(limits.agents);
  // On a cluster the window bounds them, not this machine's CPUs.
  const auto& execution = race.state.spec.config.execution;
  const int placed = execution.placement == model::Placement::slurm ? std::max(1, execution.window) : 0;
  if (const int checks = limits.checks > 0 ? limits.checks : placed; checks > 0)
    race.own_check_slots = std::make_unique<SlotPool>(checks);
}

void Service::Impl::open_store(Race& race) {
  race.store = git::Store::open(race.layout.store(), race.state.spec);
  if (race.state.spec.tree_rung.empty())
    race.workspaces =
        trees::fresh_workspaces(*race.store, race.state.spec, race.layout.checks(), race.layout.trash());
}

Result<RacePtr> Service::Impl::load(const std::string& id) {
  if (const auto found = races.find(id); found != races.end()) return found->second;
  HYDRA_TRY(const auto events, store.events(id, 0));
  if (events.empty()) return Error{Errc::not_found, "no race '" + id + "'", {}, "hydra list"};
  auto race = make_race(id);
  for (const auto& event : events) apply(race->state, event);
  open_store(*race);
  return race;
}

Result<void> Service::Impl::recover() {
  recover_merges();
  HYDRA_TRY(const auto open, store.open_races());
  templates.drop_unfinished({open.begin(), open.end()});
  std::vector<std::pair<RacePtr, Command>> adoptions, rest;
  for (const auto& id : open) {
    auto race = load(id);
    if (!race.ok()) {
      log::error("race {}: {}", id, describe(race.error()));
      continue;
    }
    const auto& spec = (*race)->state.spec;
    set_limits(**race);
    // Secrets lived in the memory of the daemon before: what this one was started with takes their place.
    for (const auto& name : spec.secret_names)
      if (auto value = starters(name)) (*race)->secrets[name] = std::move(*value);
    // Pinned before anything is evicted; with_template() makes it again should it be gone.
    if ((*race)->state.checks_template) (*race)->template_digest = (*race)->state.checks_template->digest;
    races[id] = *race;
    note_lost_keys(*race);
    const auto commands = resume((*race)->state);
    log::info("race {}: going on with {} steps", id, commands.size());
    for (const auto& command : commands) {
      const auto* agent = (*race)->state.agent(command.subject);
      const bool runs = command.verb == Verb::run_agent && agent && agent->begun();
      (runs ? adoptions : rest).emplace_back(*race, command);
    }
  }
  // Agents that run hold what limits the others, in whatever race: none of those may begin before; and jobs
  // that a cluster has hold its window before those that only wait for it.
  std::stable_partition(adoptions.begin(), adoptions.end(), [](const auto& each) {
    const auto* agent = each.first->state.agent(each.second.subject);
    return exec::handed_in(each.first->layout.attempt(agent->entry.name, "agent", agent->attempts));
  });
  for (const auto& [race, command] : adoptions) carry_out(race, command);
  for (const auto& [race, command] : rest) carry_out(race, command);
  empty_trash();
  with_history([] {});
  boost::asio::post(pool, [this, path = starters("PATH").value_or("")] { machines.look_ahead(path); });
  return {};
}

// Keys are never stored: an agent that begins only now may lack the one that it was asked for with.
void Service::Impl::note_lost_keys(const RacePtr& race) {
  const auto& spec = race->state.spec;
  for (const auto& agent : race->state.agents) {
    if (agent.ended || agent.begun() || agent.never_runs() || !spec.config.agents.contains(agent.entry.id))
      continue;
    std::vector<std::string> lost;
    for (const auto& name : spec.config.agents.at(agent.entry.id).auth_env)
      if (std::find(spec.secret_names.begin(), spec.secret_names.end(), name) != spec.secret_names.end() &&
          !race->secrets.contains(name))
        lost.push_back(name);
    if (lost.empty()) continue;
    emit(spec.id,
         model::Note{agent.entry.name,
                     fmt::format("{} went with the daemon that was restarted, since keys are never "
                                 "stored; if it is refused now, `hydra retry {}` from a shell that has it",
                                 join(lost, ", "), agent.entry.name)});
  }
}

Result<void> Service::recover() { return impl_->recover(); }

std::vector<std::string> Service::storage_findings() const { return impl_->store.findings(); }

void Service::drain() { impl_->draining = true; }

void Service::background(std::function<void()> work, std::function<void()> done) {
  impl_->background(
      [work = std::move(work)] {
        work();
        return 0;
      },
      [done = std::move(done)](int) { done(); });
}

void Service::create(CreateRequest request, std::function<void(Result<Created>)> done) {
  impl_->create(std::move(request), std::move(done));
}

void Service::merge(MergeCall call, std::function<void(Result<std::string>)> done) {
  if (!call.repair_only) return impl_->merge(std::move(call), std::move(done));
  // Of a race, whether it has a result to merge or not.
  auto id = resolve(call.target.substr(0, call.target.find('/')), call.directory);
  if (!id.ok() && id.error().code == Errc::not_found && !call.target.empty())
    if (const auto target = impl_->find_target(call); target.ok()) id = target->first->state.spec.id;
  if (!id.ok()) return done(std::move(id).error());
  auto race = impl_->load(*id);
  if (!race.ok()) return done(std::move(race).error());
  impl_->repair(*race, call.directory, std::move(done));
}

void Service::combine(CombineCall call, std::function<void(Result<std::string>)> done) {
  impl_->combine(std::move(call), std::move(done));
}

Result<void> Service::cancel(const std::string& id, const std::string& agent) {
  const auto found = impl_->races.find(id);
  if (found == impl_->races.end() || !found->second->state.ended.empty())
    return Error{Errc::conflict, "the race has ended", id, {}};
  if (!agent.empty() && !found->second->state.agent(agent))
    return Error{Errc::not_found, "no agent '" + sanitize(agent) + "' in this race", id, {}};
  impl_->emit(id, model::CancelRequested{agent});
  return {};
}

Result<std::string> Service::resolve(const std::string& text, const std::string& directory) {
  if (text == "last" || text.empty()) {
    HYDRA_TRY(const auto rows, impl_->store.races({}, 1000));
    for (const auto& row : rows) {
      const auto here = fs::path(directory).lexically_relative(row.repository);
      if (row.agents.empty()) continue;  // a check of the baseline
      if (directory.empty() || (!here.empty() && *here.begin() != "..")) return row.id;
    }
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

// What makes the base's check workspace, with the end of what it printed.
WorkspaceStep Service::Impl::step_now(const Race& race) {
  const auto build = builds.find(race.template_digest);
  auto step = build == builds.end() ? WorkspaceStep{} : build->second.running;
  step.waits = check_waits(race, std::string(model::kBaseline));
  constexpr std::uint64_t kTail = 4096;
  if (step.kind.empty()) return step;
  const UniqueFd fd(::open(build->second.running_log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  const auto size = fd ? ::lseek(fd.get(), 0, SEEK_END) : -1;
  if (size <= 0) return step;
  std::string tail(std::min<std::uint64_t>(static_cast<std::uint64_t>(size), kTail), '\0');
  const auto n = ::pread(fd.get(), tail.data(), tail.size(), size - static_cast<off_t>(tail.size()));
  tail.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  for (const auto line : lines(tail))
    if (const auto shown = trim(sanitize(line)); !shown.empty()) step.last_line = ellipsize(shown, 200);
  step.last_line = without_secrets(step.last_line, secrets_of_race(race.state.spec, race.secrets));
  return step;
}

Result<wire::Status> Service::status(const std::string& id) {
  HYDRA_TRY(const auto race, impl_->load(id));
  const auto live_of = [&](const AgentState& agent) -> LiveView {
    impl_->refresh_live(race, agent);
    const auto found = race->live.find(agent.entry.name);
    if (found == race->live.end() || !found->second.reader)
      return {false,
              {},
              {},
              impl_->waits_for(*race, agent),
              impl_->check_waits(*race, check_owner(race->state, agent)),
              0,
              {}};
    auto view = found->second.reader->view();
    const auto secrets = secrets_of_race(race->state.spec, race->secrets);
    for (auto* text : {&view.last_line, &view.tool, &view.model}) *text = without_secrets(*text, secrets);
    return {true,
            std::move(view),
            found->second.diff,
            {},
            {},
            found->second.watch.silent_ms(),
            found->second.growth};
  };
  const auto step = impl_->step_now(*race);
  auto out = status_view(race->state, impl_->clock.moment(), live_of, step, impl_->race_waits(*race));
  out.disk_bytes = impl_->disk_of(id);
  return out;
}

Result<wire::Results> Service::results(const std::string& id) {
  HYDRA_TRY(const auto race, impl_->load(id));
  return results_view(race->state, impl_->clock.moment(),
                      &impl_->calibration(race->state.spec.config.selection.outcome_days));
}

std::string Service::redacted(const std::string& id, const std::string& text) {
  const auto race = impl_->load(id);
  if (!race.ok()) return {};
  return without_secrets(text, secrets_of_race((*race)->state.spec, (*race)->secrets));
}

Result<std::int64_t> Service::last_event() { return impl_->store.last_event(); }

std::vector<std::string> Service::open_races() const {
  std::vector<std::string> open;
  for (const auto& [id, race] : impl_->races)
    if (race->state.ended.empty()) open.push_back(id);
  return open;
}

Result<std::uint64_t> Service::subscribe(const std::string& id, std::int64_t after, OnEvent on_event) {
  if (id.empty()) {
    const auto number = impl_->next_subscription++;
    impl_->subscribers[number] = {id, after, std::move(on_event)};
    return number;
  }
  HYDRA_TRY(const auto past, impl_->store.events(id, after));
  if (past.empty() && after == 0)
    return Error{Errc::not_found, "no race '" + sanitize(id) + "'", {}, "hydra list"};
  for (const auto& event : past) {
    after = std::max(after, event.id);
    on_event(event);
  }
  const auto number = impl_->next_subscription++;
  impl_->subscribers[number] = {id, after, std::move(on_event)};
  return number;
}

void Service::unsubscribe(std::uint64_t subscription) { impl_->subscribers.erase(subscription); }

bool Service::over(const std::string& id) {
  const auto found = impl_->races.find(id);
  return found == impl_->races.end() || !found->second->state.ended.empty();
}

std::string Service::waits(const std::string& id) const {
  const auto found = impl_->races.find(id);
  return found == impl_->races.end() ? std::string() : impl_->race_waits(*found->second);
}

int Service::running_races() const {
  return static_cast<int>(std::count_if(impl_->races.begin(), impl_->races.end(),
                                        [](const auto& r) { return r.second->state.ended.empty(); }));
}

}  // namespace hydra::race
