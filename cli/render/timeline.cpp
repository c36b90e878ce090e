#include "cli/render/timeline.hpp"

#include "cli/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace hydra::cli {
namespace {

using nlohmann::json;

// Events that end a step, and the step's name. Checks have the name of their kind.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kSteps{{
    {"race_prepared", "look at the repository"},
    {"template_ready", "base checkout"},
    {"workspace_ready", "worktree"},
    {"agent_ended", "agent"},
    {"captured", "capture"},
    {"inspected", "inspect the diff"},
    {"subject_ready", "check workspace"},
    {"published", "branches"},
    {"cross_planned", "plan cross tests"},
    {"cross_tested", "cross tests"},
    {"judges_planned", "plan judges"},
    {"judged", "judge"},
    {"scoring_result", "ranking"},
    {"repository_compared", "compare the repository"},
    {"race_ended", "end"},
    {"check_ended", "check"},
}};

constexpr std::size_t kBar = 30, kMostWho = 24;

std::int64_t number(const json& object, const char* key, std::int64_t otherwise) {
  const auto& value = member(object, key);
  return value.is_number() ? value.get<std::int64_t>() : otherwise;
}

// Returns the measured wall time; -1: not measured.
std::int64_t measured(const json& data) {
  for (const char* part : {"job", "evidence"})
    if (const auto& found = member(data, part); found.is_object()) return number(found, "wall_ms", -1);
  return -1;
}

/// Result and step of each cross run and twin, by the name of its subject.
using PlannedSteps = std::map<std::string, std::pair<std::string, std::string>>;

void add_planned(const json& plan, PlannedSteps& planned) {
  const auto& runs = member(plan, "runs");
  if (!runs.is_array()) return;
  for (const auto& each : runs) {
    const auto& twin = member(each, "run");
    const auto& run = twin.is_object() ? twin : each;
    const auto& copy = member(each, "copy");
    const auto step = !twin.is_object()                 ? "tests of " + text(run, "author")
                      : copy.is_boolean() && bool(copy) ? std::string("moved tests")
                                                        : std::string("changed tests");
    planned[text(run, "subject")] = {text(run, "result"), step};
  }
}

void mark_critical(std::vector<TimelineStep>& steps) {
  if (steps.empty()) return;
  for (auto at = steps.size() - 1;;) {
    steps[at].critical = true;
    // Steps are sorted by their ends. Among several that ended in the same millisecond, the same owner's is
    // chosen.
    std::size_t before = at;
    for (std::size_t i = at; i-- > 0;) {
      if (steps[i].end_ms > steps[at].start_ms) continue;
      if (before == at) before = i;
      if (steps[i].end_ms < steps[before].end_ms) break;
      if (steps[i].who == steps[at].who) {
        before = i;
        break;
      }
    }
    if (before == at) return;
    at = before;
  }
}

std::string seconds(std::int64_t ms) { return fmt::format("{}.{:03}", ms / 1000, ms % 1000); }

std::string bar(const TimelineStep& step, std::int64_t total, std::size_t columns, const Style& style) {
  const auto column = [&](std::int64_t ms) {
    return std::min(columns - 1, static_cast<std::size_t>(ms * static_cast<std::int64_t>(columns) / total));
  };
  const auto first = column(step.start_ms), last = std::max(first, column(step.end_ms));
  std::string text(first, ' ');
  for (auto i = first; i <= last; ++i)
    text += style.utf8 ? (step.critical ? "█" : "░") : step.critical ? "#" : "-";
  return text;
}

}  // namespace

