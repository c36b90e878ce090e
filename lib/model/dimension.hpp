// model: the nouns of Hydra as plain structs; no behaviour, no input or output.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace hydra::model {

/// The five dimensions of a score (spec scoring-engine, "Scoring Dimensions"), in the order in which they are
/// shown.
enum class Dimension { build, tests, lint, diff_size, speed };

inline constexpr std::array<Dimension, 5> kDimensions{Dimension::build, Dimension::tests, Dimension::lint,
                                                      Dimension::diff_size, Dimension::speed};

constexpr std::size_t index(Dimension d) { return static_cast<std::size_t>(d); }
/// "build", "tests", "lint", "diff_size", "speed": the names in JSON and in hydra.toml.
std::string_view name(Dimension d);
std::optional<Dimension> dimension_from_name(std::string_view name);

}  // namespace hydra::model
