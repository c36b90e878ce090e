#include "exec/file_system.hpp"

#include "base/letter_case.hpp"
#include "base/scratch_directory.hpp"

#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::exec {
namespace {

namespace fs = std::filesystem;

bool keeps_rights(const fs::path& path, mode_t mode) {
  struct stat st {};
  return ::chmod(path.c_str(), mode) == 0 && ::stat(path.c_str(), &st) == 0 && (st.st_mode & 0777) == mode;
}

/// A clause that names what is missing; empty: nothing.
std::string lack_of(const fs::path& scratch) {
  const auto file = scratch / "file";
  // A failed write is reported by the caller that needs the space.
  if (!write_file(file, "", 0600).ok()) return {};
  if (folds_case(file)) return "takes names that differ in letter case only for one";
  for (const mode_t mode : {0600U, 0755U, 0400U})
    if (!keeps_rights(file, mode)) return "keeps no rights of files";
  if (!keeps_rights(scratch, 0700)) return "keeps no rights of directories";
  if (::link(file.c_str(), (scratch / "hard").c_str()) != 0) return "has no hard links";
  if (::symlink("file", (scratch / "symbolic").c_str()) != 0) return "has no symbolic links";
  return {};
}

}  // namespace

Result<void> check_file_system(const fs::path& directory) {
  const ScratchDirectory scratch(directory / ".hydra-probe-XXXXXX");
  const auto lack = scratch.path().empty() ? std::string() : lack_of(scratch.path());
  if (lack.empty()) return {};
  return Error{Errc::environment, "the file system of Hydra's state directory " + lack, directory.string(),
               "set XDG_STATE_HOME to a directory on ext4, xfs, btrfs or tmpfs"};
}

}  // namespace hydra::exec
