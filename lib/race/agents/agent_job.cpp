// The job of an agent's attempt, and binds for programs that its sandbox would hide.
#include "base/strings.hpp"
#include "exec/tool.hpp"
#include "git/repository.hpp"
#include "model/environment.hpp"
#include "race/agents/agent_files.hpp"
#include "race/agents/home_files.hpp"
#include "race/agents/worktrees.hpp"
#include "race/job_parts.hpp"
#include "race/jobs.hpp"
#include "race/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unistd.h>

namespace hydra::race {
namespace {

using namespace detail;

// Binds the package of a hidden program: the directory of the real file, for a node package up to its
// outermost node_modules. Only the file itself if that directory holds more than programs.
void add_program(const fs::path& program, const fs::path& home, const fs::path& repository,
                 std::vector<exec::Bind>& binds) {
  std::error_code ec;
  const auto real = fs::canonical(program, ec);
  const auto cover = ec ? std::nullopt : cover_of(real, home);
  if (!cover) return;
  fs::path root = fs::is_directory(real, ec) ? real : real.parent_path();
  for (auto at = root; at != *cover && at.has_relative_path(); at = at.parent_path())
    if (at.filename() == "node_modules") root = at;
  if (root != *cover && !holds_more(root, home, repository))
    add_bind(binds, root);
  else if (!fs::is_directory(real, ec))
    binds.push_back({real, real, false, true});
}

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
  const auto inside = worktree_inside(spec, layout, agent.workspace);
  context.worktree = inside;
  context.run_dir = layout.run(name);
  context.private_home = layout.run(name) / "config";
  context.model = agent.entry.model;
  context.attempt = job.key;
  context.timeout_seconds = static_cast<std::int64_t>(std::ceil(spec.config.limits.agent_timeout_seconds));
  // Bubblewrap maps root to an ordinary user; in a container of root's the agent is root.
  context.root = ::geteuid() == 0 && (!sandboxed || model::contained(spec));
  context.session_uuid = session_uuid(job.token);
  for (const auto& [key, value] : spec.environment) context.user_env[key] = value;
  for (const auto& [key, value] : secrets) context.user_env[key] = value;
  HYDRA_TRY(auto launch, adapters::plan_launch(descriptor, context));

  job.argv = std::move(launch.argv);
  job.env = std::move(launch.env);
  set(job.env, "GIT_CEILING_DIRECTORIES", inside.parent_path());
  set(job.env, "TMPDIR", sandboxed ? "/tmp" : (layout.run(name) / "tmp").string());
  const auto path = model::variable(spec, "PATH");
  fs::path program = job.argv.at(0);
  // A relative path refers to the agent's workspace.
  if (program.is_absolute() || program.string().find('/') == std::string::npos)
    program = exec::find_program(job.argv[0], path);
  // A program of the container's image can't be looked up on this machine.
  if (program.empty() && model::contained(spec)) program = job.argv.at(0);
  if (program.empty())
    return Error{
        Errc::not_found,
        fmt::format("{} can't be started: {}", agent.display, exec::why_no_program(job.argv[0], path)), name,
        descriptor.install_hint.empty() ? "check its `command` in hydra.toml" : descriptor.install_hint};
  // The agent starts where its user started the race; a directory that the base lacks is nowhere.
  std::error_code ec;
  const auto& below_root = spec.repository.subdirectory;
  const bool has = !below_root.empty() && fs::is_directory(fs::path(agent.workspace) / below_root, ec);
  job.workdir = has ? inside / below_root : inside;
  job.attempt_dir = layout.attempt(name, "agent", number);
  if (launch.prompt_on_stdin) job.stdin_file = layout.run(name) / "prompt.txt";
  job.limits = limits_of(spec.config, spec.config.limits.agent_timeout_seconds);
  if (!descriptor.stop.empty()) {
    job.limits.ladder.clear();
    for (const auto& step : descriptor.stop)
      job.limits.ladder.push_back({step.signal, to_wall(step.wait_seconds)});
  }

  job.cluster = cluster_of(spec);
  job.sandbox = base_sandbox(spec, layout.home(name));
  job.limits.disk_paths = {agent.workspace, layout.run(name), layout.home(name)};
  auto& binds = job.sandbox.binds;
  add_configured(spec, job.sandbox);
  add_program(program, job.sandbox.home, spec.repository.root, binds);
  // Scripts and files in the user's command line: ["python3", "/home/me/agents/mine.py"].
  for (const auto& word : descriptor.command)
    if (word.starts_with('/')) add_program(word, job.sandbox.home, spec.repository.root, binds);
  for (const auto& file : home_files(spec, agent, layout).shown) add_bind(binds, file);
  // Caches keep their path in the run's private home; the program writes other versions beside them.
  if (sandboxed)
    for (const auto& cache : cached_directories(descriptor, job.sandbox.home)) add_bind(binds, cache);
  for (const auto& objects : git::Store::open(layout.store(), spec).agent_objects())
    binds.push_back({objects, objects, false, true});
  binds.push_back({layout.run(name), layout.run(name), true, false});
  show_worktree(spec, layout, agent.workspace, job);
  job.tree = agent.workspace;
  for (const auto& written : spec.config.sandbox.write) {
    const auto full = expand_home(written, job.sandbox.home);
    binds.push_back({full, full, true, true});
  }
  if (sandboxed) add_mounts(spec, agent.workspace, job);
  pass_variables(spec, secrets, job);
  show_identity(spec, layout, job);
  return job;
}

}  // namespace hydra::race
