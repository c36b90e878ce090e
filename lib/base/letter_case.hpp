// base: file systems that ignore letter case (exfat, NTFS, ext4 with casefold, network shares), and the
// spelling of names there. The functions only read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hydra {

/// Whether the existing file is also found under its name in another letter case. False if the file does not
/// exist or its name has no ASCII letter.
bool folds_case(const std::filesystem::path& existing);

/// Returns the on-disk spelling of the existing path `relative` below `root`; equal to `relative` if the file
/// system is case-sensitive. nullopt: no such file, or the name has cased non-ASCII letters.
std::optional<std::string> spelled(const std::filesystem::path& root, const std::string& relative);

}  // namespace hydra
