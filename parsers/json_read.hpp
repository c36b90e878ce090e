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

/// A member as an integer within 0 to 10^9, or `fallback`.
std::int64_t number_in(const nlohmann::json& j, const char* key, std::int64_t fallback = 0);
/// A member as text; empty where it is absent or something else.
std::string text_in(const nlohmann::json& j, const char* key);
/// A member that is an array or object, or nullptr.
const nlohmann::json* array_in(const nlohmann::json& j, const char* key);
const nlohmann::json* object_in(const nlohmann::json& j, const char* key);

}  // namespace hydra::parsers
