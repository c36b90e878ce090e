#include "daemon/listener.hpp"

#include "base/strings.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
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

}  // namespace hydra
