// daemon/api, inside only: one connection, and the state that connections of one listener share.
#pragma once

#include "daemon/api/http.hpp"

#include <boost/asio/generic/stream_protocol.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <set>

namespace hydra::api {

class Connection;

/// Shared by the server and its connections, since a connection may end after the server.
struct Listener {
  Handler handler;
  ServerOptions options;
  std::set<Connection*> open;
  /// Connections that wait for a request or for the rest of one, by the start of the wait: the longest
  /// waiting connection is closed when a new one needs room.
  std::map<std::uint64_t, Connection*> waiting;
  std::uint64_t turns = 0;
};

/// Takes over an accepted socket. The connection lives as long as one of its operations.
void begin_connection(boost::asio::generic::stream_protocol::socket socket,
                      const std::shared_ptr<Listener>& listener);
/// Answers 503 when the connection limit is reached.
void refuse_connection(boost::asio::generic::stream_protocol::socket socket,
                       const std::shared_ptr<Listener>& listener);
/// Closes the connection, whatever it is doing.
void end_connection(Connection& connection);

}  // namespace hydra::api
