// daemon/api: which request is answered by which verb of the race service.
#pragma once

#include "daemon/api/http.hpp"
#include "race/service.hpp"
#include "wire/machine.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace hydra::api {

struct ServerFacts {
  std::string version;
  std::string state_dir, database;
};

class Ui;

/// All routes, and the scoreboard's listener that they can open.
class Api {
 public:
  virtual ~Api() = default;
  /// The handler of every listener (docs/api.md); must not outlive this.
  virtual Handler handler() = 0;
  /// Closes the scoreboard's listener.
  virtual void close() = 0;
};

/// `shutdown` is called when a client asks for it.
std::unique_ptr<Api> make_routes(boost::asio::io_context& loop, race::Service& service, ServerFacts facts,
                                 std::function<void()> shutdown);

/// The gate of the unix socket, which is no web server: requests with marks of a browser are refused, as they
/// come where somebody has forwarded it to a port.
std::optional<Response> socket_gate(Request& request);

/// Pictures of running races, made once for all that watch.
class Pictures;
std::shared_ptr<Pictures> make_pictures(race::Service& service);

/// GET /v1/events and GET /v1/races/{race}/events: stored events, live frames, the end. `race` empty: of all
/// that the query names.
void stream_events(boost::asio::io_context& loop, race::Service& service,
                   const std::shared_ptr<Pictures>& pictures, const std::string& race, const Request& request,
                   const Reply& reply);

/// GET /v1/races/{race}/report: one self-contained page.
void send_report(race::Service& service, const std::string& race, const Request& request, const Reply& reply);

/// Versions of the agents of a race, by id, as far as earlier probes of the same files found them.
std::map<std::string, std::string> known_versions(const race::CreateRequest& create);

/// The filters of GET /v1/leaderboard and /v1/history.
Result<storage::HistoryFilter> history_filter(race::Service& service, const Request& request);

/// docs/openapi.json, as it was built in.
std::string_view openapi_document();

}  // namespace hydra::api
