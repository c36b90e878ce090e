// cli: what may follow the words of a command line that is being typed. Made from the verbs themselves, so
// that no option or choice can be forgotten; what only the daemon or the configuration knows comes from
// outside.
#pragma once

#include "cli/options.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// What a word stands for, where the verbs alone don't know the candidates.
enum class WordKind {
  race,         ///< id of a race
  result,       ///< an agent of the last race, or a branch
  known_agent,  ///< an agent of the configuration
  format,       ///< what `hydra parse --format` reads
  weight,       ///< a weight's name
};
using Lookup = std::function<std::vector<std::string>(WordKind)>;

/// The candidates for the last of `words` (those behind `hydra`; the last may be empty), each one as it has
/// to stand instead of that word. None: a file name, or nothing that is known. "=" may be a word of its own,
/// as bash has it.
std::vector<std::string> candidates(const std::vector<Verb>& verbs, std::vector<std::string> words,
                                    const Lookup& lookup);

/// `hydra __complete WORD…`, which the scripts of `hydra completion` ask: one candidate a line, no message,
/// exit code 0. Starts no daemon.
int print_candidates(int argc, const char* const* argv);

}  // namespace hydra::cli
