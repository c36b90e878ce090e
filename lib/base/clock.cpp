#include "base/clock.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <sys/random.h>

namespace hydra {
namespace {
template <std::size_t N>
std::array<char, N> random_bytes() {
  std::array<char, N> bytes{};
  std::size_t have = 0;
  while (have < N) {
    const ssize_t n = ::getrandom(bytes.data() + have, N - have, 0);
    if (n <= 0) std::abort();  // without randomness tokens would be guessable
    have += static_cast<std::size_t>(n);
  }
  return bytes;
}
}  // namespace

UnixMillis SystemClock::now() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Uptime SystemClock::uptime() const {
  // The boot id is constant while the program runs.
  static const std::string boot(trim(read_file("/proc/sys/kernel/random/boot_id", 64).value_or("")));
  timespec now{};
  if (boot.empty() || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return {};
  return {boot, static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000};
}

std::int64_t elapsed_ms(const Moment& from, const Moment& to) {
  const bool one_boot = !from.up.boot.empty() && from.up.boot == to.up.boot;
  return std::max<std::int64_t>(0, one_boot ? to.up.ms - from.up.ms : to.at_ms - from.at_ms);
}

std::string RandomIds::race_id() {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  auto seconds = static_cast<std::uint64_t>(SystemClock{}.now() / 1000);
  std::string id(6, '0');  // 36^6 seconds last until 2038; then the id has a seventh digit
  for (std::size_t i = id.size(); i-- > 0; seconds /= 36) id[i] = kDigits[seconds % 36];
  for (const char c : random_bytes<4>()) id += kDigits[static_cast<unsigned char>(c) % 36];
  return id;
}

std::string RandomIds::token() {
  const auto bytes = random_bytes<16>();
  return hex({bytes.data(), bytes.size()});
}

std::string format_utc(UnixMillis time) {
  const std::time_t seconds = time / 1000;
  std::tm tm{};
  ::gmtime_r(&seconds, &tm);
  char text[32];
  const auto n = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
  return {text, n};
}

std::string format_duration(std::int64_t milliseconds) {
  const auto seconds = milliseconds / 1000;
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

}  // namespace hydra
