// config, inside the room: one object of strings at the top level of package.json or composer.json. Broken
// JSON gives nothing; comments are taken.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace hydra::config {

/// {"scripts": {"test": "jest"}} and "scripts" -> {"test": "jest"}; entries that are no strings have an empty
/// text.
std::map<std::string, std::string> json_strings(std::string_view json, std::string_view key);
/// Does the top-level object have that key?
bool json_has_key(std::string_view json, std::string_view key);

}  // namespace hydra::config
