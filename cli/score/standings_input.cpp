#include "cli/score/standings_input.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hydra::cli {
namespace {

constexpr double kEpochDays = 7;
constexpr double kEpochMs = kEpochDays * 86'400'000;
constexpr std::int64_t kMostEpochs = 10'000;

Result<std::pair<std::string, double>> named_number(const std::string& text, const char* key, double most) {
  const auto equals = text.rfind('=');
  double number = -1;
  if (equals != std::string::npos) {
    const auto* begin = text.data() + equals + 1;
    const auto* end = text.data() + text.size();
    if (const auto read = std::from_chars(begin, end, number); read.ec != std::errc{} || read.ptr != end)
      number = -1;
  }
  if (equals == 0 || equals == std::string::npos || !(number >= 0) || !(number <= most))
    return Error{Errc::config, "'" + sanitize(text) + "' is no NAME=NUMBER that fits", key, "\"NAME=0.5\""};
  return std::pair(text.substr(0, equals), number);
}

std::vector<model::HistoryVote> votes_in(const OrderedJson& attempt) {
  std::vector<model::HistoryVote> votes;
  for (const auto& vote : attempt.value("votes", OrderedJson::array())) {
    const auto judge = text(vote, "judge");
    const auto &stake = member(vote, "stake"), &score = member(vote, "score");
    if (!judge.empty() && stake.is_number() && score.is_number())
      votes.push_back({judge, stake.get<double>(), score.get<double>()});
  }
  return votes;
}

OrderedJson epoch_json(const league::EpochStanding& standing,
                       const std::vector<league::Competition>& competitions,
                       const std::vector<std::string>& entries, std::int64_t first) {
  OrderedJson j{
      {"epoch", standing.epoch},
      {"begins_ms", static_cast<std::int64_t>(static_cast<double>(first + standing.epoch) * kEpochMs)},
      {"competition", competitions[standing.competition].name},
      {"top", or_null(standing.top)},
      {"improved", standing.improved},
      {"stale", standing.stale},
      {"burn_percent", standing.burn_percent},
      {"burnt", standing.burnt},
      {"rows", OrderedJson::array()}};
  for (const auto& row : standing.rows)
    j["rows"].push_back({{"uid", row.uid},
                         {"entry", entries[row.entry]},
                         {"score", or_null(row.score)},
                         {"validators", row.validators},
                         {"outliers", row.outliers},
                         {"weight", row.weight}});
  return j;
}

}  // namespace

std::uint32_t StandingsInput::Names::of(const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  names.push_back(name);
  return static_cast<std::uint32_t>(names.size() - 1);
}

Result<StandingsInput> StandingsInput::make(const model::StandingsConfig& config, Validators kind) {
  StandingsInput input;
  input.kind_ = kind;
  input.config_ = config;
  for (const auto& given : config.competitions) {
    HYDRA_TRY(const auto competition, named_number(given, "standings.competitions", 1));
    input.competitions_.push_back({competition.first, competition.second});
  }
  if (input.competitions_.empty()) input.competitions_.push_back({"all", 1});
  for (const auto& given : config.stakes) {
    HYDRA_TRY(const auto stake, named_number(given, "standings.stakes", 1e12));
    input.stakes_[stake.first] = stake.second;
  }
  return input;
}

std::optional<std::uint32_t> StandingsInput::competition_of(const std::string& kind,
                                                            const std::string& suite) const {
  if (config_.competitions.empty()) return 0;
  for (std::uint32_t i = 0; i < competitions_.size(); ++i)
    if (competitions_[i].name == kind || competitions_[i].name == suite) return i;
  return std::nullopt;
}

Result<void> StandingsInput::add(std::string_view page, std::optional<std::int64_t>& next) {
  const auto json = OrderedJson::parse(page, nullptr, false);
  if (!json.is_object() || !json.contains("races") || !json["races"].is_array())
    return Error{Errc::protocol,
                 "the daemon's answer is no history",
                 {},
                 "are `hydra` and `hydrad` of the same version?"};
  next.reset();
  if (json.contains("next") && json["next"].is_number_integer()) next = json["next"].get<std::int64_t>();
  for (const auto& race : json["races"]) {
    const auto labels = race.value("labels", OrderedJson::object());
    const auto competition = competition_of(text(race, "kind"), text(labels, "suite"));
    if (!competition) continue;
    auto validator = text(labels, "validator");
    if (validator.empty()) validator = text(race, "repository");
    const auto ended = race.value("ended_ms", std::int64_t{0});
    for (const auto& attempt : race.value("attempts", OrderedJson::array())) {
      if (attempt.value("lost", false)) continue;
      const auto asked = text(attempt, "asked_model");
      league::Tried tried;
      tried.entry = entries_.of(text(attempt, "agent") + (asked.empty() ? "" : "=" + asked));
      tried.competition = *competition;
      tried.epoch = static_cast<std::int64_t>(std::floor(static_cast<double>(ended) / kEpochMs));
      tried.at_ms = ended;
      if (kind_ == Validators::judges) {
        add_votes(votes_in(attempt), tried);
        continue;
      }
      tried.validator = validators_.of(validator);
      tried.score = attempt.value("success", false) ? 1 : 0;
      tried_.push_back(tried);
    }
  }
  return {};
}

