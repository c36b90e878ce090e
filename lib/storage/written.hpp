// storage: what the process has written to its database, for people and for tests that hold its cost.
#pragma once

#include <cstdint>

namespace hydra::storage {

struct Written {
  std::uint64_t transactions = 0;  ///< of events
  std::uint64_t synced = 0;        ///< of these, those that waited for the disk
  std::uint64_t bytes = 0;         ///< of the events in them, as they are stored
};

/// Since the process began. Any thread.
Written written();
/// One more transaction.
void count_written(bool synced, std::uint64_t bytes);

}  // namespace hydra::storage
