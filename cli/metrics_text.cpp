#include "cli/metrics_text.hpp"

#include "base/strings.hpp"
#include "cli/json_fields.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

double metric_number(const nlohmann::json& json, const char* key) {
  const auto& value = member(json, key);
  return value.is_number() ? value.get<double>() : 0;
}

// The value of a label.
std::string label_text(const std::string& text) {
  return replace_all(replace_all(replace_all(to_utf8(text), "\\", "\\\\"), "\"", "\\\""), "\n", "\\n");
}

std::string metric_head(const char* name, const char* help, const char* type = "gauge") {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

}  // namespace

void MetricsText::add(std::string_view page) {
  const auto json = nlohmann::json::parse(page, nullptr, false);
  for (const auto& race : member(json, "races")) {
    races_[cli::text(race, "state")] += 1;
    for (const auto& attempt : member(race, "attempts")) {
      const auto name = cli::text(attempt, "agent");
      attempts_[{name, cli::text(attempt, "outcome")}] += 1;
      auto& agent = agents_[name];
      if (member(attempt, "rank") == 1 && member(attempt, "eligible") == true) agent.wins += 1;
      agent.tokens += metric_number(attempt, "tokens");
      agent.cost_usd += metric_number(attempt, "cost_usd");
      if (!member(attempt, "duration_seconds").is_number()) continue;
      agent.seconds += metric_number(attempt, "duration_seconds");
      agent.timed += 1;
    }
  }
}

std::string MetricsText::text() const {
  auto out = metric_head("hydra_build_info", "Version of Hydra.") +
             "hydra_build_info{version=\"" HYDRA_VERSION "\"} 1\n";
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

}  // namespace hydra::cli
