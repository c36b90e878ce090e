// bench_parsers FILE: how fast a log is detected and counted, on one core. Prints one JSON object: bytes,
// CPU seconds (best of three; --once: one run), MB/s, anonymous memory and how much of it is the list of
// tests, and with --profile each parser alone. `bench/parsers-throughput` makes the logs and runs grep and
// ripgrep beside it.
#include "parsers/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

/// CPU time of this process: a busy machine must not decide.
double now() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

/// Anonymous memory, KiB: what the parser itself takes. Pages of the mapped log are the file's.
long peak_anonymous_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::atol(line.c_str() + 8);
  return -1;
}

std::size_t list_bytes(const hydra::model::ParsedTests& r) {
  std::size_t n = r.tests.size() * sizeof(hydra::model::TestCase);
  for (const auto& t : r.tests) n += t.name.capacity() > 15 ? t.name.capacity() + 17 : 0;
  return n;
}

void profile(std::string_view text) {
  const auto in = hydra::parsers::make_input(text, {}, {});
  for (const auto& parser : hydra::parsers::test_parsers()) {
    std::vector<hydra::parsers::TestSegment> out;
    const auto start = now();
    parser.find(in, out);
    const double s = now() - start;
    if (s > 0.005)
      std::fprintf(stderr, "%-18s %7.0f MB/s\n", std::string(parser.name).c_str(),
                   static_cast<double>(text.size()) / 1e6 / s);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool profiled = argc == 3 && std::strcmp(argv[2], "--profile") == 0;
  const bool once = argc == 3 && std::strcmp(argv[2], "--once") == 0;
  const int fd = argc >= 2 ? ::open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
  struct stat st {};
  if (fd < 0 || ::fstat(fd, &st) != 0 || st.st_size == 0) return 2;
  const auto size = static_cast<std::size_t>(st.st_size);
  void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  if (map == MAP_FAILED) return 2;
  const std::string_view text(static_cast<const char*>(map), size);
  if (profiled) profile(text);
  double best = 1e9;
  long anonymous = 0;
  std::size_t list = 0, tests = 0;
  long long total = -1;
  std::string format;
  for (int run = 0; run < (once ? 1 : 3); ++run) {
    const auto before = peak_anonymous_kib();
    const auto start = now();
    const auto r = hydra::parsers::parse_tests(text, {0, {}});
    best = std::min(best, now() - start);
    if (run == 0) anonymous = peak_anonymous_kib() - before;
    list = list_bytes(r);
    tests = r.tests.size();
    total = r.counts.total.value_or(-1);
    format = r.format;
  }
  std::printf(
      "{\"format\":\"%s\",\"total\":%lld,\"names\":%zu,\"bytes\":%zu,\"cpu_seconds\":%.3f,\"mb_per_s\":%.0f,"
      "\"anonymous_mib\":%.1f,\"list_mib\":%.1f}\n",
      format.c_str(), total, tests, size, best, static_cast<double>(size) / 1e6 / best,
      static_cast<double>(anonymous) / 1024, static_cast<double>(list) / 1048576);
}
