// race, inside only: common parts of the jobs of agents and checks.
#pragma once

#include "exec/job.hpp"
#include "model/race_spec.hpp"
#include "race/layout.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hydra::race::detail {

/// Path of an attempt's reports directory inside the sandbox.
inline constexpr const char* kReportsInside = "/run/hydra/reports";

std::chrono::milliseconds to_wall(double seconds);
bool below(const std::filesystem::path& path, const std::filesystem::path& parent);
/// Returns the directory above `path` that a sandbox replaces by a private one: the home, /tmp or /run.
std::optional<std::filesystem::path> cover_of(const std::filesystem::path& path,
                                              const std::filesystem::path& home);
/// Returns whether a directory contains the home or the user's checkout, and so more than programs.
bool holds_more(const std::filesystem::path& path, const std::filesystem::path& home,
                const std::filesystem::path& repository);
/// Returns whether a path is, contains, or is inside a place of keys and tokens below the home.
bool holds_secrets(const std::filesystem::path& path, const std::filesystem::path& home);
/// Replaces "~" and "~/…" by the home.
std::filesystem::path expand_home(const std::string& path, const std::filesystem::path& home);
/// Adds a read-only bind of a path that may be missing, unless it is bound already.
void add_bind(std::vector<exec::Bind>& binds, const std::filesystem::path& path);
/// Sets a variable, replacing an earlier value.
void set(exec::Env& env, const std::string& name, const std::string& value);

/// Gives git the user's name and address at the lowest rank of its configuration, so that repositories made
/// by tests and tools can commit: the private home has no .gitconfig.
void show_identity(const model::RaceSpec& spec, const Layout& layout, exec::JobSpec& job);
exec::Sandbox base_sandbox(const model::RaceSpec& spec, const std::filesystem::path& private_home);
/// Binds tools that the sandbox would hide, and [sandbox] read.
void add_configured(const model::RaceSpec& spec, exec::Sandbox& sandbox);
/// Applies [workspace] mounts: the tree, parts of it and host paths at other places. `tree`: the job's
/// workspace on the host.
void add_mounts(const model::RaceSpec& spec, const std::filesystem::path& tree, exec::JobSpec& job);
std::optional<exec::ClusterRequest> cluster_of(const model::RaceSpec& spec);
exec::Limits limits_of(const model::Config& config, double wall_seconds);

}  // namespace hydra::race::detail