Result<std::vector<TimelineStep>> timeline_of(const std::vector<TimedEvent>& events) {
  std::vector<TimelineStep> steps;
  std::map<std::string, std::int64_t> ended;  // end of each owner's last step
  PlannedSteps planned;
  std::int64_t created = -1, last = 0, first_ranking = -1;
  for (const auto& event : events) {
    const auto data = json::parse(event.data, nullptr, false);
    if (!data.is_object()) return Error{Errc::protocol, "an event is not JSON", event.kind, {}};
    const auto at = number(data, "at_ms", 0);
    if (created < 0) created = at;
    add_planned(member(data, "plan"), planned);
    const auto known = std::find_if(kSteps.begin(), kSteps.end(),
                                    [&](const auto& step) { return step.first == event.kind; });
    if (known == kSteps.end()) continue;
    TimelineStep step{text(data, "agent"), std::string(known->second), 0, std::max(at - created, last),
                      false};
    if (step.who.empty()) step.who = text(data, "subject");
    if (event.kind == "check_ended" && member(data, "evidence").is_object())
      step.step = text(data["evidence"], "dimension");
    if (event.kind == "scoring_result" && member(data, "final") == false) {
      step.step = "first ranking";
      first_ranking = step.end_ms;
    }
    const auto took = measured(data);
    if (took >= 0)
      step.start_ms = std::max<std::int64_t>(0, step.end_ms - took);
    else if (step.who.empty())
      step.start_ms = last;
    else
      step.start_ms = ended.contains(step.who) ? ended[step.who] : ended[""];
    last = ended[step.who] = step.end_ms;
    if (const auto found = planned.find(step.who); found != planned.end() && step.step == "tests")
      std::tie(step.who, step.step) = found->second;
    steps.push_back(std::move(step));
  }
  mark_critical(steps);
  const auto ranked =
      std::find_if(steps.begin(), steps.end(), [](const auto& s) { return s.step == "ranking"; });
  if (first_ranking >= 0 && ranked != steps.end())
    steps.insert(ranked, TimelineStep{"", "verification", first_ranking, ranked->end_ms, false});
  return steps;
}

std::string timeline_block(const std::vector<TimelineStep>& steps, const Style& style) {
  if (steps.empty()) return "Nothing has ended yet.\n";
  std::size_t who = 4, what = 4;
  for (const auto& step : steps) {
    who = std::max(who, std::min(kMostWho, step.who.size()));
    what = std::max(what, step.step.size());
  }
  const auto total = std::max<std::int64_t>(1, steps.back().end_ms);
  const auto used = 2 + 10 + 10 + who + 1 + what + 1;
  const auto columns = style.width == 0         ? kBar
                       : style.width > used + 8 ? std::min(kBar, style.width - used - 1)
                                                : 0;
  std::string text =
      style.paint(Paint::bold, fmt::format("  {:>9} {:>9} {} {}", "start", "took", pad("who", who), "step")) +
      "\n";
  std::int64_t critical = 0;
  for (const auto& step : steps) {
    if (step.critical) critical += step.end_ms - step.start_ms;
    auto line = fmt::format("{} {:>9} {:>9} {} {}", step.critical ? "*" : " ", seconds(step.start_ms),
                            seconds(step.end_ms - step.start_ms), pad(style.fit(step.who, who), who),
                            pad(style.safe(step.step), what));
    if (columns > 0) line += " " + bar(step, total, columns, style);
    text += (step.critical ? line : style.paint(Paint::dim, line)) + "\n";
  }
  text += fmt::format(
      "\n* The race took {} s; the steps that it waited for, one after the other, took {} s of it.\n",
      seconds(total), seconds(critical));
  return text;
}

std::string timeline_json(const std::string& race, const std::vector<TimelineStep>& steps) {
  std::int64_t critical = 0;
  json rows = json::array();
  for (const auto& step : steps) {
    if (step.critical) critical += step.end_ms - step.start_ms;
    rows.push_back({{"who", step.who},
                    {"step", step.step},
                    {"start_ms", step.start_ms},
                    {"end_ms", step.end_ms},
                    {"critical", step.critical}});
  }
  return one_line(json{{"race", race},
                       {"total_ms", steps.empty() ? 0 : steps.back().end_ms},
                       {"critical_ms", critical},
                       {"steps", rows}});
}

}  // namespace hydra::cli
