#include "trees/shared_base.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/overlay_marks.hpp"
#include "base/strings.hpp"
#include "trees/clone_tree.hpp"
#include "trees/entries.hpp"
#include "trees/workspace.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <vector>

namespace hydra::trees {
namespace {

constexpr const char* kMarks = "marks.lock";
constexpr const char* kLock = ".lock";

bool is_made(const fs::path& directory) {
  struct stat st {};
  return ::lstat((directory / "index").c_str(), &st) == 0;
}

Result<UniqueFd> lock(const fs::path& file, int how) {
  UniqueFd held(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!held) return system_error("cannot open " + file.string(), errno);
  while (::flock(held.get(), how) != 0)
    if (errno != EINTR) return system_error("cannot lock " + file.string(), errno);
  return held;
}

}  // namespace

Result<void> merge_layer(const fs::path& upper, const fs::path& tree) {
  std::error_code ec;
  for (fs::directory_iterator entry(upper, ec), end; !ec && entry != end; entry.increment(ec)) {
    const auto& from = entry->path();
    const auto to = tree / from.filename();
    struct stat facts {
    }, there{};
    if (::lstat(from.c_str(), &facts) != 0) return system_error("cannot look at " + from.string(), errno);
    const bool directory = S_ISDIR(facts.st_mode);
    bool merged = false;
    if (directory && ::lstat(to.c_str(), &there) == 0 && S_ISDIR(there.st_mode)) {
      HYDRA_TRY(const auto open, open_directory(from));
      merged = !is_opaque(open.get());
    }
    if (!merged) HYDRA_CHECK(remove_tree(to));
    if (!directory) {
      if (S_ISREG(facts.st_mode) || S_ISLNK(facts.st_mode)) HYDRA_CHECK(clone_tree(from, to));
      continue;
    }
    HYDRA_CHECK(make_dirs(to, 0700));
    HYDRA_CHECK(merge_layer(from, to));
    if (::chmod(to.c_str(), facts.st_mode & 0777) != 0)
      return system_error("cannot set the mode of " + to.string(), errno);
    const timespec times[2] = {facts.st_atim, facts.st_mtim};
    ::utimensat(AT_FDCWD, to.c_str(), times, 0);
  }
  if (ec) return system_error("cannot list " + upper.string(), ec.value());
  return {};
}

std::string shared_base_name(const model::RaceSpec& spec) {
  std::string text = "shared base 1\n" + spec.repository.common_dir + "\n" + spec.repository.base_tree +
                     "\n" + spec.repository.object_format + "\n";
  for (const auto& [key, value] : spec.repository.conversion) text += key + "=" + value + "\n";
  return fingerprint(text);
}

Result<void> SharedBases::make(const std::string& name, const git::Store& store, const fs::path& mark) const {
  const auto directory = directory_ / name;
  HYDRA_CHECK(make_dirs(directory_, 0700));
  HYDRA_TRY(const auto marks, lock(directory_ / kMarks, LOCK_SH));
  HYDRA_CHECK(write_file_atomic(mark, name, false, 0600));
  if (is_made(directory)) return {};
  HYDRA_TRY(const auto alone, lock(directory_ / (name + kLock), LOCK_EX));
  if (is_made(directory)) return {};
  return store.make_shared_base(directory);
}

void SharedBases::drop_unused(const std::function<std::set<std::string>()>& used) const {
  std::error_code ec;
  if (!fs::is_directory(directory_, ec)) return;
  const auto marks = lock(directory_ / kMarks, LOCK_EX | LOCK_NB);
  if (!marks.ok()) return;
  const auto names = used();
  std::vector<fs::path> gone;
  for (fs::directory_iterator entry(directory_, ec), end; !ec && entry != end; entry.increment(ec))
    if (entry->path().filename() != kMarks && !names.contains(entry->path().stem().string()))
      gone.push_back(entry->path());
  for (const auto& path : gone) move_to_trash(path, trash_);
}

}  // namespace hydra::trees
