#include "record.hpp"

#include "files.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace shim {
namespace {

using Json = nlohmann::json;

/// Field 22 of /proc/self/stat: identifies a process together with its pid until the next boot.
std::uint64_t start_time() {
  const std::string stat = text_of("/proc/self/stat");
  const auto close = stat.rfind(')');
  if (close == std::string::npos) return 0;
  std::size_t at = close + 1;
  for (int field = 2; field < 22 && at != std::string::npos; ++field)
    at = stat.find(' ', at + (field > 2 ? 1 : 0));
  return at == std::string::npos ? 0 : std::strtoull(stat.c_str() + at, nullptr, 10);
}

constexpr off_t kRoom = 8192;  // enough for any result

std::string temporary_result(const std::string& dir) { return dir + "/result.json.tmp"; }

void reserve(const std::string& dir) {
  const int fd = ::open(temporary_result(dir).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  (void)::posix_fallocate(fd, 0, kRoom);
  ::close(fd);
}

bool sync_directory(const std::string& dir) {
  const int fd = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  const int code = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  errno = code;
  return code == 0;
}

std::string dump(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json log_json(const LogSummary& log) {
  return {{"total", log.total}, {"hole_from", log.hole_from}, {"hole_to", log.hole_to}};
}

}  // namespace

bool write_whole(const std::string& path, const std::string& text, bool durable) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  int code = done == text.size() ? 0 : errno != 0 ? errno : EIO;
  if (code == 0 && ::ftruncate(fd, static_cast<off_t>(text.size())) != 0) code = errno;
  if (code == 0 && durable && ::fsync(fd) != 0) code = errno;
  if (::close(fd) != 0 && code == 0) code = errno;
  errno = code;
  return code == 0;
}

Claim claim(const std::string& dir, const Spec& spec) {
  std::string boot = text_of("/proc/sys/kernel/random/boot_id");
  while (!boot.empty() && boot.back() == '\n') boot.pop_back();
  const Json json = {{"pid", ::getpid()},
                     {"start_time", start_time()},
                     {"boot_id", boot},
                     {"key", spec.key},
                     {"token", spec.token}};
  const std::string temporary = dir + "/started." + std::to_string(::getpid()) + ".tmp";
  if (!write_whole(temporary, dump(json), spec.durable)) {
    ::unlink(temporary.c_str());
    return Claim::failed;
  }
  // link() fails on an existing name, where rename() would replace it: two shims can't both own the attempt.
  const int rc = ::link(temporary.c_str(), (dir + "/started.json").c_str());
  const int code = errno;
  ::unlink(temporary.c_str());
  if (rc != 0) return code == EEXIST ? Claim::taken : Claim::failed;
  if (spec.durable && !sync_directory(dir)) return Claim::failed;
  reserve(dir);
  return Claim::ours;
}

bool publish(const std::string& dir, const Spec& spec, const Outcome& o) {
  const Json json = {{"key", spec.key},
                     {"token", spec.token},
                     {"end", o.end},
                     {"code", o.code},
                     {"signal", o.signal},
                     {"wall_ms", o.wall_ms},
                     {"cpu_user_ms", o.cpu_user_ms},
                     {"cpu_system_ms", o.cpu_system_ms},
                     {"max_rss_kib", o.max_rss_kib},
                     {"leaked", o.leaked},
                     {"survivors_possible", o.survivors_possible},
                     {"out", log_json(o.out)},
                     {"err", log_json(o.err)},
                     {"isolation", spec.isolation},
                     {"message", o.message}};
  const std::string temporary = temporary_result(dir);
  if (!write_whole(temporary, dump(json), spec.durable)) return false;
  if (::rename(temporary.c_str(), (dir + "/result.json").c_str()) != 0) return false;
  return !spec.durable || sync_directory(dir);
}

}  // namespace shim
