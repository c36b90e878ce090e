// storage, inside only: checksums of rows, and of lines in the copies of events.
#pragma once

#include <cstdint>
#include <string_view>

namespace hydra::storage {

/// CRC-32.
std::uint32_t sum_of(std::string_view bytes);

/// Gives every connection that the process opens from now on the function hydra_sum(VALUE, ...) of the
/// schema.
void know_sums();

/// The column of a table's checksum, which SQLite makes and `PRAGMA integrity_check` compares; and the
/// expression that compares it when a row is read. `columns`: the columns that are covered.
#define HYDRA_SUM(columns) \
  "sum INTEGER NOT NULL AS (hydra_sum(" columns ")) STORED CHECK (sum = hydra_sum(" columns "))"
#define HYDRA_WHOLE(columns) "sum = hydra_sum(" columns ")"

}  // namespace hydra::storage
