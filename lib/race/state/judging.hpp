// race: who judges which results of a race, when, and what their answers come to (docs/judges.md). Pure; the
// effects are in judges.cpp.
#pragma once

#include "race/state/state.hpp"
#include "scoring/judges.hpp"
#include "wire/status.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace hydra::race {

/// What one judgement needs of the fold.
struct JudgeTask {
  model::PlannedJudgement planned;
  model::JudgeConfig judge;
  int number = 1;     ///< of its attempt
  std::string nonce;  ///< its answer must carry it
  std::string fence;  ///< around what others wrote
};
/// Of a planned judgement that has no answer yet; nothing: there is none of that name.
std::optional<JudgeTask> judge_task(const State& state, const std::string& subject);

/// Every judge on every result that changes something, checked or not, identical trees once. The order of
/// each judge's results is drawn from `seed` (hexadecimal), and judges take turns. `secret`: random.
model::JudgePlan plan_judgements(const State& state, const std::string& seed, const std::string& secret);

/// Whether judges are to be asked before this race is ranked.
bool judging_open(const State& state);
/// What of it is wanted now; only while it is open.
void want_judges(const State& state, std::set<Command>& commands);
/// How many judgements are planned, and how many have an answer.
wire::Progress judging_progress(const State& state);

/// US dollars of this judge's judgements so far.
double judge_spent(const State& state, const std::string& judge);

/// The fold of Rated.
void add_rating(State& state, const model::Rated& rated, std::int64_t at_ms);

/// One judge or person on one result; what is not known yet is not among them.
struct GivenVote {
  scoring::Vote vote;
  bool person = false;
  std::string invalid, reason, attempt;  ///< see model::Judgement; a person's note is its reason
  int stars = 0;                         ///< of a person
};
std::vector<GivenVote> votes_of(const State& state, const AgentState& agent);
/// What they come to; nothing where nobody was asked and nobody rated.
std::optional<scoring::JudgesScore> judged(const State& state, const AgentState& agent);
/// Fills in the judges' points of each row (in the order of agent_evidence).
void add_judges(const State& state, std::vector<model::AgentEvidence>& rows);

/// What people's ratings of a result say together, [0, 1]; nothing: nobody rated it.
std::optional<double> rating_of(const State& state, const AgentState& agent);

}  // namespace hydra::race
