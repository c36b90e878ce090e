// The guard's repairs.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/guard/guard.hpp"
#include "git/merge/checkout_move.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {

using namespace guard;

Result<void> Guard::stays_inside(const std::string& name) const {
  const fs::path file = path_of(name);
  fs::path at = file.string().substr(0, file.string().size() - name.size());
  struct stat st {};
  for (const auto& part : fs::path(name).parent_path()) {
    at /= part;
    if (::lstat(at.c_str(), &st) == 0 && !S_ISDIR(st.st_mode))
      return refused(at.string() + " is no directory of the repository itself: nothing was put back",
                     "look at it; --accept-changes takes it as it is");
  }
  return {};
}

// Runs after the files are restored: a changed configuration would decide what this git runs.
Result<void> Guard::repair_flags(const Items& before) const {
  Items now;
  HYDRA_CHECK(look_at_checkout(now));
  for (const std::string flag : {"assume-unchanged", "skip-worktree"}) {
    std::string paths;
    for (const auto& [name, item] : now)
      if (name.starts_with(kFlag) && !before.contains(name) && item.bytes == flag)
        (paths += name.substr(kFlag.size())) += '\0';
    if (!paths.empty())
      HYDRA_CHECK(git().output({"update-index", "--no-" + flag, "-z", "--stdin"}, std::move(paths)));
  }
  return {};
}

Result<void> Guard::repair() const {
  if (!exists()) return {};
  if (exposed_) HYDRA_CHECK(repair_place());
  HYDRA_TRY(const auto before, saved());
  const auto now = look_at_files();
  const auto mine = [&](const std::string& name) { return is_file(name) && (!only_hides(name) || exposed_); };
  const fs::path kept = store_ / "replaced";
  // The target of a link is not the repository's: nothing is written or removed through a link.
  for (const auto* items : {&before, &now})
    for (const auto& [name, item] : *items)
      if (mine(name)) HYDRA_CHECK(stays_inside(name));
  for (const auto& [name, item] : now) {
    const auto was = before.find(name);
    if (!mine(name) || (was != before.end() && was->second == item)) continue;
    HYDRA_CHECK(make_dirs((kept / name).parent_path(), 0700));
    HYDRA_CHECK(write_file(kept / name, item.bytes, 0600));
    if (was != before.end()) continue;
    if (::unlink(path_of(name).c_str()) != 0)
      return system_error("cannot remove " + path_of(name).string(), errno);
  }
  for (const auto& [name, item] : before) {
    const auto is = now.find(name);
    if (!mine(name) || (is != now.end() && is->second == item)) continue;
    const auto mode = static_cast<mode_t>(parse_int(item.mode).value_or(S_IFREG));
    const fs::path path = path_of(name);
    if (S_ISLNK(mode)) {
      ::unlink(path.c_str());
      if (::symlink(item.bytes.c_str(), path.c_str()) != 0)
        return system_error("cannot make " + path.string(), errno);
      continue;
    }
    HYDRA_CHECK(make_dirs(path.parent_path()));
    HYDRA_CHECK(write_file_atomic(path, item.bytes, true, static_cast<mode_t>(0644 | (mode & 0111))));
  }
  if (exposed_) HYDRA_CHECK(repair_packed_refs());
  if (exposed_) HYDRA_CHECK(repair_flags(before));
  return {};
}

}  // namespace hydra::git
