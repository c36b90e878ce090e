// The job of a check or of a step of a check workspace.
#include "race/job_parts.hpp"
#include "race/jobs.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

using namespace detail;

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

}  // namespace hydra::race
