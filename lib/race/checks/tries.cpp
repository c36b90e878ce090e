#include "race/checks/tries.hpp"

#include "base/entries.hpp"
#include "base/strings.hpp"
#include "race/checks/checks.hpp"
#include "race/checks/templates.hpp"
#include "race/endings.hpp"
#include "race/job_parts.hpp"
#include "race/jobs.hpp"
#include "race/upkeep.hpp"
#include "race/variables.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

constexpr const char* kRun = "run";
constexpr int kTried = 2;  ///< results that are tried beside each other

Result<void> may_be_tried(const State& state, const TryCall& call) {
  const auto& id = state.spec.id;
  if (!state.ended)
    return Error{Errc::conflict, "the race still runs", id, "try when it has ended: hydra watch"};
  if (call.agents.empty() || call.agents.size() > kTried)
    return Error{Errc::usage, "one result is tried, or two beside each other", "agents", "hydra try codex"};
  for (const auto& name : call.agents) {
    const auto* agent = state.agent(name);
    if (!agent) return Error{Errc::not_found, "no agent '" + sanitize(name) + "' in this race", id, {}};
    if (!agent->changed())
      return Error{Errc::refused, name + " has no captured change to try", id, "hydra results " + id};
  }
  if (call.agents.front() == call.agents.back() && call.agents.size() > 1)
    return Error{Errc::usage, call.agents.front() + " is named twice", "agents", {}};
  return {};
}

// Returns a number that no attempt of this subject has.
int free_number(const Layout& layout, const Subject& subject) {
  std::error_code ec;
  int number = 1;
  while (fs::exists(layout.attempt(subject, kRun, number), ec) ||
         fs::exists(layout.attempt(subject, "setup", number), ec))
    ++number;
  return number;
}

}  // namespace

Result<std::uint64_t> Tries::start(const TryCall& call, Tell tell) {
  if (engine.stopping()) return daemon_stops();
  HYDRA_TRY(const auto known, load(call.race));
  HYDRA_CHECK(may_be_tried(known->state, call));
  std::error_code ec;
  if (!fs::is_directory(known->layout.store(), ec))
    return Error{Errc::not_found, "the results of this race are not kept any more", call.race,
                 upkeep.undo_hint(call.race)};
  const auto& configured = known->state.spec.config.workspace.run;
  const auto tried = std::make_shared<Try>();
  tried->command = call.run.empty() ? configured.value_or("") : call.run;
  if (trim(tried->command).empty())
    return Error{Errc::config,
                 "nothing to run: set [workspace] run",
                 {},
                 "hydra try " + call.agents.front() + " --run 'COMMAND'"};
  for (const auto& name : call.agents)
    tried->open[Subject::of(name).as(Kind::tried)] = known->state.agent(name)->capture->commit;
  for (const auto& [number, other] : tries)
    for (const auto& [subject, commit] : other->open)
      if (other->race->state.spec.id == call.race && tried->open.contains(subject))
        return Error{Errc::conflict, subject.agent + " is being tried already", call.race, "end that first"};
  const auto race = engine.make_race(call.race);
  race->state.spec = known->state.spec;
  engine.open_store(*race);
  // A person waits: no slot of the checks is taken, and no CPU is kept from them.
  race->own_check_slots = std::make_unique<SlotPool>(kTried);
  for (const auto& name : race->state.spec.secret_names)
    if (auto value = engine.secrets.of_starter(name)) race->secrets[name] = std::move(*value);
  for (const auto& [name, value] : call.environment)
    if (!is_plain_variable(name)) race->secrets[name] = value;
  engine.secrets.remember(race->state.spec, race->secrets);
  templates.protect(race);
  tried->race = race;
  tried->tell = std::move(tell);
  tries[next_number] = tried;
  for (const auto& [subject, commit] : tried->open)
    boost::asio::post(loop, [this, tried, subject = subject] { prepare(tried, subject); });
  return next_number++;
}

void Tries::stop(std::uint64_t number) {
  if (const auto found = tries.find(number); found != tries.end()) stop(found->second);
}

void Tries::stop(const TryPtr& tried) {
  tried->tell = {};
  for (const auto& [subject, commit] : tried->open) checks.stop_checks(tried->race, subject);
  checks.stop_checks(tried->race, Subject::baseline());  // a step of the template
}

bool Tries::busy(const std::string& race) const {
  return std::any_of(tries.begin(), tries.end(),
                     [&](const auto& entry) { return entry.second->race->state.spec.id == race; });
}

