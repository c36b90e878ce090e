// model: who judges the results of a race, what they answered, and what people think of them
// (docs/judges.md). Facts only; scoring/judges.hpp says what they come to.
#pragma once

#include "model/agent_run.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

/// First character of the name of a judgement as a job. The rest tells nothing of whose result it is about.
/// No agent can have such a name.
inline constexpr std::string_view kJudgeMark = "_";

/// One judge on one result.
struct PlannedJudgement {
  std::string subject;  ///< kJudgeMark and a number that is derived from all that it depends on
  std::string judge;    ///< JudgeConfig::name
  std::string result;   ///< check owner: identical trees are judged once
  std::string commit;   ///< as it was captured
};

struct JudgePlan {
  std::string seed;                          ///< of the order, hexadecimal
  std::string secret;                        ///< nonces are derived from it; drawn when all agents had ended
  std::vector<PlannedJudgement> judgements;  ///< in the order in which they are made
};

/// What became of one of them.
struct Judgement {
  std::string subject, judge, result, commit;
  /// Why nothing of it counts: "no_answer", "prose", "malformed", "wrong_shape", "wrong_nonce",
  /// "out_of_range", "timed_out", "failed", "not_started", "over_budget"; empty: `score` counts.
  std::string invalid{};
  double score = 0;       ///< [0, 1]
  std::string reason{};   ///< the judge's own words, one line
  std::string attempt{};  ///< key whose log has its output; empty: it did not run
  std::int64_t wall_ms = 0;
  Usage usage{};
};

/// One person's word on one result. The newest one of an author counts.
struct Rating {
  std::string author;  ///< one line
  int stars = 0;       ///< 1 to 5
  std::string note{};  ///< one line
};

}  // namespace hydra::model
