#include "race/jobs.hpp"

#include "base/strings.hpp"
#include "exec/tool.hpp"
#include "git/repository.hpp"
#include "model/environment.hpp"
#include "race/agent_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::race {
namespace {

using std::chrono::milliseconds;

/// Where a sandboxed check finds the reports directory of its attempt.
constexpr const char* kReportsInside = "/run/hydra/reports";

milliseconds jobs_to_ms(double seconds) {
  return milliseconds(static_cast<std::int64_t>(std::llround(seconds * 1000)));
}

bool below(const fs::path& path, const fs::path& parent) {
  const auto relative = path.lexically_relative(parent);
  return !relative.empty() && *relative.begin() != "..";
}

fs::path expand_home(const std::string& path, const fs::path& home) {
  if (path == "~") return home;
  if (path.starts_with("~/")) return home / path.substr(2);
  return path;
}

// What the sandbox covers with something private: programs that live there have to be shown again.
std::optional<fs::path> covering(const fs::path& path, const fs::path& home) {
  for (const fs::path& root : {home, fs::path("/tmp"), fs::path("/run")})
    if (!root.empty() && root != "/" && path != root && below(path, root)) return root;
  return std::nullopt;
}

void add_bind(std::vector<exec::Bind>& binds, const fs::path& path) {
  if (std::none_of(binds.begin(), binds.end(), [&](const auto& b) { return b.host == path; }))
    binds.push_back({path, path, false, true});
}

/// [workspace] mounts: the tree, parts of it and paths of the host at places of their own. `tree` is where
/// the job's workspace is outside.
void add_mounts(const model::RaceSpec& spec, const fs::path& tree, exec::JobSpec& job) {
  for (const auto& mount : spec.config.workspace.mounts) {
    const auto equals = mount.find('=');
    const fs::path place = mount.substr(0, equals);
    const auto source = mount.substr(equals + 1);
    if (source == "{reports}") {
      for (const auto& bind : job.sandbox.binds)
        if (bind.inside == kReportsInside) {
          job.sandbox.binds.push_back({bind.host, place, true, false});
          break;
        }
    } else if (source.starts_with('/')) {
      job.sandbox.binds.push_back({source, place, false, true});
    } else {
      job.sandbox.binds.push_back({source == "." ? tree : tree / source, place, true, true});
      if (source == ".") job.workdir = place / spec.config.workspace.directory;
    }
  }
}

// A directory with the home or the user's checkout in it is no place of programs alone.
bool holds_more(const fs::path& path, const fs::path& home, const fs::path& repository) {
  return (!home.empty() && below(home, path)) || (!repository.empty() && below(repository, path));
}

}  // namespace

std::vector<exec::Bind> hidden_tools(const std::string& path_variable, const fs::path& home,
                                     const fs::path& repository) {
  std::vector<exec::Bind> binds;
  for (const auto entry : split(path_variable, ':')) {
    const auto directory = fs::path(entry).lexically_normal();
    if (!directory.is_absolute() || !covering(directory, home) || holds_more(directory, home, repository))
      continue;
    const auto root = directory.parent_path();
    const auto leaf = directory.filename();
    // A root right below the home may hold credentials too (~/.cargo): only version managers' roots are tools
    // alone.
    const bool manager = root == home / ".pyenv" || root == home / ".rbenv" || root == home / ".volta" ||
                         root == home / ".asdf" || root == home / ".bun" || root == home / ".deno";
    const bool deep = covering(root, home) && root.parent_path() != home && root != home / ".local" &&
                      root != home / ".config";
    const bool package = leaf == ".bin" && root.filename() == "node_modules";  // links to its siblings
    const bool whole = package || ((leaf == "bin" || leaf == "shims") && (manager || deep));
    add_bind(binds, whole && !holds_more(root, home, repository) ? root : directory);
    if (directory == home / ".cargo/bin") add_bind(binds, home / ".rustup");
  }
  return binds;
}

