// race: the file beside the stream to which some agents write their usage (docs/adapters.md, "Usage means the
// same for every agent"). The file is untrusted: regular files only, no links, bounded size.
#pragma once

#include "model/agent_descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::race {

/// Returns whether the last line with usage is complete, so that the end of a long file suffices.
bool end_is_enough(const model::UsageFile& file);

/// Returns the file that `file.path` names below {run_dir} or {home}; of several, the last by name. Nullopt:
/// none, not regular, or above `max_bytes` (or, if its end suffices, whole lines of that end). Blocking.
std::optional<std::string> find_usage_file(const model::UsageFile& file, const std::filesystem::path& run_dir,
                                           const std::filesystem::path& home, const std::string& session,
                                           std::size_t max_bytes);

/// Numbers of bytes read of each file of a usage log.
using UsageLogSizes = std::map<std::string, std::uint64_t>;
struct UsageLogPart {
  std::string name;
  std::uint64_t offset;
  std::string bytes;
};
/// Returns new bytes of the growing files that `file.path` names, at most `max_bytes` of each. A part `**` of
/// the path is every directory, as each of an agent's sub-agents may have a log. Blocking.
std::vector<UsageLogPart> read_usage_log(const model::UsageFile& file, const std::filesystem::path& run_dir,
                                         const std::filesystem::path& home, const std::string& session,
                                         const UsageLogSizes& from, std::size_t max_bytes);

/// Removes an earlier attempt's file if the path names a single file, so that a resumed run is not charged
/// with that usage.
void remove_usage_file(const model::UsageFile& file, const std::filesystem::path& run_dir);

}  // namespace hydra::race
