// adapters: contents of the sign-in files of agents' CLIs (docs/adapters.md, "What it sees of your
// environment"). Every function is pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hydra::adapters {

/// Whether a sign-in file changed by an agent may replace the user's. Only numbers, booleans and strings may
/// differ, and no new string may be one that a CLI would run, expand or connect to; not for non-JSON.
bool same_kind_of_sign_in(const std::string& before, const std::string& after);

/// Whether a CLI may rewrite this sign-in by itself. A plain JSON key without a non-empty token, refresh or
/// expiry member never changes, so any number of runs may hold a copy.
bool renews_itself(const std::string& text);

/// Returns values of 16 bytes or more, without blanks, under names with token, secret, password or key; at
/// most 64. `text` is JSON or lines NAME = "value". Linear time.
std::vector<std::string> secret_values_of(std::string_view text);

}  // namespace hydra::adapters
