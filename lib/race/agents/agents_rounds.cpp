// Carries out next_round: tells agents the shortcomings of their results.
#include "base/strings.hpp"
#include "race/agents/agents.hpp"
#include "race/agents/secrets.hpp"
#include "race/state/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::race {
namespace {

constexpr std::size_t kMostOutputLines = 40, kMostOutputBytes = 6000;

std::string end_of_log(const Layout& layout, const std::string& attempt) {
  const auto directory = layout.attempt(attempt);
  const auto text = read_file(directory / "stdout.log", 16u << 20);
  if (directory.empty() || !text.ok()) return {};
  auto all = lines(*text);
  if (all.size() > kMostOutputLines) all.erase(all.begin(), all.end() - kMostOutputLines);
  std::string out;
  for (const auto line : all) out += sanitize(line) + "\n";
  return out.size() > kMostOutputBytes ? out.substr(out.size() - kMostOutputBytes) : out;
}

}  // namespace

void Agents::next_round(const RacePtr& race) {
  const auto& state = race->state;
  struct Asked {
    AgentState agent;
    Shortcomings found;
  };
  std::vector<Asked> asked;
  for (auto& [name, found] : agents_of_next_round(state))
    asked.push_back({*state.agent(name), std::move(found)});
  background(
      [asked, spec = state.spec, layout = race->layout,
       secrets = engine.secrets.of_race(state.spec, race->secrets)] {
        std::vector<model::RetryRequested> retries;
        for (const auto& [agent, found] : asked) {
          std::error_code ec;
          if (fs::symlink_status(agent.workspace, ec).type() != fs::file_type::directory) continue;
          // Build output about hidden tests stays hidden.
          const bool show = found.build && spec.hidden_tests.empty();
          auto message = round_message(found, show ? end_of_log(layout, found.build_log) : std::string());
          message = to_utf8(without_secrets(message, secrets));
          model::RetryRequested retry;
          retry.agent = agent.entry.name;
          retry.automatic = true;
          retry.reason = "round";
          const bool resumed = resumable(spec, agent);
          if (resumed) retry.session = agent.ended->verdict.session;
          retry.prompt = resumed ? message : first_prompt(spec, agent.entry) + "\n\n" + message;
          retries.push_back(std::move(retry));
        }
        return retries;
      },
      [this, race](Result<std::vector<model::RetryRequested>> made) {
        if (!lives(race) || !round_due(race->state)) return;
        if (!made.ok())
          emit(race->state.spec.id, model::Note{{}, "no further round: " + describe(made.error())});
        auto retries = made.ok() ? std::move(*made) : std::vector<model::RetryRequested>();
        const auto& spec = race->state.spec;
        model::RoundBegan began{race->state.round + 1, {}};
        for (const auto& retry : retries) began.agents.push_back(retry.agent);
        // No result has shortcomings: further rounds would change nothing, so skip them.
        if (retries.empty()) began.number = spec.rounds;
        // Order matters: a round without a due agent would end the race.
        for (auto& retry : retries) emit(spec.id, std::move(retry));
        emit(spec.id, std::move(began));
      });
}

}  // namespace hydra::race
