#include "exec/job.hpp"

#include "base/fd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace hydra::exec {
namespace {

void read_range(int fd, std::uint64_t from, std::uint64_t to, std::string& text) {
  std::array<char, 65536> buffer;
  while (from < to) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), to - from));
    const ssize_t n = ::pread(fd, buffer.data(), want, static_cast<off_t>(from));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.append(buffer.data(), static_cast<std::size_t>(n));
    from += static_cast<std::uint64_t>(n);
  }
}

}  // namespace

std::string read_log(const fs::path& log, const LogFacts& facts, bool* cut) {
  if (cut != nullptr) *cut = facts.hole_to > facts.hole_from;
  std::string text;
  const UniqueFd fd(::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd) return text;
  const bool hole = facts.hole_to > facts.hole_from;
  read_range(fd.get(), 0, hole ? std::min(facts.hole_from, facts.total) : facts.total, text);
  if (hole) read_range(fd.get(), facts.hole_to, facts.total, text);
  return text;
}

}  // namespace hydra::exec
