// race: files of the user's home that the settings of an agent name, and parts of the user's set-up that its
// runs lack. Blocking.
#pragma once

#include "model/event.hpp"
#include "model/race_spec.hpp"
#include "race/layout.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

struct AgentState;

enum class Missing {
  instructions,  ///< a plain home lacks them
  keys,          ///< the path may hold credentials
  directory,     ///< only the agent's own directories are shown, since settings list the user's projects, too
  program,       ///< a command of the settings is not found in PATH
};

struct HomeFiles {
  std::vector<std::filesystem::path> shown;               ///< hooks, helpers and servers, for reading
  std::vector<std::pair<std::string, Missing>> left_out;  ///< paths (with "~") and programs
};
HomeFiles home_files(const model::RaceSpec& spec, const AgentState& agent, const Layout& layout);

/// Returns one note for each kind of agent whose runs lack a part of the user's set-up.
std::vector<model::Note> left_out_notes(const model::RaceSpec& spec, const Layout& layout);

}  // namespace hydra::race
