// client: HTTP/1.1 over the daemon's unix socket, for `hydra` and tests. Blocking, with deadlines; one call
// at a time. docs/api.md is the contract. No Beast type shows here.
#pragma once

#include "base/fd.hpp"
#include "base/paths.hpp"
#include "base/result.hpp"
#include "client/sse.hpp"

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

/// How a stream of events came to its end.
enum class StreamEnd {
  closed,     ///< the server closed it, or the connection broke
  cancelled,  ///< the cancel descriptor became readable
  stopped,    ///< the callback asked for it
};

struct StreamOptions {
  std::string last_event_id;          ///< sent as Last-Event-ID where not empty
  int cancel_fd = -1;                 ///< becomes readable: give up; not read from
  std::chrono::milliseconds tick{0};  ///< on_tick is called about this often while nothing comes; 0: never
  std::function<void()> on_tick;
  int input_fd = -1;                 ///< becomes readable: on_input is called, and reads it
  std::function<bool()> on_input{};  ///< false: stop
};

class Client {
 public:
  /// A connection to the daemon of these paths, also where its runtime directory is another one.
  /// `environment` when nobody answers there.
  static Result<Client> connect(const Paths& paths);
  static Result<Client> connect_socket(const std::filesystem::path& socket);

  /// Time for one whole request and answer. Default 60 s.
  void set_timeout(std::chrono::milliseconds timeout) { timeout_ = timeout; }

  /// Where the daemon ends before it has answered a GET, which changes nothing, request() asks this one for
  /// another connection and repeats it, a few times. Without it, and for other methods, that is an error.
  void set_reconnect(std::function<Result<Client>()> reconnect) { reconnect_ = std::move(reconnect); }

  /// Whether somebody answers; the next request goes over the same connection.
  Result<void> ping();
  /// Any answer, also an error status, is a Response. `target` is a path with query, already percent-encoded.
  Result<Response> request(std::string_view method, std::string_view target, std::string_view body = {});
  /// The body of an answer of 2xx; any other answer as the Error that it carries.
  Result<std::string> call(std::string_view method, std::string_view target, std::string_view body = {});

  /// GET of a server-sent event stream. `callback` false: stop. An answer other than 200 is the Error that it
  /// carries.
  Result<StreamEnd> stream_events(std::string_view target, const StreamOptions& options,
                                  const std::function<bool(const StreamEvent&)>& callback);

 private:
  Result<UniqueFd> open();
  Result<Response> ask(std::string_view text);
  [[nodiscard]] Result<Response> answer_to(std::string_view text, int fd) const;

  std::filesystem::path socket_;
  std::function<Result<Client>()> reconnect_;
  UniqueFd first_;  ///< the connection of connect() or ping(); later requests make their own
  std::chrono::milliseconds timeout_{60000};
};

/// Whether an error of a request says that the connection broke, and so nothing of what was asked.
bool is_lost(Errc code);

/// The Error in an answer that isn't 2xx: the API's error object, or a plain one for anything else.
Error error_of(const Response& response);

/// Percent-encoding of one path segment or query value.
std::string url_encode(std::string_view text);

}  // namespace hydra::client
