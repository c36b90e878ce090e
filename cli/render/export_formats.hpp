// cli: races of the history in the formats of others (docs/leaderboard.md, "Exports"). Pure: a page of the
// daemon's JSON in, text out.
#pragma once

#include "base/result.hpp"
#include "cli/json_fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::cli {

enum class ExportFormat { rewards, jsonl, csv, junit };

/// The races of a page of `GET /v1/history`, and where the list goes on; absent: it does not.
Result<OrderedJson> races_of_page(std::string_view body, std::optional<std::int64_t>& next);

/// Page after page of `GET /v1/history`.
class Exporter {
 public:
  explicit Exporter(ExportFormat format) : format_(format) {}

  [[nodiscard]] std::string head() const;
  /// One line, row or test case an attempt. `next`: as races_of_page() has it.
  Result<std::string> page(std::string_view json, std::optional<std::int64_t>& next) const;
  [[nodiscard]] std::string foot() const;

 private:
  ExportFormat format_;
};

}  // namespace hydra::cli
