// storage: counts the writes of the process to its database, for people and for tests that bound the number.
#pragma once

#include <cstdint>

namespace hydra::storage {

struct Written {
  std::uint64_t transactions = 0;  ///< transactions with events
  std::uint64_t synced = 0;        ///< transactions that waited for the disk
  std::uint64_t bytes = 0;         ///< bytes of the stored events
};

/// Counts since the process's start. Thread-safe.
Written written();
/// Counts one transaction.
void count_written(bool synced, std::uint64_t bytes);

}  // namespace hydra::storage
