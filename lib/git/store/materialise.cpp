// Writes a result's changes as separate files, so that a check workspace need not be a whole checkout.
#include "base/files.hpp"
#include "git/environment.hpp"
#include "git/letter_case.hpp"
#include "git/repository.hpp"
#include "git/store/layout.hpp"
#include "git/store/object_database.hpp"
#include "git/store/plain_checkout.hpp"
#include "git/store/rules.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {
namespace {

bool plain_change(const TreeChange& change) {
  const bool file = change.mode == "100644" || change.mode == "100755" || change.mode == "120000";
  return (file || change.status == 'D') && plain_path(change.path);
}

/// Updates an index by the changes as `git update-index --index-info` does. False: not done.
bool change_index(const fs::path& file, const std::vector<TreeChange>& changes) {
  if (!std::all_of(changes.begin(), changes.end(), plain_change)) return false;
  const auto index = open_index(file);
  if (!index) return false;
  // Deletions first: a file may have become a directory.
  for (const auto& change : changes)
    if ((change.status == 'D' || change.status == 'T') &&
        git_index_remove(index.get(), change.path.c_str(), 0) != 0)
      return false;
  for (const auto& change : changes) {
    if (change.status == 'D') continue;
    git_index_entry entry{};
    entry.path = change.path.c_str();
    entry.mode = static_cast<std::uint32_t>(std::stoul(change.mode, nullptr, 8));
    const auto id = oid_of(change.id);
    if (id) entry.id = *id;
    if (!id || git_index_add(index.get(), &entry) != 0) return false;
  }
  return git_index_write(index.get()) == 0;
}

/// Writes the blobs of the changes unconverted. False: not done.
bool write_blobs(const ObjectDatabase& objects, const std::vector<TreeChange>& changes,
                 const fs::path& directory) {
  for (const auto& change : changes) {
    if (change.status == 'D') continue;
    const auto bytes = objects.blob(change.id);
    const auto to = directory / change.path;
    if (!bytes || !make_dirs(to.parent_path()).ok()) return false;
    ::unlink(to.c_str());
    const bool link = change.mode == "120000";
    const unsigned mode = change.mode == "100755" ? 0777 : 0666;
    if (link ? ::symlink(bytes->c_str(), to.c_str()) != 0 : !write_file(to, *bytes, mode).ok()) return false;
  }
  return true;
}

}  // namespace

Result<void> Store::materialise(const std::vector<TreeChange>& changes, const fs::path& directory,
                                const fs::path& base_index, const fs::path& index) const {
  HYDRA_CHECK(make_dirs(directory, 0700));
  HYDRA_CHECK(make_dirs(index.parent_path(), 0700));
  HYDRA_CHECK(copy_index(base_index, index));
  if (!holds_conversion(directory_, repository_) && change_index(index, changes) &&
      write_blobs(database(), changes, directory))
    return {};
  HYDRA_CHECK(copy_index(base_index, index));
  Command git = command();
  git.work_tree(directory).cwd(directory).index(index);
  // Deletions first: a file may have become a directory.
  std::string entries;
  std::string files;
  for (const auto& change : changes)
    if (change.status == 'D' || change.status == 'T')
      entries += "0 " + std::string(change.id.size(), '0') + "\t" + change.path + '\0';
  for (const auto& change : changes) {
    if (change.status == 'D') continue;
    entries += change.mode + " " + change.id + "\t" + change.path + '\0';
    files += change.path + '\0';
  }
  if (entries.empty()) return {};
  HYDRA_CHECK(git.output({"update-index", "-z", "--index-info"}, entries));
  if (!files.empty()) HYDRA_CHECK(git.output({"checkout-index", "-z", "-f", "--stdin"}, files));
  return {};
}

}  // namespace hydra::git