void Tries::stop_of(const std::string& race, const std::string& why) {
  for (const auto& [number, tried] : std::map(tries)) {
    if (tried->race->state.spec.id != race) continue;
    if (const auto tell = std::exchange(tried->tell, {}))
      for (const auto& [subject, commit] : tried->open) tell({subject.agent, 0, true, {}, why});
    stop(tried);
  }
}

void Tries::prepare(const TryPtr& tried, const Subject& subject) {
  templates.with_template(tried->race, [this, tried, subject](const std::optional<SubjectProblem>& problem) {
    if (problem) return ended(tried, subject, problem->reason, problem->attempt);
    if (!tried->tell) return ended(tried, subject, {});
    const auto& race = *tried->race;
    trees::WorkspaceRequest request;
    request.subject = subject;
    request.commit = tried->open.at(subject);
    background(
        [workspaces = race.workspaces, request,
         home = race.layout.home(subject)]() -> Result<model::WorkspaceFacts> {
          HYDRA_CHECK(make_dirs(home, 0700));
          HYDRA_TRY(auto prepared, workspaces->prepare(request));
          return std::move(prepared.facts);
        },
        [this, tried, subject](const Result<model::WorkspaceFacts>& facts) {
          if (!facts.ok()) return ended(tried, subject, describe(facts.error()));
          set_up(tried, subject, *facts);
        });
  });
}

void Tries::set_up(const TryPtr& tried, const Subject& subject, const model::WorkspaceFacts& facts) {
  const auto& race = tried->race;
  const auto& spec = race->state.spec;
  const auto workspace = race->workspaces->at(subject, facts);
  if (!tried->tell) return ended(tried, subject, {});
  if (!spec.config.workspace.setup || !facts.setup) return run(tried, subject, workspace);
  auto job = check_job(spec, subject, "setup", *spec.config.workspace.setup,
                       free_number(race->layout, subject), workspace, race->layout, false, race->tools);
  pass_variables(spec, race->secrets, job);
  job.cluster.reset();
  job.with_daemon = true;
  checks.submit_check(
      race, subject, std::move(job), [this, tried, subject, workspace](const exec::JobResult& result) {
        if (tried->tell && result.end == exec::End::exited && result.code == 0)
          return run(tried, subject, workspace);
        ended(tried, subject, how_it_ended(tried->race->state.spec.config, "the set-up", "setup", result),
              result.key);
      });
}

void Tries::run(const TryPtr& tried, const Subject& subject, const trees::Workspace& workspace) {
  const auto& race = tried->race;
  const auto& spec = race->state.spec;
  auto job = check_job(spec, subject, kRun, tried->command, free_number(race->layout, subject), workspace,
                       race->layout, false, race->tools);
  pass_variables(spec, race->secrets, job);
  const auto leased = engine.ports.lease(job.env);
  if (leased.empty()) return ended(tried, subject, "no port is free");
  detail::set(job.env, "PORT", std::to_string(leased[0]));
  job.cluster.reset();
  job.limits.wall = {};
  job.with_daemon = true;
  if (!job.sandbox.network) job.sandbox.gate = leased[0];
  tried->tell({subject.agent, leased[0], false, job.key, {}});
  checks.submit_check(
      race, subject, std::move(job), [this, tried, subject, leased](const exec::JobResult& result) {
        engine.ports.release(leased);
        ended(tried, subject, how_it_ended(tried->race->state.spec.config, "the run command", kRun, result),
              result.key);
      });
}

void Tries::ended(const TryPtr& tried, const Subject& subject, const std::string& reason,
                  const std::string& attempt) {
  if (tried->tell) tried->tell({subject.agent, 0, true, attempt, reason});
  background(
      [workspaces = tried->race->workspaces, subject, layout = tried->race->layout] {
        if (workspaces) workspaces->discard(subject);
        for (const auto& place : {layout.home(subject), layout.hidden(subject)})
          trees::move_to_trash(place, layout.trash());
      },
      [this, tried, subject] {
        tried->open.erase(subject);
        if (tried->open.empty())
          std::erase_if(tries, [&](const auto& entry) { return entry.second == tried; });
        upkeep.empty_trash();
      });
}

void Tries::clear_left() const {
  std::error_code ec;
  const auto trash = options.paths.state / "trash";
  for (const auto& race : entries_of(options.paths.state / "races", ec))
    for (const auto* place : {"checks", "home", "hidden"})
      for (const auto& left : entries_of(race.path() / place, ec)) {
        auto name = left.path().filename().string();
        if (name.ends_with(".checks")) name.resize(name.size() - std::string_view(".checks").size());
        if (model::subject_of_directory(name).kind == Kind::tried) trees::move_to_trash(left.path(), trash);
      }
}

}  // namespace hydra::race
