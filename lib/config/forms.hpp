// config, inside the room: what a single text must look like. Each function returns the complaint, or
// nothing.
#pragma once

#include "config/schema.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hydra::config {

using Complaint = std::optional<std::string>;

/// One text of a key with that form (one element of a list).
Complaint check_text(Form form, std::string_view text);
/// A whole list of texts.
Complaint check_list(Form form, const std::vector<std::string>& list);
/// One `KEY = text` of a table of texts.
Complaint check_pair(Form form, std::string_view key, std::string_view text);

}  // namespace hydra::config
