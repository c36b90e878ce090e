// client: HTTP/1.1 over the daemon's unix socket, for `hydra` and tests. Blocking, with deadlines; one call
// at a time. docs/api.md is the contract. This header shows no Beast type.
#pragma once

#include "base/fd.hpp"
#include "base/paths.hpp"
#include "base/result.hpp"
#include "client/sse.hpp"
#include "wire/machine.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace hydra::client {

struct Response {
  int status = 0;
  std::string body;
  std::map<std::string, std::string> headers;  ///< names in lower case
};

/// Reason of a stream's end.
enum class StreamEnd {
  closed,     ///< the server closed the stream, or the connection broke
  cancelled,  ///< the cancel descriptor became readable
  stopped,    ///< the callback returned false
};

struct StreamOptions {
  std::string last_event_id;          ///< value of Last-Event-ID; empty: not sent
  std::string post{};                 ///< body of a POST; empty: a GET
  int cancel_fd = -1;                 ///< cancels the stream when readable; never read; -1: none
  std::chrono::milliseconds tick{0};  ///< interval of on_tick while no event arrives; 0: never
  std::function<bool()> on_tick;      ///< false: stops the stream
  int input_fd = -1;                  ///< calls on_input when readable; on_input reads it; -1: none
  std::function<bool()> on_input{};   ///< false: stops the stream
};

class Client {
 public:
  /// Connects to the daemon of these paths, even if its runtime directory is another one. `environment`: no
  /// daemon answers.
  static Result<Client> connect(const Paths& paths);
  static Result<Client> connect_socket(const std::filesystem::path& socket);

  /// Deadline of a whole request with its answer. Default 60 s.
  void set_timeout(std::chrono::milliseconds timeout) { timeout_ = timeout; }

  /// If the daemon ends before it has answered a GET, which changes nothing, request() repeats the GET on a
  /// connection from `reconnect`, a few times. Without `reconnect`, and for other methods: an error.
  void set_reconnect(std::function<Result<Client>()> reconnect) { reconnect_ = std::move(reconnect); }

  /// Asks who answers; the next request uses this connection.
  Result<wire::Health> ping();
  /// Any answer, also an error status, is a Response. `target` is a path with query, already percent-encoded.
  Result<Response> request(std::string_view method, std::string_view target, std::string_view body = {});
  /// Returns the body of a 2xx answer; any other answer is the Error in its body.
  Result<std::string> call(std::string_view method, std::string_view target, std::string_view body = {});

  /// Reads a server-sent event stream. `callback` returns false to stop. An answer other than 200 is the
  /// Error in its body.
  Result<StreamEnd> stream_events(std::string_view target, const StreamOptions& options,
                                  const std::function<bool(const StreamEvent&)>& callback);

 private:
  Result<UniqueFd> open();
  Result<Response> ask(std::string_view text);
  [[nodiscard]] Result<Response> answer_to(std::string_view text, int fd) const;

  std::filesystem::path socket_;
  std::function<Result<Client>()> reconnect_;
  UniqueFd first_;  ///< connection of connect() or ping(); later requests open new ones
  std::chrono::milliseconds timeout_{60000};
};

/// Returns whether an error means a broken connection, which says nothing about the request's outcome.
bool is_lost(Errc code);

/// The Error of an answer other than 2xx: the API's error object, or a plain Error for anything else.
Error error_of(const Response& response);

/// Percent-encoding of one path segment or query value.
std::string url_encode(std::string_view text);

}  // namespace hydra::client
