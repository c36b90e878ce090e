// cli: Ctrl-C as a readable descriptor, so that a verb can end in order.
#pragma once

#include <chrono>

namespace hydra::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP don't end the process but make fd() readable. One at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  /// Takes one signal, 0 if none came in this time.
  int take(std::chrono::milliseconds wait);

 private:
  int fd_ = -1;
};

}  // namespace hydra::cli
