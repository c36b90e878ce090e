// cli: `hydra` without a verb in a repository: the user's situation and the next step.
#pragma once

#include "cli/context.hpp"
#include "cli/render/views.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hydra::cli {

/// Facts about the repository.
struct Standing {
  std::string repository, branch;
  std::string config;                         ///< path of hydra.toml for display; empty: no file
  std::vector<std::string> complaints;        ///< complaints about the configuration
  std::vector<std::string> checks;            ///< configured checks: "build", "tests", "lint"
  std::vector<std::string> ready, not_ready;  ///< installed agents: signed in, or not
  std::optional<wire::RaceRow> last;          ///< last race of this repository
  std::string merged;                         ///< agent of that race whose result was merged
};

/// Formats the standing. Pure.
std::string standing_text(const Standing& standing, const Style& style);
/// Returns the next command and its reason. Pure.
std::pair<std::string, std::string> next_step(const Standing& standing);
/// Returns the next step for the working directory, on one line.
std::string next_line(Context& context);
/// Prints the standing and returns the exit code.
Result<int> where_you_stand(Context& context);

}  // namespace hydra::cli
