// cli: resolves RACE and AGENT arguments: an id, a unique prefix or empty; a name, RACE/AGENT or a branch.
#pragma once

#include "base/result.hpp"
#include "cli/render/views.hpp"
#include "client/client.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::cli {

/// Returns the nearest directory with `.git` from `start` upward; nullopt: none.
std::optional<std::filesystem::path> find_repository(const std::filesystem::path& start);

/// Returns "/v1/races/ID" + `tail` + "?…" for a RACE argument; empty: the last race of the repository of
/// `cwd`. `usage` if the text cannot be a race id.
Result<std::string> race_target(std::string_view race, const std::filesystem::path& cwd,
                                std::string_view tail = {}, std::string_view query = {});

/// Fetches the status of a race.
Result<wire::Status> get_status(client::Client& client, std::string_view race);

struct AgentRef {
  std::string race;   ///< full id
  std::string agent;  ///< name in the race
};

/// The possible readings of an AGENT argument; a text may be both a name and a branch.
struct AgentWords {
  std::string race;    ///< race id; empty: the last race
  std::string agent;   ///< name; empty: cannot be a name
  std::string branch;  ///< branch with hydra/; empty: cannot be a branch
};
Result<AgentWords> split_agent(std::string_view text);

/// Finds the agent in the last race, in the named race, or in the branch's race.
Result<AgentRef> resolve_agent(client::Client& client, std::string_view text);

}  // namespace hydra::cli
