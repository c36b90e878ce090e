// telemetry, inside only: measurements as metrics of OTLP. Each request holds what one race added (delta
// temporality), so that nothing has to be remembered.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hydra::telemetry {

class OtlpMetrics {
 public:
  /// `attributes`: as OTLP has them, a list of key and value.
  void duration(const std::string& name, const nlohmann::json& attributes, double seconds);
  void tokens(const std::string& name, const nlohmann::json& attributes, std::int64_t count);
  void sum(const std::string& name, const std::string& unit, const nlohmann::json& attributes, double value);
  /// The list `metrics`; both times in nanoseconds of Unix time.
  [[nodiscard]] nlohmann::json json(const std::string& from, const std::string& to) const;

 private:
  struct Point {
    double sum = 0, min = 0, max = 0;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> buckets;
  };
  struct Metric {
    std::string unit;
    const std::vector<double>* bounds = nullptr;  ///< null: a sum
    std::map<std::string, Point> points;          ///< by their attributes as text
  };
  void record(const std::string& name, const std::string& unit, const std::vector<double>* bounds,
              const nlohmann::json& attributes, double value);
  std::map<std::string, Metric> metrics_;
};

}  // namespace hydra::telemetry
