// The only file on this side that sees Beast. Plain callbacks: one object a connection, alive while an
// operation is.
#include "base/log.hpp"
#include "base/strings.hpp"
#include "daemon/api/http.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <deque>
#include <fcntl.h>
#include <optional>
#include <sys/socket.h>

namespace hydra::api {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Socket = asio::local::stream_protocol::socket;
using boost::system::error_code;

constexpr std::uint64_t kMaxBody = 16u << 20;  // a task may be long, an environment large
constexpr std::size_t kMaxHeader = 16u << 10;
constexpr std::size_t kMaxBacklog = 1u << 20;
constexpr auto kReadTimeout = std::chrono::seconds(30);
constexpr int kMaxConnections = 256;

bool same_user(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == ::geteuid() || peer.uid == 0);
}

std::string decode(std::string_view text, bool plus_is_blank) {
  std::string out;
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

Request to_request(const http::request<http::string_body>& message) {
  Request request;
  request.method = std::string(message.method_string());
  const std::string target(message.target());
  const auto mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) {
    for (const auto pair : split(std::string_view(target).substr(mark + 1), '&')) {
      const auto equals = pair.find('=');
      const auto value = equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1);
      request.query.emplace_back(decode(pair.substr(0, equals), true), decode(value, true));
    }
  }
  request.body = message.body();
  request.last_event_id = std::string(message["Last-Event-ID"]);
  return request;
}

class Connection;

class Stream final : public EventStream {
 public:
  explicit Stream(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
  void send(std::string frame) override;
  [[nodiscard]] std::size_t backlog() const override;
  void on_drained(std::function<void()> callback) override;
  void close() override;
  void on_closed(std::function<void()> callback) override;

 private:
  std::shared_ptr<Connection> connection_;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Socket socket, const Handler& handler, int& open)
      : socket_(std::move(socket)), handler_(handler), open_(open), timer_(socket_.get_executor()) {
    ++open_;
  }
  ~Connection() { --open_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->body_limit(kMaxBody);
    parser_->header_limit(kMaxHeader);
    arm_timer();
    http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](error_code ec, std::size_t) {
      self->timer_.cancel();
      if (ec) return self->shut();
      self->handle();
    });
  }

  void send_frame(std::string frame) {
    if (closed_) return;
    // One event may be larger than that: it is one thing, and waits for nothing.
    if (backlog_ > kMaxBacklog) return shut();
    backlog_ += frame.size();
    queue_.push_back(std::move(frame));
    if (queue_.size() == 1) write_next();
  }
  [[nodiscard]] std::size_t backlog() const { return backlog_; }
  void on_drained(std::function<void()> callback) { drained_callback_ = std::move(callback); }
  void finish_stream() {
    ending_ = true;
    if (queue_.empty()) shut();
  }
  void on_closed(std::function<void()> callback) {
    if (closed_)
      callback();
    else
      closed_callback_ = std::move(callback);
  }
  void shut() {
    if (closed_) return;
    closed_ = true;
    error_code ignored;
    socket_.shutdown(Socket::shutdown_both, ignored);
    socket_.close(ignored);
    drained_callback_ = {};
    if (auto callback = std::exchange(closed_callback_, {})) callback();
  }

 private:
  void arm_timer() {
    timer_.expires_after(kReadTimeout);
    timer_.async_wait([weak = weak_from_this()](error_code ec) {
      if (ec) return;
      if (const auto self = weak.lock()) self->shut();
    });
  }

  void handle() {
    const auto message = parser_->release();
    keep_alive_ = message.keep_alive();
    responded_ = false;
    const auto self = shared_from_this();
    Reply reply;
    reply.respond = [self](Response response) { self->respond(std::move(response)); };
    reply.gone = [self] { return self->peer_gone(); };
    reply.stream = [self]() -> std::shared_ptr<EventStream> {
      self->start_stream();
      return std::make_shared<Stream>(self);
    };
    // A bug in one route, or a machine without memory or threads, costs that request and no other race.
    try {
      handler_(to_request(message), std::move(reply));
    } catch (const std::exception& e) {
      log::error("{} {}: {}", std::string_view(message.method_string()), std::string_view(message.target()),
                 e.what());
      if (queue_.empty() && !responded_)
        respond(
            error_response({Errc::internal, std::string("the daemon could not do it: ") + e.what(), {}, {}}));
      else
        shut();
    }
  }

  // No operation waits on the socket while an answer is made, so a look must do.
  bool peer_gone() {
    char next = 0;
    return closed_ || ::recv(socket_.native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
  }

  void respond(Response response) {
    if (closed_ || std::exchange(responded_, true)) return;
    auto message =
        std::make_shared<http::response<http::string_body>>(static_cast<http::status>(response.status), 11);
    message->set(http::field::content_type, response.content_type);
    message->set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : response.headers) message->set(name, value);
    message->body() = std::move(response.body);
    message->keep_alive(keep_alive_);
    message->prepare_payload();
    http::async_write(socket_, *message, [self = shared_from_this(), message](error_code ec, std::size_t) {
      if (ec || !message->keep_alive()) return self->shut();
      self->read();
    });
  }

  void start_stream() {
    send_frame(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: "
        "close\r\n\r\n");
    watch_peer();
  }

  // A reader sends nothing more: a completed read means that it went away.
  void watch_peer() {
    socket_.async_read_some(asio::buffer(scrap_), [self = shared_from_this()](error_code ec, std::size_t) {
      if (ec) return self->shut();
      self->watch_peer();
    });
  }

  void write_next() {
    asio::async_write(socket_, asio::buffer(queue_.front()),
                      [self = shared_from_this()](error_code ec, std::size_t) {
                        if (ec) return self->shut();
                        if (self->closed_) return;
                        self->backlog_ -= self->queue_.front().size();
                        self->queue_.pop_front();
                        if (!self->queue_.empty()) return self->write_next();
                        if (self->ending_) return self->shut();
                        if (const auto callback = self->drained_callback_) callback();
                      });
  }

  Socket socket_;
  const Handler& handler_;
  int& open_;
  asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  bool keep_alive_ = false, closed_ = false, ending_ = false, responded_ = false;
  std::deque<std::string> queue_;
  std::size_t backlog_ = 0;
  std::array<char, 256> scrap_{};
  std::function<void()> closed_callback_, drained_callback_;
};

