// adapters: what the sign-in files of agents' CLIs hold. Pure. docs/adapters.md, 'What it sees of your
// environment'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hydra::adapters {

/// Whether one sign-in may take the place of another. The agent can write whatever it likes into its copy,
/// and what the user's own CLI reads there may name programs and addresses. So: the same JSON but for
/// numbers, booleans and strings, and no new string in it that a CLI would run, expand or connect to. Text
/// that is no JSON object can't be judged.
bool same_kind_of_sign_in(const std::string& before, const std::string& after);

/// Whether a CLI may rewrite this sign-in by itself. Not where it is JSON with a plain key and nothing but
/// null and empty texts that is named after a token, a refresh or an end: then as many runs as wanted may
/// have a copy.
bool renews_itself(const std::string& text);

/// Values of at least 16 bytes without blanks that a text (JSON, or lines NAME = "value") holds under names
/// that say token, secret, password or key; at most 64. Linear.
std::vector<std::string> secret_values_of(std::string_view text);

}  // namespace hydra::adapters
