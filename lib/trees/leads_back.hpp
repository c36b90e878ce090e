// trees: files of shared directories that lead to the user's checkout: without a sandbox, checks of every
// result would run the user's code through these.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::trees {

/// Returns the first link, path file (*.pth), direct_url.json or first line of a program below `shared` that
/// names the checkout, relative to the checkout; empty: none. Expands patterns as expand_paths(). Blocking:
/// the names of all files below are read.
std::string leads_back(const std::filesystem::path& checkout, const std::vector<std::string>& shared);

}  // namespace hydra::trees
