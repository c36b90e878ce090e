#include "door.hpp"

#include "stage2.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace shim {
namespace {

constexpr std::size_t kHanded = 6;

/// A socket address is shorter than attempts' paths, so paths lead through an open directory's descriptor.
bool address(const std::string& path, sockaddr_un& at) {
  at = {};
  at.sun_family = AF_UNIX;
  if (path.size() >= sizeof at.sun_path) return false;
  path.copy(at.sun_path, path.size());
  return true;
}

bool write_word(int fd, const char* word) {
  const std::size_t size = std::strlen(word) + 1;
  return ::write(fd, word, size) == static_cast<ssize_t>(size);
}

/// A file in memory: number of words, the words, and our own environment, which is the payload's.
int words_file(const std::vector<std::string>& words) {
  const int fd = ::memfd_create("words", MFD_CLOEXEC);
  bool good = fd >= 0 && write_word(fd, std::to_string(words.size()).c_str());
  for (const auto& word : words) good = good && write_word(fd, word.c_str());
  for (char** at = environ; *at != nullptr; ++at) good = good && write_word(fd, *at);
  if (good || fd < 0) return fd;
  ::close(fd);
  return -1;
}

/// Takes the words, and sets the rest as the environment.
bool take_words(int fd, std::vector<char*>& words) {
  struct stat s {};
  if (::fstat(fd, &s) != 0 || s.st_size < 2) return false;
  // Never freed: `words` and putenv() point into it.
  const auto size = static_cast<std::size_t>(s.st_size);
  char* text = static_cast<char*>(std::calloc(size + 1, 1));
  if (text == nullptr || ::pread(fd, text, size, 0) != s.st_size) return false;
  char* at = text;
  const auto next = [&] {
    char* word = at;
    at += std::strlen(at) + 1;
    return word;
  };
  ::clearenv();
  for (int count = std::atoi(next()); count > 0 && at < text + size; --count) words.push_back(next());
  while (at < text + size) ::putenv(next());
  return true;
}

union Control {
  char bytes[CMSG_SPACE(sizeof(int) * kHanded)];
  cmsghdr align;
};

/// A byte, and room for the descriptors sent with it.
struct Parcel {
  char byte = 1;
  iovec part{&byte, 1};
  msghdr message{};
  Control control{};
  Parcel() {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
  }
  Parcel(const Parcel&) = delete;
  Parcel& operator=(const Parcel&) = delete;
};

bool send_all(int to, const std::array<int, kHanded>& fds) {
  Parcel parcel;
  cmsghdr* head = CMSG_FIRSTHDR(&parcel.message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int) * kHanded);
  std::memcpy(CMSG_DATA(head), fds.data(), sizeof(int) * kHanded);
  return ::sendmsg(to, &parcel.message, MSG_NOSIGNAL) == 1;
}

bool receive_all(int from, std::array<int, kHanded>& fds) {
  Parcel parcel;
  ssize_t n = 0;
  while ((n = ::recvmsg(from, &parcel.message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  const cmsghdr* head = n == 1 ? CMSG_FIRSTHDR(&parcel.message) : nullptr;
  if (head == nullptr || head->cmsg_len != CMSG_LEN(sizeof(int) * kHanded)) return false;
  std::memcpy(fds.data(), CMSG_DATA(head), sizeof(int) * kHanded);
  return true;
}

}  // namespace

bool Door::open(const std::string& dir) {
  dir_ = dir + "/door";
  if (::mkdir(dir_.c_str(), 0700) != 0 && errno != EEXIST) return false;
  const int place = ::open(dir_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (place < 0) return false;
  sockaddr_un at{};
  address("/proc/self/fd/" + std::to_string(place) + "/s", at);
  ::unlink(at.sun_path);
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool good = listener_ >= 0 &&
                    ::bind(listener_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 &&
                    ::listen(listener_, 1) == 0;
  const int code = errno;
  ::close(place);
  errno = code;
  return good;
}

pid_t Door::hand_over(const Handed& handed, const std::vector<std::string>& words) {
  const int guest = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (guest < 0) return 0;
  ucred who{};
  socklen_t size = sizeof who;
  const int given = words_file(words);
  const bool done = ::getsockopt(guest, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && given >= 0 &&
                    send_all(guest, {handed.status, handed.out, handed.err, handed.in,
                                     handed.gate < 0 ? handed.in : handed.gate, given});
  ::close(given);
  ::close(guest);
  close();
  return done ? who.pid : 0;
}

void Door::close() {
  if (listener_ >= 0) ::close(listener_);
  listener_ = -1;
  if (dir_.empty()) return;
  ::unlink((dir_ + "/s").c_str());
  ::rmdir(dir_.c_str());  // bound in the container, it stays until the container is gone
}

bool come_in(std::vector<char*>& words) {
  sockaddr_un at{};
  address(std::string(kDoorInside) + "/s", at);
  const int door = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::array<int, kHanded> fds{};
  if (door < 0 || ::connect(door, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
      !receive_all(door, fds))
    return false;
  ::close(door);
  // Numbers above the target descriptors, so that no dup2 closes one that is still needed.
  for (int& fd : fds) fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 16);
  ::dup2(fds[0], kStatusFd);
  ::dup2(fds[1], kOutFd);
  ::dup2(fds[2], kErrFd);
  ::dup2(fds[3], STDIN_FILENO);
  ::dup2(fds[4], kGateFd);
  const bool taken = take_words(fds[5], words);
  for (const int fd : fds) ::close(fd);
  return taken;
}

}  // namespace shim
