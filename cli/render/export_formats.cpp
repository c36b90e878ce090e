#include "cli/render/export_formats.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/render/ci_files.hpp"
#include "cli/render/leaderboard_block.hpp"
#include "scoring/reward.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace hydra::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;
namespace reward = scoring::reward;

const OrderedJson& part(const OrderedJson& json, const char* name) {
  static const OrderedJson kNone;
  const auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() ? *found : kNone;
}

std::string string_of(const OrderedJson& json, const char* name) {
  const auto& value = part(json, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool is_true(const OrderedJson& json, const char* name) { return part(json, name) == OrderedJson(true); }

double seconds_of(const OrderedJson& attempt) {
  const auto& value = part(attempt, "duration_seconds");
  return value.is_number() ? value.get<double>() : 0;
}

std::string dumped(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/// A count as evidence must have it; what is null is not known, anything else is malformed.
reward::Member count_of(const OrderedJson& value) {
  if (value.is_null()) return reward::Missing{};
  if (!value.is_number()) return reward::WrongType{};
  const auto number = value.get<double>();
  if (!(number >= 0)) return reward::WrongType{};
  return number;
}

bool sound_score(const OrderedJson& value) {
  return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= 100;
}

/// The mapping of docs/leaderboard.md: tests fixed are damage dealt, tests broken damage received, what is
/// not eligible is dead, no change is a wasted action. Without evidence nobody knows whether it lived.
reward::RawResult result_of(const OrderedJson& attempt) {
  reward::RawResult result;
  result.is_object = attempt.is_object();
  result.damage_dealt = count_of(part(attempt, "tests_fixed"));
  result.damage_received = count_of(part(attempt, "tests_broken"));
  if (std::holds_alternative<reward::Missing>(result.damage_dealt))
    result.damage_dealt = is_true(attempt, "success") ? 1.0 : 0.0;
  const bool unchanged = part(attempt, "changed") == OrderedJson(false);
  result.action_wasted = unchanged;
  const auto& eligible = part(attempt, "eligible");
  if (is_true(attempt, "lost") || !eligible.is_boolean() || !sound_score(part(attempt, "composite")))
    result.is_alive = reward::Missing{};
  else
    result.is_alive = unchanged || eligible.get<bool>();
  return result;
}

OrderedJson who(const OrderedJson& race, const OrderedJson& attempt) {
  OrderedJson j;
  j["race"] = part(race, "race");
  for (const auto* name : {"name", "entry", "agent", "model", "attempt"}) j[name] = part(attempt, name);
  return j;
}

std::string reward_line(const OrderedJson& race, const OrderedJson& attempt) {
  const auto made = reward::compute(result_of(attempt));
  auto j = who(race, attempt);
  j["task"] = part(race, "task");
  j["reward"] = made.total;
  const auto& c = made.components;
  j["components"] = {{"damage_dealt_reward", c.damage_dealt_reward},
                     {"damage_received_penalty", c.damage_received_penalty},
                     {"survival_reward", c.survival_reward},
                     {"death_penalty", c.death_penalty},
                     {"efficiency_penalty", c.efficiency_penalty}};
  if (made.violation) j["violation"] = "CRITICAL";
  if (!made.warning.empty()) j["warning"] = made.warning;
  return dumped(j) + "\n";
}

/// Everything known of an attempt, in one object.
OrderedJson flat(const OrderedJson& race, const OrderedJson& attempt) {
  OrderedJson j;
  for (const auto& [name, value] : race.items())
    if (name != "attempts") j[name] = value;
  for (const auto& [name, value] : attempt.items()) j[name] = value;
  return j;
}

constexpr std::array kColumns{"race",    "kind",  "root",    "base",    "ended_ms", "name", "entry",
                              "agent",   "model", "version", "attempt", "outcome",  "lost", "eligible",
                              "success", "rank",  "merged",  "changed", "composite"};
constexpr std::array kPoints{"build", "tests", "lint", "diff_size", "speed"};
constexpr std::array kAfterPoints{"tests_fixed",      "tests_broken", "tokens", "cost_usd",
                                  "duration_seconds", "judges",       "rating", "confidence"};

std::string csv_of(const OrderedJson& value) {
  if (value.is_null()) return {};
  return value.is_string() ? csv_field(value.get<std::string>()) : dumped(value);
}

std::string csv_line(const OrderedJson& race, const OrderedJson& attempt) {
  const auto all = flat(race, attempt);
  std::string line;
  for (const auto* name : kColumns) line += csv_of(part(all, name)) + ",";
  for (const auto* name : kPoints) line += csv_of(part(part(all, "points"), name)) + ",";
  for (const auto* name : kAfterPoints) line += csv_of(part(all, name)) + ",";
  std::string labels;
  if (const auto& given = part(all, "labels"); given.is_object())
    for (const auto& [key, value] : given.items())
      labels += (labels.empty() ? "" : ";") + key + "=" + (value.is_string() ? value.get<std::string>() : "");
  return line + csv_field(labels) + "," + csv_field(string_of(all, "task")) + "\r\n";
}

std::string test_case(const OrderedJson& race, const OrderedJson& attempt) {
  auto text = fmt::format(
      "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"", xml_text(string_of(attempt, "name")),
      xml_text("hydra." + string_of(race, "kind") + "." + string_of(race, "race")), seconds_of(attempt));
  const auto& composite = part(attempt, "composite");
  const auto says =
      fmt::format("{}, composite {}", string_of(attempt, "outcome"),
                  composite.is_number() ? fmt::format("{:.2f}", composite.get<double>()) : "--");
  if (is_true(attempt, "lost"))
    text += fmt::format(">\n      <skipped message=\"lost: {}\"/>\n    </testcase>\n", xml_text(says));
  else if (!is_true(attempt, "success"))
    text += fmt::format(">\n      <failure message=\"{}\" type=\"{}\"/>\n    </testcase>\n", xml_text(says),
                        is_true(attempt, "eligible") ? "checks" : "ineligible");
  else
    text += "/>\n";
  return text;
}

std::string test_suite(const OrderedJson& race) {
  std::string cases;
  int tests = 0, failures = 0, skipped = 0;
  double seconds = 0;
  for (const auto& attempt : part(race, "attempts")) {
    ++tests;
    if (is_true(attempt, "lost"))
      ++skipped;
    else if (!is_true(attempt, "success"))
      ++failures;
    seconds += seconds_of(attempt);
    cases += test_case(race, attempt);
  }
  const auto& ended = part(race, "ended_ms");
  auto when = format_utc(ended.is_number_integer() ? ended.get<std::int64_t>() : 0);
  when.pop_back();  // the schema wants no zone
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\" "
      "timestamp=\"{}\">\n{}  </testsuite>\n",
      xml_text(string_of(race, "race") + " " + ellipsize(sanitize(string_of(race, "task")), 100)), tests,
      failures, skipped, seconds, when, cases);
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

Result<std::string> Exporter::page(std::string_view text, std::optional<std::int64_t>& next) const {
  const auto json = OrderedJson::parse(text, nullptr, false);
  if (!json.is_object() || !part(json, "races").is_array())
    return Error{Errc::protocol,
                 "the daemon's answer is no history",
                 {},
                 "are `hydra` and `hydrad` of the same version?"};
  next.reset();
  if (part(json, "next").is_number_integer()) next = part(json, "next").get<std::int64_t>();
  std::string out;
  for (const auto& race : part(json, "races")) {
    if (format_ == ExportFormat::junit) {
      out += test_suite(race);
      continue;
    }
    for (const auto& attempt : part(race, "attempts")) {
      if (format_ == ExportFormat::rewards) out += reward_line(race, attempt);
      if (format_ == ExportFormat::jsonl) out += dumped(flat(race, attempt)) + "\n";
      if (format_ == ExportFormat::csv) out += csv_line(race, attempt);
    }
  }
  return out;
}

}  // namespace hydra::cli
