#include "league/standings.hpp"

#include "scoring/term.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace hydra::league {
namespace {

namespace term = scoring::term;
static_assert(static_cast<int>(model::StandingsStrategy::ranked) == static_cast<int>(term::Strategy::ranked));
static_assert(static_cast<int>(model::DecayCurve::exponential) == static_cast<int>(term::Curve::exponential));

/// The latest scores of one entry by one validator.
struct Said {
  std::int64_t epoch = -1, tried = 0;
  double sum = 0;
  void add(const Tried& attempt) {
    if (attempt.epoch != epoch) *this = {attempt.epoch, 0, 0};
    ++tried;
    sum += attempt.score;
  }
};

/// The state of one competition from epoch to epoch.
class Running {
 public:
  Running(std::uint32_t number, std::size_t entries, const std::vector<double>& stakes,
          const model::StandingsConfig& rules)
      : number_(number), stakes_(stakes), rules_(rules), said_(entries), since_(entries, kNever) {}

  void add(const Tried& attempt) {
    said_[attempt.entry][attempt.validator].add(attempt);
    since_[attempt.entry] = std::min(since_[attempt.entry], attempt.at_ms);
  }

  EpochStanding close(std::int64_t epoch) {
    EpochStanding standing;
    standing.epoch = epoch;
    standing.competition = number_;
    for (std::uint32_t entry = 0; entry < said_.size(); ++entry)
      if (!said_[entry].empty()) standing.rows.push_back(row_of(entry));
    judge(standing);
    weigh(standing);
    std::stable_sort(standing.rows.begin(), standing.rows.end(), [](const Standing& a, const Standing& b) {
      return a.score.value_or(-1) > b.score.value_or(-1);
    });
    return standing;
  }

 private:
  static constexpr auto kNever = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] Standing row_of(std::uint32_t entry) const {
    Standing row;
    row.entry = entry;
    row.uid = static_cast<std::int64_t>(entry) + 1;
    std::vector<term::Evaluation> evaluations;
    for (const auto& [validator, said] : said_[entry])
      evaluations.push_back({stakes_[validator], said.sum / static_cast<double>(said.tried)});
    const term::Admission admission{std::accumulate(stakes_.begin(), stakes_.end(), 0.0),
                                    rules_.min_validators, rules_.min_stake_fraction};
    const auto validated = term::validated_score(evaluations, admission, rules_.outlier_threshold);
    row.score = validated.score;
    row.validators = static_cast<std::int64_t>(evaluations.size());
    row.outliers = static_cast<std::int64_t>(validated.outliers.indices.size());
    return row;
  }

  // Applies decay reset and decay activation.
  void judge(EpochStanding& standing) {
    for (const auto& row : standing.rows)
      if (row.score) standing.top = std::max(standing.top.value_or(0), *row.score);
    if (!standing.top) return;
    standing.improved = term::is_improvement(best_, *standing.top, rules_.improvement);
    if (standing.improved) last_improvement_ = standing.epoch;
    best_ = std::max(best_.value_or(0), *standing.top);
    standing.stale = term::epochs_stale(standing.epoch, last_improvement_, rules_.grace_epochs);
    standing.burn_percent = term::burn_percent(static_cast<term::Curve>(rules_.decay), rules_.decay_rate,
                                               static_cast<double>(standing.stale), rules_.max_burn);
  }

  // Applies weights, then cap, then burn (ruling T5).
  void weigh(EpochStanding& standing) const {
    std::vector<term::Submission> submissions;
    std::vector<Standing*> scored;
    for (auto& row : standing.rows)
      if (row.score) {
        scored.push_back(&row);
        submissions.push_back({*row.score, static_cast<double>(since_[row.entry])});
      }
    if (scored.empty()) return;
    const auto shares =
        term::strategy(static_cast<term::Strategy>(rules_.strategy), submissions, rules_.top_n);
    const auto capped = term::cap(shares, rules_.cap).capped;
    const auto scaled = term::scale(capped);
    std::vector<term::UidWeight> weights;
    for (std::size_t i = 0; i < scored.size(); ++i)
      weights.push_back({scored[i]->uid, static_cast<double>(scaled[i])});
    for (const auto& [uid, weight] : term::apply_burn(weights, standing.burn_percent, true)) {
      if (uid == 0) standing.burnt = static_cast<std::int64_t>(weight);
      for (auto* row : scored)
        if (row->uid == uid) row->weight = static_cast<std::int64_t>(weight);
    }
  }

  std::uint32_t number_;
  const std::vector<double>& stakes_;
  const model::StandingsConfig& rules_;
  std::vector<std::map<std::uint32_t, Said>> said_;  ///< by entry: validator -> latest scores
  std::vector<std::int64_t> since_;                  ///< by entry: time of its first attempt
  std::optional<double> best_;
  std::int64_t last_improvement_ = 0;
};

/// Allocates each competition's weights by its alpha.
std::vector<std::int64_t> emitted(const std::vector<EpochStanding>& last, std::size_t entries,
                                  const std::vector<Competition>& competitions) {
  std::vector<double> sums(entries + 1, 0.0);
  for (const auto& standing : last) {
    const double alpha = competitions[standing.competition].alpha;
    sums[0] += alpha * static_cast<double>(standing.burnt);
    for (const auto& row : standing.rows)
      sums[static_cast<std::size_t>(row.uid)] += alpha * static_cast<double>(row.weight);
  }
  for (auto& sum : sums) sum /= term::kFullWeight;
  return term::scale(sums);
}

}  // namespace

Standings standings(const std::vector<Tried>& tried, std::size_t entries, const std::vector<double>& stakes,
                    const std::vector<Competition>& competitions, std::int64_t epochs,
                    const model::StandingsConfig& rules) {
  std::vector<const Tried*> order;
  for (const auto& attempt : tried) order.push_back(&attempt);
  std::stable_sort(order.begin(), order.end(),
                   [](const Tried* a, const Tried* b) { return a->epoch < b->epoch; });
  std::vector<Running> running;
  for (std::uint32_t i = 0; i < competitions.size(); ++i) running.emplace_back(i, entries, stakes, rules);
  Standings found;
  std::size_t next = 0;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    for (; next < order.size() && order[next]->epoch <= epoch; ++next)
      running[order[next]->competition].add(*order[next]);
    for (auto& each : running) found.epochs.push_back(each.close(epoch));
  }
  const auto count = std::min(found.epochs.size(), competitions.size());
  found.weights = emitted({found.epochs.end() - static_cast<std::ptrdiff_t>(count), found.epochs.end()},
                          entries, competitions);
  return found;
}

}  // namespace hydra::league
