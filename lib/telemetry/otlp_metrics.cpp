#include "telemetry/otlp_metrics.hpp"

#include <algorithm>

namespace hydra::telemetry {
namespace {

constexpr int kDelta = 1;  // AggregationTemporality

// Runs of agents and checks take minutes, where the conventions' own bounds for calls of a model end.
const std::vector<double>& seconds_bounds() {
  static const std::vector<double> kBounds{0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600};
  return kBounds;
}

// The conventions' own.
const std::vector<double>& token_bounds() {
  static const std::vector<double> kBounds{1,     4,     16,     64,      256,     1024,     4096,
                                           16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864};
  return kBounds;
}

}  // namespace

void OtlpMetrics::record(const std::string& name, const std::string& unit, const std::vector<double>* bounds,
                         const nlohmann::json& attributes, double value) {
  auto& metric = metrics_[name];
  metric.unit = unit;
  metric.bounds = bounds;
  auto& point = metric.points[attributes.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)];
  point.min = point.count == 0 ? value : std::min(point.min, value);
  point.max = point.count == 0 ? value : std::max(point.max, value);
  point.sum += value;
  point.count += 1;
  if (bounds == nullptr) return;
  point.buckets.resize(bounds->size() + 1);
  // A bound belongs to the bucket that it ends.
  point.buckets[static_cast<std::size_t>(std::lower_bound(bounds->begin(), bounds->end(), value) -
                                         bounds->begin())] += 1;
}

void OtlpMetrics::duration(const std::string& name, const nlohmann::json& attributes, double seconds) {
  record(name, "s", &seconds_bounds(), attributes, seconds);
}

void OtlpMetrics::tokens(const std::string& name, const nlohmann::json& attributes, std::int64_t count) {
  record(name, "{token}", &token_bounds(), attributes, static_cast<double>(count));
}

void OtlpMetrics::sum(const std::string& name, const std::string& unit, const nlohmann::json& attributes,
                      double value) {
  record(name, unit, nullptr, attributes, value);
}

nlohmann::json OtlpMetrics::json(const std::string& from, const std::string& to) const {
  auto out = nlohmann::json::array();
  for (const auto& [name, metric] : metrics_) {
    auto points = nlohmann::json::array();
    for (const auto& [attributes, point] : metric.points) {
      nlohmann::json row{{"attributes", nlohmann::json::parse(attributes)},
                         {"startTimeUnixNano", from},
                         {"timeUnixNano", to}};
      if (metric.bounds == nullptr) {
        row["asDouble"] = point.sum;
      } else {
        row.update({{"count", std::to_string(point.count)},
                    {"sum", point.sum},
                    {"min", point.min},
                    {"max", point.max},
                    {"explicitBounds", *metric.bounds},
                    {"bucketCounts", nlohmann::json::array()}});
        for (const auto count : point.buckets) row["bucketCounts"].push_back(std::to_string(count));
      }
      points.push_back(std::move(row));
    }
    nlohmann::json data{{"aggregationTemporality", kDelta}, {"dataPoints", std::move(points)}};
    if (metric.bounds == nullptr) data["isMonotonic"] = true;
    out.push_back({{"name", name},
                   {"unit", metric.unit},
                   {metric.bounds == nullptr ? "sum" : "histogram", std::move(data)}});
  }
  return out;
}

}  // namespace hydra::telemetry
