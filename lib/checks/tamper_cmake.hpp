// checks, inside only: what of a CMakeLists.txt the rules about its tests share. Pure; linear in the text.
#pragma once

#include "checks/tamper_impl.hpp"

#include <map>
#include <string>
#include <vector>

namespace hydra::checks {

/// Target of an add_executable() -> its sources, from the root of the repository. A variable is replaced by
/// what set() gives it in the same text.
using CmakeSources = std::map<std::string, std::vector<std::string>, std::less<>>;
CmakeSources cmake_sources(Text text, Text path);

/// What became of a source of the base: something else is built, it was moved and changed, it is the same.
enum class Kept { gone, edited, whole };
/// `sources`: those that the candidate builds the same test of.
Kept kept_source(const std::string& source, const std::vector<std::string>& sources,
                 const ChangedPaths& changed);

}  // namespace hydra::checks
