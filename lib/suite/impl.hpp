// suite, inside only: one reader per format.
#pragma once

#include "suite/suite.hpp"

#include <optional>
#include <string>

namespace hydra::suite::detail {

inline constexpr std::size_t kTextBytes = 4u << 20;  ///< limit for each text of a task

Result<Suite> read_harbor(const fs::path& root);
Result<Suite> read_native(const fs::path& root);
Result<Suite> read_swe(const fs::path& file, const ReadOptions& options);

/// Adds a valid task, or `name` and the error to the broken tasks.
void add_task(Suite& suite, Result<Task> task, const std::string& name);
/// Returns a task's time limit in (0, 86400]; 0: not set. `name`: the key, for messages.
Result<double> seconds_in(std::optional<double> value, const std::string& name);

/// Returns the complaint if a text cannot be a prompt.
std::optional<std::string> check_text(const std::string& text);

}  // namespace hydra::suite::detail
