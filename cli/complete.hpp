// cli: completion candidates for a partial command line, made from the verbs themselves, so that no option or
// choice is missing. A Lookup supplies names that only the daemon or the configuration knows.
#pragma once

#include "cli/options.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// Kind of a word whose candidates the verbs do not know.
enum class WordKind {
  race,         ///< id of a race
  result,       ///< agent of the last race, or a branch
  known_agent,  ///< agent of the configuration
  format,       ///< format of `hydra parse --format`
  weight,       ///< name of a weight
};
using Lookup = std::function<std::vector<std::string>(WordKind)>;

/// Returns the replacements for the last of `words` (the words after `hydra`; the last may be empty). Empty:
/// a file name, or no known candidate. "=" may be a separate word, as bash splits it.
std::vector<std::string> candidates(const std::vector<Verb>& verbs, std::vector<std::string> words,
                                    const Lookup& lookup);

/// Runs `hydra __complete WORD…` for the scripts of `hydra completion`: one candidate per line, no messages,
/// exit code 0. Never starts the daemon.
int print_candidates(int argc, const char* const* argv);

}  // namespace hydra::cli
