// cli: the configuration for the working directory, and small languages of the command line.
#pragma once

#include "base/result.hpp"
#include "cli/context.hpp"
#include "config/config.hpp"
#include "wire/requests.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

struct ConfigFiles {
  std::optional<std::filesystem::path> user, project;
};

/// Finds the user's file, and hydra.toml from `cwd` upward to the directory with `.git` (no `.git`: only in
/// `cwd`). A missing file is absent; read_layers() refuses a path that is no regular file.
ConfigFiles find_config(const Paths& paths, const std::filesystem::path& cwd);

/// Returns the files as layers, lowest first, with names relative to `cwd`.
Result<std::vector<config::Layer>> read_layers(const ConfigFiles& files, const std::filesystem::path& cwd);

/// Returns the resolved configuration with every complaint; prints nothing.
config::Loaded check_config(const Context& context);

/// Returns the resolved configuration, or `config`: the last mistake is the error, earlier ones are printed.
Result<model::Config> load_config(Context& context);

/// Parses "90", "90s", "30m", "1h30m", "250ms" to seconds, > 0 and at most 30 days. A plain number means
/// seconds.
Result<double> parse_duration(std::string_view text);

/// Returns each entry `attempts` times, named "codex#1", "codex#2", …; unchanged for attempts <= 1.
std::vector<model::AgentEntry> with_attempts(const std::vector<model::AgentEntry>& entries, int attempts);

/// Parses "KEY=VALUE" texts of --label.
Result<std::map<std::string, std::string>> parse_labels(const std::vector<std::string>& labels);

/// Returns a request for a race of `agents` in the working directory, with this environment and the needed
/// part of `config`.
wire::RaceRequest request_for(model::Config config, std::vector<model::AgentEntry> agents);

}  // namespace hydra::cli
