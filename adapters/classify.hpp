// adapters, inside the room: the class of a model provider's error, by its status or its words.
#pragma once

#include "model/agent_run.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hydra::adapters {

/// Returns the HTTP status that a text names ("status 401 Unauthorized", "(429)", "\"code\":500").
std::optional<int> status_in_text(std::string_view text);

/// Returns auth, rate_limit, provider or agent_error.
model::ErrorClass classify_status(int status);

/// Classifies by status, else by the agent's word, else by words of the text; default: agent_error.
model::ErrorClass classify_error(std::optional<int> status, std::string_view text,
                                 std::string_view word = {});

/// A CLI's message that it refused to start: sign-in, trust, flags (docs/adapters.md, "How an end is
/// judged").
struct SetupProblem {
  model::ErrorClass error_class;  ///< auth or launch_error
  std::string line;               ///< the line with the message, sanitised
};
std::optional<SetupProblem> setup_problem(std::string_view stderr_tail);

}  // namespace hydra::adapters
