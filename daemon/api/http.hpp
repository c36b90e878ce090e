// daemon/api: HTTP/1.1 on a unix socket. This header is all that the routes see of it; Beast stays in
// http_server.cpp.
#pragma once

#include "base/result.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace hydra::api {

struct Request {
  std::string method;
  std::string path;  ///< without the query, percent-decoded by segment
  std::vector<std::pair<std::string, std::string>> query;
  std::string body;
  std::string last_event_id;
  [[nodiscard]] std::string param(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
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

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  /// No new connections; those that are open end with their current answer.
  virtual void stop() = 0;
  /// From now on new connections come from `listener`, as for serve(); those that are open go on.
  virtual void listen_on(int listener) = 0;
};

/// Listens on `listener`, an already bound and listening unix socket. Peers of another user are refused.
std::unique_ptr<HttpServer> serve(boost::asio::io_context& loop, int listener, Handler handler);

/// The error object of docs/api.md with its status.
Response error_response(const Error& error);

}  // namespace hydra::api
