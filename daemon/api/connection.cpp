// Only this file includes Beast here. Plain callbacks: one object per connection, alive while one of its
// operations is. Bytes are checked before Beast parses them, since Beast accepts more than is safe.
#include "daemon/api/connection.hpp"

#include "base/log.hpp"
#include "base/strings.hpp"
#include "daemon/api/packed.hpp"
#include "daemon/api/request_text.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http.hpp>

#include <array>
#include <deque>
#include <optional>
#include <sys/socket.h>

namespace hydra::api {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Socket = asio::generic::stream_protocol::socket;
using boost::system::error_code;

namespace {

constexpr std::size_t kMaxBacklog = 1u << 20;
constexpr std::size_t kPiece = 16u << 10;
// A refused peer's remaining input is read for a while: closing with unread input would make the kernel drop
// the answer.
constexpr auto kLinger = std::chrono::seconds(2);
constexpr std::size_t kLingerBytes = 32u << 20;

bool has_tag(const Request& request, const std::string& etag) {
  for (const auto tag : split(request.header("if-none-match"), ','))
    if (trim(tag) == etag || trim(tag) == "*") return true;
  return false;
}

// Only texts large enough to be worth it are compressed, and none so large that it delays the loop.
constexpr std::size_t kLeastPacked = 1400, kMostPacked = 1u << 20;

bool packable(const http::response<http::string_body>& message) {
  const std::string_view type(message[http::field::content_type].data(),
                              message[http::field::content_type].size());
  return message.result_int() == 200 && message[http::field::content_encoding].empty() &&
         (type.starts_with("application/json") || type.starts_with("text/plain")) &&
         message.body().size() >= kLeastPacked && message.body().size() <= kMostPacked;
}

}  // namespace

class Connection final : public EventStream, public std::enable_shared_from_this<Connection> {
 public:
  Connection(Socket socket, std::shared_ptr<Listener> listener)
      : socket_(std::move(socket)), listener_(std::move(listener)), timer_(socket_.get_executor()) {
    listener_->open.insert(this);
  }
  ~Connection() override {
    wait_no_more();
    listener_->open.erase(this);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void begin() {
    parser_.emplace();
    parser_->eager(true);
    parser_->body_limit(listener_->options.body_bytes);
    parser_->header_limit(static_cast<std::uint32_t>(listener_->options.header_bytes));
    header_seen_ = false;
    asked_ = Request{};
    turn_ = ++listener_->turns;
    listener_->waiting[turn_] = this;
    arm_timer();
    take();
  }

  void refuse(int status, std::string_view code, std::string message) {
    wait_no_more();
    timer_.cancel();
    keep_alive_ = false;
    responded_ = false;
    respond(refusal(status, code, std::move(message)));
  }

  void send(std::string frame) override {
    if (closed_) return;
    // A single frame may exceed the limit: only a backlog from before counts.
    if (backlog_ > kMaxBacklog) return shut();
    backlog_ += frame.size();
    queue_.push_back(std::move(frame));
    if (queue_.size() == 1) write_next();
  }
  [[nodiscard]] std::size_t backlog() const override { return backlog_; }
  void on_drained(std::function<void()> callback) override { drained_callback_ = std::move(callback); }
  void close() override {
    ending_ = true;
    if (queue_.empty()) shut();
  }
  void on_closed(std::function<void()> callback) override {
    if (closed_)
      callback();
    else
      closed_callback_ = std::move(callback);
  }
  void shut() {
    if (closed_) return;
    closed_ = true;
    wait_no_more();
    timer_.cancel();
    error_code ignored;
    socket_.shutdown(Socket::shutdown_both, ignored);
    socket_.close(ignored);
    drained_callback_ = {};
    if (auto callback = std::exchange(closed_callback_, {})) callback();
  }

 private:
  void wait_no_more() {
    if (turn_ != 0) listener_->waiting.erase(turn_);
    turn_ = 0;
  }

  void arm_timer() {
    timer_.expires_after(listener_->options.patience);
    timer_.async_wait([weak = weak_from_this()](error_code ec) {
      const auto self = weak.lock();
      if (ec || !self || self->closed_ || self->turn_ == 0) return;
      if (self->raw_.empty() && !self->header_seen_) return self->shut();  // no request was begun
      self->refuse(408, "timeout", "the rest of the request did not come in time");
    });
  }

  // Parses the received bytes as far as possible, or reads more.
  void take() {
    if (!header_seen_) {
      const auto end = raw_.find("\r\n\r\n");
      if (const auto bad =
              bad_header(std::string_view(raw_).substr(0, end == std::string::npos ? end : end + 2));
          !bad.empty())
        return refuse(400, "usage", bad);
      if (std::min(end, raw_.size()) > listener_->options.header_bytes)
        return refuse(431, "usage", "the header is too large");
      if (end == std::string::npos) return read_more();
      header_seen_ = true;
    }
    while (!raw_.empty() && !parser_->is_done()) {
      error_code ec;
      const auto used = parser_->put(asio::buffer(raw_), ec);
      raw_.erase(0, used);
      if (ec == http::error::need_more) break;
      if (ec == http::error::body_limit) return refuse(413, "usage", "the body is too large");
      if (ec == http::error::header_limit) return refuse(431, "usage", "the header is too large");
      if (ec) return refuse(400, "usage", "no HTTP request: " + ec.message());
      if (used == 0) break;
    }
    if (!parser_->is_done()) return read_more();
    wait_no_more();
    timer_.cancel();
    handle();
  }

  void read_more() {
    socket_.async_read_some(asio::buffer(piece_), [self = shared_from_this()](error_code ec, std::size_t n) {
      if (self->closed_ || self->turn_ == 0) return;
      if (ec) {
        if (ec == asio::error::eof && (!self->raw_.empty() || self->header_seen_))
          return self->refuse(400, "usage", "the request ended in its middle");
        return self->shut();
      }
      self->raw_.append(self->piece_.data(), n);
      self->take();
    });
  }

  void handle() {
    const auto message = parser_->release();
    keep_alive_ = message.keep_alive();
    responded_ = false;
    auto target = read_target({message.target().data(), message.target().size()});
    if (!target) return refuse(400, "usage", "no path of this API");
    asked_ = std::move(*target);
    asked_.method = std::string(message.method_string());
    for (const auto& field : message)
      asked_.headers.emplace_back(to_lower({field.name_string().data(), field.name_string().size()}),
                                  std::string(field.value()));
    asked_.body = message.body();
    head_ = asked_.method == "HEAD";
    if (head_) asked_.method = "GET";
    if (listener_->options.gate)
      if (auto refused = listener_->options.gate(asked_)) return respond(std::move(*refused));
    run();
  }

  void run() {
    const auto self = shared_from_this();
    Reply reply;
    reply.respond = [self](Response response) { self->respond(std::move(response)); };
    reply.gone = [self] { return self->peer_gone(); };
    reply.stream = [self]() -> std::shared_ptr<EventStream> {
      self->start_stream();
      return self;
    };
    // An exception in a route, from a bug or a lack of memory or threads, ends this request only.
    try {
      listener_->handler(asked_, std::move(reply));
    } catch (const std::exception& e) {
      log::error("{} {}: {}", asked_.method, sanitize(asked_.path), e.what());
      if (queue_.empty() && !responded_)
        respond(error_response({Errc::internal, "the daemon could not do it; its log says more", {}, {}}));
      else
        shut();
    }
  }

  // No operation waits on the socket while an answer is computed, so peek at the socket.
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
    for (const auto& [name, value] : listener_->options.headers) message->set(name, value);
    for (const auto& [name, value] : response.headers) message->set(name, value);
    const std::string etag((*message)[http::field::etag]);
    if (response.status == 200 && !etag.empty() && has_tag(asked_, etag)) {
      message->result(http::status::not_modified);
      message->erase(http::field::content_type);
      response.body.clear();
    }
    message->body() = std::move(response.body);
    if (packable(*message)) {
      message->set(http::field::vary, "Accept-Encoding");
      if (takes_gzip(asked_.header("accept-encoding"))) {
        message->set(http::field::content_encoding, "gzip");
        message->body() = gzipped(message->body());
      }
    }
    message->keep_alive(keep_alive_);
    message->prepare_payload();
    if (std::exchange(head_, false)) message->body().clear();
    http::async_write(socket_, *message, [self = shared_from_this(), message](error_code ec, std::size_t) {
      if (ec) return self->shut();
      if (!message->keep_alive()) return self->linger();
      self->begin();
    });
  }

