// suite, inside only: one reader a format.
#pragma once

#include "suite/suite.hpp"

#include <optional>
#include <string>

namespace hydra::suite::detail {

inline constexpr std::size_t kTextBytes = 4u << 20;  ///< of one text of a task
inline constexpr double kLongestSeconds = 86400;

Result<Task> read_harbor_task(const fs::path& directory);
Result<Suite> read_harbor(const fs::path& root);
Result<Suite> read_native(const fs::path& root);
Result<Suite> read_swe(const fs::path& file, const ReadOptions& options);

/// A text that can be a prompt; the complaint otherwise.
std::optional<std::string> check_text(const std::string& text);

}  // namespace hydra::suite::detail