void Stream::send(std::string frame) { connection_->send_frame(std::move(frame)); }
std::size_t Stream::backlog() const { return connection_->backlog(); }
void Stream::on_drained(std::function<void()> callback) { connection_->on_drained(std::move(callback)); }
void Stream::close() { connection_->finish_stream(); }
void Stream::on_closed(std::function<void()> callback) { connection_->on_closed(std::move(callback)); }

class Server final : public HttpServer {
 public:
  Server(asio::io_context& loop, int listener, Handler handler)
      : handler_(std::move(handler)), acceptor_(loop, asio::local::stream_protocol(), listener) {
    accept();
  }
  void stop() override {
    error_code ignored;
    acceptor_.close(ignored);
  }
  void listen_on(int listener) override {
    stop();
    error_code ec;
    acceptor_.assign(asio::local::stream_protocol(), listener, ec);
    if (ec) return log::error("cannot listen again: {}", ec.message());
    accept();
  }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code ec, Socket socket) {
      if (ec == asio::error::operation_aborted || !acceptor_.is_open()) return;
      if (!ec) {
        ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
        if (same_user(socket.native_handle()) && open_ < kMaxConnections)
          std::make_shared<Connection>(std::move(socket), handler_, open_)->read();
      } else {
        log::warn("accept: {}", ec.message());
      }
      accept();
    });
  }

  Handler handler_;
  int open_ = 0;
  asio::local::stream_protocol::acceptor acceptor_;
};

}  // namespace

std::string Request::param(std::string_view name) const {
  for (const auto& [key, value] : query)
    if (key == name) return value;
  return {};
}

std::unique_ptr<HttpServer> serve(asio::io_context& loop, int listener, Handler handler) {
  return std::make_unique<Server>(loop, listener, std::move(handler));
}

Response error_response(const Error& error) {
  Response response;
  switch (error.code) {
    case Errc::usage:
    case Errc::config:
      response.status = 400;
      break;
    case Errc::not_found:
      response.status = 404;
      break;
    case Errc::conflict:
    case Errc::refused:
      response.status = 409;
      break;
    case Errc::unsupported:
      response.status = 501;
      break;
    case Errc::environment:
      response.status = 503;
      break;
    case Errc::timeout:
      response.status = 504;
      break;
    case Errc::git:
    case Errc::io:
    case Errc::protocol:
    case Errc::internal:
      response.status = 500;
      break;
  }
  const nlohmann::json j{{"error",
                          {{"code", errc_name(error.code)},
                           {"message", error.message},
                           {"where", error.where},
                           {"hint", error.hint}}}};
  response.body = j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return response;
}

}  // namespace hydra::api