// Adds each judge as a validator, with its stake in the newest of these races.
void StandingsInput::add_votes(const std::vector<model::HistoryVote>& votes, league::Tried tried) {
  for (const auto& vote : votes) {
    tried.validator = validators_.of(vote.judge);
    tried.score = vote.score;
    given_stakes_[vote.judge] = vote.stake;
    tried_.push_back(tried);
  }
}

std::string StandingsInput::json(std::int64_t now_ms, std::int64_t shown) const {
  auto tried = tried_;
  const auto now = static_cast<std::int64_t>(std::floor(static_cast<double>(now_ms) / kEpochMs));
  auto first = now;
  for (const auto& each : tried) first = std::min(first, each.epoch);
  // Clocks of other machines may be wrong: epochs older than kMostEpochs are merged into the first.
  first = std::max(first, now - kMostEpochs + 1);
  for (auto& each : tried) each.epoch = std::clamp<std::int64_t>(each.epoch - first, 0, now - first);
  std::vector<double> stakes;
  for (const auto& name : validators_.names) {
    const auto found = stakes_.find(name);
    const auto given = given_stakes_.find(name);
    stakes.push_back(found != stakes_.end()         ? found->second
                     : given != given_stakes_.end() ? given->second
                                                    : 1);
  }
  const auto found =
      league::standings(tried, entries_.names.size(), stakes, competitions_, now - first + 1, config_);
  OrderedJson j{{"schema", 1},
                {"epoch_days", kEpochDays},
                {"validators", OrderedJson::array()},
                {"epochs", OrderedJson::array()},
                {"uids", OrderedJson::object()},
                {"weights", OrderedJson::object()},
                {"notes", OrderedJson::array()}};
  for (std::size_t i = 0; i < stakes.size(); ++i)
    j["validators"].push_back({{"validator", validators_.names[i]}, {"stake", stakes[i]}});
  for (const auto& standing : found.epochs)
    if (now - first - standing.epoch < shown)
      j["epochs"].push_back(epoch_json(standing, competitions_, entries_.names, first));
  for (std::size_t uid = 0; uid < found.weights.size(); ++uid) {
    j["uids"][std::to_string(uid)] = uid == 0 ? "(burnt)" : entries_.names[uid - 1];
    j["weights"][std::to_string(uid)] = found.weights[uid];
  }
  if (!stakes.empty() && static_cast<int>(stakes.size()) < config_.min_validators)
    j["notes"].push_back(
        fmt::format("too few validators for any score: {}, {} are needed ([standings] min_validators)",
                    stakes.size(), config_.min_validators));
  return one_line(j);
}

std::string standings_text(std::string_view text) {
  const auto json = OrderedJson::parse(text, nullptr, false);
  if (!json.is_object() || json.value("uids", OrderedJson::object()).size() < 2)
    return "Nothing is remembered that could compete.\n";
  std::string out;
  for (const auto& epoch : json["epochs"]) {
    const auto top = epoch["top"].is_number() ? fmt::format("{:.3f}", epoch["top"].get<double>()) : "--";
    out += fmt::format("Epoch {} from {}, {}: top {}{}, stale {}, burn {:g} %\n",
                       epoch["epoch"].get<std::int64_t>(),
                       format_utc(epoch["begins_ms"].get<std::int64_t>()).substr(0, 10),
                       sanitize(epoch["competition"].get<std::string>()), top,
                       epoch["improved"].get<bool>() ? " (improved)" : "", epoch["stale"].get<std::int64_t>(),
                       epoch["burn_percent"].get<double>());
    for (const auto& row : epoch["rows"])
      out += fmt::format("  uid {:>3}  {:<24}  score {:>5}  validators {}{}  weight {:>5}\n",
                         row["uid"].get<std::int64_t>(),
                         ellipsize(sanitize(row["entry"].get<std::string>()), 24),
                         row["score"].is_number() ? fmt::format("{:.3f}", row["score"].get<double>()) : "--",
                         row["validators"].get<std::int64_t>(),
                         row["outliers"].get<std::int64_t>() > 0
                             ? fmt::format(" ({} left out)", row["outliers"].get<std::int64_t>())
                             : "",
                         row["weight"].get<std::int64_t>());
    if (epoch["burnt"].get<std::int64_t>() > 0)
      out += fmt::format("  uid   0  {:<24}  weight {:>5}\n", "(burnt)", epoch["burnt"].get<std::int64_t>());
  }
  out += "Weights: ";
  bool more = false;
  for (const auto& [uid, weight] : json["weights"].items()) {
    out += (more ? ", " : "") + uid + ": " + weight.dump();
    more = true;
  }
  out += "\n";
  for (const auto& note : json["notes"]) out += "Note: " + sanitize(note.get<std::string>()) + "\n";
  return out;
}

}  // namespace hydra::cli
