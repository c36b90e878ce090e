// The job of a check, or of a step in making a check workspace.
#include "race/endings.hpp"
#include "race/job_parts.hpp"
#include "race/jobs.hpp"
#include "trees/byte_code.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

using namespace detail;

std::string own_layer(const std::string& kind, int number) {
  return "-" + kind + "-" + std::to_string(number);
}

// Hides changes that an earlier command made to the home, and shows those of the set-up. Returns whether the
// home is an overlay, with a separate layer for each command.
bool give_fresh_home(const trees::Workspace& workspace, const std::string& kind, int number,
                     exec::JobSpec& job) {
  for (auto& overlay : job.sandbox.overlays) {
    if (overlay.mount != workspace.home) continue;
    const auto name = own_layer(kind, number);
    overlay.lower.insert(overlay.lower.begin(), overlay.upper);
    if (auto compiled = trees::byte_code_layer(workspace.byte_code, kind); !compiled.empty())
      overlay.lower.insert(overlay.lower.begin(), std::move(compiled));
    overlay.upper += name;
    overlay.work += name;
    job.limits.disk_paths.push_back(overlay.upper);
    return true;
  }
  return false;
}

}  // namespace

fs::path home_layer(const trees::Workspace& workspace, const std::string& kind, int number) {
  for (const auto& overlay : workspace.overlays)
    if (overlay.mount == workspace.home) return overlay.upper.string() + own_layer(kind, number);
  return {};
}

exec::JobSpec check_job(const model::RaceSpec& spec, const model::Subject& subject, const std::string& kind,
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
  // Reports are outside the tree, where the code under test does not expect them.
  const auto reports = job.attempt_dir / "reports";
  set(job.env, "HYDRA_REPORTS", sandboxed ? kReportsInside : reports.string());
  const bool template_step = setup || kind == "template" || kind == "warm";
  job.limits = limits_of(spec.config, template_step ? set_up_seconds(spec.config)
                                                    : spec.config.scoring.timeout_per_check_seconds);
  job.limits.disk_paths = {job.attempt_dir / "reports"};
  if (workspace.overlays.empty()) job.limits.disk_paths.push_back(workspace.host);
  for (const auto& overlay : workspace.overlays) job.limits.disk_paths.push_back(overlay.upper);
  job.limits.nice =
      agents_alive ? 5 : 0;  // an agent's wall time is scored: checks of others must not slow the agent
  job.merge_output = true;
  job.durable = false;  // a check can be repeated
  job.cluster = cluster_of(spec);
  job.sandbox = base_sandbox(spec, !sandboxed               ? fs::path{}
                                   : workspace.home.empty() ? layout.home(subject)
                                                            : workspace.home);
  if (sandboxed) job.limits.disk_paths.push_back(job.sandbox.private_home);
  job.sandbox.overlays = workspace.overlays;
  job.tree = workspace.host;
  if (sandboxed && !template_step) {
    // Byte code in the tree may belong to other sources: Python must not read it.
    const bool layer = give_fresh_home(workspace, kind, number, job);
    std::erase_if(job.env, [](const auto& each) { return each.first == "PYTHONDONTWRITEBYTECODE"; });
    set(job.env, "PYTHONPYCACHEPREFIX",
        layer && job.sandbox.home.has_relative_path() ? job.sandbox.home / trees::kByteCode
                                                      : fs::path("/tmp/.pycache"));
  }
  show_identity(spec, layout, job);
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
