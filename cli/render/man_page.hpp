// cli: manual pages, made from the verbs (as `--help` is) and from the table of configuration keys. Pure.
#pragma once

#include "cli/options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// Returns hydra-VERB(1), child verbs included.
std::string man_of_verb(const Verb& verb);
/// Returns hydra(1); `help`: the general help.
std::string man_of_hydra(const std::vector<Verb>& verbs, std::string_view help);
/// Returns hydra.toml(5) from the text of config::all_keys().
std::string man_of_config(std::string_view example);
/// Writes "hydra-race.1" etc. and completion scripts below a directory, for the build; returns the exit code.
int write_manual(const std::string& directory, std::string_view help);

}  // namespace hydra::cli
