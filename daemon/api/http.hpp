// daemon/api: HTTP/1.1 on a unix socket and on the scoreboard's loopback listener. Routes see only this
// header; Beast stays in connection.cpp.
#pragma once

#include "base/fd.hpp"
#include "base/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace hydra::api {

struct Request {
  std::string method;                 ///< HEAD is treated as a GET whose answer has no body
  std::string path;                   ///< path as sent, without the query
  std::vector<std::string> segments;  ///< of the path, percent-decoded; "/v1/health" has two
  std::vector<std::pair<std::string, std::string>> query;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string body;
  /// Id of the browser's session; empty: the unix socket, or no sign-in.
  std::string session;
  bool door = false;  ///< the request came through the loopback listener
  [[nodiscard]] const std::string& param(std::string_view name) const;
  /// Returns the first header with this lower-case name; empty: none.
  [[nodiscard]] const std::string& header(std::string_view name) const;
  [[nodiscard]] std::size_t count(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  /// `Cache-Control` defaults to no-store. If the peer already has the `ETag`, the answer is 304.
  std::vector<std::pair<std::string, std::string>> headers;
};

/// A server-sent event stream. A sender must check backlog() and continue in on_drained(), so that memory
/// stays bounded; a frame sent while more than 1 MiB waits closes the stream.
class EventStream {
 public:
  virtual ~EventStream() = default;
  virtual void send(std::string frame) = 0;
  /// Returns the number of bytes that the peer has not taken yet.
  [[nodiscard]] virtual std::size_t backlog() const = 0;
  /// Calls `callback` whenever the backlog becomes empty, never from within send().
  virtual void on_drained(std::function<void()> callback) = 0;
  virtual void close() = 0;
  virtual void on_closed(std::function<void()> callback) = 0;
};

/// Either `respond` or `stream` must be called, exactly once, from the loop's thread.
struct Reply {
  std::function<void(Response)> respond;
  std::function<std::shared_ptr<EventStream>()> stream;
  std::function<bool()> gone;  ///< returns whether the peer has closed its end and waits for no answer
};
using Handler = std::function<void(const Request&, Reply)>;

/// Limits and rules of one listener.
struct ServerOptions {
  std::size_t header_bytes = 16u << 10;
  std::uint64_t body_bytes = 16u << 20;  ///< sized for long tasks and large environments
  std::chrono::seconds patience{30};     ///< limit for one request, from the end of the previous answer
  int connections = 256;  ///< limit; one more closes the connection that has waited longest for a request
  bool same_user = true;  ///< the peer of a unix socket must be this user, or root
  /// Runs before any route: returns the answer that refuses the request, or nullopt. May set `session`.
  std::function<std::optional<Response>(Request&)> gate;
  /// Added to every answer, also to those without a route.
  std::vector<std::pair<std::string, std::string>> headers;
};

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  /// Accepts no new connections; open ones end after their current answer.
  virtual void stop() = 0;
  /// Calls stop(), and closes all open connections, streams too.
  virtual void close() = 0;
  /// Accepts new connections from `listener`, as serve(); open ones are unaffected.
  virtual void listen_on(int listener) = 0;
};

/// Serves `listener`, a bound, listening, non-blocking socket.
std::unique_ptr<HttpServer> serve(boost::asio::io_context& loop, int listener, Handler handler,
                                  ServerOptions options);

/// Returns a listener for serve() that only this machine can reach: the address is always 127.0.0.1. `port`
/// 0: a free port, which is stored in `port`. `hint`: advice for a port in use.
Result<UniqueFd> bind_loopback(int& port, const std::string& hint);

Response json_response(std::string body, int status = 200);
/// Returns the error object of docs/api.md with the error's status.
Response error_response(const Error& error);
/// Returns the error object with a status that no Errc has: 405, 413, …
Response refusal(int status, std::string_view code, std::string message, std::string hint = {});

}  // namespace hydra::api
