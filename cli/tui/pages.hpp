// cli/tui: the daemon's answers as lines of a page. Pure; the lines are safe to show.
#pragma once

#include "cli/tui/model.hpp"

#include <string>
#include <vector>

namespace hydra::cli::tui {

/// Returns the lines of the model's page from text.body, as wide as the terminal. Lines of a log are appended
/// on arrival instead.
std::vector<std::string> page_lines(const Model& model);

/// Returns "codex: log of its tests".
std::string page_title(const Model& model);

/// Returns "src/auth.py:12: " for the first line in view of a diff that the result has; empty: none.
std::string top_line(const Model& model);

/// Returns the question after a merge preview; nullopt if the merge would be refused.
std::optional<Ask> merge_question(const Model& model, const std::string& body);
/// Returns "Merged …" for the note line.
std::string merged_note(const std::string& body);

}  // namespace hydra::cli::tui
