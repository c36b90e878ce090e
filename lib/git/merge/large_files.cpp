#include "base/fd.hpp"
#include "base/files.hpp"
#include "git/merge/import.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace hydra::git {
namespace {

/// git-lfs stores content under its SHA-256 in hexadecimal, below directories of its first two byte pairs.
bool is_large_file(const fs::path& path) {
  const auto name = path.filename().string();
  const auto second = path.parent_path().filename().string();
  const auto first = path.parent_path().parent_path().filename().string();
  return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string::npos &&
         name.starts_with(first + second) && first.size() == 2 && second.size() == 2;
}

/// The git-lfs content directory of a repository at `git_dir`: lfs.storage is relative to `git_dir`.
fs::path storage(const fs::path& git_dir, const model::RepositoryFacts& facts) {
  fs::path named = "lfs";
  for (const auto& [key, value] : facts.conversion)
    if (key == "lfs.storage" && !value.empty()) named = value;
  return git_dir / named / "objects";
}

Result<void> copy_bytes(const fs::path& from, int to, const fs::path& path) {
  const UniqueFd source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!source) return system_error("cannot read " + from.string(), errno);
  std::vector<char> buffer(std::size_t{1} << 20);
  while (true) {
    const auto got = ::read(source.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("cannot read " + from.string(), errno);
    if (got == 0) break;
    HYDRA_CHECK(write_all(to, {buffer.data(), static_cast<std::size_t>(got)}, path));
  }
  if (::fsync(to) != 0) return system_error("cannot sync " + path.string(), errno);
  return {};
}

/// Copies a file atomically, and only if `to` does not exist.
Result<void> bring(const fs::path& from, const fs::path& to) {
  struct stat st {};
  if (::lstat(to.c_str(), &st) == 0) return {};
  HYDRA_CHECK(make_dirs(to.parent_path()));
  std::string temporary = (to.parent_path() / ".hydra-XXXXXX").string();
  const UniqueFd file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) return system_error("cannot make a file in " + to.parent_path().string(), errno);
  auto copied = copy_bytes(from, file.get(), temporary);
  if (copied.ok()) ::fchmod(file.get(), 0644);
  if (copied.ok() && ::link(temporary.c_str(), to.c_str()) != 0 && errno != EEXIST)
    copied = system_error("cannot make " + to.string(), errno);
  ::unlink(temporary.c_str());
  return copied;
}

}  // namespace

Result<void> copy_large_files(const fs::path& store, const model::RepositoryFacts& facts) {
  const fs::path from = storage(store, facts);
  const fs::path to = storage(facts.common_dir, facts);
  if (from == to) return {};  // one store for all repositories: the filters wrote to it
  std::error_code error;
  std::vector<fs::path> found;
  for (auto walk = fs::recursive_directory_iterator(from, error);
       !error && walk != fs::recursive_directory_iterator(); walk.increment(error))
    if (walk->symlink_status(error).type() == fs::file_type::regular && is_large_file(walk->path()))
      found.push_back(walk->path());
  if (error && error != std::errc::no_such_file_or_directory)
    return system_error("cannot list " + from.string(), error.value());
  for (const auto& path : found) HYDRA_CHECK(bring(path, to / path.lexically_relative(from)));
  return {};
}

}  // namespace hydra::git
