// race: a person's comments on lines of a result, as a part of a prompt.
#pragma once

#include "git/repository.hpp"
#include "race/agents/secrets.hpp"
#include "wire/requests.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Returns each comment with the lines that it is about, which stand between fences that they do not have.
/// `usage` names a comment (ReviewComment::at) that is empty, or whose file or lines `commit` does not have.
/// Blocking: runs git.
Result<std::string> quoted_review(const git::Store& store, const std::string& commit,
                                  const std::vector<wire::ReviewComment>& review, const Secrets& secrets);

/// Returns the message of a retry. `own`: the comments are about the agent's result. Pure.
std::string with_review(const std::string& comments, bool own, const std::string& message);

/// Returns a comment and the lines of `text` that it is about; `usage` as for quoted_review(). Pure.
Result<std::string> quoted_comment(const wire::ReviewComment& comment, std::string_view text,
                                   const Secrets& secrets);

}  // namespace hydra::race
