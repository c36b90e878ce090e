// daemon/api, inside only: what a dry run of a merge showed, kept so that the merge that follows is of just
// that.
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

  /// Keeps a dry run's answer for this session, and gives it with `preview` and `expires_ms`. `how`: what
  /// else the merge is made of, target and kind.
  wire::Merge keep(wire::Merge answer, const std::string& session, const std::string& how);
  /// What was shown under this token, which is used up by that. `conflict` where there is none for this
  /// session any more, or of another merge.
  Result<wire::Merge> take(const std::string& token, const std::string& session, const std::string& how);

 private:
  struct Shown {
    wire::Merge answer;
    std::string session, how;
    std::chrono::steady_clock::time_point until;
  };
  std::map<std::string, Shown> shown_;
};

/// What of the second dry run is not as in the first one; empty: a merge does what was shown.
std::string moved_since(const wire::Merge& shown, const wire::Merge& now);

}  // namespace hydra::api
