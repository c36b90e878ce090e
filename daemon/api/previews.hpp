// daemon/api, inside only: results of merges' dry runs, kept so that the following merge does exactly what
// was shown.
#pragma once

#include "base/result.hpp"
#include "wire/answers.hpp"

#include <chrono>
#include <map>
#include <string>

namespace hydra::api {

class Previews {
 public:
  static constexpr std::chrono::minutes kLife{5};

  /// Stores a dry run's answer for this session, and returns it with `preview` and `expires_ms`. `how`: the
  /// other parameters of the merge, target and kind.
  wire::Merge keep(wire::Merge answer, const std::string& session, const std::string& how);
  /// Removes and returns the answer of this token. `conflict` if the session has no such token any more, or
  /// the token is for another merge.
  Result<wire::Merge> take(const std::string& token, const std::string& session, const std::string& how);

 private:
  struct Shown {
    wire::Merge answer;
    std::string session, how;
    std::chrono::steady_clock::time_point until;
  };
  std::map<std::string, Shown> shown_;
};

/// Returns the differences between two dry runs; empty: a merge does what was shown.
std::string moved_since(const wire::Merge& shown, const wire::Merge& now);

}  // namespace hydra::api
