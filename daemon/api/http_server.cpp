// Accepts connections, makes room for new ones, refuses others.
#include "base/log.hpp"
#include "daemon/api/connection.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hydra::api {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto kNoDescriptors = std::chrono::milliseconds(100);  // delay until a descriptor may be free

bool same_user(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == ::geteuid() || peer.uid == 0);
}

int family_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? address.ss_family : AF_UNIX;
}

class Server final : public HttpServer {
 public:
  Server(asio::io_context& loop, int listener, Handler handler, ServerOptions options)
      : loop_(loop), listener_(std::make_shared<Listener>()), descriptor_(loop, listener), pause_(loop) {
    listener_->handler = std::move(handler);
    listener_->options = std::move(options);
    wait();
  }
  void stop() override {
    error_code ignored;
    pause_.cancel();
    descriptor_.close(ignored);
  }
  void close() override {
    stop();
    while (!listener_->open.empty()) {
      auto& first = **listener_->open.begin();
      listener_->open.erase(&first);
      end_connection(first);
    }
  }
  void listen_on(int listener) override {
    stop();
    error_code ec;
    descriptor_.assign(listener, ec);
    if (ec) return log::error("cannot listen again: {}", ec.message());
    wait();
  }

 private:
  void wait() {
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code ec) {
      if (ec || !descriptor_.is_open()) return;
      if (accept()) return wait();
      pause_.expires_after(kNoDescriptors);
      pause_.async_wait([this](error_code cancelled) {
        if (!cancelled && descriptor_.is_open()) wait();
      });
    });
  }

  // Accepts all pending connections; false: out of descriptors.
  bool accept() {
    for (;;) {
      const int fd = ::accept4(descriptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (fd < 0 && errno == EINTR) continue;
      if (fd < 0) {
        const bool out = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
        if (!out) return true;
        log::warn("accept: {}", std::strerror(errno));
        make_room();
        return false;
      }
      if (listener_->options.same_user && !same_user(fd)) {
        ::close(fd);
        continue;
      }
      take(fd);
    }
  }

  void take(int fd) {
    asio::generic::stream_protocol::socket socket(loop_);
    error_code ec;
    socket.assign(asio::generic::stream_protocol(family_of(fd), 0), fd, ec);
    if (ec) {
      ::close(fd);
      return;
    }
    const auto most = static_cast<std::size_t>(listener_->options.connections);
    if (listener_->open.size() >= most) make_room();
    if (listener_->open.size() < most)
      begin_connection(std::move(socket), listener_);
    else
      refuse_connection(std::move(socket), listener_);
  }

  void make_room() {
    if (listener_->waiting.empty()) return;
    auto& oldest = *listener_->waiting.begin()->second;
    listener_->open.erase(&oldest);
    end_connection(oldest);
  }

  asio::io_context& loop_;
  std::shared_ptr<Listener> listener_;
  asio::posix::stream_descriptor descriptor_;
  asio::steady_timer pause_;
};

}  // namespace

Result<UniqueFd> bind_loopback(int& port, const std::string& hint) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return system_error("socket", errno);
  const int yes = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // allows a port that was just closed
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(fd.get(), plain, sizeof address) != 0 || ::listen(fd.get(), 64) != 0)
    return Error{Errc::environment, fmt::format("cannot listen on port {}: {}", port, std::strerror(errno)),
                 "127.0.0.1", hint};
  socklen_t size = sizeof address;
  if (::getsockname(fd.get(), plain, &size) != 0) return system_error("getsockname", errno);
  port = ntohs(address.sin_port);
  return fd;
}

std::unique_ptr<HttpServer> serve(asio::io_context& loop, int listener, Handler handler,
                                  ServerOptions options) {
  return std::make_unique<Server>(loop, listener, std::move(handler), std::move(options));
}

}  // namespace hydra::api
