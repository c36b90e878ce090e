// daemon/api, inside only: one connection, and what those of one listener share.
#pragma once

#include "daemon/api/http.hpp"

#include <boost/asio/generic/stream_protocol.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <set>

namespace hydra::api {

class Connection;

/// Outlives the server: a connection may end after it.
struct Listener {
  Handler handler;
  ServerOptions options;
  std::set<Connection*> open;
  /// Those that wait for a request, or for the rest of one, by when they began to: whoever has waited longest
  /// makes room for others.
  std::map<std::uint64_t, Connection*> waiting;
  std::uint64_t turns = 0;
};

/// Takes over an accepted socket; it lives as long as an operation does.
void begin_connection(boost::asio::generic::stream_protocol::socket socket,
                      const std::shared_ptr<Listener>& listener);
/// The same for one that nobody has room for: it is told so.
void refuse_connection(boost::asio::generic::stream_protocol::socket socket,
                       const std::shared_ptr<Listener>& listener);
/// Ends it, whatever it does.
void end_connection(Connection& connection);

}  // namespace hydra::api
