// checks, inside only: what the finders of tampering share. Pure.
#pragma once

#include "checks/tamper.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace hydra::checks {

/// Collects signals within the limits.
class Signals {
 public:
  explicit Signals(TamperReport& report) : report_(report) {}
  void add(SignalKind kind, Severity severity, std::string_view path, std::int64_t line,
           std::string_view excerpt, std::string reason);

 private:
  TamperReport& report_;
  std::map<std::pair<std::string, SignalKind>, std::size_t> counts_;
};

/// By path alone: protected paths, files left out, mtimes, deleted tests, shadowed tools.
void find_in_paths(const TamperInput& input, Signals& signals);
/// By what was added and removed in texts; counts inline suppressions.
void find_in_texts(const TamperInput& input, Signals& signals, std::int64_t& suppressions);
/// In the agent's tool calls.
void find_in_calls(const TamperInput& input, Signals& signals);

}  // namespace hydra::checks
