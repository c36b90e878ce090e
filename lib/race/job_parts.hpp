// race, inside only: what the jobs of agents and of checks have in common.
#pragma once

#include "exec/job.hpp"
#include "model/race_spec.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hydra::race::detail {

/// Where a sandboxed check finds the reports directory of its attempt.
inline constexpr const char* kReportsInside = "/run/hydra/reports";

std::chrono::milliseconds to_wall(double seconds);
bool below(const std::filesystem::path& path, const std::filesystem::path& parent);
/// "~" and "~/…" are in the home.
std::filesystem::path expand_home(const std::string& path, const std::filesystem::path& home);
/// Read-only, where it may be missing; once.
void add_bind(std::vector<exec::Bind>& binds, const std::filesystem::path& path);
/// In the place of what stands there.
void set(exec::Env& env, const std::string& name, const std::string& value);

exec::Sandbox base_sandbox(const model::RaceSpec& spec, const std::filesystem::path& private_home);
/// Tools that the sandbox would hide, [sandbox] read and [workspace] read.
void add_configured(const model::RaceSpec& spec, exec::Sandbox& sandbox);
/// [workspace] mounts: the tree, parts of it and paths of the host at places of their own. `tree` is where
/// the job's workspace is outside.
void add_mounts(const model::RaceSpec& spec, const std::filesystem::path& tree, exec::JobSpec& job);
std::optional<exec::ClusterRequest> cluster_of(const model::RaceSpec& spec);
exec::Limits limits_of(const model::Config& config, double wall_seconds);

}  // namespace hydra::race::detail
