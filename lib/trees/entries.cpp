#include "trees/entries.hpp"

#include "base/files.hpp"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>

namespace hydra::trees {
namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

}  // namespace

Result<std::vector<std::string>> components(const fs::path& path) {
  const std::string& text = path.native();
  const Error bad{Errc::usage, "not a path inside the tree", text, {}};
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from <= text.size()) {
    const auto to = std::min(text.find('/', from), text.size());
    auto name = text.substr(from, to - from);
    if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos) return bad;
    names.push_back(std::move(name));
    from = to + 1;
  }
  return names;
}

Result<UniqueFd> open_directory(const fs::path& path) {
  UniqueFd fd(::open(path.c_str(), kDirectory));
  if (!fd) return system_error("cannot open " + path.string(), errno);
  return fd;
}

Result<UniqueFd> open_directory_at(int parent, const std::string& name) {
  UniqueFd fd(::openat(parent, name.c_str(), kDirectory));
  if (!fd) return system_error("cannot open " + name, errno);
  return fd;
}

Result<bool> look_at(int parent, const std::string& name, struct stat& facts) {
  if (::fstatat(parent, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0) return true;
  if (errno == ENOENT) return false;
  return system_error("cannot look at " + name, errno);
}

Result<void> make_entry(int parent, const std::string& name, mode_t mode, std::string_view bytes) {
  if (S_ISLNK(mode)) {
    if (::symlinkat(std::string(bytes).c_str(), parent, name.c_str()) != 0)
      return system_error("cannot make the link " + name, errno);
    return {};
  }
  const UniqueFd fd(
      ::openat(parent, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return system_error("cannot write " + name, errno);
  HYDRA_CHECK(write_all(fd.get(), bytes, name));
  if (::fchmod(fd.get(), mode & 0777) != 0) return system_error("cannot set the mode of " + name, errno);
  return {};
}

Result<void> make_directory(int parent, const std::string& name, mode_t mode) {
  if (::mkdirat(parent, name.c_str(), 0700) != 0)
    return system_error("cannot make the directory " + name, errno);
  if (::fchmodat(parent, name.c_str(), mode & 07777, 0) != 0)
    return system_error("cannot set the mode of " + name, errno);
  return {};
}

Result<void> remove_entry(int parent, const std::string& name) {
  // Addresses the open directory by its descriptor: no link on the way can be followed.
  return remove_tree(fs::path("/proc/self/fd/" + std::to_string(parent)) / name);
}

Result<void> list(int directory, const std::function<bool(const std::string& name)>& each) {
  UniqueFd own(::openat(directory, ".", kDirectory));
  if (!own) return system_error("cannot read a directory", errno);
  const UniqueDir dir(::fdopendir(own.get()));
  if (!dir) return system_error("cannot read a directory", errno);
  own.release();
  errno = 0;
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != ".." && !each(name)) return {};
    errno = 0;
  }
  if (errno != 0) return system_error("cannot read a directory", errno);
  return {};
}

}  // namespace hydra::trees
