// parsers, inside: JSON documents of foreign origin. Depth is bounded before anything is built, and members
// that can be long and carry no result (stacks, messages, captured output) are never stored.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::parsers {

/// Bytes of the JSON value that `text` begins with (an object or array), or nothing where it has no end or is
/// deeper than 500. Linear, nothing is stored.
std::optional<std::size_t> json_extent(std::string_view text);

/// Parses one value without the members that carry no result; discarded for broken JSON.
nlohmann::json read_json(std::string_view text);

/// A member; null, which has no elements and no members itself, where there is none.
const nlohmann::json& json_member(const nlohmann::json& j, std::string_view key);
/// A member that is an array or object; else null.
const nlohmann::json& array_in(const nlohmann::json& j, std::string_view key);
const nlohmann::json& object_in(const nlohmann::json& j, std::string_view key);
/// A member as text; empty where it is absent or something else. The first is a view of the document.
std::string_view json_text(const nlohmann::json& j, std::string_view key);
std::string text_in(const nlohmann::json& j, std::string_view key);
/// A member as an integer, or 0; the second within 0 to 10^9.
std::int64_t json_number(const nlohmann::json& j, std::string_view key);
std::int64_t number_in(const nlohmann::json& j, std::string_view key);

}  // namespace hydra::parsers
