// adapters: which variables of an environment are secrets by their name or their value: they are held in
// memory only. docs/adapters.md, 'What it sees of your environment'.
#pragma once

#include <string_view>

namespace hydra::adapters {

/// Does the name end like a key, token, secret or password, or is the value an address with a password?
bool is_secret_variable(std::string_view name, std::string_view value);

}  // namespace hydra::adapters
