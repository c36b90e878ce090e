// checks: finds the cause of a failed step in its log, and what to do about it, by signatures of tools that
// miss the network, a dependency or a file of the home directory (config/toolchains.hpp). Pure.
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
  std::string_view signature;  ///< stable name: "npm-offline"
  std::string_view meaning;    ///< meaning in one clause, for people
  std::string advice;          ///< advice for a step of the baseline; may be several clauses
  std::string
      candidate_advice;  ///< advice for a candidate whose baseline does not have the signature; may be empty
  std::string line;      ///< matched line: printable, redacted, at most 300 bytes
};

inline constexpr std::size_t kAdviceLines = 200;

/// Returns the first row of the table that matches one of the last 200 lines of the log; rows that reject a
/// run or report a refused rename come first. Lines of passed tests are skipped, since a test may be about
/// ENOTFOUND. Call it for failed steps only: the exit code decides, a signature only adds the sentence.
/// `network`: the step had network access.
std::optional<Advice> advise(std::string_view log_tail, Step step, const config::EcosystemSet& tools,
                             bool network = false);

/// Returns whether a build directory of another path was in use. Called for every step, passed ones too, with
/// the whole log: CMake reports it at the start, and "ninja: no work to do" follows with exit code 0.
bool must_reject(std::string_view log);
/// Returns whether the overlay refused a rename: the step is then repeated in a copied workspace, once per
/// race.
bool needs_copy(std::string_view log_tail);

/// Returns the advice where the last line of a passed test command says that no test ran; nullopt: tests ran.
std::optional<model::Advice> ran_nothing(std::string_view log_tail);

/// Returns the last line by which a command says why it fails though its tests pass (a coverage limit, an
/// obsolete snapshot), for people: printable, redacted, at most 300 bytes; empty: no such line.
std::string complaint_of(std::string_view log_tail);

/// Returns whether the change, a patch, adds a name that the line says is missing: a quoted word, else any
/// word that is not of the line's signature.
bool adds_missing_name(const Advice& advice, std::string_view patch);

/// Returns whether a race must stop before agents cost money: the baseline failed and nothing in it worked
/// (no passed test, no findings counted by a linter). False for refused renames, which are repeated.
bool stops_race(const Advice& advice, const model::CheckEvidence& baseline);

}  // namespace hydra::checks
