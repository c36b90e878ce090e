#include "cli/render/export_formats.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/ci_files.hpp"
#include "cli/render/leaderboard_block.hpp"
#include "scoring/reward.hpp"

#include <fmt/format.h>

#include <array>

namespace hydra::cli {
namespace {

namespace reward = scoring::reward;

bool is_true(const OrderedJson& json, const char* name) { return member(json, name) == OrderedJson(true); }

double seconds_of(const OrderedJson& attempt) {
  const auto& value = member(attempt, "duration_seconds");
  return value.is_number() ? value.get<double>() : 0;
}

/// Reads a share; null is unknown, any other non-number is malformed.
reward::Member share_of(const OrderedJson& value) {
  if (value.is_null()) return reward::Missing{};
  if (!value.is_number()) return reward::WrongType{};
  const auto number = value.get<double>();
  if (!(number >= 0 && number <= 1)) return reward::WrongType{};
  return number;
}

bool sound_score(const OrderedJson& value) {
  return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= 100;
}

/// Maps an attempt by docs/suites.md: the share of failing tests that pass is damage dealt, the share of
/// passing tests that are lost damage received, ineligible or incomparable is dead, no change a wasted
/// action. Without evidence is_alive is missing.
reward::RawResult result_of(const OrderedJson& attempt) {
  reward::RawResult result;
  result.is_object = attempt.is_object();
  const auto& gained = member(attempt, "gained_share");
  result.damage_dealt = share_of(gained);
  result.damage_received = share_of(member(attempt, "lost_share"));
  const bool unchanged = member(attempt, "changed") == OrderedJson(false);
  result.action_wasted = unchanged;
  const auto& eligible = member(attempt, "eligible");
  if (is_true(attempt, "lost") || !eligible.is_boolean() || !sound_score(member(attempt, "composite")))
    result.is_alive = reward::Missing{};
  else
    result.is_alive = unchanged || (eligible.get<bool>() && !gained.is_null());
  return result;
}

OrderedJson who(const OrderedJson& race, const OrderedJson& attempt) {
  OrderedJson j;
  j["race"] = member(race, "race");
  for (const auto* name : {"name", "entry", "agent", "model", "attempt"}) j[name] = member(attempt, name);
  return j;
}

std::string reward_line(const OrderedJson& race, const OrderedJson& attempt, const reward::Weights& weights) {
  const auto made = reward::compute(result_of(attempt), weights);
  auto j = who(race, attempt);
  j["task"] = member(race, "task");
  j["reward"] = made.total;
  const auto& c = made.components;
  j["components"] = {{"damage_dealt_reward", c.damage_dealt_reward},
                     {"damage_received_penalty", c.damage_received_penalty},
                     {"survival_reward", c.survival_reward},
                     {"death_penalty", c.death_penalty},
                     {"efficiency_penalty", c.efficiency_penalty}};
  if (made.violation) j["violation"] = "CRITICAL";
  if (!made.warning.empty()) j["warning"] = made.warning;
  return one_line(j) + "\n";
}

/// Merges race and attempt into one object.
OrderedJson flat(const OrderedJson& race, const OrderedJson& attempt) {
  OrderedJson j;
  for (const auto& [name, value] : race.items())
    if (name != "attempts") j[name] = value;
  for (const auto& [name, value] : attempt.items()) j[name] = value;
  return j;
}

constexpr std::array kColumns{"race",    "kind",   "root",    "base",    "ended_ms", "name",     "entry",
                              "agent",   "model",  "version", "attempt", "outcome",  "lost",     "eligible",
                              "success", "solved", "rank",    "merged",  "changed",  "composite"};
constexpr std::array kPoints{"build", "tests", "lint", "diff_size", "speed"};
constexpr std::array kAfterPoints{"tests_fixed", "tests_broken", "gained_share",     "lost_share",
                                  "tokens",      "cost_usd",     "duration_seconds", "judges",
                                  "rating",      "confidence"};

std::string csv_of(const OrderedJson& value) {
  if (value.is_null()) return {};
  return value.is_string() ? csv_field(value.get<std::string>()) : one_line(value);
}

std::string csv_line(const OrderedJson& race, const OrderedJson& attempt) {
  const auto all = flat(race, attempt);
  std::string line;
  for (const auto* name : kColumns) line += csv_of(member(all, name)) + ",";
  for (const auto* name : kPoints) line += csv_of(member(member(all, "points"), name)) + ",";
  for (const auto* name : kAfterPoints) line += csv_of(member(all, name)) + ",";
  std::string labels;
  if (const auto& given = member(all, "labels"); given.is_object())
    for (const auto& [key, value] : given.items())
      labels += (labels.empty() ? "" : ";") + key + "=" + (value.is_string() ? value.get<std::string>() : "");
  return line + csv_field(labels) + "," + csv_field(text(all, "task")) + "\r\n";
}

/// Returns the checks of an attempt that lack points.
std::string short_checks(const OrderedJson& attempt) {
  std::string out;
  for (const char* check : {"build", "tests", "lint"}) {
    const auto& points = member(member(attempt, "points"), check);
    if (!points.is_number() || points.get<double>() >= 100) continue;
    out += fmt::format("{}{}: {:.1f} of 100 points", out.empty() ? "" : "; ", check, points.get<double>());
    const auto& broken = member(attempt, "tests_broken");
    if (std::string_view(check) == "tests" && broken.is_number_integer() && broken.get<std::int64_t>() > 0)
      out += ", " + counted(broken.get<std::int64_t>(), "test") + " broken";
  }
  return out;
}

std::string test_case(const OrderedJson& race, const OrderedJson& attempt) {
  auto out = fmt::format(
      "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"", xml_text(text(attempt, "name")),
      xml_text("hydra." + text(race, "kind") + "." + text(race, "race")), seconds_of(attempt));
  const auto& composite = member(attempt, "composite");
  const auto says =
      fmt::format("{}, composite {}", text(attempt, "outcome"),
                  composite.is_number() ? fmt::format("{:.2f}", composite.get<double>()) : "--");
  if (is_true(attempt, "lost"))
    out += fmt::format(">\n      <skipped message=\"lost: {}\"/>\n    </testcase>\n", xml_text(says));
  else if (!is_true(attempt, "success"))
    out += fmt::format(">\n      <failure message=\"{}\" type=\"{}\">{}</failure>\n    </testcase>\n",
                       xml_text(says), is_true(attempt, "eligible") ? "checks" : "ineligible",
                       xml_text(short_checks(attempt)));
  else
    out += "/>\n";
  return out;
}

std::string test_suite(const OrderedJson& race) {
  std::string cases;
  int tests = 0, failures = 0, skipped = 0;
  double seconds = 0;
  for (const auto& attempt : member(race, "attempts")) {
    ++tests;
    if (is_true(attempt, "lost"))
      ++skipped;
    else if (!is_true(attempt, "success"))
      ++failures;
    seconds += seconds_of(attempt);
    cases += test_case(race, attempt);
  }
  const auto& ended = member(race, "ended_ms");
  auto when = format_utc(ended.is_number_integer() ? ended.get<std::int64_t>() : 0);
  when.pop_back();  // the schema forbids a time zone
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\" "
      "timestamp=\"{}\">\n{}  </testsuite>\n",
      xml_text(text(race, "race") + " " + ellipsize(sanitize(text(race, "task")), 100)), tests, failures,
      skipped, seconds, when, cases);
}

}  // namespace

