// hydrad: what is told of races to programs of the user's own ([telemetry], docs/telemetry.md): each ended
// race to an OTLP receiver, sums to Prometheus. The daemon reads the user's own file for it, never a
// project's.
#pragma once

#include "base/paths.hpp"
#include "daemon/api/metrics.hpp"
#include "daemon/api/routes.hpp"
#include "race/agents/secrets.hpp"
#include "race/service.hpp"
#include "race/work_pool.hpp"

#include <cstddef>
#include <stop_token>
#include <string>

namespace hydra {

class Telemetry {
 public:
  /// `starter`: the environment of whoever started the daemon; its own goes before it.
  /// Listens at [telemetry] metrics_port, where there is one; a port that can't be had is a warning.
  Telemetry(boost::asio::io_context& loop, race::Service& service, Paths paths, std::string version,
            std::map<std::string, std::string> starter);
  ~Telemetry();
  Telemetry(const Telemetry&) = delete;
  Telemetry& operator=(const Telemetry&) = delete;

  /// For GET /v1/health.
  [[nodiscard]] wire::TelemetryFacts facts() const;
  /// What is being sent is let go.
  void stop();

 private:
  void race_ended(const std::string& race);

  boost::asio::io_context& loop_;
  race::Service& service_;
  Paths paths_;
  std::string version_;
  const race::KnownSecrets environment_;
  api::MetricsPort port_;
  wire::TelemetryFacts facts_;
  std::size_t waiting_ = 0;  ///< races that are not sent yet
  std::stop_source stop_;
  std::uint64_t subscription_ = 0;
  race::WorkPool sender_{1};  ///< a receiver that does not answer keeps nobody else waiting; ends first
};

}  // namespace hydra
