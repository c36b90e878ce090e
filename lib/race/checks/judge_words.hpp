// race: prompts for judges (docs/selection.md). Pure.
#pragma once

#include <string>

namespace hydra::race {

/// Contents of a judge's prompt. Task and diff are data between lines with `fence`, which their authors could
/// not know; the answer has to contain `nonce`.
struct JudgeBrief {
  std::string task, rubric, diff, nonce, fence;
};
/// Returns the prompt with at most `most` bytes of the diff; a truncated diff is marked.
std::string judge_prompt(const JudgeBrief& brief, std::size_t most);

}  // namespace hydra::race
