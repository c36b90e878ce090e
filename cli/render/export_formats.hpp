// cli: races of the history in the formats of others (docs/leaderboard.md, "Exports"). Pure: a page of the
// daemon's JSON in, text out.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::cli {

enum class ExportFormat { rewards, jsonl, csv, junit };

/// Page after page of `GET /v1/history`.
class Exporter {
 public:
  explicit Exporter(ExportFormat format) : format_(format) {}

  [[nodiscard]] std::string head() const;
  /// One line, row or test case an attempt. `next`: where the list goes on; absent: it does not.
  Result<std::string> page(std::string_view json, std::optional<std::int64_t>& next) const;
  [[nodiscard]] std::string foot() const;

 private:
  ExportFormat format_;
};

}  // namespace hydra::cli
