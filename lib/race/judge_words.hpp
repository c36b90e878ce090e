// race: what a judge is told, and what its answer says (docs/judges.md). Pure.
#pragma once

#include "model/judging.hpp"

#include <string>
#include <string_view>

namespace hydra::race {

/// What a judge is told. Task and diff stand as data between lines with `fence`, which nobody could know who
/// wrote them; the answer has to carry `nonce`.
struct JudgeBrief {
  std::string task, rubric, diff, nonce, fence;
};
/// At most `most` bytes of the diff are in it; where it is longer, that is said.
std::string judge_prompt(const JudgeBrief& brief, std::size_t most);

/// Reads a judge's output: its last JSON object at the begin of a line, up to the end, is
/// {"nonce": NONCE, "score": 0..1, "reason": TEXT}. Fills in `invalid` (model::Judgement), or score and
/// reason.
void read_judgement(std::string_view output, std::string_view nonce, model::Judgement& judgement);

}  // namespace hydra::race
