// checks: what a failed step's log says about its workspace, and what to do about it: signatures of tools
// that miss the network, a dependency, a file of the home directory (config/toolchains.hpp). Pure.
#pragma once

#include "config/toolchains.hpp"
#include "model/check.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hydra::checks {

enum class Step { setup, build, warm, tests, lint };

using config::AdviceKind;

struct Advice {
  AdviceKind kind = AdviceKind::environment;
  std::string_view signature;    ///< stable name: "npm-offline"
  std::string_view meaning;      ///< one clause, for people
  std::string advice;            ///< for a step of the baseline; may be several clauses
  std::string candidate_advice;  ///< for a candidate whose baseline does not have the signature
  std::string line;              ///< what was matched: printable, redacted, at most 300 bytes
};

inline constexpr std::size_t kAdviceLines = 200;

/// The first row of the table that one of the last 200 lines of the log matches; a run to be rejected and a
/// refused rename come before all others. Lines of passed tests are not looked at: a test may well be about
/// ENOTFOUND. Call it for failed steps: the exit code decides, a signature only adds the sentence.
/// `network`: whether the step had it.
std::optional<Advice> advise(std::string_view log_tail, Step step, const config::EcosystemSet& tools,
                             bool network = false);

/// Was a build directory of another path in use? Asked for every step, passed ones too, and of the whole log:
/// CMake says it at the start, and "ninja: no work to do" follows with exit code 0.
bool must_reject(std::string_view log);
/// Did the overlay refuse a rename? The step is then repeated in a copied workspace, once per race.
bool needs_copy(std::string_view log_tail);

/// Must a race stop before an agent is paid for, because its baseline can't work? Only where the check failed
/// and nothing in it worked: one passed test, or findings that a linter counted, say that the tools are
/// there. Not for refused renames, which are repeated.
bool stops_race(const Advice& advice, const model::CheckEvidence& baseline);

}  // namespace hydra::checks
