#include "client/client.hpp"

#include "base/state_lock.hpp"
#include "base/strings.hpp"
#include "client/http_parser.hpp"
#include "wire/json.hpp"
#include "wire/machine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace hydra::client {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Deadline = SteadyClock::time_point;

constexpr std::size_t kPiece = 64u << 10;
constexpr std::size_t kMostRefusal = 1u << 20;
constexpr int kReads = 4;  // reads of one GET, each from another daemon

enum class Ready { socket, cancel, input, timeout };

// Waits until the socket is ready for `events`, the cancel or input descriptor is readable, or the deadline
// has passed.
Result<Ready> wait_for(int fd, short events, int cancel_fd, Deadline deadline, int input_fd = -1) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
    std::array<pollfd, 3> fds{pollfd{fd, events, 0}, pollfd{cancel_fd, POLLIN, 0},
                              pollfd{input_fd, POLLIN, 0}};
    const int n = ::poll(fds.data(), fds.size(), static_cast<int>(std::clamp<long long>(left, 0, 1 << 30)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("poll", errno);
    if (cancel_fd >= 0 && fds[1].revents != 0) return Ready::cancel;
    // Checked before the socket, which may never be silent.
    if (input_fd >= 0 && fds[2].revents != 0) return Ready::input;
    if (fds[0].revents != 0) return Ready::socket;
    if (left <= 0) return Ready::timeout;
  }
}

Error timed_out() {
  return {
      Errc::timeout, "the daemon did not answer in time", {}, "look at `hydra daemon status` and its log"};
}

// Sends all bytes. A closed peer is no error here: its answer, if any, must still be read.
Result<void> send_all(int fd, std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const auto n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EPIPE || errno == ECONNRESET) return {};
    if (errno != EAGAIN && errno != EWOULDBLOCK) return system_error("cannot write to the daemon", errno);
    HYDRA_TRY(const auto ready, wait_for(fd, POLLOUT, -1, deadline));
    if (ready == Ready::timeout) return timed_out();
  }
  return {};
}

// Returns whether the peer has closed a connection on which no data is expected.
bool has_closed(int fd) {
  pollfd p{fd, POLLIN, 0};
  return ::poll(&p, 1, 0) != 0;
}

// Returns the next bytes; empty: the peer closed.
Result<std::string_view> receive(int fd, std::array<char, kPiece>& buffer) {
  for (;;) {
    const auto n = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (n >= 0) return std::string_view(buffer.data(), static_cast<std::size_t>(n));
    if (errno == EINTR) continue;
    if (errno == ECONNRESET) return std::string_view{};
    return system_error("cannot read from the daemon", errno);
  }
}

Result<std::string> request_text(std::string_view method, std::string_view target, std::string_view body,
                                 std::string_view more_headers, bool last = true) {
  // A blank or line end in a target could inject a header.
  const auto bad = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; };
  if (target.empty() || target.front() != '/' || std::any_of(target.begin(), target.end(), bad))
    return Error{Errc::internal, "not a request target: " + sanitize(target), {}, {}};
  std::string text;
  text.reserve(body.size() + 256);
  text.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: hydra\r\n");
  if (last) text += "Connection: close\r\n";
  text.append(more_headers);
  if (!body.empty() || method != "GET") {
    if (!body.empty()) text += "Content-Type: application/json\r\n";
    text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  }
  return text.append("\r\n").append(body);
}

}  // namespace

Result<Client> Client::connect(const Paths& paths) {
  auto client = connect_socket(paths.socket());
  if (client.ok()) return client;
  // A daemon that was started in another environment has another runtime directory.
  const auto told = StateLock::last_holder(paths).socket;
  if (told.empty() || told == paths.socket()) return client;
  auto other = connect_socket(told);
  return other.ok() ? std::move(other) : std::move(client);
}

Result<Client> Client::connect_socket(const std::filesystem::path& socket) {
  Client client;
  client.socket_ = socket;
  HYDRA_TRY(client.first_, client.open());
  return client;
}

Result<UniqueFd> Client::open() {
  if (first_ && !has_closed(first_.get())) return std::move(first_);
  const auto path = socket_.string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{Errc::environment, "the socket's path is too long", path, "set a shorter XDG_RUNTIME_DIR"};
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return system_error("socket", errno);
  while (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno == EINTR) continue;
    return Error{Errc::environment, std::string("the daemon is not running (") + std::strerror(errno) + ")",
                 path, "start it with `hydra daemon start`"};
  }
  return fd;
}

Result<Response> Client::request(std::string_view method, std::string_view target, std::string_view body) {
  HYDRA_TRY(const auto text, request_text(method, target, body, {}));
  auto answer = ask(text);
  for (int read = 1; read < kReads && !answer && reconnect_ && method == "GET"; ++read) {
    if (!is_lost(answer.error().code) || answer.error().code == Errc::timeout) break;
    auto next = reconnect_();
    if (!next) continue;
    socket_ = std::move(next->socket_);
    first_ = std::move(next->first_);
    answer = ask(text);
  }
  return answer;
}

Result<Response> Client::ask(std::string_view text) {
  HYDRA_TRY(const UniqueFd fd, open());
  return answer_to(text, fd.get());
}

