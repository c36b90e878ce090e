// cli: what RACE and AGENT arguments mean: an id, a unique prefix or nothing; a name, RACE/AGENT or a branch.
#pragma once

#include "base/result.hpp"
#include "cli/render/views.hpp"
#include "client/client.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::cli {

/// The directory that holds `.git`, from `start` upward; nothing when there is none.
std::optional<std::filesystem::path> find_repository(const std::filesystem::path& start);

/// "/v1/races/ID" + `tail` + "?…" for a RACE argument; empty means the last race of the repository of `cwd`.
/// `usage` for words that can't be a race's id.
Result<std::string> race_target(std::string_view race, const std::filesystem::path& cwd,
                                std::string_view tail = {}, std::string_view query = {});

/// GET of a race's status.
Result<wire::Status> get_status(client::Client& client, std::string_view race);

struct AgentRef {
  std::string race;   ///< full id
  std::string agent;  ///< name in the race
};

/// The three spellings of an AGENT argument, without asking anybody. A spelling can be a name and a branch.
struct AgentWords {
  std::string race;    ///< empty: the last one
  std::string agent;   ///< name, where it can be one
  std::string branch;  ///< with hydra/, where it can be one
};
Result<AgentWords> split_agent(std::string_view text);

/// Finds it: in the last race, in the race that is named, or the race of that branch.
Result<AgentRef> resolve_agent(client::Client& client, std::string_view text);

}  // namespace hydra::cli
