// hydra-shim: the shim's output files: started.json, which is also the claim on the attempt, and result.json.
#pragma once

#include "spec.hpp"

#include <cstdint>
#include <string>

namespace shim {

struct LogSummary {
  std::uint64_t total = 0, hole_from = 0, hole_to = 0;
};

struct Outcome {
  std::string end = "lost";
  int code = 0, signal = 0;
  std::int64_t wall_ms = 0, cpu_user_ms = 0, cpu_system_ms = 0;
  std::uint64_t max_rss_kib = 0;
  int leaked = 0;
  bool survivors_possible = false;
  LogSummary out, err;
  std::string message;
};

/// Overwrites an existing file, whose blocks are allocated already. False with errno.
bool write_whole(const std::string& path, const std::string& text, bool durable);

enum class Claim { ours, taken, failed };

/// Writes started.json whole, and only if it does not exist; `taken`: another shim runs this attempt. Then
/// reserves space for the result, so that a disk that fills up can't refuse it.
Claim claim(const std::string& dir, const Spec& spec);
/// Writes result.json whole. False with errno when the disk refuses; may be called again.
bool publish(const std::string& dir, const Spec& spec, const Outcome& outcome);

}  // namespace shim
