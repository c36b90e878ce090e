// race: which judges judge which results, when, and their combined score (docs/selection.md). Pure; the
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

/// Inputs of one judgement from the fold.
struct JudgeTask {
  model::PlannedJudgement planned;
  model::JudgeConfig judge;
  int number = 1;     ///< number of the attempt
  std::string nonce;  ///< word that the answer must contain
  std::string fence;  ///< delimiter around text of other authors
};
/// Returns the task of a planned, unanswered judgement; nullopt: no such subject.
std::optional<JudgeTask> judge_task(const State& state, const Subject& subject);

/// Plans every judge on every result with a change, checked or not, identical trees once. `seed`
/// (hexadecimal) determines the order of each judge's results; judges alternate. `secret`: random.
model::JudgePlan plan_judgements(const State& state, const std::string& seed, const std::string& secret);

/// Returns whether judges must be asked before this race is ranked.
bool judging_open(const State& state);
/// Returns the usage of all judgements.
model::Usage judges_usage(const State& state);
/// Adds the judging commands that are wanted now; only while judging_open().
void want_judges(const State& state, std::set<Command>& commands);
/// Returns the number of planned judgements, and how many are answered.
wire::Progress judging_progress(const State& state);

/// Returns the US dollars spent on this judge's judgements so far.
double judge_spent(const State& state, const std::string& judge);

/// Folds Rated.
void add_rating(State& state, const model::Rated& rated, std::int64_t at_ms);

/// A judge's or person's vote on one result; pending ones are excluded.
struct GivenVote {
  scoring::Vote vote;
  bool person = false;
  std::string invalid, reason, attempt;  ///< see model::Judgement; `reason` of a person is the note
  int stars = 0;                         ///< only of a person
};
std::vector<GivenVote> votes_of(const State& state, const AgentState& agent);
/// Returns the combined score; nullopt: no judges were asked and nobody rated.
std::optional<scoring::JudgesScore> judged(const State& state, const AgentState& agent);
/// Sets the judges' points of each row (in the order of agent_evidence).
void add_judges(const State& state, std::vector<model::AgentEvidence>& rows);

/// Returns the combined rating of a result by people, [0, 1]; nullopt: not rated.
std::optional<double> rating_of(const State& state, const AgentState& agent);

}  // namespace hydra::race
