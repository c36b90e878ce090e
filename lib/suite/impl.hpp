// suite, inside only: one reader a format.
#pragma once

#include "suite/suite.hpp"

#include <optional>
#include <string>

namespace hydra::suite::detail {

inline constexpr std::size_t kTextBytes = 4u << 20;  ///< of one text of a task

Result<Suite> read_harbor(const fs::path& root);
Result<Suite> read_native(const fs::path& root);
Result<Suite> read_swe(const fs::path& file, const ReadOptions& options);

/// Among the tasks that can be used, or with what is wrong under `name` among the others.
void add_task(Suite& suite, Result<Task> task, const std::string& name);
/// A time of a task in (0, 86400]; 0: nothing is said. `name`: as people know it.
Result<double> seconds_in(std::optional<double> value, const std::string& name);

/// A text that can be a prompt; the complaint otherwise.
std::optional<std::string> check_text(const std::string& text);

}  // namespace hydra::suite::detail
