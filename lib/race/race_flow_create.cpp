// Creates a race: refuses impossible requests, and freezes the rest in a RaceSpec.
#include "base/fd.hpp"
#include "base/strings.hpp"
#include "checks/evidence.hpp"
#include "config/config.hpp"
#include "exec/container.hpp"
#include "exec/file_system.hpp"
#include "exec/slurm_calls.hpp"
#include "race/agents/secrets.hpp"
#include "race/checks/hidden.hpp"
#include "race/checks/templates.hpp"
#include "race/jobs.hpp"
#include "race/race_flow.hpp"
#include "race/state/judging.hpp"
#include "race/tool_paths.hpp"
#include "race/variables.hpp"
#include "trees/leads_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace hydra::race {
namespace {

std::string value_of(const std::map<std::string, std::string>& env, const std::string& name) {
  const auto found = env.find(name);
  return found == env.end() ? std::string{} : found->second;
}

struct Prepared {
  model::RepositoryFacts facts;
  exec::MachineFacts machine;
  TakenTests hidden;
  Result<std::string> image = std::string();  ///< id of the container image
  exec::ClusterFacts cluster{};               ///< for [execution] placement = "slurm"
  std::vector<std::string> tools{};           ///< see RaceSpec
  std::string
      leads_back{};  ///< a shared file that leads to the checkout, where no sandbox hides the checkout
};

model::Isolation engine_of(const model::SandboxConfig& sandbox) {
  return sandbox.isolation == model::SandboxEngine::docker ? model::Isolation::docker
                                                           : model::Isolation::podman;
}

// Probes container engines and clusters before any cost arises. Blocking.
void look_further(const CreateRequest& request, const fs::path& shim, Prepared& prepared) {
  const auto& config = request.config;
  const auto& sandbox = config.sandbox;
  if (sandbox.mode != model::SandboxMode::off && sandbox.isolation != model::SandboxEngine::bwrap) {
    exec::ImageWanted wanted;
    wanted.engine = engine_of(sandbox);
    wanted.image = sandbox.image.value_or("");
    // No name of an image begins so.
    if (wanted.image.starts_with('.') || wanted.image.starts_with('/'))
      wanted.containerfile = fs::path(prepared.facts.root) / std::exchange(wanted.image, {});
    wanted.shim = shim;
    prepared.image = exec::resolve_image(wanted);
  }
  std::vector<fs::path> shared;
  for (const auto& path : trees::expand_paths(prepared.facts.root, config.workspace.share))
    shared.push_back(fs::path(prepared.facts.root) / path);
  prepared.tools = tool_paths(value_of(request.environment, "PATH"), value_of(request.environment, "HOME"),
                              prepared.facts.root, shared);
  const bool walls = sandbox.isolation != model::SandboxEngine::bwrap || prepared.machine.bwrap_works;
  if (sandbox.mode == model::SandboxMode::off || (sandbox.mode == model::SandboxMode::automatic && !walls))
    prepared.leads_back = trees::leads_back(prepared.facts.root, config.workspace.share);
  if (config.execution.placement == model::Placement::slurm)
    prepared.cluster = exec::probe_cluster(cluster_request(config.execution), {});
}

// required: a machine without isolation is an error before anything starts; auto: the race runs, and every
// result says so.
Result<void> choose_isolation(model::RaceSpec& spec, const Prepared& prepared) {
  const auto& machine = prepared.machine;
  const auto mode = spec.config.sandbox.mode;
  spec.isolation = model::Isolation::none;
  if (mode == model::SandboxMode::off) {
    spec.isolation_note = "sandbox off: agents and checks ran without isolation";
    return {};
  }
  if (spec.config.sandbox.isolation != model::SandboxEngine::bwrap) {
    if (prepared.image.ok()) {
      spec.isolation = engine_of(spec.config.sandbox);
      spec.image = *prepared.image;
    } else if (mode == model::SandboxMode::required) {
      return prepared.image.error();
    } else {
      spec.isolation_note = "not isolated: " + prepared.image.error().message;
    }
    return {};
  }
  if (machine.bwrap_works) {
    spec.isolation = model::Isolation::bwrap;
    return {};
  }
  if (mode == model::SandboxMode::required)
    return Error{Errc::environment, "no sandbox on this machine: " + machine.bwrap_problem, "sandbox",
                 machine.bwrap_remedy + "; or run with --sandbox auto or off, at your own risk"};
  spec.isolation_note = "not isolated: " + machine.bwrap_problem;
  return {};
}

// Refuses workspaces in which the base and a result, or a result and the user's code, could be mixed up.
Result<void> check_workspace(const model::RaceSpec& spec, const Prepared& prepared) {
  const auto& workspace = spec.config.workspace;
  if (workspace.checks == model::CheckPlace::in_place && (workspace.setup || !workspace.share.empty()))
    return Error{Errc::usage,
                 "[workspace] share and setup do not reach checks that run in the agents' own directories",
                 {},
                 "remove them, or checks = \"in_place\""};
  if (model::sandboxed(spec) || prepared.leads_back.empty()) return {};
  return Error{Errc::environment,
               "without a sandbox every result would be tested with your own code: " +
                   sanitize(prepared.leads_back) + " leads to your checkout",
               {},
               "install it by [workspace] setup instead of share; `hydra doctor` shows what a sandbox needs"};
}

// Overlays are mounted per job at a place invisible to container engines, and cannot be moved to nodes.
model::TreeRung tree_rung_of(const model::RaceSpec& spec, const exec::MachineFacts& machine) {
  using model::TreeRung;
  const bool snapshot = machine.tree_rung == TreeRung::btrfs_snapshot;
  const auto& execution = spec.config.execution;
  if (execution.placement == model::Placement::slurm && execution.scratch) return TreeRung::copy;
  if (machine.tree_rung == TreeRung::unshared || (model::contained(spec) && !snapshot)) return TreeRung::copy;
  return machine.tree_rung;
}

// Checks that never worked in this repository may be unable to: agents wait for the baseline's checks.
bool wants_preflight(const model::RaceSpec& spec, storage::EventStore& store) {
  const auto& scoring = spec.config.scoring;
  if (spec.check_only || (!scoring.build_command && !scoring.test_command && !scoring.lint_command))
    return false;
  if (spec.config.preflight == model::Preflight::automatic)
    return store.cached(checks::works_key(spec)) != "1";
  return spec.config.preflight == model::Preflight::always;
}

std::vector<std::string> warnings_of(const model::RaceSpec& spec) {
  std::vector<std::string> warnings;
  if (!spec.isolation_note.empty()) warnings.push_back(spec.isolation_note);
  const auto& dirty = spec.repository.dirty;
  if (!dirty.empty() && !spec.repository.included_dirty)
    warnings.push_back(fmt::format(
        "{} uncommitted path{} (first: {}) {} not part of the race; --include-dirty takes them in",
        dirty.size(), dirty.size() == 1 ? "" : "s", sanitize(dirty.front()),
        dirty.size() == 1 ? "is" : "are"));
  if (const auto& empty = spec.repository.empty_submodules; !empty.empty())
    warnings.push_back(fmt::format(
        "the submodule{} {} {} empty in all workspaces, since your checkout has no clone of {}: `git "
        "submodule update --init --recursive` fetches {}",
        empty.size() == 1 ? "" : "s", sanitize(join(empty, ", ")), empty.size() == 1 ? "is" : "are",
        empty.size() == 1 ? "it" : "them", empty.size() == 1 ? "it" : "them"));
  for (auto& warning : budget_warnings(spec)) warnings.push_back(std::move(warning));
  const auto& scoring = spec.config.scoring;
  if (!scoring.build_command && !scoring.test_command && !scoring.lint_command)
    warnings.push_back(
        "no build, test or lint command is configured: only diff size and speed are scored (hydra init "
        "proposes some)");
  return warnings;
}

Result<void> check_request(const CreateRequest& request) {
  if (trim(request.task).empty())
    return Error{Errc::usage, "the task is empty", {}, "hydra race \"what to do\""};
  if (request.task.find('\0') != std::string::npos)
    return Error{Errc::usage, "the task has a NUL byte", {}, {}};
  if (request.agents.empty() && !request.check_only)
    return Error{Errc::usage, "no agents", {}, "--agents claude,codex"};
  const auto line = [](const std::string& text) { return text.size() <= 200 && sanitize(text) == text; };
  for (const auto& [key, value] : request.labels)
    if (key.empty() || key.find('=') != std::string::npos || !line(key) || !line(value))
      return Error{Errc::usage, "bad label '" + sanitize(key) + "'", {}, "--label KEY=VALUE, one line each"};
  if (!request.id.empty() &&
      (request.id.size() != 10 ||
       request.id.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz") != std::string::npos))
    return Error{Errc::usage, "bad id of a race", "id", "10 of 0-9 and a-z"};
  if (!line(request.kind)) return Error{Errc::usage, "bad kind of task", {}, "--kind bugfix"};
  std::set<std::string> names;
  for (const auto& agent : request.agents) {
    if (!request.config.agents.contains(agent.id))
      return Error{Errc::usage, "unknown agent '" + agent.id + "'", {}, "hydra agents"};
    const auto& entry = agent.entry_name();
    const bool plain =
        !entry.empty() && entry.size() <= 64 &&
        entry.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") ==
            std::string::npos;
    const bool attempt = agent.entry.empty() || agent.name == fmt::format("{}#{}", entry, agent.attempt);
    if (!plain || !attempt || !names.insert(to_lower(agent.name)).second)
      return Error{Errc::usage, "bad or repeated agent name '" + sanitize(agent.name) + "'", {}, {}};
  }
  return {};
}

/// Returns runs of [selection] testers, with unique names.
Result<std::vector<model::AgentEntry>> testers_of(const CreateRequest& request) {
  const auto& config = request.config;
  const bool off = !asks_further(config.evaluation) || !config.scoring.test_command;
  if (config.selection.testers.empty() || off || request.check_only) return std::vector<model::AgentEntry>{};
  HYDRA_TRY(auto entries,
            config::parse_agents(join(config.selection.testers, ","), config::known_agents(config)));
  std::set<std::string> names;
  for (const auto& agent : request.agents) names.insert(agent.name);
  for (auto& entry : entries) {
    const auto word = entry.name + "-tests";
    entry.name = word;
    for (int n = 2; !names.insert(entry.name).second; ++n) entry.name = fmt::format("{}-{}", word, n);
    entry.tester = true;
  }
  return entries;
}

/// Returns the answer to a repeated request, whose race exists already.
Result<wire::Created> made_before(const CreateRequest& request, const State& state) {
  const auto& spec = state.spec;
  if (spec.task != request.task || spec.labels != request.labels)
    return Error{Errc::conflict, "another race has the id " + spec.id, "id", {}};
  wire::Created created{spec.id, spec.repository.base, {}, warnings_of(spec)};
  for (const auto& agent : state.agents) created.agents.push_back({agent.entry.name, agent.display});
  return created;
}

}  // namespace

void RaceFlow::create(CreateRequest request, std::function<void(Result<wire::Created>)> done) {
  if (draining()) return done(daemon_stops());
  if (auto checked = check_request(request); !checked.ok()) return done(std::move(checked).error());
  if (request.id.empty()) return create_new(std::move(request), engine.ids.race_id(), std::move(done));
  const auto id = request.id;
  if (creating.contains(id))
    return done(Error{Errc::conflict, "race " + id + " is being created", {}, "try again in a moment"});
  if (const auto race = load(id); race.ok())
    return done(made_before(request, (*race)->state));
  else if (race.error().code != Errc::not_found)
    return done(race.error());
  creating.insert(id);
  // A try that failed before its first event may have left files.
  trees::move_to_trash(Layout(options.paths.state, id).root(), options.paths.state / "trash");
  create_new(std::move(request), id, [this, id, done = std::move(done)](Result<wire::Created> created) {
    creating.erase(id);
    done(std::move(created));
  });
}

void RaceFlow::create_new(CreateRequest request, const std::string& id,
                          std::function<void(Result<wire::Created>)> done) {
  const auto path = value_of(request.environment, "PATH");
  const auto home = value_of(request.environment, "HOME");
  background(
      [this, request, path, home, id, paths = options.paths, shim = options.shim]() -> Result<Prepared> {
        engine.reserve.make();  // before the first job
        auto facts = git::inspect({request.directory, request.base, request.include_dirty, path, home});
        if (!facts.ok()) return std::move(facts).error();
        if (auto fit = exec::check_file_system(paths.state); !fit.ok()) return std::move(fit).error();
        if (auto room = check_disk_limit(paths, request.config.limits.disk_gib); !room.ok())
          return std::move(room).error();
        auto hidden = take_hidden(request.config, *facts, Layout(paths.state, id).hidden_tests());
        if (!hidden.ok()) return std::move(hidden).error();
        Prepared prepared{std::move(*facts), {}, std::move(*hidden)};
        if (request.config.sandbox.mode != model::SandboxMode::off)
          prepared.machine = templates.machines().of(path);
        look_further(request, shim, prepared);
        return prepared;
      },
      [this, request, path, id, done](Result<Prepared> looked) {
        const auto give_up = [this, id, done](Error error) {
          engine.leave(id);
          trees::move_to_trash(Layout(options.paths.state, id).root(), options.paths.state / "trash");
          done(std::move(error));
        };
        if (!looked.ok()) return give_up(std::move(looked).error());
        auto& prepared = *looked;
        model::RaceSpec spec;
        spec.id = id;
        spec.task = request.task;
        spec.repository = std::move(prepared.facts);
        spec.config = request.config;
        auto& copied = spec.config.workspace.copy;
        const auto& included = spec.repository.worktree_include;
        copied.insert(copied.end(), included.begin(), included.end());
        spec.agents = request.agents;
        auto testers = testers_of(request);
        if (!testers.ok()) return give_up(std::move(testers).error());
        spec.agents.insert(spec.agents.end(), testers->begin(), testers->end());
        for (auto& agent : spec.agents)
          if (agent.model.empty()) agent.model = spec.config.agents.at(agent.id).model;
        spec.fresh_baseline = request.fresh_baseline;
        spec.base_fails = request.base_fails;
        spec.kind = request.kind;
        spec.labels = request.labels;
        spec.versions = request.versions;
        config::keep_agents(spec.config, spec.agents);
        if (auto chosen = choose_isolation(spec, prepared); !chosen.ok())
          return give_up(std::move(chosen).error());
        if (!prepared.cluster.problem.empty())
          return give_up(Error{Errc::environment, "no race on this cluster: " + prepared.cluster.problem,
                               "slurm", prepared.cluster.remedy});
        if (const auto& execution = spec.config.execution;
            execution.placement == model::Placement::slurm && execution.scratch && !model::sandboxed(spec))
          return give_up(Error{Errc::environment,
                               "[execution] scratch needs a sandbox: without one a job would not find its "
                               "tree at the tree's path",
                               {},
                               "hydra doctor; or take [execution] scratch out"});
        const auto cpus =
            parse_int(exec::option_of(cluster_request(spec.config.execution), "--cpus-per-task="));
        spec.config.execution.window =
            std::max(2, 2 * prepared.cluster.cpus / std::max(1, static_cast<int>(cpus.value_or(1))));
        if (auto fits = check_workspace(spec, prepared); !fits.ok()) return give_up(std::move(fits).error());
        if (!model::sandboxed(spec) &&
            !(spec.config.workspace.mounts.empty() && spec.config.sandbox.hide.empty()))
          return give_up(Error{Errc::environment,
                               "this race needs a sandbox: without one nothing can be hidden from an agent",
                               {},
                               "hydra doctor"});
        if (auto& hidden = prepared.hidden; !hidden.source.empty()) {
          if (!model::sandboxed(spec))
            return give_up(Error{Errc::environment,
                                 "hidden tests need a sandbox: without one every agent can read them",
                                 hidden.source.string(), "hydra doctor"});
          spec.hidden_source = hidden.source.string();
          spec.hidden_digest = std::move(hidden.tests.digest);
          spec.hidden_tests = std::move(hidden.tests.paths);
        }
        // Without a sandbox nothing can be mounted at the user's path: every workspace is a separate
        // checkout.
        if (model::sandboxed(spec)) spec.tree_rung = tree_rung_of(spec, prepared.machine);
        spec.check_only = request.check_only;
        spec.rounds = request.rounds;
        spec.until_green = request.until == "green";
        spec.preflight = wants_preflight(spec, store);
        spec.token = engine.ids.token();
        spec.created_ms = clock.now();
        auto race = engine.make_race(spec.id);
        spec.tools = std::move(prepared.tools);
        take_environment(request.environment, spec, race->secrets);
        engine.enter(race);
        wire::Created created{spec.id, spec.repository.base, {}, warnings_of(spec)};
        ask(spec.id, {model::RaceCreated{spec}},
            [give_up, race, created, done](const Result<void>& stored) mutable {
              if (!stored.ok()) return give_up(stored.error());
              for (const auto& agent : race->state.agents)
                created.agents.push_back({agent.entry.name, agent.display});
              done(created);
            });
      });
}

}  // namespace hydra::race
