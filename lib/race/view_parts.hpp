// race, inside only: parts of the JSON that results and explanations share.
#pragma once

#include "league/calibration.hpp"
#include "race/state.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace hydra::race::detail {

/// What there is to say of an agent's end, for people; may be empty.
std::string message_of(const State& state, const AgentState& agent);
/// The first of the paths that a capture left out, without what an agent's program leaves behind by
/// itself.
nlohmann::json left_out_json(const std::vector<model::LeftOut>& rows, std::size_t most);
/// "scored", "not_ranked", …: of a race that has no ranking, a configured dimension is not ranked.
std::string_view dimension_status(const State& state, model::Dimension dimension,
                                  const model::DimensionScore& score);

inline constexpr std::size_t kMostNames = 200;  ///< of each list of tests; counts tell the rest

/// Evidence of one check as far as people ask for it: counts where they are known, null where not.
nlohmann::json evidence_json(const model::CheckEvidence& check);
/// fixed, broken, removed, newly_skipped, added, unstable, and which of these names are hidden tests; null
/// where tests are not compared by name.
nlohmann::json names_json(const State& state, const model::AgentEvidence& row);
/// The tamper report and what was restored; null before the result was looked at. `findings`: at most so
/// many.
nlohmann::json integrity_json(const State& state, const AgentState& agent, std::size_t findings);
/// What people decided about this race, oldest first: [{kind, what, by, at_ms}].
nlohmann::json decisions_json(const State& state);
/// {own_passed, own_total, not_loaded, tests}: tests of the base that could not be loaded on it; null: none.
nlohmann::json undecided_json(const State& state, const AgentState& agent);
/// "fresh", "in_place".
std::string_view checks_name(model::CheckPlace place);
/// "local" or "slurm".
std::string_view placement_name(const State& state);
/// The answer of a call that did not want to wait for whoever has the turn: {"waits_for": HOLDER}.
std::string waiting_json(const std::string& holder);
/// What differs in the user's repository from when the race started: {blocking, meanwhile}; null: nothing.
nlohmann::json repository_json(const State& state);
/// The entries of a ranked race, each with what its attempts came to (docs/results.md); the best first.
nlohmann::json entries_json(const State& state);
/// How the check workspace of a subject came to be; null where it never did.
nlohmann::json workspace_json(const State& state, const std::string& subject);

/// The matrix of cross tests: {state, reason, authors, cells, clusters} (docs/results.md).
nlohmann::json matrix_json(const State& state);
/// The word of a ranked result and the facts behind it; null where there is none.
/// `calibration`: how often its word was right in own races; null: not asked.
nlohmann::json confidence_json(const model::ResultConfidence& confidence,
                               const league::Calibration* calibration);
/// What judges and people say of a result: {status, score, points, text, median, mad, votes}; null where
/// nobody was asked and nobody said anything.
nlohmann::json judges_json(const State& state, const AgentState& agent);
/// Null: not measured. See model::MutantReport and CoverageReport.
nlohmann::json mutants_json(const State& state, const std::string& agent);
nlohmann::json coverage_json(const State& state, const std::string& agent);
/// Tests of the base that the task probably changed.
nlohmann::json contested_json(const State& state);

}  // namespace hydra::race::detail
