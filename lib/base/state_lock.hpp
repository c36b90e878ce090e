// base: the lock of a state directory. The directory itself is locked, since a file inside can be replaced
// while locked; the file `lock` names the holder, and is locked for daemons of earlier versions.
#pragma once

#include "base/fd.hpp"
#include "base/paths.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hydra {

struct LockHolder {
  std::int64_t pid = 0;            ///< process id; 0: not written
  std::filesystem::path socket{};  ///< socket of the daemon; empty: not written
  std::int64_t since_ms = 0;       ///< Unix time at which the file was written
  /// Returns "(pid 17, for 2 min, socket /run/user/1000/hydra/hydrad-….sock)"; empty if nothing is known.
  [[nodiscard]] std::string text() const;
};

class StateLock {
 public:
  /// Takes the lock for the life of this process; both descriptors are close-on-exec. `conflict` if another
  /// process holds the lock; the message names the holder.
  static Result<StateLock> take(const Paths& paths);
  /// Recreates the lock file if it was removed or replaced. False: the path no longer leads to the locked
  /// directory.
  [[nodiscard]] bool keep();

  /// Returns the holder of the lock; nullopt: nobody holds it.
  static std::optional<LockHolder> holder(const Paths& paths);
  /// Returns the last process that wrote the file, alive or not.
  static LockHolder last_holder(const Paths& paths);

 private:
  Result<void> write_file();
  Paths paths_;
  UniqueFd directory_, file_;
};

}  // namespace hydra
