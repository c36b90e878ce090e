// race: what is tried again, because the machine lacked something for a moment.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace hydra::race {

/// How often what failed so is tried, a second apart: what the machine lacks for a moment is no verdict about
/// an agent's work, and a full disk is emptied by people. 1: once.
int tries_of(const Error& error, bool cancelled);
/// For people: that `what` is tried again, and why; `directory`: whose disk may be full.
std::string tried_again(const std::string& what, const Error& error, const std::filesystem::path& directory);

}  // namespace hydra::race
