#include "daemon/api/loopback.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>

namespace hydra::api {

Result<UniqueFd> bind_loopback(int& port, const std::string& hint) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return system_error("socket", errno);
  const int yes = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // of a listener that has just gone
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

}  // namespace hydra::api
