// model: the nouns of Hydra as plain structs; no behaviour, no input or output.
#pragma once

#include "model/words.hpp"

#include <array>
#include <cstddef>

namespace hydra::model {

/// The five dimensions of a score in display order (docs/scoring.md, "The five dimensions").
enum class Dimension { build, tests, lint, diff_size, speed };

inline constexpr std::array<Dimension, 5> kDimensions{Dimension::build, Dimension::tests, Dimension::lint,
                                                      Dimension::diff_size, Dimension::speed};

constexpr std::size_t index(Dimension d) { return static_cast<std::size_t>(d); }
template <>
inline constexpr auto kWords<Dimension> = words<Dimension>("build", "tests", "lint", "diff_size", "speed");

}  // namespace hydra::model
