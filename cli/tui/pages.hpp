// cli/tui: answers of the daemon as lines of a page. Pure; foreign text comes out safe to show.
#pragma once

#include "cli/tui/model.hpp"

#include <string>
#include <vector>

namespace hydra::cli::tui {

/// The lines of the model's page out of its text.body, as wide as the terminal. A log's are appended as they
/// come.
std::vector<std::string> page_lines(const Model& model);

/// "codex: log of its tests".
std::string page_title(const Model& model);

/// The question that a merge preview ends in; nothing where the merge would be refused.
std::optional<Ask> merge_question(const Model& model, const std::string& body);
/// "Merged …", for the line of notes.
std::string merged_note(const std::string& body);

}  // namespace hydra::cli::tui
