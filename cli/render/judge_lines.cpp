#include "cli/render/judge_lines.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hydra::cli {

std::string judges_line(const ResultsView& results, const Style& style) {
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> why;  // what is missing, and whom; once each
  for (const auto& agent : results.agents) {
    const auto& judges = agent.judges;
    if (judges.status.empty()) continue;
    const auto name = style.safe(agent.display.empty() ? agent.agent : agent.display);
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
        fmt::format("{} {:.2f} ({} of {}{})", name, *judges.score, judges.valid, judges.asked,
                    out == 0 ? "" : fmt::format(", {} left out as outlier{}", out, out == 1 ? "" : "s")));
  }
  if (parts.empty()) return {};
  auto out = "Judges: " + join(parts, ", ") + "\n";
  for (const auto& [text, names] : why) out += "  " + names + ": " + text + "\n";
  return out;
}

std::string votes_lines(const JudgesView& judges, const Style& style) {
  if (judges.status.empty()) return {};
  std::string out = "  " + style.paint(Paint::bold, "judges") + ": " +
                    (judges.score ? fmt::format("{:.4g} of 1, ", *judges.score) : std::string()) +
                    style.safe(judges.text) + "\n";
  for (const auto& vote : judges.votes) {
    out += fmt::format("    {}{}, stake {:g}: {}", style.safe(vote.judge), vote.person ? " (a person)" : "",
                       vote.stake, vote.score ? fmt::format("{:.4g}", *vote.score) : "no valid answer");
    if (!vote.invalid.empty()) out += " (" + replace_all(style.safe(vote.invalid), "_", " ") + ")";
    if (vote.outlier) out += ", left out as an outlier";
    out += "\n";
    if (!vote.reason.empty()) out += "      " + style.safe(vote.reason) + "\n";
  }
  return out;
}

std::string own_races_line(const OwnRacesView& own) {
  if (own.n == 0) return {};
  const auto good = std::llround(own.share * static_cast<double>(own.n));
  return fmt::format(
      "In {} own races with a known outcome, {} of {} results with this word were good: {:.0f} % ({:.0f} to "
      "{:.0f} %), Brier score {:.2f}.",
      own.races, good, own.n, own.share * 100, own.low * 100, own.high * 100, own.brier);
}

}  // namespace hydra::cli
