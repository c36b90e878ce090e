// cli: manual pages, made of what `--help` is made of (the verbs) and of the table of configuration keys.
// Pure.
#pragma once

#include "cli/options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// hydra-VERB(1), its children included.
std::string man_of_verb(const Verb& verb);
/// hydra(1): `help` is the general help.
std::string man_of_hydra(const std::vector<Verb>& verbs, std::string_view help);
/// hydra.toml(5) of the text of hydra.toml.example.
std::string man_of_config(std::string_view example);
/// "hydra-race.1" and so on below a directory, with the scripts of completion beside them; for the build. The
/// exit code.
int write_manual(const std::string& directory, std::string_view help);

}  // namespace hydra::cli
