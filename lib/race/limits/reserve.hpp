// race: temporary shortages of the machine. A reserve on the disk is released when the disk is full, so that
// events and captures can still be stored; work that failed for a shortage is retried.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <string>

namespace hydra::race {

/// Returns "0.0 MiB and 12 files are free on the disk of PATH"; empty: enough space, or unknown.
std::string lack_of_room(const std::filesystem::path& directory);

class Reserve {
 public:
  explicit Reserve(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Creates the reserve if it is missing and the disk has plenty of room. Blocking.
  void make() const;
  /// Deletes the reserve; false: none existed.
  [[nodiscard]] bool release() const;

 private:
  std::filesystem::path directory_;
};

/// Share of each disk that jobs leave free, unless [limits] disk_free_mib is 0.
inline constexpr int kFreePercent = 5;

/// Returns an error unless the new files of a check workspace fit beside the room that every job leaves free
/// (shim/disk.hpp). Blocking.
Result<void> room_for(const git::Store& store, const model::RaceSpec& spec, const std::string& commit,
                      const std::filesystem::path& directory);

/// Returns how often to try, one second apart, work that failed with this error: a temporary shortage is no
/// verdict about an agent's work, and people can empty a full disk. 1: no retry.
int tries_of(const Error& error, bool cancelled);
/// Returns a message for people that `what` is retried, and why; `directory`: on the disk that may be full.
std::string tried_again(const std::string& what, const Error& error, const std::filesystem::path& directory);

}  // namespace hydra::race
