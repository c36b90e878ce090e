// cli: `hydra` without a verb in a repository: where its user stands, and the next step.
#pragma once

#include "cli/context.hpp"
#include "cli/render/views.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hydra::cli {

/// What is known of the place.
struct Standing {
  std::string repository, branch;
  std::string config;                         ///< hydra.toml as the user would name it; empty: there is none
  std::vector<std::string> complaints;        ///< of the configuration
  std::vector<std::string> checks;            ///< "build", "tests", "lint": those that are configured
  std::vector<std::string> ready, not_ready;  ///< agents that are installed: signed in, or not
  std::optional<wire::RaceRow> last;          ///< of this repository
  std::string merged;                         ///< whose result of that race was merged
};

/// Pure.
std::string standing_text(const Standing& standing, const Style& style);
/// The command that comes next, and why. Pure.
std::pair<std::string, std::string> next_step(const Standing& standing);
/// The next step where this process stands, in one line.
std::string next_line(Context& context);
/// Prints the standing. The exit code.
Result<int> where_you_stand(Context& context);

}  // namespace hydra::cli
