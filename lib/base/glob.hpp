// base: path patterns of [workspace] outputs and share. Every function is pure; time is at most the product
// of the lengths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hydra {

/// Matches one path component: '*' is any run of bytes, '?' one byte, everything else literal.
bool match_component(std::string_view pattern, std::string_view name);

/// Matches a relative path; the component "**" is any number of components, also none: "packages/*/dist",
/// "**/dist". "./" and doubled or trailing slashes are ignored.
bool match_path(std::string_view pattern, std::string_view path);

/// Whether a pattern matches the path or a directory above it.
bool covered_by(const std::vector<std::string>& patterns, std::string_view path);

/// Whether a pattern covers the path in any letter case, or the path would replace a directory above a
/// matched path.
bool covered_in_any_case(const std::vector<std::string>& patterns, std::string_view path);

}  // namespace hydra
