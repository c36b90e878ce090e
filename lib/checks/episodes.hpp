// checks: reads the episodes that the verifier of a suite reports (docs/suites.md, "Episodes"). The file's
// bytes are hostile: size and number are bounded, and each line is checked alone.
#pragma once

#include "model/check.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace hydra::checks {

/// Limits of the file.
inline constexpr std::size_t kMaxEpisodeBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxEpisodes = 10'000;

struct Episodes {
  std::optional<model::ArenaFigures> figures;  ///< absent: no valid line
  std::string problem;                         ///< invalid lines, for people; empty: none
};

/// Reads verifier/episodes.jsonl in the directory of a check's reports; a missing file is no problem.
Episodes read_episodes(const std::filesystem::path& reports);

}  // namespace hydra::checks
