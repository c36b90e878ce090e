#include "cli/interrupt.hpp"

#include <cerrno>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

sigset_t signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
  return set;
}

}  // namespace

Interrupts::Interrupts() {
  const auto set = signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  fd_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

Interrupts::~Interrupts() {
  const auto set = signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  if (fd_ >= 0) ::close(fd_);
}

int Interrupts::take(std::chrono::milliseconds wait) {
  pollfd p{fd_, POLLIN, 0};
  const auto end = std::chrono::steady_clock::now() + wait;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    const int n = ::poll(&p, 1, left > 0 ? static_cast<int>(left) : 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    signalfd_siginfo info{};
    if (::read(fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
      return static_cast<int>(info.ssi_signo);
  }
}

}  // namespace hydra::cli
