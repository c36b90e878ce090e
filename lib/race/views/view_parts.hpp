// race, inside only: parts that results and explanations share.
#pragma once

#include "league/calibration.hpp"
#include "race/state/state.hpp"
#include "wire/results.hpp"

#include <string>
#include <string_view>

namespace hydra::race::detail {

/// What there is to say of an agent's end, for people; may be empty.
std::string message_of(const State& state, const AgentState& agent);
/// Why Hydra stopped it; empty: it did not.
inline std::string stop_word(const std::optional<model::StopRequested>& stop) {
  return stop ? std::string(name(stop->reason)) : std::string();
}
/// The first of the paths that a capture left out, without what an agent's program leaves behind by
/// itself.
std::vector<model::LeftOut> left_out_view(const std::vector<model::LeftOut>& rows, std::size_t most);
/// "scored", "not_ranked", …: of a race that has no ranking, a configured dimension is not ranked.
std::string_view dimension_status(const State& state, model::Dimension dimension,
                                  const model::DimensionScore& score);

inline constexpr std::size_t kMostNames = 200;  ///< of each list of tests; counts tell the rest

/// Evidence of one check as far as people ask for it: counts where they are known, null where not.
wire::Check check_view(const model::CheckEvidence& check);
/// Nothing where tests are not compared by name.
std::optional<wire::TestNames> names_view(const State& state, const model::AgentEvidence& row);
/// The tamper report and what was restored; nothing before the result was looked at. `findings`: at most so
/// many.
std::optional<wire::Integrity> integrity_view(const State& state, const AgentState& agent,
                                              std::size_t findings);
/// What people decided about this race, oldest first.
std::vector<wire::Decision> decisions_view(const State& state);
/// Tests of the base that could not be loaded on it; nothing: none.
std::optional<wire::Undecided> undecided_view(const State& state, const AgentState& agent);
/// What differs in the user's repository from when the race started.
std::optional<wire::RepositoryChanges> repository_view(const State& state);
/// The entries of a ranked race, each with what its attempts came to (docs/results.md); the best first.
std::vector<wire::Entry> entries_view(const State& state);
/// How the check workspace of a subject came to be; nothing where it never did.
std::optional<model::WorkspaceFacts> workspace_view(const State& state, const std::string& subject);

/// The matrix of cross tests.
wire::Evidence matrix_view(const State& state);
/// The word of a ranked result and the facts behind it; null where there is none.
/// `calibration`: how often its word was right in own races; null: not asked.
std::optional<wire::Confidence> confidence_view(const model::ResultConfidence& confidence,
                                                const league::Calibration* calibration);
/// What judges and people say of a result; nothing where nobody was asked and nobody said anything.
std::optional<wire::Judges> judges_view(const State& state, const AgentState& agent);

/// Its place in the ranking; null: there is none.
const model::RankedAgent* ranked(const State& state, const std::string& agent);
/// Of milliseconds.
inline double seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000.0; }
/// Nothing: not there.
template <class Named>
auto of_agent(const Named& all, const std::string& agent) {
  const auto found = all.find(agent);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace hydra::race::detail
