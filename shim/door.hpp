// hydra-shim: how a payload in a container gets to its supervisor. Nobody who starts containers passes
// descriptors on, or says in time which process it started. So the second stage, as PID 1 of the container,
// comes to a socket that is bound there: it is handed the pipes, the command and the environment, and the
// kernel says who it is. After that a container is watched as a sandbox of bubblewrap is; no secret was on a
// command line or in the engine's files.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace shim {

/// The socket's directory in the attempt's, and in the container.
constexpr const char* kDoorInside = "/run/.hydra-door";

/// What the second stage is handed.
struct Handed {
  int status = -1, out = -1, err = -1, in = -1;
};

class Door {
 public:
  /// Makes DIR/door/s and listens; false with errno.
  bool open(const std::string& dir);
  /// Becomes ready when somebody comes; -1: closed.
  [[nodiscard]] int fd() const { return listener_; }
  /// Hands over, with `words` and our environment, and closes the door: nobody comes after that. Its process
  /// id as we see it; 0: it failed.
  pid_t hand_over(const Handed& handed, const std::vector<std::string>& words);
  void close();

 private:
  int listener_ = -1;
  std::string dir_;
};

/// In the container: comes to the door, takes descriptors 3, 4, 5 and 0, the environment, and the words.
bool come_in(std::vector<char*>& words);

}  // namespace shim
