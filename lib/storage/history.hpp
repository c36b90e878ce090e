// storage: reading the history, on any thread and beside the daemon's own work: each reader has a connection
// of its own.
#pragma once

#include "base/result.hpp"
#include "model/history.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::storage {

/// Which races; empty members ask for nothing.
struct HistoryFilter {
  std::string race;        ///< full id
  std::string repository;  ///< a checkout, a directory in one, or its common directory
  std::string kind;
  std::int64_t since_ms = 0;  ///< ended at or after
  std::int64_t after = 0;     ///< HistoryRace::number above this: to go on with a list
  std::vector<std::pair<std::string, std::string>> labels;  ///< all of them
};

/// Calls `each` for every race in the order in which they were remembered, with its attempts; those forgotten
/// are left out. The object is used again for the next one. `each` false: enough.
Result<void> read_history(const std::filesystem::path& database, const HistoryFilter& filter,
                          const std::function<bool(const model::HistoryRace&)>& each);

/// A result with a word of confidence of which something is known since: people's rating, a merge.
struct Outcome {
  std::int64_t race = 0;  ///< HistoryRace::number
  std::string confidence;
  std::optional<double> rating;           ///< [0, 1]
  std::optional<std::int64_t> merged_ms;  ///< Unix time
  bool undone = false;
};
/// All of them. The object is used again for the next one.
Result<void> read_outcomes(const std::filesystem::path& database,
                           const std::function<void(const Outcome&)>& each);

}  // namespace hydra::storage
