// The least that a client of the daemon can be: it connects, asks once, reads the answer and ends. See README.md, "What grows".
//   client SOCKET TARGET
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static char text[1 << 16];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (argc != 3 || strlen(argv[1]) >= sizeof address.sun_path) return 2;
  strcpy(address.sun_path, argv[1]);
  const int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: hydra\r\nConnection: close\r\n\r\n", argv[2]);
  const int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(daemon, (struct sockaddr*)&address, sizeof address) != 0 || write(daemon, text, length) != length) return 1;
  int good = -1;
  for (ssize_t n; (n = read(daemon, text, sizeof text)) > 0;) {
    if (good < 0) good = n > 12 && memcmp(text, "HTTP/1.1 200", 12) == 0;
    if (write(1, text, n) != n) return 1;
  }
  return good == 1 ? 0 : 1;
}
