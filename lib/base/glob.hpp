// base: path patterns as [workspace] outputs and share have them. Pure; time is bounded by the product of the
// lengths, never exponential.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hydra {

/// One path component: '*' stands for any run of bytes, '?' for one byte; everything else is literal.
bool match_component(std::string_view pattern, std::string_view name);

/// A whole relative path against a pattern; both have '/' between components. A component "**" stands for any
/// number of components, none too: "**/dist" is every `dist`, "packages/*/dist" those of the packages.
/// "./" and doubled or trailing slashes count nothing.
bool match_path(std::string_view pattern, std::string_view path);

/// Is the path itself, or a directory above it, matched by one of the patterns?
bool covered_by(const std::vector<std::string>& patterns, std::string_view path);

/// Does one of the patterns cover the path in some letter case, or would the path stand in
/// the place of a directory above one?
bool covered_in_any_case(const std::vector<std::string>& patterns, std::string_view path);

}  // namespace hydra
