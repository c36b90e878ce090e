// daemon/api: HTTP/1.1 on a unix socket, and on the scoreboard's loopback listener. This header is all that
// the routes see of it; Beast stays in connection.cpp.
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
  std::string method;                 ///< HEAD is a GET whose answer has no body
  std::string path;                   ///< without the query, as it was sent
  std::vector<std::string> segments;  ///< of the path, percent-decoded; "/v1/health" has two
  std::vector<std::pair<std::string, std::string>> query;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string body;
  /// Of the browser session that asks; empty on the unix socket, and where nobody has signed in.
  std::string session;
  bool door = false;  ///< came through the loopback listener
  [[nodiscard]] const std::string& param(std::string_view name) const;
  /// The first of that name, which is in lower case; empty where there is none.
  [[nodiscard]] const std::string& header(std::string_view name) const;
  [[nodiscard]] std::size_t count(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  /// `Cache-Control` is no-store unless it is among them. One with an `ETag` that the peer has is a 304.
  std::vector<std::pair<std::string, std::string>> headers;
};

/// A server-sent event stream that the peer reads at its own pace. Whoever sends looks at the backlog and
/// goes on when it is gone, so that nobody's memory grows; one that does not is closed once more than 1 MiB
/// waits and another frame comes.
class EventStream {
 public:
  virtual ~EventStream() = default;
  virtual void send(std::string frame) = 0;
  /// Bytes that the peer has not taken yet.
  [[nodiscard]] virtual std::size_t backlog() const = 0;
  /// Called each time that the last of them is taken; never from within send().
  virtual void on_drained(std::function<void()> callback) = 0;
  virtual void close() = 0;
  virtual void on_closed(std::function<void()> callback) = 0;
};

/// Exactly one of the first two is called, once, from the loop's thread.
struct Reply {
  std::function<void(Response)> respond;
  std::function<std::shared_ptr<EventStream>()> stream;
  std::function<bool()> gone;  ///< whether the peer has closed its end: nobody waits for the answer
};
using Handler = std::function<void(const Request&, Reply)>;

/// What one listener lets in.
struct ServerOptions {
  std::size_t header_bytes = 16u << 10;
  std::uint64_t body_bytes = 16u << 20;  ///< a task may be long, an environment large
  std::chrono::seconds patience{30};     ///< for one request, from the end of the answer before it
  int connections = 256;  ///< one more ends the connection that has waited longest for a request
  bool same_user = true;  ///< the peer of a unix socket must be this user, or root
  /// Before any route: the answer that refuses the request, or nothing. May set `session`.
  std::function<std::optional<Response>(Request&)> gate;
  /// On every answer, also on those that no route gave.
  std::vector<std::pair<std::string, std::string>> headers;
};

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  /// No new connections; those that are open end with their current answer.
  virtual void stop() = 0;
  /// stop(), and ends all that are open, streams too.
  virtual void close() = 0;
  /// From now on new connections come from `listener`, as for serve(); those that are open go on.
  virtual void listen_on(int listener) = 0;
};

/// Listens on `listener`, an already bound and listening socket that does not block.
std::unique_ptr<HttpServer> serve(boost::asio::io_context& loop, int listener, Handler handler,
                                  ServerOptions options);

/// A listener for serve() that this machine alone can reach: never any other address than 127.0.0.1. `port`
/// 0: a free one, which it is then. `hint`: what helps where another program has the port.
Result<UniqueFd> bind_loopback(int& port, const std::string& hint);

Response json_response(std::string body, int status = 200);
/// The error object of docs/api.md with its status.
Response error_response(const Error& error);
/// The same with a status that no code of Errc stands for: 405, 413, …
Response refusal(int status, std::string_view code, std::string message, std::string hint = {});

}  // namespace hydra::api
