#include "scoring/judges.hpp"

#include "scoring/term.hpp"

#include <fmt/format.h>

namespace hydra::scoring {
namespace {

using model::DimensionStatus;
using model::JudgesState;

void say(JudgesScore& out, JudgesState state, std::string text) {
  out.state = state;
  out.text = std::move(text);
}

std::string judges_word(std::size_t n) { return fmt::format("{} judge{}", n, n == 1 ? "" : "s"); }

// As of validators, docs/scoring.md.
constexpr double kStakeFraction = 0.3, kOutlierThreshold = 3.5;

// Sets the reason of a missing score, in the order of the rules.
void explain_absence(int fewest, JudgesScore& out) {
  if (out.valid == 0) return say(out, JudgesState::no_votes, "no judge gave an answer that counts");
  if (static_cast<int>(out.valid) < fewest)
    return say(out, JudgesState::too_few_judges,
               fmt::format("{} gave an answer that counts, {} are needed", judges_word(out.valid), fewest));
  if (!(out.all_stake > 0)) return say(out, JudgesState::no_stake, "the judges have no stake");
  if (out.stake / out.all_stake < kStakeFraction)
    return say(out, JudgesState::too_little_stake,
               fmt::format("the judges that gave an answer hold {:.0f} % of the stake, {:.0f} % are needed",
                           out.stake / out.all_stake * 100, kStakeFraction * 100));
  say(out, JudgesState::no_stake, "the judges that count have no stake");
}

}  // namespace

JudgesScore judges_score(const std::vector<Vote>& votes, double all_stake, int fewest) {
  JudgesScore out;
  out.all_stake = all_stake;
  out.z.resize(votes.size());
  std::vector<term::Evaluation> evaluations;
  std::vector<std::size_t> whose;
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (!votes[i].score) continue;
    evaluations.push_back({votes[i].stake, *votes[i].score});
    whose.push_back(i);
    out.stake += votes[i].stake;
  }
  out.valid = evaluations.size();
  const auto found =
      term::validated_score(evaluations, {all_stake, fewest, kStakeFraction}, kOutlierThreshold);
  out.median = found.outliers.median;
  out.mad = found.outliers.mad;
  out.undetermined = found.outliers.undetermined;
  for (std::size_t i = 0; i < whose.size(); ++i) out.z[whose[i]] = found.outliers.modified_z[i];
  for (const auto i : found.outliers.indices) out.outliers.push_back(whose[i]);
  out.score = found.score;
  if (!out.score) {
    explain_absence(fewest, out);
    return out;
  }
  const auto counted = out.valid - out.outliers.size();
  say(out, JudgesState::scored,
      fmt::format("stake-weighted mean of {}{}", judges_word(counted),
                  out.outliers.empty() ? ""
                                       : fmt::format(", {} left out as {}", out.outliers.size(),
                                                     out.outliers.size() == 1 ? "an outlier" : "outliers")));
  return out;
}

model::DimensionScore judges_dimension(const JudgesScore& judged, bool of_race) {
  model::DimensionScore out;
  if (!of_race) return out;
  out.status = judged.score ? DimensionStatus::scored : DimensionStatus::failed;
  out.points = judged.score.value_or(0) * 100;
  if (!judged.score) out.reason = model::of_name<model::ScoreReason>(name(judged.state));
  out.terms = {{"judges", static_cast<double>(judged.valid)},
               {"outliers", static_cast<double>(judged.outliers.size())},
               {"stake", judged.stake},
               {"all_stake", judged.all_stake}};
  if (judged.median) out.terms.push_back({"median", *judged.median});
  if (judged.mad) out.terms.push_back({"mad", *judged.mad});
  return out;
}

}  // namespace hydra::scoring
