// cli: the configuration of the place where the user stands, and the small languages of the command line.
#pragma once

#include "base/result.hpp"
#include "cli/context.hpp"
#include "config/config.hpp"
#include "wire/requests.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

struct ConfigFiles {
  std::optional<std::filesystem::path> user, project;
};

/// The user's file, and hydra.toml searched from `cwd` upward to the directory that has `.git` (without one:
/// only in `cwd`). What doesn't exist is absent; what is there and no plain file is refused by read_layers().
ConfigFiles find_config(const Paths& paths, const std::filesystem::path& cwd);

/// The files as layers, lowest first, named as the user would name them from `cwd`.
Result<std::vector<config::Layer>> read_layers(const ConfigFiles& files, const std::filesystem::path& cwd);

/// The resolved configuration with every complaint; nothing is printed.
config::Loaded check_config(const Context& context);

/// The resolved configuration. `config` where it has mistakes: all but the last are printed, that is the
/// error.
Result<model::Config> load_config(Context& context);

/// "90", "90s", "30m", "1h30m", "250ms" -> seconds, > 0 and at most 30 days. A number alone counts seconds.
Result<double> parse_duration(std::string_view text);

/// "codex:2,claude" with 3 attempts -> "codex:2,claude:3": an explicit count stays.
std::vector<model::AgentEntry> with_attempts(const std::vector<model::AgentEntry>& entries, int attempts);

/// For a race of `agents` in the working directory, with this environment and what the race needs of
/// `config`.
wire::RaceRequest request_for(model::Config config, std::vector<model::AgentEntry> agents);

}  // namespace hydra::cli
