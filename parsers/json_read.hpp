// parsers, inside: untrusted JSON documents. json_extent() bounds the depth before anything is built;
// read_json() drops long members that carry no result (stacks, messages, captured output).
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::parsers {

/// Returns the bytes of the object or array at the begin of `text`; nothing when the value has no end or is
/// deeper than 500. Linear; stores nothing.
std::optional<std::size_t> json_extent(std::string_view text);

/// Parses a value without the members that carry no result; a discarded value for broken JSON.
nlohmann::json read_json(std::string_view text);

/// Returns the member; a missing member is null, which has neither elements nor members.
const nlohmann::json& json_member(const nlohmann::json& j, std::string_view key);
/// Return the member if it is an array or an object; else null.
const nlohmann::json& array_in(const nlohmann::json& j, std::string_view key);
const nlohmann::json& object_in(const nlohmann::json& j, std::string_view key);
/// Return the member as text; empty when absent or not a string. json_text() returns a view of the document.
std::string_view json_text(const nlohmann::json& j, std::string_view key);
std::string text_in(const nlohmann::json& j, std::string_view key);
/// Return the member as an integer, else 0; number_in() clamps to 0 … 10^9.
std::int64_t json_number(const nlohmann::json& j, std::string_view key);
std::int64_t number_in(const nlohmann::json& j, std::string_view key);

}  // namespace hydra::parsers
