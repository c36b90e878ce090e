// adapters: the answer of an agent or command that judges (docs/selection.md). Every function is pure.
#pragma once

#include "model/judging.hpp"

#include <string_view>

namespace hydra::adapters {

/// Parses a judge's output: the last JSON object that begins a line and reaches the end must be {"nonce":
/// NONCE, "score": 0..1, "reason": TEXT}. Sets score and reason, or `invalid` (model::Judgement).
void read_judgement(std::string_view output, std::string_view nonce, model::Judgement& judgement);

}  // namespace hydra::adapters
