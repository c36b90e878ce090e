// storage: reads the history on any thread, beside the daemon's own work, through a separate connection.
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

/// Selects races; empty members match all.
struct HistoryFilter {
  std::string race;        ///< full id
  std::string repository;  ///< a checkout, a directory in a checkout, or its common directory
  std::string kind;
  std::int64_t since_ms = 0;  ///< races that ended at or after this time
  std::int64_t after = 0;     ///< races with a HistoryRace::number above this: continues a list
  std::vector<std::pair<std::string, std::string>> labels;  ///< labels that a race must all have
};

/// Calls `each` for every race in the order of remembering, with its attempts; forgotten races are omitted.
/// The object is reused for the next race. `each` returns false to stop.
Result<void> read_history(const std::filesystem::path& database, const HistoryFilter& filter,
                          const std::function<bool(const model::HistoryRace&)>& each);

/// Outcome of a result with a stated confidence: people's rating, or a merge.
struct Outcome {
  std::int64_t race = 0;  ///< HistoryRace::number
  std::string confidence;
  std::optional<double> rating;           ///< [0, 1]
  std::optional<std::int64_t> merged_ms;  ///< Unix time
  bool undone = false;
};
/// Reads all outcomes. The object is reused for the next outcome.
Result<void> read_outcomes(const std::filesystem::path& database,
                           const std::function<void(const Outcome&)>& each);

}  // namespace hydra::storage
