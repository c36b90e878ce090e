// adapters: environment variables that are secret by name or value. Hydra keeps their values in memory only
// (docs/adapters.md, "What it sees of your environment").
#pragma once

#include <string_view>

namespace hydra::adapters {

/// Whether the name ends like a key, token, secret or password, or the value is a URL with a password.
bool is_secret_variable(std::string_view name, std::string_view value);

}  // namespace hydra::adapters
