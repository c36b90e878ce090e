// adapters, inside the room: what an error of a model's provider means, from its status or its words.
#pragma once

#include "model/agent_run.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hydra::adapters {

/// The HTTP status that a text names ("status 401 Unauthorized", "(429)", "\"code\":500"), if any.
std::optional<int> status_in_text(std::string_view text);

/// auth, rate_limit, provider or agent_error.
model::ErrorClass classify_status(int status);

/// By status, else by the agent's word for it, else by the text's words; agent_error when nothing tells.
model::ErrorClass classify_error(std::optional<int> status, std::string_view text,
                                 std::string_view word = {});

/// A complaint of a CLI that refused to begin: sign-in, trust, flags (agent-clis reference, section 4, rule
/// 2).
struct SetupProblem {
  model::ErrorClass error_class;  ///< auth or launch_error
  std::string line;               ///< the line that says so, sanitised
};
std::optional<SetupProblem> setup_problem(std::string_view stderr_tail);

}  // namespace hydra::adapters
