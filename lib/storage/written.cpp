#include "storage/written.hpp"

#include <atomic>

namespace hydra::storage {
namespace {

std::atomic<std::uint64_t> written_transactions, written_synced, written_bytes;

}  // namespace

Written written() { return {written_transactions, written_synced, written_bytes}; }

void count_written(bool synced, std::uint64_t bytes) {
  ++written_transactions;
  if (synced) ++written_synced;
  written_bytes += bytes;
}

}  // namespace hydra::storage
