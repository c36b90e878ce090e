#include "cli/render/judge_lines.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hydra::cli {

std::string judges_line(const wire::Results& results, const Style& style) {
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> why;  // reason -> judges without a score, each reason once
  for (const auto& agent : results.agents) {
    if (!agent.judges) continue;
    const auto& judges = *agent.judges;
    const auto name = style.safe(shown_name(agent));
    const auto out =
        std::count_if(judges.votes.begin(), judges.votes.end(), [](const auto& v) { return v.outlier; });
    if (!judges.score) {
      parts.push_back(name + " no score");
      auto text = style.safe(judges.text);
      const auto same = std::find_if(why.begin(), why.end(), [&](const auto& w) { return w.first == text; });
      if (same == why.end())
        why.emplace_back(std::move(text), name);
      else
        same->second += ", " + name;
      continue;
    }
    parts.push_back(
        fmt::format("{} {:.2f} ({} of {}{})", name, *judges.score, judges.judges, judges.asked,
                    out == 0 ? "" : fmt::format(", {} left out as outlier{}", out, out == 1 ? "" : "s")));
  }
  if (parts.empty()) return {};
  auto out = "Judges: " + join(parts, ", ") + "\n";
  for (const auto& [text, names] : why) out += "  " + names + ": " + text + "\n";
  return out;
}

std::string votes_lines(const std::optional<wire::Judges>& judges, const Style& style) {
  if (!judges) return {};
  std::string out = "  " + style.paint(Paint::bold, "judges") + ": " +
                    (judges->score ? fmt::format("{:.4g} of 1, ", *judges->score) : std::string()) +
                    style.safe(judges->text) + "\n";
  for (const auto& vote : judges->votes) {
    out += fmt::format("    {}{}, stake {:g}: {}", style.safe(vote.judge), vote.person ? " (a person)" : "",
                       vote.stake, vote.score ? fmt::format("{:.4g}", *vote.score) : "no valid answer");
    if (!vote.invalid.empty()) out += " (" + replace_all(style.safe(vote.invalid), "_", " ") + ")";
    if (vote.outlier) out += ", left out as an outlier";
    out += "\n";
    if (!vote.reason.empty()) out += "      " + style.safe(vote.reason) + "\n";
  }
  return out;
}

std::string own_races_line(const std::optional<wire::Confidence>& own) {
  if (!own || !own->probability || !own->interval || own->n.value_or(0) == 0) return {};
  const auto good = std::llround(*own->probability * static_cast<double>(*own->n));
  return fmt::format(
      "In {} own races with a known outcome, {} of {} results with this word were good: {:.0f} % ({:.0f} to "
      "{:.0f} %), Brier score {:.2f}.",
      own->outcome_races.value_or(0), good, *own->n, *own->probability * 100, own->interval->front() * 100,
      own->interval->back() * 100, own->brier.value_or(0));
}

}  // namespace hydra::cli
