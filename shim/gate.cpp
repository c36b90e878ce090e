#include "gate.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shim {
namespace {

constexpr int kPauseMs = 50, kBacklog = 128, kMostCopies = 512;

sockaddr_in loopback(int port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return at;
}

// A socket can connect to itself, where the kernel gives it the very port and nobody listens.
template <class Address>
int connected(const Address& at, int family) {
  Address own{};
  socklen_t size = sizeof own;
  const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 &&
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
      std::memcmp(&own, &at, sizeof at) != 0)
    return fd;
  ::close(fd);
  return -1;
}

// Servers that listen on "localhost" may have only one of both addresses.
int connect_inside(int port) {
  if (const int fd = connected(loopback(port), AF_INET); fd >= 0) return fd;
  sockaddr_in6 at{};
  at.sin6_family = AF_INET6;
  at.sin6_port = htons(static_cast<std::uint16_t>(port));
  at.sin6_addr = in6addr_loopback;
  return connected(at, AF_INET6);
}

bool write_all(int to, const char* bytes, ssize_t size) {
  while (size > 0) {
    const ssize_t n = ::send(to, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= n;
  }
  return true;
}

// Each direction has its own process, so that neither waits for the other.
void fork_copy(int from, int to, int& copies) {
  const pid_t pid = ::fork();
  if (pid > 0) ++copies;
  if (pid != 0) return;
  std::array<char, 64 << 10> piece;
  ssize_t n = 0;
  while ((n = ::recv(from, piece.data(), piece.size(), 0)) > 0 && write_all(to, piece.data(), n)) {
  }
  ::shutdown(to, SHUT_WR);
  if (n > 0) ::shutdown(from, SHUT_RD);  // nobody takes more
  ::_exit(0);
}

}  // namespace

int reserve_gate(int port) {
  const auto at = loopback(port);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (fd >= 0 && ::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0) return fd;
  const int code = errno;
  ::close(fd);
  errno = code;
  return -1;
}

int gate_port(int fd) {
  sockaddr_in at{};
  socklen_t size = sizeof at;
  const bool bound = ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) == 0;
  return bound && at.sin_family == AF_INET ? ntohs(at.sin_port) : 0;
}

void keep_gate(int listener, int port) {
  int inside = -1;
  while ((inside = connect_inside(port)) < 0) ::poll(nullptr, 0, kPauseMs);
  ::close(inside);
  ::listen(listener, kBacklog);
  for (int copies = 0;;) {
    while (copies > 0 && ::waitpid(-1, nullptr, copies < kMostCopies ? WNOHANG : 0) > 0) --copies;
    const int peer = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer < 0) continue;
    if (inside = connect_inside(port); inside >= 0) {
      fork_copy(peer, inside, copies);
      fork_copy(inside, peer, copies);
      ::close(inside);
    }
    ::close(peer);
  }
}

}  // namespace shim
