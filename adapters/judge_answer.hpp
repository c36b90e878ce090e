// adapters: what an agent or command that judges answers (docs/judges.md). Pure.
#pragma once

#include "model/judging.hpp"

#include <string_view>

namespace hydra::adapters {

/// Reads a judge's output: its last JSON object at the begin of a line, up to the end, is
/// {"nonce": NONCE, "score": 0..1, "reason": TEXT}. Fills in `invalid` (model::Judgement), or score and
/// reason.
void read_judgement(std::string_view output, std::string_view nonce, model::Judgement& judgement);

}  // namespace hydra::adapters
