// race: what a judge is told (docs/judges.md). Pure.
#pragma once

#include <string>

namespace hydra::race {

/// What a judge is told. Task and diff stand as data between lines with `fence`, which nobody could know who
/// wrote them; the answer has to carry `nonce`.
struct JudgeBrief {
  std::string task, rubric, diff, nonce, fence;
};
/// At most `most` bytes of the diff are in it; where it is longer, that is said.
std::string judge_prompt(const JudgeBrief& brief, std::size_t most);

}  // namespace hydra::race
