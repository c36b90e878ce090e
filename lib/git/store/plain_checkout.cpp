#include "git/store/plain_checkout.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 2000;  ///< above, git's parallel workers and cached trees are faster
constexpr std::size_t kMostInMemory = 16u << 20;  ///< bytes of all files; git streams larger trees
constexpr std::size_t kMostKept = 4u << 20;

/// Makes the directories that lead to `path`. Every directory must be new: an existing entry may be a link of
/// the same tree.
bool lead_to(const std::string& path, const fs::path& directory, std::string& made) {
  const auto parent = path.substr(0, path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  if (parent.empty() || parent == made || made.starts_with(parent + '/')) return true;
  for (auto end = parent.find('/');; end = parent.find('/', end + 1)) {
    const auto step = parent.substr(0, end);
    const bool there = step == made || made.starts_with(step + '/');
    if (!there && ::mkdir((directory / step).c_str(), 0777) != 0) return false;
    if (end == std::string::npos) break;
  }
  made = parent;
  return true;
}

bool write_entry(const TreeFile& file, const std::string& bytes, const fs::path& to, struct stat& written) {
  if (file.mode == "120000")
    return ::symlink(bytes.c_str(), to.c_str()) == 0 && ::lstat(to.c_str(), &written) == 0;
  const mode_t mode = file.mode == "100755" ? 0777 : 0666;
  const UniqueFd fd(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  return fd && write_all(fd.get(), bytes, to).ok() && ::fstat(fd.get(), &written) == 0;
}

/// Records a file's stat data in the index, so that git need not read the file to see that it is unchanged.
bool add(git_index* index, const TreeFile& file, const struct stat& written) {
  git_index_entry entry{};
  entry.path = file.path.c_str();
  entry.mode = static_cast<std::uint32_t>(std::stoul(file.mode, nullptr, 8));
  entry.ctime = {static_cast<std::int32_t>(written.st_ctim.tv_sec),
                 static_cast<std::uint32_t>(written.st_ctim.tv_nsec)};
  entry.mtime = {static_cast<std::int32_t>(written.st_mtim.tv_sec),
                 static_cast<std::uint32_t>(written.st_mtim.tv_nsec)};
  entry.dev = static_cast<std::uint32_t>(written.st_dev);
  entry.ino = static_cast<std::uint32_t>(written.st_ino);
  entry.uid = written.st_uid;
  entry.gid = written.st_gid;
  entry.file_size = static_cast<std::uint32_t>(written.st_size);
  return git_oid_fromstr(&entry.id, file.id.c_str()) == 0 && git_index_add(index, &entry) == 0;
}

bool plain_file(const TreeFile& file) {
  return (file.mode == "100644" || file.mode == "100755" || file.mode == "120000") && plain_path(file.path);
}

}  // namespace

Held<git_index> open_index(const fs::path& file) { return held<git_index>(git_index_open, file.c_str()); }

bool plain_path(std::string_view path) {
  for (const auto part : split(path, '/')) {
    const bool own =
        to_lower(part.substr(0, 4)) == ".git" && (part.size() == 4 || part[4] == '.' || part[4] == ' ');
    const bool odd =
        std::any_of(part.begin(), part.end(), [](unsigned char c) { return c < ' ' || c > '~'; });
    if (part.empty() || part == "." || part == ".." || own || odd ||
        part.find_first_of("\\:~") != std::string_view::npos)
      return false;
  }
  return true;
}

std::shared_ptr<const PlainFiles> PlainFiles::read(const ObjectDatabase& objects, const std::string& commit) {
  auto files = objects.files(commit);
  if (!files || files->size() > kMostFiles || !std::all_of(files->begin(), files->end(), plain_file))
    return nullptr;
  std::vector<std::string> ids;
  for (const auto& file : *files) ids.push_back(file.id);
  auto bytes = objects.blobs(ids, kMostInMemory, kMostInMemory);
  if (!bytes || !std::all_of(bytes->begin(), bytes->end(), [](const auto& each) { return each.has_value(); }))
    return nullptr;
  auto made = std::make_shared<PlainFiles>();
  made->files_ = std::move(*files);
  for (auto& each : *bytes) made->bytes_.push_back(std::move(*each));
  return made;
}

bool PlainFiles::check_out(const fs::path& directory, const fs::path& index) const {
  const auto entries = open_index(index);
  if (!entries || git_index_clear(entries.get()) != 0) return false;
  std::string made;  // directory of the previous file
  for (std::size_t i = 0; i < files_.size(); ++i) {
    struct stat written {};
    if (!lead_to(files_[i].path, directory, made) ||
        !write_entry(files_[i], bytes_[i], directory / files_[i].path, written) ||
        !add(entries.get(), files_[i], written))
      return false;
  }
  return git_index_write(entries.get()) == 0;
}

std::size_t PlainFiles::size() const {
  std::size_t size = 0;
  for (const auto& each : bytes_) size += each.size();
  return size;
}

std::shared_ptr<const PlainFiles> SharedFiles::get(const ObjectDatabase& objects, const std::string& commit) {
  const std::lock_guard lock(mutex_);
  auto files = files_.lock();
  if (!files) {
    files = PlainFiles::read(objects, commit);
    files_ = files;
    if (files && files->size() <= kMostKept) kept_ = files;
  }
  return files;
}

}  // namespace hydra::git
