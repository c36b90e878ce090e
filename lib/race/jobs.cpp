#include "race/jobs.hpp"

#include "base/strings.hpp"
#include "config/toolchains.hpp"
#include "model/environment.hpp"
#include "race/job_parts.hpp"
#include "race/limits/reserve.hpp"
#include "race/variables.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hydra::race {
namespace detail {

std::chrono::milliseconds to_wall(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::llround(seconds * 1000)));
}

bool below(const fs::path& path, const fs::path& parent) {
  const auto relative = path.lexically_relative(parent);
  return !relative.empty() && *relative.begin() != "..";
}

std::optional<fs::path> cover_of(const fs::path& path, const fs::path& home) {
  for (const fs::path& root : {home, fs::path("/tmp"), fs::path("/run")})
    if (!root.empty() && root != "/" && path != root && below(path, root)) return root;
  return std::nullopt;
}

bool holds_more(const fs::path& path, const fs::path& home, const fs::path& repository) {
  return (!home.empty() && below(home, path)) || (!repository.empty() && below(repository, path));
}

bool holds_secrets(const fs::path& path, const fs::path& home) {
  const auto& secrets = config::toolchains().secrets;
  return std::any_of(secrets.begin(), secrets.end(), [&](std::string_view each) {
    return below(path, home / each) || below(home / each, path);
  });
}

fs::path expand_home(const std::string& path, const fs::path& home) {
  if (path == "~") return home;
  if (path.starts_with("~/")) return home / path.substr(2);
  return path;
}

void add_bind(std::vector<exec::Bind>& binds, const fs::path& path) {
  if (std::none_of(binds.begin(), binds.end(), [&](const auto& b) { return b.host == path; }))
    binds.push_back({path, path, false, true});
}

void set(exec::Env& env, const std::string& name, const std::string& value) {
  for (auto& [key, old] : env)
    if (key == name) {
      old = value;
      return;
    }
  env.emplace_back(name, value);
}

void show_identity(const model::RaceSpec& spec, const Layout& layout, exec::JobSpec& job) {
  constexpr const char* kInside = "/run/hydra/gitconfig";
  if (spec.repository.user_name.empty() && spec.repository.user_email.empty()) return;
  const bool sandboxed = model::sandboxed(spec);
  if (sandboxed) job.sandbox.binds.push_back({layout.identity(), kInside, false, true});
  set(job.env, "GIT_CONFIG_SYSTEM", sandboxed ? kInside : layout.identity().string());
}

exec::Sandbox base_sandbox(const model::RaceSpec& spec, const fs::path& private_home) {
  exec::Sandbox sandbox;
  sandbox.isolation = model::sandboxed(spec) ? spec.isolation : exec::Isolation::none;
  sandbox.image = spec.image;
  sandbox.home = model::variable(spec, "HOME");
  sandbox.private_home = private_home;
  return sandbox;
}

void add_configured(const model::RaceSpec& spec, exec::Sandbox& sandbox) {
  const fs::path home = sandbox.home;
  for (const auto& path : spec.tools) add_bind(sandbox.binds, path);
  for (const auto& path : spec.config.sandbox.read) {
    const auto full = expand_home(path, home);
    sandbox.binds.push_back({full, full, false, true});
  }
  for (const auto& [name, value] : spec.environment)
    if (value.starts_with('/') && names_certificates(name)) add_bind(sandbox.binds, value);
  for (const auto& path : spec.config.workspace.read) {
    const auto full = (fs::path(spec.repository.root) / expand_home(path, home)).lexically_normal();
    sandbox.binds.push_back({full, full, false, true});
  }
}

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

std::optional<exec::ClusterRequest> cluster_of(const model::RaceSpec& spec) {
  const auto& execution = spec.config.execution;
  if (execution.placement != model::Placement::slurm) return std::nullopt;
  auto request = cluster_request(execution);
  request.scratch = expand_home(request.scratch, model::variable(spec, "HOME"));
  return request;
}

exec::Limits limits_of(const model::Config& config, double wall_seconds) {
  exec::Limits limits;
  limits.wall = to_wall(wall_seconds);
  limits.memory_bytes = config.limits.memory_bytes;
  limits.processes = config.limits.processes;
  limits.disk_bytes = config.limits.disk_bytes;
  limits.free_percent = config.limits.disk_free_mib > 0 ? kFreePercent : 0;
  limits.free_bytes = static_cast<std::uint64_t>(config.limits.disk_free_mib) << 20;
  return limits;
}

}  // namespace detail

exec::ClusterRequest cluster_request(const model::ExecutionConfig& execution) {
  return {execution.sbatch, execution.window, execution.scratch.value_or("")};
}

std::string attempt_token(const model::RaceSpec& spec, const std::string& key) {
  // The race's token is the random part; the key only distinguishes attempts.
  return fingerprint(spec.token + "\n" + key);
}

}  // namespace hydra::race
