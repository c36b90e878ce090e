#include "cli/app.hpp"

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char** argv) {
  // A closed standard stream would give its number to a socket or pipe of ours, and text would be written
  // there.
  for (int fd = 0; fd < 3; ++fd)
    if (::fcntl(fd, F_GETFD) == -1) (void)::open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
  return hydra::cli::run(argc, argv);
}
