// hydra-shim: connects a payload in a container to its supervisor. Container engines pass no descriptors on,
// and do not report in time which process they started. So the second stage, as PID 1 of the container,
// connects to a bound socket and receives pipes, command and environment; the kernel reports its process id.
// From then on a container is watched like a bubblewrap sandbox; no secret is on a command line or in the
// engine's files.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace shim {

/// The socket's directory inside the container; outside it is in the attempt's directory.
constexpr const char* kDoorInside = "/run/.hydra-door";

/// Descriptors that the second stage receives.
struct Handed {
  int status = -1, out = -1, err = -1, in = -1;
  int gate = -1;  ///< -1: the sandbox has none
};

class Door {
 public:
  /// Makes DIR/door/s and listens; false with errno.
  bool open(const std::string& dir);
  /// Readable when a client connects; -1: closed.
  [[nodiscard]] int fd() const { return listener_; }
  /// Hands over `words`, the descriptors and our environment, and closes the door to later clients. Returns
  /// the client's process id in our namespace; 0: failed.
  pid_t hand_over(const Handed& handed, const std::vector<std::string>& words);
  void close();

 private:
  int listener_ = -1;
  std::string dir_;
};

/// Called in the container: connects to the door, takes descriptors 3, 4, 5, 6 and 0, the environment, and
/// the words.
bool come_in(std::vector<char*>& words);

}  // namespace shim
