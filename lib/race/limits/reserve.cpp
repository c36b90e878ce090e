#include "race/limits/reserve.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <sys/statvfs.h>
#include <unistd.h>

namespace hydra::race {
namespace {

constexpr off_t kReserveBytes = 8 << 20;
constexpr int kReserveFiles = 200;
constexpr std::uint64_t kReservePlenty = 32;  ///< times the reserve

}  // namespace

std::string lack_of_room(const std::filesystem::path& directory) {
  struct statvfs room {};
  if (::statvfs(directory.c_str(), &room) != 0 || room.f_blocks == 0) return {};
  const auto bytes = static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
  const bool few_files = room.f_files > 0 && room.f_favail < kReserveFiles;
  if (bytes >= kReserveBytes && !few_files) return {};
  return fmt::format("{:.1f} MiB{} are free on the disk of {}", static_cast<double>(bytes) / (1 << 20),
                     few_files ? fmt::format(" and {} files", room.f_favail) : "", directory.string());
}

void Reserve::make() const {
  const auto whole = directory_ / "whole";
  if (::access(whole.c_str(), F_OK) == 0) return;
  struct statvfs room {};
  if (::statvfs(directory_.parent_path().c_str(), &room) != 0) return;
  if (static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize < kReservePlenty * kReserveBytes) return;
  if (room.f_files > 0 && room.f_favail < kReservePlenty * kReserveFiles) return;
  if (!remove_tree(directory_).ok() || !make_dirs(directory_, 0700).ok()) return;
  const auto file = [&](const std::string& name) {
    return UniqueFd(::open((directory_ / name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  };
  // If the file system cannot allocate without writing, the reserve is not worth writing its bytes.
  const auto bytes = file("bytes");
  if (bytes) (void)::fallocate(bytes.get(), 0, 0, kReserveBytes);
  for (int i = 0; i < kReserveFiles; ++i)
    if (!file(std::to_string(i))) return;
  (void)write_file(whole, "disk set aside for when there is none left\n", 0600);
}

bool Reserve::release() const {
  if (::access(directory_.c_str(), F_OK) != 0) return false;
  ::unlink((directory_ / "whole").c_str());
  return remove_tree(directory_).ok();
}

Result<void> room_for(const git::Store& store, const model::RaceSpec& spec, const std::string& commit,
                      const std::filesystem::path& directory) {
  constexpr std::uint64_t kPlenty = 8ULL << 30;  // bytes beside the floor; hardly any tree is larger
  const auto& limits = spec.config.limits;
  struct statvfs room {};
  if (::statvfs(directory.c_str(), &room) != 0) return {};
  const auto free = static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
  const auto share = room.f_blocks * room.f_frsize / 100 * kFreePercent;
  const auto floor = std::max(static_cast<std::uint64_t>(limits.disk_free_mib) << 20, share);
  if (limits.disk_free_mib == 0 || free >= floor + kPlenty) return {};
  HYDRA_TRY(auto tree, store.bytes_of(commit));
  if (spec.tree_rung != model::TreeRung::unshared && spec.tree_rung != model::TreeRung::copy) {
    HYDRA_TRY(const auto shared, store.bytes_of(spec.repository.base));
    tree -= std::min(tree, shared);
  }
  const auto needed = tree + std::min(floor, free / 2);
  if (free >= needed) return {};
  return Error{Errc::environment,
               fmt::format("no room for a check workspace: {} MiB are free, and it needs {} MiB", free >> 20,
                           needed >> 20),
               directory.string(), "hydra clean", ENOSPC};
}

int tries_of(const Error& error, bool cancelled) {
  constexpr int kFew = 5, kTenMinutes = 600;
  switch (error.number) {
    case ENOSPC:
    case EDQUOT:
      return cancelled ? kFew : kTenMinutes;
    case EIO:
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
      return kFew;
    default:
      return 1;
  }
}

std::string tried_again(const std::string& what, const Error& error, const std::filesystem::path& directory) {
  const auto lack = lack_of_room(directory);
  return lack.empty() ? fmt::format("{} is tried again every second: {}", what, describe(error))
                      : fmt::format("{} waits for room: {}", what, lack);
}

}  // namespace hydra::race
