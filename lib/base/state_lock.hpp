// base: who runs for a state directory. The lock is on the directory itself, since a file in it can be
// removed and made again while its lock is held; the file `lock` says who it is, and is locked too, for
// daemons of earlier versions.
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
  std::int64_t pid = 0;            ///< 0: it did not say
  std::filesystem::path socket{};  ///< where it listens; empty: it did not say
  /// "(pid 17, socket /run/user/1000/hydra/hydrad-….sock)"; empty where nothing is known.
  [[nodiscard]] std::string text() const;
};

class StateLock {
 public:
  /// Held for as long as this process lives: both descriptors are close-on-exec. `conflict`: another one has
  /// it, and the message says who.
  static Result<StateLock> take(const Paths& paths);
  /// Makes the file again where it was removed or replaced. False: the directory itself is not the one that
  /// is locked any more, and what is in its place is none of ours.
  [[nodiscard]] bool keep();

  /// Who holds the lock; absent: nobody.
  static std::optional<LockHolder> holder(const Paths& paths);
  /// Who wrote into the file last, alive or not.
  static LockHolder last_holder(const Paths& paths);

 private:
  Result<void> write_file();
  Paths paths_;
  UniqueFd directory_, file_;
};

}  // namespace hydra
