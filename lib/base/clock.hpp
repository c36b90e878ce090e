// base: time and identity as interfaces, so that tests can replace the machine.
#pragma once

#include <cstdint>
#include <string>

namespace hydra {

/// Milliseconds since 1970-01-01T00:00:00Z.
using UnixMillis = std::int64_t;

/// Milliseconds since boot, sleep included. Unlike the clock, the uptime cannot be set.
struct Uptime {
  std::string boot;  ///< boot id; empty: unknown
  std::int64_t ms = 0;
  bool operator==(const Uptime&) const = default;
};

struct Moment {
  UnixMillis at_ms = 0;
  Uptime up{};
};

/// Returns the time between two moments, never negative. Uses the uptime if both have the same boot, since
/// the wall clock may be changed; else the wall clock.
std::int64_t elapsed_ms(const Moment& from, const Moment& to);

struct Clock {
  virtual ~Clock() = default;
  [[nodiscard]] virtual UnixMillis now() const = 0;
  [[nodiscard]] virtual Uptime uptime() const { return {}; }
  [[nodiscard]] Moment moment() const { return {now(), uptime()}; }
};

struct IdSource {
  virtual ~IdSource() = default;
  /// Returns a new race id: 10 characters of [0-9a-z], sortable by time to the second.
  virtual std::string race_id() = 0;
  /// Returns 128 random bits in hexadecimal: the fencing token of one attempt.
  virtual std::string token() = 0;
};

struct SystemClock final : Clock {
  [[nodiscard]] UnixMillis now() const override;
  [[nodiscard]] Uptime uptime() const override;
};

struct RandomIds final : IdSource {
  std::string race_id() override;
  std::string token() override;
};

/// Returns "2026-02-23T08:00:00Z".
std::string format_utc(UnixMillis time);
/// Returns "45s", "3m07s" or "2h05m", for people.
std::string format_duration(std::int64_t milliseconds);

}  // namespace hydra
