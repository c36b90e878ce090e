#include "daemon/listener.hpp"

#include "base/strings.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace hydra {

namespace fs = std::filesystem;

Result<UniqueFd> listen_on(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto text = path.string();
  if (text.size() >= sizeof address.sun_path)
    return Error{Errc::environment, "the socket's path is too long", text,
                 "set XDG_RUNTIME_DIR to a short directory"};
  std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
  ::unlink(text.c_str());
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return system_error("socket", errno);
  const mode_t old = ::umask(0177);
  const int bound = ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int error = errno;
  ::umask(old);
  if (bound != 0) return system_error("cannot bind " + text, error);
  if (::listen(fd.get(), 64) != 0) return system_error("cannot listen on " + text, errno);
  return fd;
}

std::pair<dev_t, ino_t> identity(const fs::path& path) {
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) return {0, 0};
  return {st.st_dev, st.st_ino};
}

UniqueFd inherited_listener() {
  constexpr int kFirst = 3;  // SD_LISTEN_FDS_START
  const auto number = [](const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? std::nullopt : parse_int(text);
  };
  const bool ours = number("LISTEN_PID") == ::getpid() && number("LISTEN_FDS").value_or(0) >= 1;
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  if (!ours) return {};
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  int listening = 0;
  socklen_t flag_size = sizeof listening;
  const bool fits = ::getsockname(kFirst, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
                    address.ss_family == AF_UNIX &&
                    ::getsockopt(kFirst, SOL_SOCKET, SO_ACCEPTCONN, &listening, &flag_size) == 0 &&
                    listening == 1;
  if (!fits) return {};
  ::fcntl(kFirst, F_SETFD, FD_CLOEXEC);
  ::fcntl(kFirst, F_SETFL, ::fcntl(kFirst, F_GETFL) | O_NONBLOCK);
  return UniqueFd(kFirst);
}

void tell_manager_ready() {
  const char* name = std::getenv("NOTIFY_SOCKET");
  const std::string path = name == nullptr ? "" : name;
  ::unsetenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() < 2 || path.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path[0] == '@') address.sun_path[0] = '\0';  // an abstract address ends by its length
  const UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  std::array<int, 2> ends{};
  if (!fd || ::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const UniqueFd reading(ends[0]);
  UniqueFd writing(ends[1]);
  std::string ready = "READY=1";
  iovec text{ready.data(), ready.size()};
  msghdr message{};
  message.msg_name = &address;
  message.msg_namelen = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  if (::sendmsg(fd.get(), &message, MSG_NOSIGNAL) < 0) return;
  // A manager that reads the message after this process has exited cannot attribute it
  // (sd_notify_barrier(3)): the manager closes the other end of the pipe once it has read everything.
  std::string barrier = "BARRIER=1";
  text = {barrier.data(), barrier.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  auto* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &ends[1], sizeof(int));
  if (::sendmsg(fd.get(), &message, MSG_NOSIGNAL) < 0) return;
  writing.reset();
  pollfd hangup{reading.get(), 0, 0};
  constexpr int kPatienceMs = 5000;
  (void)::poll(&hangup, 1, kPatienceMs);
}

}  // namespace hydra
