// cli: Ctrl-C as a readable descriptor, so that a verb can end in order.
#pragma once

#include <chrono>

namespace hydra::cli {

/// SIGINT, SIGTERM and SIGHUP make fd() readable instead of ending the process. At most one object at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  /// Returns the next signal; 0: none came within `wait`.
  int take(std::chrono::milliseconds wait);

 private:
  int fd_ = -1;
};

}  // namespace hydra::cli
