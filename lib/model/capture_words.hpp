// model: what a capture's flags begin with and why paths are left out of it, in the words that rooms above
// git go by. Rows of other reasons and other flags are for people only.
#pragma once

#include <optional>
#include <string_view>

namespace hydra::model {

/// Flags, each before a path of the result.
inline constexpr std::string_view kSubmoduleChanged = "submodule_changed:";
inline constexpr std::string_view kCommitsBeside = "commits_beside:";  ///< before a branch of the agent's own
inline constexpr std::string_view kHoldsSecret = "holds_secret:";
inline constexpr std::string_view kHidesFiles = "ignore_rules_hide_files:";  ///< before the rule file's path
inline constexpr std::string_view kLinkOutside = "symlink_outside:";

/// Reasons of Capture::left_out.
inline constexpr std::string_view kLeftBehind = "left behind by the agent's own program";
inline constexpr std::string_view kTooLarge = "larger than [capture] max_file_mib";
inline constexpr std::string_view kRefusedByGit = "refused by git";

/// What Capture::warnings begin with.
inline constexpr std::string_view kGitRefuses = "git refuses what is in its own commits: ";

/// The path behind `word`; nothing: it is another flag.
inline std::optional<std::string_view> path_of(std::string_view flag, std::string_view word) {
  if (!flag.starts_with(word)) return std::nullopt;
  return flag.substr(word.size());
}

}  // namespace hydra::model
