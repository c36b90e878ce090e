// model: prefixes of a capture's flags and reasons for left-out paths that rooms above git test for. All
// other flags and reasons are for people only.
#pragma once

#include <optional>
#include <string_view>

namespace hydra::model {

/// Prefixes of flags; the path in the result follows.
inline constexpr std::string_view kSubmoduleChanged = "submodule_changed:";
inline constexpr std::string_view kCommitsBeside = "commits_beside:";  ///< an agent's branch follows
inline constexpr std::string_view kHoldsSecret = "holds_secret:";
inline constexpr std::string_view kHidesFiles = "ignore_rules_hide_files:";  ///< the rule file's path follows
inline constexpr std::string_view kLinkOutside = "symlink_outside:";

/// Reasons of Capture::left_out.
inline constexpr std::string_view kLeftBehind = "left behind by the agent's own program";
inline constexpr std::string_view kTooLarge = "larger than [capture] max_file_mib";
inline constexpr std::string_view kAboveLimit = "above [limits] disk_bytes";
inline constexpr std::string_view kRefusedByGit = "refused by git";

/// Prefixes of Capture::warnings.
inline constexpr std::string_view kUnnamed = "nothing of the build or the tests names ";  ///< a path follows
inline constexpr std::string_view kGitRefuses = "git refuses what is in its own commits: ";

/// Returns the path behind `word`; nullopt: another flag.
inline std::optional<std::string_view> path_of(std::string_view flag, std::string_view word) {
  if (!flag.starts_with(word)) return std::nullopt;
  return flag.substr(word.size());
}

}  // namespace hydra::model