namespace {

// The package that a hidden program belongs to: the directory of the real file, or for a node package
// everything up to its outermost node_modules. The file alone where that directory holds more than programs.
void add_program(const fs::path& program, const fs::path& home, const fs::path& repository,
                 std::vector<exec::Bind>& binds) {
  std::error_code ec;
  const auto real = fs::canonical(program, ec);
  const auto cover = ec ? std::nullopt : covering(real, home);
  if (!cover) return;
  fs::path root = fs::is_directory(real, ec) ? real : real.parent_path();
  for (auto at = root; at != *cover && at.has_relative_path(); at = at.parent_path())
    if (at.filename() == "node_modules") root = at;
  if (root != *cover && !holds_more(root, home, repository))
    add_bind(binds, root);
  else if (!fs::is_directory(real, ec))
    binds.push_back({real, real, false, true});
}

exec::Sandbox base_sandbox(const model::RaceSpec& spec, const fs::path& private_home) {
  exec::Sandbox sandbox;
  sandbox.isolation = exec::isolation_from_name(spec.isolation).value_or(exec::Isolation::none);
  sandbox.image = spec.image;
  sandbox.home = model::variable(spec, "HOME");
  sandbox.private_home = private_home;
  return sandbox;
}

void add_configured(const model::RaceSpec& spec, exec::Sandbox& sandbox) {
  const fs::path home = sandbox.home;
  for (const auto& bind : hidden_tools(model::variable(spec, "PATH"), home, spec.repository.root))
    sandbox.binds.push_back(bind);
  for (const auto& path : spec.config.sandbox.read) {
    const auto full = expand_home(path, home);
    sandbox.binds.push_back({full, full, false, true});
  }
  for (const auto& path : spec.config.workspace.read) {
    const auto full = (fs::path(spec.repository.root) / expand_home(path, home)).lexically_normal();
    sandbox.binds.push_back({full, full, false, true});
  }
}

std::optional<exec::ClusterRequest> cluster_of(const model::RaceSpec& spec) {
  const auto& execution = spec.config.execution;
  if (execution.placement != model::Placement::slurm) return std::nullopt;
  auto request = cluster_request(execution);
  request.scratch = expand_home(request.scratch, model::variable(spec, "HOME"));
  return request;
}

exec::Limits limits_of(const model::Config& config, double wall_seconds) {
  exec::Limits limits;
  limits.wall = jobs_to_ms(wall_seconds);
  limits.ladder = {{15, jobs_to_ms(config.limits.stop_grace_seconds)}};
  limits.log_head = config.limits.log_head_bytes;
  limits.log_tail = config.limits.log_tail_bytes;
  limits.memory_bytes = config.limits.memory_bytes;
  limits.processes = config.limits.processes;
  limits.disk_bytes = config.limits.disk_bytes;
  limits.free_percent = config.limits.disk_free_percent;
  limits.free_bytes = static_cast<std::uint64_t>(config.limits.disk_free_mib) << 20;
  return limits;
}

void set(exec::Env& env, const std::string& name, const std::string& value) {
  for (auto& [key, old] : env)
    if (key == name) {
      old = value;
      return;
    }
  env.emplace_back(name, value);
}

}  // namespace

namespace {

// A linked worktree has the user's configuration of the repository, but not the one of the home, which the
// sandbox hides: without a name and an address git commits nothing.
void set_identity(const model::RepositoryFacts& repository, exec::Env& env) {
  for (const char* who : {"GIT_AUTHOR_", "GIT_COMMITTER_"}) {
    if (!repository.user_name.empty()) set(env, std::string(who) + "NAME", repository.user_name);
    if (!repository.user_email.empty()) set(env, std::string(who) + "EMAIL", repository.user_email);
  }
}

}  // namespace

exec::ClusterRequest cluster_request(const model::ExecutionConfig& execution) {
  return {execution.partition.value_or(""),
          execution.account.value_or(""),
          execution.gres.value_or(""),
          execution.time_minutes,
          execution.memory_mib,
          execution.cpus,
          execution.window,
          execution.scratch.value_or("")};
}

