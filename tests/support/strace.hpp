// support: the daemon or the supervisor under strace, which kills it or fails its system calls at the N-th
// call. strace counts per thread and per call, so a sweep takes one call at a time.
#pragma once

#include "support/world.hpp"

#include <memory>
#include <string>

namespace hydra::e2e {

/// "signal=KILL", "error=ENOSPC": what happens at the `when`-th call ("3"; "3+": from the third on).
struct Fault {
  std::string call, effect, when;
  [[nodiscard]] std::string name() const { return call + ":" + effect + ":when=" + when; }
};

/// Words in front of a command: its threads are traced, the programs that it starts are not.
Words under_strace(const Fault& fault);

/// The daemon of `world` under strace, ready; null where it died before (the fault came first).
std::unique_ptr<Process> start_traced_daemon(const World& world, const Fault& fault,
                                             const std::string& binaries = {});

/// Copies of the three programs in `directory`, where the supervisor of attempts whose directory matches the
/// shell pattern `attempts` runs under strace.
void make_traced_shim(const fs::path& directory, const Fault& fault, const std::string& attempts);

}  // namespace hydra::e2e
