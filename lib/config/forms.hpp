// config, inside the room: form checks of single texts. Each function returns the complaint, or nullopt.
#pragma once

#include "config/schema.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hydra::config {

using Complaint = std::optional<std::string>;

/// Checks one text, or one element of a list.
Complaint check_text(Form form, std::string_view text);
/// Checks a whole list.
Complaint check_list(Form form, const std::vector<std::string>& list);
/// Checks one `KEY = text` of a table.
Complaint check_pair(Form form, std::string_view key, std::string_view text);

}  // namespace hydra::config
