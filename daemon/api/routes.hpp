// daemon/api: which request is answered by which verb of the race service.
#pragma once

#include "daemon/api/http.hpp"
#include "race/service.hpp"

#include <functional>
#include <map>
#include <string>

namespace hydra::api {

struct ServerFacts {
  std::string version;
  std::string state_dir;
};

/// The handler of all routes (docs/api.md). `shutdown` is called when a client asks for it.
Handler make_routes(boost::asio::io_context& loop, race::Service& service, ServerFacts facts,
                    std::function<void()> shutdown);

/// GET /v1/races/{id}/events: stored events, live frames, the end.
void stream_events(boost::asio::io_context& loop, race::Service& service, const std::string& race,
                   const Request& request, const Reply& reply);

/// Versions of the agents of a race, by id, as far as earlier probes of the same files found them.
std::map<std::string, std::string> known_versions(const race::CreateRequest& create);

/// GET /v1/leaderboard, GET /v1/history, POST /v1/history/rebuild, POST /v1/history/forget. False: `what` is
/// none of these.
bool answer_league(race::Service& service, const std::string& what, const Request& request,
                   const Reply& reply);

/// POST /v1/agents and POST /v1/doctor: what is installed, signed in, and possible here.
void probe_agents(race::Service& service, const Request& request, const Reply& reply);
void doctor(race::Service& service, const Request& request, const std::string& state_dir, const Reply& reply);

}  // namespace hydra::api
