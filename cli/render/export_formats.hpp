// cli: races of the history in foreign formats (docs/suites.md, "Exports"). Pure: converts pages of the
// daemon's JSON to text.
#pragma once

#include "base/result.hpp"
#include "cli/json_fields.hpp"
#include "model/config.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::cli {

enum class ExportFormat { rewards, jsonl, csv, junit };

/// Returns the races of a page of `GET /v1/history`; `next`: cursor of the next page, absent: last page.
Result<OrderedJson> races_of_page(std::string_view body, std::optional<std::int64_t>& next);

/// Converts `GET /v1/history` page by page.
class Exporter {
 public:
  /// `weights`: of rewards.
  explicit Exporter(ExportFormat format, const model::RewardWeights& weights = {})
      : format_(format), weights_(weights) {}

  [[nodiscard]] std::string head() const;
  /// Returns one line, row or test case per attempt. `next`: as in races_of_page().
  Result<std::string> page(std::string_view json, std::optional<std::int64_t>& next);
  /// Number of the newest race so far: the cursor of races that end later.
  [[nodiscard]] std::int64_t newest() const { return newest_; }
  [[nodiscard]] std::string foot() const;

 private:
  ExportFormat format_;
  model::RewardWeights weights_;
  std::int64_t newest_ = 0;
};

}  // namespace hydra::cli
