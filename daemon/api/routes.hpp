// daemon/api: the routes from requests to verbs of the race service.
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

/// All routes, and the scoreboard's listener that some of them open.
class Api {
 public:
  virtual ~Api() = default;
  /// Returns the handler of every listener (docs/api.md); the Api must outlive it.
  virtual Handler handler() = 0;
  /// Closes the scoreboard's listener.
  virtual void close() = 0;
};

/// Calls `shutdown` when a client asks for it.
std::unique_ptr<Api> make_routes(boost::asio::io_context& loop, race::Service& service, ServerFacts facts,
                                 std::function<void()> shutdown);

/// Gate of the unix socket: refuses requests with marks of a browser, which can arrive when a user has
/// forwarded the socket to a port.
std::optional<Response> socket_gate(Request& request);

/// Views of running races, computed once for all watchers.
class Pictures;
std::shared_ptr<Pictures> make_pictures(race::Service& service);

/// GET /v1/events and GET /v1/races/{race}/events: stored events, live frames, the end. Empty `race`: all
/// races that the query names.
void stream_events(boost::asio::io_context& loop, race::Service& service,
                   const std::shared_ptr<Pictures>& pictures, const std::string& race, const Request& request,
                   const Reply& reply);

/// GET /v1/races/{race}/report: one self-contained page.
void send_report(race::Service& service, const std::string& race, const Request& request, const Reply& reply);

/// Returns versions of a race's agents by id, as far as earlier probes of the same files found them.
std::map<std::string, std::string> known_versions(const race::CreateRequest& create);

/// Parses the filters of GET /v1/leaderboard and /v1/history.
Result<storage::HistoryFilter> history_filter(race::Service& service, const Request& request);

/// Returns docs/openapi.json as of the build.
std::string_view openapi_document();

}  // namespace hydra::api
