// exec: whether the file system of a directory keeps what work in it relies on: names of both letter cases,
// rights, hard links and symbolic links. exfat, vfat and many shares of other systems do not: there a
// candidate's file could take the place of another one, and every file would count as changed.
#pragma once

#include "base/result.hpp"

#include <filesystem>

namespace hydra::exec {

/// `environment` names what is missing, and a way out. Tries in a directory of its own below `directory`,
/// which exists, and leaves nothing behind. Where nothing can be made there it has nothing to say: whoever
/// works there is told by the first file. Blocking, some system calls.
Result<void> check_file_system(const std::filesystem::path& directory);

}  // namespace hydra::exec
