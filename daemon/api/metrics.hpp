// daemon/api: GET /metrics for Prometheus (docs/telemetry.md): on the unix socket, and on a port of 127.0.0.1
// that the user's own file names. Any user of this machine may read that one, so it has sums and names of
// agents, and no word about any single race.
#pragma once

#include "daemon/api/http.hpp"
#include "race/service.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace hydra::api {

struct MetricsSource {
  std::filesystem::path database;
  std::string version;  ///< of Hydra
};

/// On the unix socket, where the filters of GET /v1/history say which races count.
void send_metrics(race::Service& service, const MetricsSource& source, const Request& request,
                  const Reply& reply);

class MetricsPort {
 public:
  MetricsPort(boost::asio::io_context& loop, race::Service& service, MetricsSource source);
  Result<void> open(int port);
  void close();
  [[nodiscard]] int port() const { return port_; }  ///< 0: nobody listens

 private:
  void answer(const Request& request, const Reply& reply);

  boost::asio::io_context& loop_;
  race::Service& service_;
  MetricsSource source_;
  std::unique_ptr<HttpServer> server_;
  int port_ = 0;
  std::string text_;  ///< of the last answer
  std::chrono::steady_clock::time_point made_{};
};

}  // namespace hydra::api
