#include "cli/app.hpp"

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char** argv) {
  // A closed standard stream would give its number to one of our descriptors, and text would be written
  // there. Standard output opens read-only, so that lost output is reported as a write error.
  for (int fd = 0; fd < 3; ++fd)
    if (::fcntl(fd, F_GETFD) == -1) (void)::open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY);
  return hydra::cli::run(argc, argv);
}