Result<wire::Health> Client::ping() {
  HYDRA_TRY(const auto text, request_text("GET", "/v1/health", {}, {}, false));
  HYDRA_TRY(UniqueFd fd, open());
  HYDRA_TRY(const auto response, answer_to(text, fd.get()));
  if (response.status != 200) return error_of(response);
  const auto after = response.headers.find("connection");
  if (after == response.headers.end() || after->second != "close") first_ = std::move(fd);
  return wire::from_json<wire::Health>(response.body);
}

Result<Response> Client::answer_to(std::string_view text, int fd) const {
  const auto deadline = SteadyClock::now() + timeout_;
  HYDRA_CHECK(send_all(fd, text, deadline));
  HttpParser parser;
  Response response;
  std::array<char, kPiece> buffer;
  while (!parser.done()) {
    HYDRA_TRY(const auto ready, wait_for(fd, POLLIN, -1, deadline));
    if (ready == Ready::timeout) return timed_out();
    HYDRA_TRY(const auto bytes, receive(fd, buffer));
    if (bytes.empty()) {
      HYDRA_CHECK(parser.finish());
      break;
    }
    HYDRA_CHECK(parser.feed(bytes));
    response.body += parser.take_body();
  }
  auto head = parser.head();
  head.body = std::move(response.body);
  return head;
}

Result<std::string> Client::call(std::string_view method, std::string_view target, std::string_view body) {
  HYDRA_TRY(auto response, request(method, target, body));
  if (response.status < 200 || response.status > 299) return error_of(response);
  return std::move(response.body);
}

namespace {

// Processes bytes of an event stream: the body of a 200 answer goes to the event reader.
struct StreamState {
  HttpParser http{false};
  SseParser sse;
  std::string refusal;
  bool stop = false;

  Result<void> take(std::string_view bytes, const std::function<bool(const StreamEvent&)>& callback) {
    HYDRA_CHECK(http.feed(bytes));
    if (!http.header_done()) return {};
    const auto body = http.take_body();
    if (http.head().status != 200) {
      refusal += body;
      return refusal.size() <= kMostRefusal ? Result<void>() : answer_too_long();
    }
    const bool fits = sse.feed(body, [&](const StreamEvent& event) {
      if (!stop) stop = !callback(event);
    });
    if (!fits) return Error{Errc::protocol, "the daemon sent an event without end", {}, {}};
    return {};
  }
};

}  // namespace

Result<StreamEnd> Client::stream_events(std::string_view target, const StreamOptions& options,
                                        const std::function<bool(const StreamEvent&)>& callback) {
  std::string headers = "Accept: text/event-stream\r\n";
  if (!options.last_event_id.empty() && options.last_event_id.find_first_of("\r\n") == std::string::npos)
    headers += "Last-Event-ID: " + options.last_event_id + "\r\n";
  HYDRA_TRY(const auto text,
            request_text(options.post.empty() ? "GET" : "POST", target, options.post, headers));
  const auto answer_by = SteadyClock::now() + timeout_;
  HYDRA_TRY(const UniqueFd fd, open());
  HYDRA_CHECK(send_all(fd.get(), text, answer_by));
  StreamState state;
  std::array<char, kPiece> buffer;
  const bool ticking = options.tick.count() > 0 && options.on_tick != nullptr;
  while (!state.http.done() && !state.stop) {
    const auto now = SteadyClock::now();
    // An open stream may be silent for as long as an agent thinks.
    auto until = state.http.header_done() ? now + std::chrono::hours(1) : answer_by;
    if (ticking) until = std::min(until, now + options.tick);
    HYDRA_TRY(const auto ready, wait_for(fd.get(), POLLIN, options.cancel_fd, until, options.input_fd));
    if (ready == Ready::cancel) return StreamEnd::cancelled;
    if (ready == Ready::input) {
      if (!options.on_input()) return StreamEnd::stopped;
      continue;
    }
    if (ready == Ready::timeout) {
      if (!state.http.header_done() && SteadyClock::now() >= answer_by) return timed_out();
      if (ticking && !options.on_tick()) return StreamEnd::stopped;
      continue;
    }
    HYDRA_TRY(const auto bytes, receive(fd.get(), buffer));
    if (bytes.empty()) break;
    HYDRA_CHECK(state.take(bytes, callback));
  }
  if (state.stop) return StreamEnd::stopped;
  if (state.http.header_done() && state.http.head().status != 200) {
    auto response = state.http.head();
    response.body = std::move(state.refusal);
    return error_of(response);
  }
  return StreamEnd::closed;
}

bool is_lost(Errc code) {
  return code == Errc::environment || code == Errc::protocol || code == Errc::io || code == Errc::timeout;
}

Error error_of(const Response& response) {
  const auto failure = wire::from_json<wire::Failure>(response.body);
  if (failure && !failure->error.code.empty()) {
    const auto& [code, message, where, hint] = failure->error;
    return {errc_from_name(code), message, where, hint};
  }
  return {Errc::protocol,
          "the daemon answered with HTTP status " + std::to_string(response.status),
          {},
          "are `hydra` and `hydrad` of the same version?"};
}

std::string url_encode(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace hydra::client
