// model: judges of a race's results, their answers, and ratings by people (docs/selection.md). Facts only;
// scoring/judges.hpp combines them.
#pragma once

#include "model/agent_run.hpp"
#include "model/subject.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

/// Whether the votes on a result make a score, and which rule prevents one.
enum class JudgesState { no_votes, scored, too_few_judges, too_little_stake, no_stake };
template <>
inline constexpr auto kWords<JudgesState> = words<JudgesState>("no_votes", "scored", "too_few_judges",
                                                               "too_little_stake", "no_stake");

/// A planned judgement: one judge, one result.
struct PlannedJudgement {
  Subject subject;     ///< of kind judgement
  std::string judge;   ///< JudgeConfig::name
  std::string result;  ///< check owner: identical trees are judged once
  std::string commit;  ///< captured commit
};

struct JudgePlan {
  std::string seed;    ///< seed of the order, hexadecimal
  std::string secret;  ///< secret that nonces are derived from; drawn when all agents had ended
  std::vector<PlannedJudgement> judgements;  ///< in the order of execution
};

/// Outcome of one planned judgement.
struct Judgement {
  Subject subject;
  std::string judge, result, commit;
  /// Why the judgement does not count: "no_answer", "prose", "malformed", "wrong_shape", "wrong_nonce",
  /// "out_of_range", "timed_out", "failed", "not_started", "over_budget"; empty: `score` counts.
  std::string invalid{};
  double score = 0;       ///< [0, 1]
  std::string reason{};   ///< the judge's own words, one line
  std::string attempt{};  ///< key whose log has the output; empty: the judge did not run
  std::int64_t wall_ms = 0;
  Usage usage{};
};

/// A person's rating of one result. The newest rating of an author counts.
struct Rating {
  std::string author;  ///< one line
  int stars = 0;       ///< 1 to 5
  std::string note{};  ///< one line
};

}  // namespace hydra::model
