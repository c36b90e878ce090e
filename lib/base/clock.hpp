// base: time and identity, injected so that the rooms above can be tested without a machine.
#pragma once

#include <cstdint>
#include <string>

namespace hydra {

/// Milliseconds since 1970-01-01T00:00:00Z.
using UnixMillis = std::int64_t;

struct Clock {
  virtual ~Clock() = default;
  [[nodiscard]] virtual UnixMillis now() const = 0;
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
