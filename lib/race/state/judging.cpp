#include "race/state/judging.hpp"

#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "league/statistics.hpp"
#include "race/state/watch.hpp"

#include <algorithm>
#include <cstdlib>

namespace hydra::race {
namespace {

// Limit of concurrent judgements: enough for a small machine's slots, without filling the disk.
constexpr std::size_t kJudgesAtOnce = 4;

bool judging_possible(const State& state) {
  const auto& spec = state.spec;
  return !spec.config.judges.empty() && !spec.check_only && spec.verifies.empty() && !state.cancelled;
}

bool to_be_judged(const AgentState& agent) {
  return agent.origin != Origin::tester && !agent.cancelled && agent.changed();
}

Subject judgement_subject(const model::RaceSpec& spec, const std::string& judge, const std::string& tree) {
  return Subject::run(Kind::judgement, spec.token + "\njudge\n" + judge + "\n" + tree);
}

const model::JudgeConfig* judge_named(const State& state, const std::string& name) {
  for (const auto& judge : state.spec.config.judges)
    if (judge.name == name) return &judge;
  return nullptr;
}

/// Returns the agents whose results are judged: identical trees once.
std::vector<const AgentState*> judged_results(const State& state) {
  std::vector<const AgentState*> results;
  std::set<Subject> owners;
  for (const auto& agent : state.agents)
    if (to_be_judged(agent) && owners.insert(check_owner(state, agent)).second) results.push_back(&agent);
  return results;
}

std::set<std::string> raters(const State& state) {
  std::set<std::string> authors;
  for (const auto& given : state.ratings) authors.insert(given.rating.author);
  return authors;
}

constexpr double kStakeOfPerson = 1;

/// Returns how many valid votes a score needs: three, or as many as there are judges if there are fewer.
int fewest_votes(const State& state) {
  const auto judges = static_cast<int>(state.spec.config.judges.size());
  return judges == 0 ? 3 : std::min(judges, 3);
}

double all_stakes(const State& state) {
  double sum = 0;
  for (const auto& judge : state.spec.config.judges) sum += judge.stake;
  return sum + static_cast<double>(raters(state).size()) * kStakeOfPerson;
}

double score_of_stars(int stars) { return (stars - 1) / 4.0; }

/// Returns the newest rating of each author on this tree.
std::vector<const GivenRating*> ratings_on(const State& state, const AgentState& agent) {
  std::map<std::string, const GivenRating*> newest;
  for (const auto& given : state.ratings)
    if (agent.capture && given.tree == agent.capture->tree) newest[given.rating.author] = &given;
  std::vector<const GivenRating*> list;
  for (const auto& [author, given] : newest) list.push_back(given);
  return list;
}

}  // namespace

std::optional<JudgeTask> judge_task(const State& state, const Subject& subject) {
  if (!state.judging || state.answers.contains(subject)) return std::nullopt;
  for (const auto& planned : state.judging->judgements) {
    if (planned.subject != subject) continue;
    const auto* judge = judge_named(state, planned.judge);
    if (!judge) return std::nullopt;
    // The words are not attempt tokens: a reader of those could derive others from them.
    const auto drawn = [&](const char* what) {
      return sha256_hex(state.judging->secret + "\n" + what + "\n" + text(subject)).substr(0, 24);
    };
    return JudgeTask{planned, *judge, std::max(1, state.judge_plans), drawn("nonce"), drawn("fence")};
  }
  return std::nullopt;
}

model::JudgePlan plan_judgements(const State& state, const std::string& seed, const std::string& secret) {
  model::JudgePlan plan;
  plan.seed = seed;
  plan.secret = secret;
  league::Random random(std::strtoull(seed.c_str(), nullptr, 16));
  const auto results = judged_results(state);
  std::vector<std::vector<model::PlannedJudgement>> lists;
  for (const auto& judge : state.spec.config.judges) {
    auto order = results;
    for (std::size_t left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[random.below(left)]);
    auto& list = lists.emplace_back();
    for (const auto* agent : order)
      list.push_back({judgement_subject(state.spec, judge.name, agent->capture->tree), judge.name,
                      check_owner(state, *agent).agent, agent->capture->commit});
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    for (const auto& list : lists) plan.judgements.push_back(list[i]);
  return plan;
}

bool judging_open(const State& state) {
  if (state.ranking || !judging_possible(state)) return false;
  if (!state.judging) return !judged_results(state).empty();
  const auto progress = judging_progress(state);
  return progress.done < progress.of;
}

void want_judges(const State& state, std::set<Command>& commands) {
  if (!state.judging) {
    commands.insert({Verb::plan_judges, {}, model::Dimension::build});
    return;
  }
  std::size_t wanted = 0;
  const auto budget = race_budget_of(state);
  const bool counted = budget.usd > 0 || budget.tokens > 0;
  std::set<std::string> one_by_one;  // judges with a budget: the next judgement waits for this one's cost
  for (const auto& planned : state.judging->judgements) {
    if (state.answers.contains(planned.subject)) continue;
    const auto* judge = judge_named(state, planned.judge);
    if (judge && ((counted && !judge->command) || judge->budget_usd > 0) &&
        !one_by_one.insert(planned.judge).second)
      continue;
    if (wanted++ == kJudgesAtOnce) return;
    commands.insert({Verb::judge, planned.subject, model::Dimension::build});
  }
}

wire::Progress judging_progress(const State& state) {
  wire::Progress progress;
  if (!state.judging) return progress;
  progress.of = state.judging->judgements.size();
  for (const auto& planned : state.judging->judgements)
    if (state.answers.contains(planned.subject)) ++progress.done;
  return progress;
}

model::Usage judges_usage(const State& state) {
  model::Usage all;
  for (const auto& [subject, answer] : state.answers) all = add_usage(all, answer.usage);
  return all;
}

double judge_spent(const State& state, const std::string& judge) {
  double spent = 0;
  for (const auto& [subject, answer] : state.answers)
    if (answer.judge == judge) spent += answer.usage.cost_usd.value_or(0);
  return spent;
}

void add_rating(State& state, const model::Rated& rated, std::int64_t at_ms) {
  const auto* agent = state.agent(rated.agent);
  if (agent && agent->capture)
    state.ratings.push_back({rated.agent, agent->capture->tree, rated.rating, at_ms});
}

std::vector<GivenVote> votes_of(const State& state, const AgentState& agent) {
  std::vector<GivenVote> votes;
  if (!agent.capture) return votes;
  for (const auto& judge : state.spec.config.judges) {
    const auto found = state.answers.find(judgement_subject(state.spec, judge.name, agent.capture->tree));
    if (found == state.answers.end()) continue;
    const auto& answer = found->second;
    GivenVote given{{judge.name, judge.stake, {}}, false, answer.invalid, answer.reason, answer.attempt, 0};
    if (answer.invalid.empty()) given.vote.score = answer.score;
    votes.push_back(std::move(given));
  }
  for (const auto* given : ratings_on(state, agent)) {
    const auto& [author, stars, note] = given->rating;
    votes.push_back({{author, kStakeOfPerson, score_of_stars(stars)}, true, {}, note, {}, stars});
  }
  return votes;
}

std::optional<scoring::JudgesScore> judged(const State& state, const AgentState& agent) {
  std::vector<scoring::Vote> votes;
  for (auto& given : votes_of(state, agent)) votes.push_back(std::move(given.vote));
  if (votes.empty()) return std::nullopt;
  return scoring::judges_score(votes, all_stakes(state), fewest_votes(state));
}

void add_judges(const State& state, std::vector<model::AgentEvidence>& rows) {
  if (state.answers.empty() && state.ratings.empty()) return;
  std::vector<scoring::JudgesScore> scores;
  for (const auto& row : rows)
    scores.push_back(judged(state, *state.agent(row.agent)).value_or(scoring::JudgesScore{}));
  const bool any =
      std::any_of(scores.begin(), scores.end(), [](const auto& s) { return s.score.has_value(); });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].judges = scoring::judges_dimension(scores[i], any);
  }
}

std::optional<double> rating_of(const State& state, const AgentState& agent) {
  const auto given = ratings_on(state, agent);
  if (given.empty()) return std::nullopt;
  double sum = 0;
  for (const auto* each : given) sum += score_of_stars(each->rating.stars);
  return sum / static_cast<double>(given.size());
}

}  // namespace hydra::race