std::string Exporter::head() const {
  if (format_ == ExportFormat::junit) return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  if (format_ != ExportFormat::csv) return {};
  std::string line;
  for (const auto* name : kColumns) line += std::string(name) + ",";
  for (const auto* name : kPoints) line += std::string(name) + ",";
  for (const auto* name : kAfterPoints) line += std::string(name) + ",";
  return line + "labels,task\r\n";
}

std::string Exporter::foot() const { return format_ == ExportFormat::junit ? "</testsuites>\n" : ""; }

Result<OrderedJson> races_of_page(std::string_view body, std::optional<std::int64_t>& next) {
  auto json = OrderedJson::parse(body, nullptr, false);
  if (!member(json, "races").is_array())
    return Error{Errc::protocol,
                 "the daemon's answer is no history",
                 {},
                 "are `hydra` and `hydrad` of the same version?"};
  next.reset();
  if (const auto& after = member(json, "next"); after.is_number_integer()) next = after.get<std::int64_t>();
  return std::move(json["races"]);
}

Result<std::string> Exporter::page(std::string_view body, std::optional<std::int64_t>& next) {
  HYDRA_TRY(const auto races, races_of_page(body, next));
  std::string out;
  for (const auto& race : races) {
    if (const auto& number = member(race, "number"); number.is_number_integer())
      newest_ = std::max(newest_, number.get<std::int64_t>());
    if (format_ == ExportFormat::junit) {
      out += test_suite(race);
      continue;
    }
    for (const auto& attempt : member(race, "attempts")) {
      if (format_ == ExportFormat::rewards) out += reward_line(race, attempt, weights_);
      if (format_ == ExportFormat::jsonl) out += one_line(flat(race, attempt)) + "\n";
      if (format_ == ExportFormat::csv) out += csv_line(race, attempt);
    }
  }
  return out;
}

}  // namespace hydra::cli
