// Finds an agent's changes without git, by the directory and each file's ctime. No process can set a ctime,
// and make_workspace() lets no agent start within the tick of the kernel's clock in which the checkout ended:
// a file whose ctime equals its entry's was not written since.
#include "git/capture/capture.hpp"
#include "git/store/layout.hpp"
#include "git/store/plain_checkout.hpp"

#include <sys/stat.h>

namespace hydra::git {
namespace {

bool same_time(const git_index_time& kept, const timespec& now) {
  return kept.seconds == static_cast<std::int32_t>(now.tv_sec) &&
         kept.nanoseconds == static_cast<std::uint32_t>(now.tv_nsec);
}

bool untouched(const git_index_entry& entry, const struct stat& st) {
  const bool kind = S_ISLNK(st.st_mode) ? entry.mode == GIT_FILEMODE_LINK
                                        : S_ISREG(st.st_mode) && (entry.mode & S_IFMT) == S_IFREG;
  return kind && same_time(entry.ctime, st.st_ctim) && same_time(entry.mtime, st.st_mtim) &&
         entry.ino == static_cast<std::uint32_t>(st.st_ino) &&
         entry.file_size == static_cast<std::uint32_t>(st.st_size);
}

/// Accepts an entry as a checkout writes it. A time without fractions comes from a file system or a git that
/// does not keep them.
bool tells_times(const git_index_entry& entry) {
  const bool file = (entry.mode & S_IFMT) == S_IFREG || entry.mode == GIT_FILEMODE_LINK;
  return file && GIT_INDEX_ENTRY_STAGE(&entry) == 0 && entry.ctime.nanoseconds != 0;
}

}  // namespace

Result<bool> Capturing::list_in_process() {
  HYDRA_CHECK(copy_index(store_ / ("seed." + name_), index_));
  const auto index = open_index(index_);
  if (!index) return false;
  const auto count = git_index_entrycount(index.get());
  for (std::size_t i = 0; i < count; ++i)
    if (!tells_times(*git_index_get_byindex(index.get(), i))) return false;
  HYDRA_TRY(scan_, scan(work_));
  ::clock_gettime(CLOCK_REALTIME, &listed_at_);
  const std::unordered_set<std::string_view> there(scan_.files.begin(), scan_.files.end());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& entry = *git_index_get_byindex(index.get(), i);
    const std::string path = entry.path;
    tracked_.insert(path);
    struct stat st {};
    if (!there.contains(path) || ::lstat((work_ / path).c_str(), &st) != 0)
      removed_.push_back(path);
    else if (!untouched(entry, st))
      changed_.push_back(path);
  }
  for (const auto& path : scan_.files)
    if (!tracked_.contains(path)) untracked_.push_back(path);
  return true;
}

}  // namespace hydra::git
