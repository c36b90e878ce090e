// race, inside only: parts that results and explanations share.
#pragma once

#include "league/calibration.hpp"
#include "race/state/state.hpp"
#include "wire/results.hpp"

#include <array>
#include <string>
#include <string_view>

namespace hydra::race::detail {

/// What is said of an agent wherever one is shown.
void add_agent(const State& state, const AgentState& agent, const model::Usage& usage, wire::AgentFacts& out);
/// And of its result. `row`: of agent_evidence(); null: a tester's. `findings`: at most so many are shown.
void add_result(const State& state, const AgentState& agent, const model::AgentEvidence* row,
                const league::Calibration* calibration, std::size_t findings, wire::ResultFacts& out);
/// The first of the paths that a capture left out, without what an agent's program leaves behind by
/// itself.
std::vector<model::LeftOut> left_out_view(const std::vector<model::LeftOut>& rows, std::size_t most);
/// "scored", "not_ranked", …: of a race that has no ranking, a configured dimension is not ranked.
std::string_view dimension_status(const State& state, model::Dimension dimension,
                                  const model::DimensionScore& score);

/// Evidence of one check as far as people ask for it: counts where they are known, null where not.
wire::Check check_view(const model::CheckEvidence& check);
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

/// The weight of each dimension, by index(Dimension); `judges` is none of them.
inline constexpr std::array<double model::Weights::*, 5> kWeightOf{
    &model::Weights::build, &model::Weights::tests, &model::Weights::lint, &model::Weights::diff_size,
    &model::Weights::speed};
/// Its place in the ranking; null: there is none.
const model::RankedAgent* ranked(const State& state, const std::string& agent);
/// Of milliseconds.
inline double seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000.0; }

}  // namespace hydra::race::detail
