// race: the file beside the stream in which some agents write what they used (agent-clis
// reference, 2.2, 2.6). The agent made it: regular files only, no links, bounded.
#pragma once

#include "model/agent_descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hydra::race {

/// Whether the last line with usage says everything, so that the end of a long file is enough.
bool end_is_enough(const model::UsageFile& file);

/// Text of the file that `file.path` names below {run_dir} or {home}; of several that match, the last by
/// name. Nothing where there is none, it is no regular file, or it has more than `max_bytes`: of one whose
/// end is enough, whole lines of its last `max_bytes`. Blocking.
std::optional<std::string> find_usage_file(const model::UsageFile& file, const std::filesystem::path& run_dir,
                                           const std::filesystem::path& home, const std::string& session,
                                           std::size_t max_bytes);

/// The bytes of a file that grows from `offset` on, at most `max_bytes`; empty: there are none, yet.
/// Blocking.
std::string read_usage_log(const model::UsageFile& file, const std::filesystem::path& run_dir,
                           const std::filesystem::path& home, const std::string& session,
                           std::uint64_t offset, std::size_t max_bytes);

/// Removes what an earlier attempt left there, where the path names one file. A resumed run must not be
/// charged with it.
void remove_usage_file(const model::UsageFile& file, const std::filesystem::path& run_dir);

}  // namespace hydra::race
