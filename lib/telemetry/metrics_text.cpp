#include "telemetry/metrics_text.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

namespace hydra::telemetry {
namespace {

// The value of a label.
std::string label_text(const std::string& text) {
  return replace_all(replace_all(replace_all(to_utf8(text), "\\", "\\\\"), "\"", "\\\""), "\n", "\\n");
}

std::string metric_head(const char* name, const char* help, const char* type = "gauge") {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

}  // namespace

void MetricsText::add(const model::HistoryRace& race) {
  races_[race.state] += 1;
  for (const auto& attempt : race.attempts) {
    attempts_[{attempt.agent, std::string(model::name(attempt.outcome))}] += 1;
    auto& agent = agents_[attempt.agent];
    if (attempt.rank == 1 && attempt.eligible) agent.wins += 1;
    agent.tokens += static_cast<double>(attempt.tokens.value_or(0));
    agent.cost_usd += attempt.cost_usd.value_or(0);
    agent.seconds += static_cast<double>(attempt.wall_ms) / 1000;
    agent.timed += 1;
  }
}

std::string MetricsText::text(const std::string& version, int running) const {
  auto out = metric_head("hydra_build_info", "Version of Hydra.") +
             fmt::format("hydra_build_info{{version=\"{}\"}} 1\n", label_text(version));
  out += metric_head("hydra_races_running", "Races that have not ended.") +
         fmt::format("hydra_races_running {}\n", running);
  out += metric_head("hydra_races", "Ended races that are remembered, by state.");
  for (const auto& [state, count] : races_)
    out += fmt::format("hydra_races{{state=\"{}\"}} {}\n", label_text(state), count);
  out += metric_head("hydra_attempts", "Attempts of agents in those races, by outcome.");
  for (const auto& [key, count] : attempts_)
    out += fmt::format("hydra_attempts{{agent=\"{}\",outcome=\"{}\"}} {}\n", label_text(key.first),
                       label_text(key.second), count);
  const auto by_agent = [&](const char* name, const char* help, double Agent::*value) {
    out += metric_head(name, help);
    for (const auto& [agent, sums] : agents_)
      out += fmt::format("{}{{agent=\"{}\"}} {}\n", name, label_text(agent), sums.*value);
  };
  by_agent("hydra_wins", "Attempts that were ranked first and eligible.", &Agent::wins);
  by_agent("hydra_tokens", "Tokens of all attempts, as far as they are known.", &Agent::tokens);
  by_agent("hydra_cost_usd", "Dollars of all attempts, as far as they are known.", &Agent::cost_usd);
  out += metric_head("hydra_attempt_duration_seconds", "Wall time of attempts.", "summary");
  for (const auto& [agent, sums] : agents_)
    out += fmt::format(
        "hydra_attempt_duration_seconds_sum{{agent=\"{0}\"}} "
        "{1}\nhydra_attempt_duration_seconds_count{{agent=\"{0}\"}} {2}\n",
        label_text(agent), sums.seconds, sums.timed);
  return out;
}

}  // namespace hydra::telemetry