  // The peer sees the end of the answer, and may still be sending.
  void linger() {
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    timer_.expires_after(kLinger);
    timer_.async_wait([weak = weak_from_this()](error_code ec) {
      if (const auto self = weak.lock(); self && !ec) self->shut();
    });
    drop_input(0);
  }

  void drop_input(std::size_t dropped) {
    socket_.async_read_some(asio::buffer(piece_),
                            [self = shared_from_this(), dropped](error_code ec, std::size_t n) {
                              if (ec || dropped + n > kLingerBytes) return self->shut();
                              self->drop_input(dropped + n);
                            });
  }

  void start_stream() {
    responded_ = true;
    std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n";
    for (const auto& [name, value] : listener_->options.headers) head += name + ": " + value + "\r\n";
    send(head + "Connection: close\r\n\r\n");
    watch_peer();
  }

  // A reader of a stream sends nothing more: a failed read means that the peer has gone.
  void watch_peer() {
    socket_.async_read_some(asio::buffer(piece_), [self = shared_from_this()](error_code ec, std::size_t) {
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
  std::shared_ptr<Listener> listener_;
  asio::steady_timer timer_;
  std::string raw_;  ///< received bytes that are not parsed yet
  std::optional<http::request_parser<http::string_body>> parser_;
  Request asked_;
  std::uint64_t turn_ = 0;  ///< position among waiting connections; 0: not waiting
  bool header_seen_ = false, head_ = false;
  bool keep_alive_ = false, closed_ = false, ending_ = false, responded_ = false;
  std::deque<std::string> queue_;
  std::size_t backlog_ = 0;
  std::array<char, kPiece> piece_{};
  std::function<void()> closed_callback_, drained_callback_;
};

void begin_connection(Socket socket, const std::shared_ptr<Listener>& listener) {
  std::make_shared<Connection>(std::move(socket), listener)->begin();
}

void refuse_connection(Socket socket, const std::shared_ptr<Listener>& listener) {
  std::make_shared<Connection>(std::move(socket), listener)
      ->refuse(503, "environment", "the daemon has too many connections");
}

void end_connection(Connection& connection) {
  const auto kept = connection.shared_from_this();
  kept->shut();
}

}  // namespace hydra::api
