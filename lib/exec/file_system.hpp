// exec: checks that a directory's file system keeps names in both letter cases, permissions, hard links and
// symbolic links. exfat, vfat and many network shares do not: a candidate's file could replace another one
// there, and every file would count as changed.
#pragma once

#include "base/result.hpp"

#include <filesystem>

namespace hydra::exec {

/// Error `environment` names what is missing, and a way out. Tries below `directory`, which exists, and
/// leaves nothing behind; no error when nothing can be made there. Blocking, some system calls.
Result<void> check_file_system(const std::filesystem::path& directory);

}  // namespace hydra::exec