bool is_plain_variable(const std::string& name) {
  static constexpr std::array<std::string_view, 14> kNames{"PATH",
                                                           "HOME",
                                                           "LANG",
                                                           "LANGUAGE",
                                                           "USER",
                                                           "SHELL",
                                                           "LOGNAME",
                                                           "TZ",
                                                           "SSL_CERT_FILE",
                                                           "SSL_CERT_DIR",
                                                           "EDITOR",
                                                           "NODE_EXTRA_CA_CERTS",
                                                           "XDG_CONFIG_HOME",
                                                           "XDG_DATA_HOME"};
  return name.starts_with("LC_") || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string attempt_token(const model::RaceSpec& spec, const std::string& key) {
  // The randomness is the race's token; the lanes only have to tell attempts apart.
  return fingerprint(spec.token + "\n" + key);
}

namespace {

std::string session_uuid(const std::string& t) {
  return fmt::format("{}-{}-4{}-8{}-{}", t.substr(0, 8), t.substr(8, 4), t.substr(13, 3), t.substr(17, 3),
                     t.substr(20, 12));
}

}  // namespace

std::string own_session(const model::RaceSpec& spec, const AgentState& agent, const std::string& key) {
  const auto& descriptor = spec.config.agents.at(agent.entry.id);
  const auto& command = descriptor.command;
  const bool named = std::find(command.begin(), command.end(), "{session_uuid}") != command.end();
  if (!named || (agent.retry && !agent.retry->session.empty())) return {};
  return session_uuid(attempt_token(spec, key));
}

adapters::ReaderOptions reader_options(const model::RaceSpec& spec, const AgentState& agent) {
  return {agent.entry.model, resume_base(agent), adapters::prices(spec.config)};
}

Result<exec::JobSpec> agent_job(const model::RaceSpec& spec, const AgentState& agent, int number,
                                const Layout& layout, const SecretEnv& secrets) {
  const auto& name = agent.entry.name;
  const auto& descriptor = spec.config.agents.at(agent.entry.id);
  exec::JobSpec job;
  job.key = layout.key(name, "agent", number);
  job.token = attempt_token(spec, job.key);
  const bool sandboxed = model::sandboxed(spec);

  adapters::LaunchContext context;
  context.prompt = prompt_of(spec, agent);
  if (agent.retry) context.session = agent.retry->session;
  context.prompt_file = layout.run(name) / "prompt.txt";
  context.worktree = agent.workspace;
  context.run_dir = layout.run(name);
  context.private_home = layout.run(name) / "config";
  context.model = agent.entry.model;
  context.attempt = job.key;
  context.timeout_seconds = static_cast<std::int64_t>(std::ceil(spec.config.limits.agent_timeout_seconds));
  // Inside bubblewrap root is mapped to an ordinary user; a container of root's is root's.
  context.root = ::geteuid() == 0 && (!sandboxed || model::contained(spec));
  context.session_uuid = session_uuid(job.token);
  for (const auto& [key, value] : spec.environment) context.user_env[key] = value;
  for (const auto& [key, value] : secrets) context.user_env[key] = value;
  HYDRA_TRY(auto launch, adapters::plan_launch(descriptor, context));

  job.argv = std::move(launch.argv);
  job.env = std::move(launch.env);
  set(job.env, "GIT_CEILING_DIRECTORIES", fs::path(agent.workspace).parent_path());
  if (sandboxed && spec.config.workspace.isolation == model::WorkspaceIsolation::linked)
    set_identity(spec.repository, job.env);
  set(job.env, "TMPDIR", sandboxed ? "/tmp" : (layout.run(name) / "tmp").string());
  const auto path = model::variable(spec, "PATH");
  fs::path program = job.argv.at(0);
  // A relative path means a place in the agent's workspace.
  if (program.is_absolute() || program.string().find('/') == std::string::npos)
    program = exec::find_program(job.argv[0], path);
  // What is not the machine's can't be looked for here.
  if (program.empty() && model::contained(spec)) program = job.argv.at(0);
  if (program.empty())
    return Error{
        Errc::not_found,
        fmt::format("{} can't be started: {}", agent.display, exec::why_no_program(job.argv[0], path)), name,
        descriptor.install_hint.empty() ? "check its `command` in hydra.toml" : descriptor.install_hint};
  job.workdir = agent.workspace;
  job.attempt_dir = layout.attempt(name, "agent", number);
  if (launch.prompt_on_stdin) job.stdin_file = layout.run(name) / "prompt.txt";
  job.limits = limits_of(spec.config, spec.config.limits.agent_timeout_seconds);
  if (!descriptor.stop.empty()) {
    job.limits.ladder.clear();
    for (const auto& step : descriptor.stop)
      job.limits.ladder.push_back({step.signal, jobs_to_ms(step.wait_seconds)});
  }

  job.cluster = cluster_of(spec);
  job.sandbox = base_sandbox(spec, layout.home(name));
  job.limits.disk_paths = {agent.workspace, layout.run(name), layout.home(name)};
  auto& binds = job.sandbox.binds;
  add_configured(spec, job.sandbox);
  add_program(program, job.sandbox.home, spec.repository.root, binds);
  // Scripts and files that the user's own command line names: ["python3", "/home/me/agents/mine.py"].
  for (const auto& word : descriptor.command)
    if (word.starts_with('/')) add_program(word, job.sandbox.home, spec.repository.root, binds);
  // Where they stand in the home that the run has instead; other versions it writes beside them.
  if (sandboxed)
    for (const auto& cache : cached_directories(descriptor, job.sandbox.home)) add_bind(binds, cache);
  for (const auto& objects : git::Store::open(layout.store(), spec).agent_objects())
    binds.push_back({objects, objects, false, true});
  if (spec.config.workspace.isolation == model::WorkspaceIsolation::linked) {
    // A linked worktree keeps its index and refs in the user's repository: weaker, and asked for.
    binds.push_back({spec.repository.common_dir, spec.repository.common_dir, true, false});
  }
  binds.push_back({layout.run(name), layout.run(name), true, false});
  binds.push_back({agent.workspace, agent.workspace, true, false});
  job.tree = agent.workspace;
  for (const auto& written : spec.config.sandbox.write) {
    const auto full = expand_home(written, job.sandbox.home);
    binds.push_back({full, full, true, true});
  }
  if (sandboxed) add_mounts(spec, agent.workspace, job);
  return job;
}

namespace {

// What an earlier command left in the home does not reach this one; what the set-up installed there does.
void give_fresh_home(const trees::Workspace& workspace, const std::string& name, exec::JobSpec& job) {
  for (auto& overlay : job.sandbox.overlays) {
    if (overlay.mount != workspace.home) continue;
    overlay.lower.insert(overlay.lower.begin(), overlay.upper);
    overlay.upper += "-" + name;
    overlay.work += "-" + name;
    job.limits.disk_paths.push_back(overlay.upper);
  }
}

}  // namespace

exec::JobSpec check_job(const model::RaceSpec& spec, const std::string& subject, const std::string& kind,
                        const std::string& command, int number, const trees::Workspace& workspace,
                        const Layout& layout, bool agents_alive, const config::EcosystemSet& tools) {
  exec::JobSpec job;
  job.key = layout.key(subject, kind, number);
  job.token = attempt_token(spec, job.key);
  job.argv = {"/bin/sh", "-c", command};
  const bool sandboxed = model::sandboxed(spec);
  const bool setup = kind == "setup";
  const bool network =
      !sandboxed || spec.config.sandbox.check_network || (setup && spec.config.workspace.setup_network);
  job.env = config::check_environment(tools, spec.environment, network);
  set(job.env, "TERM", "dumb");
  set(job.env, "HYDRA", "1");
  set(job.env, "GIT_CEILING_DIRECTORIES", workspace.inside.parent_path());
  set(job.env, "GIT_TERMINAL_PROMPT", "0");
  if (sandboxed) set(job.env, "TMPDIR", "/tmp");
  job.workdir = spec.config.workspace.directory.empty() ? workspace.inside
                                                        : workspace.inside / spec.config.workspace.directory;
  job.attempt_dir = layout.attempt(subject, kind, number);
  // Outside of the tree: what a check reports there is not where the code under test expects it.
  const auto reports = job.attempt_dir / "reports";
  set(job.env, "HYDRA_REPORTS", sandboxed ? kReportsInside : reports.string());
  const bool template_step = setup || kind == "template" || kind == "warm";
  job.limits = limits_of(spec.config, template_step ? spec.config.workspace.setup_timeout_seconds
                                                    : spec.config.scoring.timeout_per_check_seconds);
  job.limits.disk_paths = {job.attempt_dir / "reports"};
  if (workspace.overlays.empty()) job.limits.disk_paths.push_back(workspace.host);
  for (const auto& overlay : workspace.overlays) job.limits.disk_paths.push_back(overlay.upper);
  job.limits.nice =
      agents_alive ? 5 : 0;  // an agent's wall time is scored: checks of others must not slow it
  job.merge_output = true;
  job.durable = false;  // a check can be repeated
  job.cluster = cluster_of(spec);
  job.sandbox = base_sandbox(spec, !sandboxed               ? fs::path{}
                                   : workspace.home.empty() ? layout.home(subject + ".checks")
                                                            : workspace.home);
  if (sandboxed) job.limits.disk_paths.push_back(job.sandbox.private_home);
  job.sandbox.overlays = workspace.overlays;
  job.tree = workspace.host;
  if (sandboxed && !template_step) {
    give_fresh_home(workspace, kind + "-" + std::to_string(number), job);
    // Byte code in the tree may be of another source than the one beside it: nobody reads it.
    set(job.env, "PYTHONPYCACHEPREFIX", "/tmp/.pycache");
  }
  job.sandbox.overlay_as = workspace.overlay_as;
  job.sandbox.network = network;
  add_configured(spec, job.sandbox);
  for (const auto& bind : workspace.binds) job.sandbox.binds.push_back(bind);
  if (sandboxed) {
    job.sandbox.binds.push_back({reports, kReportsInside, true, false});
    const auto shown = std::find_if(workspace.binds.begin(), workspace.binds.end(),
                                    [&](const auto& bind) { return bind.inside == workspace.inside; });
    add_mounts(spec, shown == workspace.binds.end() ? workspace.host : shown->host, job);
  }
  return job;
}

std::vector<fs::path> hidden_places(const Paths& paths, const model::RaceSpec& spec) {
  const auto session = paths.runtime.parent_path();
  const bool of_session = paths.runtime.filename() == "hydra" && session.has_relative_path();
  std::vector<fs::path> own{paths.state, of_session ? session : paths.runtime};
  // Below an unusual XDG_CONFIG_HOME it is not hidden with the home; who raced may have another one than who
  // started the daemon.
  const fs::path of_race = model::variable(spec, "XDG_CONFIG_HOME");
  std::error_code ec;
  if (fs::is_directory(paths.config, ec)) own.push_back(paths.config);
  if (of_race.is_absolute() && of_race / "hydra" != paths.config && fs::is_directory(of_race / "hydra", ec))
    own.push_back(of_race / "hydra");
  own.insert(own.end(), spec.config.sandbox.hide.begin(), spec.config.sandbox.hide.end());
  return own;
}

std::vector<fs::path> hidden_from_agents(const Paths& paths, const model::RaceSpec& spec) {
  auto places = hidden_places(paths, spec);
  if (spec.config.workspace.isolation == model::WorkspaceIsolation::linked || spec.repository.partial)
    return places;
  // What lies in a hidden place is hidden; its own cover would have to be made in the other one, which is
  // read-only.
  const auto hide = [&](const fs::path& place) {
    const bool hidden = std::any_of(places.begin(), places.end(), [&](const fs::path& outer) {
      const auto inside = place.lexically_relative(outer);
      return !inside.empty() && *inside.begin() != "..";
    });
    if (!hidden) places.push_back(place);
  };
  hide(spec.repository.common_dir);
  for (const auto& alternate : spec.repository.alternates) hide(alternate);
  return places;
}

Result<void> hide_own(exec::JobSpec& job, const std::vector<fs::path>& own, const fs::path& hidden) {
  auto& sandbox = job.sandbox;
  if (sandbox.isolation == exec::Isolation::none) return {};
  const bool home_hidden = !sandbox.home.empty() && sandbox.home != "/";
  const auto shows = [](const exec::Bind& bind, const fs::path& directory) {
    return below(directory, bind.inside);
  };
  // What is bound from above it, as a program's place or as [sandbox] read, comes first and is covered again.
  const auto above = std::stable_partition(sandbox.binds.begin(), sandbox.binds.end(), [&](const auto& bind) {
    return std::any_of(own.begin(), own.end(), [&](const auto& directory) { return shows(bind, directory); });
  });
  std::vector<exec::Bind> covers;
  for (const auto& directory : own) {
    const bool shown =
        std::any_of(sandbox.binds.begin(), above, [&](const auto& bind) { return shows(bind, directory); });
    // The sandbox's own /tmp, /run and home hide what is below them.
    if (!shown && (below(directory, "/tmp") || below(directory, "/run") ||
                   (home_hidden && below(directory, sandbox.home))))
      continue;
    std::error_code ec;
    if (fs::is_regular_file(directory, ec)) {
      covers.push_back({"/dev/null", directory, false, false});
      continue;
    }
    const auto empty = hidden / std::to_string(covers.size());
    HYDRA_CHECK(make_dirs(empty, 0700));
    // Read-only, so the places of later binds must be there already.
    for (const auto& bind : sandbox.binds)
      if (below(bind.inside, directory))
        HYDRA_CHECK(make_dirs(empty / bind.inside.lexically_relative(directory)));
    covers.push_back({empty, directory, false, false});
  }
  sandbox.binds.insert(above, covers.begin(), covers.end());
  return {};
}

Result<void> hide_source(exec::JobSpec& job, const fs::path& source, const fs::path& hidden) {
  if (source.empty() || job.sandbox.isolation == exec::Isolation::none) return {};
  const auto empty = hidden / "source";
  HYDRA_CHECK(make_dirs(empty, 0700));
  job.sandbox.binds.push_back({empty, source, false, false});
  return {};
}

}  // namespace hydra::race
