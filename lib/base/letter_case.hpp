// base: file systems that take "a" and "A" for one name (exfat, NTFS, ext4 with casefold, shares of other
// systems): whether a directory is on one, and how a name is spelled there. Found by looking; nothing is
// written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hydra {

/// Is this existing file found under its name in another letter case as well? False where nothing is found,
/// or where the name has no letter of ASCII.
bool folds_case(const std::filesystem::path& existing);

/// How the directories below `root` spell the existing path `relative`; absent where nothing is there, or
/// where its name can't be told (other letters than those of ASCII). Equal to `relative` on other file
/// systems.
std::optional<std::string> spelled(const std::filesystem::path& root, const std::string& relative);

}  // namespace hydra
