#include "league/calibration.hpp"

#include <map>
#include <set>
#include <utility>

namespace hydra::league {
namespace {

struct Count {
  std::int64_t good = 0, n = 0;
};

}  // namespace

const WordCalibration* Calibration::of(const std::string& word) const {
  if (!enough) return nullptr;
  for (const auto& found : words)
    if (found.word == word) return &found;
  return nullptr;
}

std::optional<bool> known_outcome(const Afterwards& facts, std::int64_t now_ms, double days) {
  constexpr double kDayMs = 86'400'000;
  if (facts.rating && *facts.rating != 0.5) return *facts.rating > 0.5;
  if (facts.undone) return false;
  if (facts.merged_ms && static_cast<double>(now_ms - *facts.merged_ms) >= days * kDayMs) return true;
  return std::nullopt;
}

Calibration calibrate(const std::vector<KnownOutcome>& outcomes) {
  Calibration out;
  std::set<std::uint32_t> races;
  std::map<std::string, Count> all;
  std::map<std::pair<std::string, std::uint32_t>, Count> of_race;
  for (const auto& outcome : outcomes) {
    races.insert(outcome.race);
    for (auto* count : {&all[outcome.word], &of_race[{outcome.word, outcome.race}]}) {
      ++count->n;
      count->good += outcome.good ? 1 : 0;
    }
  }
  out.races = static_cast<std::int64_t>(races.size());
  out.results = static_cast<std::int64_t>(outcomes.size());
  out.enough = out.races >= kCalibrationRaces;
  double sum = 0;
  for (const auto& outcome : outcomes) {
    const auto& whole = all[outcome.word];
    const auto& here = of_race[{outcome.word, outcome.race}];
    const auto forecast =
        static_cast<double>(whole.good - here.good + 1) / static_cast<double>(whole.n - here.n + 2);
    const auto error = forecast - (outcome.good ? 1.0 : 0.0);
    sum += error * error;
  }
  if (!outcomes.empty()) out.brier = sum / static_cast<double>(outcomes.size());
  for (const auto& [word, count] : all)
    out.words.push_back({word, count.good, count.n,
                         static_cast<double>(count.good) / static_cast<double>(count.n),
                         wilson(count.good, count.n).value_or(Interval{})});
  return out;
}

}  // namespace hydra::league
