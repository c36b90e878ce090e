#include "checks/used_trees.hpp"

#include "base/clone_tree.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "base/used_tree.hpp"
#include "checks/workspace.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <linux/seccomp.h>
#include <mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hydra::checks {
namespace {

constexpr const char* kManifest = "manifest";
constexpr const char* kGoneTree = "used.gone";
constexpr std::size_t kLargestManifest = 512u << 20;

fs::path place_of(const fs::path& template_root) { return template_root / "used"; }

/// Of this process: what another daemon has left is nobody's.
const std::string& token() {
  static const std::string text = [] {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return fmt::format("{}-{}{:09}", ::getpid(), now.tv_sec, now.tv_nsec);
  }();
  return text;
}

std::string kind_of(const CopySource& source) {
  return fmt::format("{}.{}.{}.", source.warm ? "warm" : "cold", source.finished_ns, token());
}

std::string key_of(const CopySource& source) {
  struct stat facts {};
  if (::lstat(source.tree.c_str(), &facts) != 0) return {};
  return fmt::format("{}{}", kind_of(source), facts.st_ino);
}

bool moved(const fs::path& from, const fs::path& to) { return ::rename(from.c_str(), to.c_str()) == 0; }

int count_of(const fs::path& template_root) {
  int count = 0;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(place_of(template_root), ec))
    if (!entry.path().filename().string().starts_with("part.")) ++count;
  return count;
}

/// Out of the way as a whole: nothing that is half removed is ever taken. Empty: there were none.
fs::path set_aside(const fs::path& template_root) {
  static std::atomic<unsigned> counter{0};
  const auto gone = template_root / fmt::format("{}.{}.{}", kGoneTree, token(), counter.fetch_add(1));
  return moved(place_of(template_root), gone) ? gone : fs::path();
}

/// Beside the tree, where no check sees it. Without it the tree is simply not used again.
Result<void> write_manifest(const TreeManifest& manifest, const CopySource& source,
                            const fs::path& directory) {
  HYDRA_CHECK(outlast(manifest, directory / "clock"));
  return write_file(directory / kManifest, to_bytes(manifest, key_of(source)), 0600);
}

Result<std::uint64_t> put_back(const CopySource& source, const fs::path& part, const fs::path& trash) {
  HYDRA_TRY(const auto bytes, read_file(part / kManifest, kLargestManifest));
  auto manifest = manifest_from_bytes(bytes, key_of(source));
  if (!manifest) return Error{Errc::conflict, "it was not made by this daemon of this template", {}, {}};
  HYDRA_TRY(const auto report, reset_tree(source.tree, part / "tree", std::move(*manifest), trash));
  HYDRA_CHECK(write_manifest(report.manifest, source, part));
  log::info("a used workspace was put back: {} entries kept, {} copied, {} removed", report.kept,
            report.copied, report.removed);
  return report.bytes;
}

void keep(const CopySource& source, const fs::path& root, const fs::path& part, const fs::path& trash,
          int limit) {
  static std::mutex mutex;
  static std::atomic<unsigned> counter{0};
  if (count_of(root) >= limit) return move_to_trash(part, trash);
  const auto bytes = put_back(source, part, trash);
  if (!bytes.ok()) {
    log::info("{}: {}", part.string(), describe(bytes.error()));
    return move_to_trash(part, trash);
  }
  const std::lock_guard lock(mutex);
  const auto name = fmt::format("{}{}.{}", kind_of(source), counter.fetch_add(1), *bytes);
  if (count_of(root) >= limit || !moved(part, place_of(root) / name)) move_to_trash(part, trash);
}

}  // namespace

bool can_use_again(const fs::path& directory) {
#if defined(__x86_64__) || defined(__aarch64__)  // as shim/calls
  unsigned action = SECCOMP_RET_ERRNO;
  return tells_changes(directory) && ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
  (void)directory;
  return false;
#endif
}

bool UsedTrees::take(const CopySource& source, const fs::path& directory) const {
  const auto taken = directory / "taken";
  const auto kind = kind_of(source);
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(place_of(root_), ec)) {
    // Who renames it has it.
    if (!entry.path().filename().string().starts_with(kind) || !moved(entry.path(), taken)) continue;
    if (moved(taken / "tree", directory / "tree") && moved(taken / kManifest, directory / kManifest)) {
      ::rmdir(taken.c_str());
      return true;
    }
    move_to_trash(directory / "tree", trash_);
    move_to_trash(taken, trash_);
  }
  return false;
}

Result<bool> UsedTrees::make(const CopySource& source, const fs::path& directory) const {
  const bool again = limit_ > 0 && can_use_again(directory);
  if (again && take(source, directory)) return true;
  auto made = clone_tree(source.tree, directory / "tree", 0, again);
  if (!made.ok()) {
    bool room = false;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(root_.parent_path(), ec)) {
      const auto gone = set_aside(entry.path());
      if (gone.empty()) continue;
      room = true;
      (void)remove_tree(gone);  // not to the trash: room is wanted now
    }
    if (!room) return std::move(made).error();
    HYDRA_TRY(made, clone_tree(source.tree, directory / "tree", 0, again));
  }
  if (!again || made->changed_count != 0 || made->skipped_count != 0) return false;
  if (const auto manifest = manifest_of(std::move(*made)))
    if (const auto written = write_manifest(*manifest, source, directory); !written.ok()) {
      log::info("{}", describe(written.error()));
      ::unlink((directory / kManifest).c_str());
    }
  return false;
}

std::function<void()> UsedTrees::give_back(const CopySource& source, const fs::path& directory) const {
  static std::atomic<unsigned> counter{0};
  struct stat facts {};
  if (limit_ == 0 || ::lstat((directory / kManifest).c_str(), &facts) != 0) return {};
  // Not the template's own directory: what is gone must not be made again.
  ::mkdir(place_of(root_).c_str(), 0700);
  const auto part = place_of(root_) / fmt::format("part.{}.{}", token(), counter.fetch_add(1));
  if (::mkdir(part.c_str(), 0700) != 0) return {};
  if (!moved(directory / kManifest, part / kManifest) || !moved(directory / "tree", part / "tree")) {
    move_to_trash(part, trash_);
    return {};
  }
  return [source, root = root_, part, trash = trash_, limit = limit_] {
    keep(source, root, part, trash, limit);
  };
}

std::uint64_t used_bytes(const fs::path& template_root) {
  std::uint64_t bytes = 0;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(place_of(template_root), ec)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with("part."))
      bytes += static_cast<std::uint64_t>(parse_int(name.substr(name.rfind('.') + 1)).value_or(0));
  }
  return bytes;
}

void drop_used(const fs::path& template_root, const fs::path& trash) {
  if (const auto gone = set_aside(template_root); !gone.empty()) move_to_trash(gone, trash);
}

}  // namespace hydra::checks
