// base: time and identity, injected so that the rooms above can be tested without a machine.
#pragma once

#include <cstdint>
#include <string>

namespace hydra {

/// Milliseconds since 1970-01-01T00:00:00Z.
using UnixMillis = std::int64_t;

/// Milliseconds since the machine was started, sleep included: nobody can set it.
struct Uptime {
  std::string boot;  ///< which start of the machine; empty: not known
  std::int64_t ms = 0;
  bool operator==(const Uptime&) const = default;
};

struct Moment {
  UnixMillis at_ms = 0;
  Uptime up{};
};

/// From one moment to another, never negative: by the uptime where both are of one start of the machine,
/// whatever was done to its clock; else by the clock.
std::int64_t elapsed_ms(const Moment& from, const Moment& to);

struct Clock {
  virtual ~Clock() = default;
  [[nodiscard]] virtual UnixMillis now() const = 0;
  [[nodiscard]] virtual Uptime uptime() const { return {}; }
  [[nodiscard]] Moment moment() const { return {now(), uptime()}; }
};

struct IdSource {
  virtual ~IdSource() = default;
  /// A new race id: 10 characters of [0-9a-z], sortable by time to the second.
  virtual std::string race_id() = 0;
  /// 128 random bits in hexadecimal: the fence of one attempt.
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

/// "2026-02-23T08:00:00Z".
std::string format_utc(UnixMillis time);
/// "45s", "3m07s", "2h05m": for people.
std::string format_duration(std::int64_t milliseconds);

}  // namespace hydra
