// race, inside only: parts that results and explanations share.
#pragma once

#include "league/calibration.hpp"
#include "race/state/state.hpp"
#include "wire/results.hpp"

#include <array>
#include <string>
#include <string_view>

namespace hydra::race::detail {

/// Sets the facts of an agent that every view shows.
void add_agent(const State& state, const AgentState& agent, const model::Usage& usage, wire::AgentFacts& out);
/// Sets the facts of an agent's result. `row`: of agent_evidence(); null: a tester. `findings`: maximum
/// number.
void add_result(const State& state, const AgentState& agent, const model::AgentEvidence* row,
                const league::Calibration* calibration, std::size_t findings, wire::ResultFacts& out);
/// Returns the first paths that a capture left out, without litter of the agent's program.
std::vector<model::LeftOut> left_out_view(const std::vector<model::LeftOut>& rows, std::size_t most);
/// Without a ranking, a configured dimension is `not_ranked`.
model::DimensionStatus dimension_status(const State& state, model::Dimension dimension,
                                        const model::DimensionScore& score);

/// Returns the evidence of one check for people: unknown counts are null.
wire::Check check_view(const model::CheckEvidence& check);
/// Returns the entries of a ranked race with statistics over their attempts (docs/api.md), best first.
std::vector<wire::Entry> entries_view(const State& state);
/// Returns how a subject's check workspace was made; nullopt: never made.
std::optional<model::WorkspaceFacts> workspace_view(const State& state, const Subject& subject);

/// Returns what a subject's checks run on, as a clause for people.
std::string purpose_of(const Subject& subject);
/// Returns why each row but the first stands below the previous one.
std::vector<wire::OrderReason> order_reasons(const model::Ranking& ranking);
/// Returns why the winner of the newest ranking won; empty: no ranking.
std::string verdict_view(const State& state);
/// Returns the matrix of cross tests.
wire::Evidence matrix_view(const State& state);
/// Returns the confidence word of a ranked result and its facts; nullopt: none. `calibration`: how often the
/// word was right in the user's own races; null: not asked.
std::optional<wire::Confidence> confidence_view(const model::ResultConfidence& confidence,
                                                const league::Calibration* calibration);
/// Returns votes of judges and people on a result; nullopt: not asked and not rated.
std::optional<wire::Judges> judges_view(const State& state, const AgentState& agent);

/// The weight of each dimension, by index(Dimension); `judges` is not a dimension.
inline constexpr std::array<double model::Weights::*, 5> kWeightOf{
    &model::Weights::build, &model::Weights::tests, &model::Weights::lint, &model::Weights::diff_size,
    &model::Weights::speed};
/// Converts milliseconds.
inline double seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000.0; }

}  // namespace hydra::race::detail
