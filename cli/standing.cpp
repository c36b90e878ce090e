#include "cli/standing.hpp"

#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/json_fields.hpp"
#include "cli/programs.hpp"
#include "cli/project.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/result_block.hpp"
#include "wire/requests.hpp"

namespace hydra::cli {
namespace {

constexpr std::size_t kTaskShown = 48;

std::string config_words(const Standing& s, const Style& style) {
  if (!s.complaints.empty()) return style.safe(s.complaints.front());
  const auto checks =
      s.checks.empty() ? std::string("no build, tests or lint configured") : join(s.checks, ", ");
  return s.config.empty() ? "no hydra.toml: only diff size and speed would be scored"
                          : style.safe(s.config) + ": " + checks;
}

std::string agents_words(const Standing& s, const Style& style) {
  if (s.ready.empty() && s.not_ready.empty()) return "none is installed";
  std::string out = s.ready.empty() ? "none is signed in" : style.safe(join(s.ready, ", "));
  if (!s.not_ready.empty()) out += " (not signed in: " + style.safe(join(s.not_ready, ", ")) + ")";
  return out;
}

std::string last_race_words(const Standing& s, const Style& style) {
  if (!s.last) return "none yet";
  auto out = style.safe(s.last->race) + " \"" + style.fit(s.last->task, kTaskShown) + "\", ";
  if (!is_over(s.last->state)) return out + words(s.last->state);
  if (s.last->winner.empty()) return out + "no winner";
  out += style.safe(s.last->winner) + " won";
  return s.merged.empty() ? out : out + ", " + style.safe(s.merged) + " is merged";
}

void look_at_config(Context& context, Standing& s) {
  const auto paths = context.paths();
  if (!paths) return;
  const auto files = find_config(*paths, working_directory());
  if (files.project) s.config = files.project->lexically_relative(working_directory()).string();
  const auto loaded = check_config(context);
  for (const auto& error : loaded.errors) s.complaints.push_back(describe(error));
  const auto& scoring = loaded.config.scoring;
  for (const auto& [name, command] : {std::pair{"build", &scoring.build_command},
                                      {"tests", &scoring.test_command},
                                      {"lint", &scoring.lint_command}})
    if (*command && !(*command)->empty()) s.checks.emplace_back(name);
}

Result<void> look_at_agents(client::Client& client, const model::Config& config, Standing& s) {
  HYDRA_TRY(const auto list, post<wire::AgentList>(client, "/v1/agents",
                                                   wire::AgentsRequest{config, false, {}, environment()}));
  // Agents are not started here, so their versions are not checked; `hydra agents` does both.
  for (const auto& agent : list.agents)
    if (agent.installed) (agent.signed_in == wire::SignedIn::no ? s.not_ready : s.ready).push_back(agent.id);
  return {};
}

Result<void> look_at_races(client::Client& client, Standing& s) {
  HYDRA_TRY(const auto list,
            get<wire::RaceList>(client, "/v1/races?limit=1&repository=" + client::url_encode(s.repository)));
  if (list.races.empty()) return {};
  s.last = list.races.front();
  s.merged = s.last->merged.value_or("");
  return {};
}

}  // namespace

std::pair<std::string, std::string> next_step(const Standing& s) {
  if (!s.complaints.empty()) return {"hydra config check", "shows what is wrong with the configuration"};
  if (s.last && !is_over(s.last->state)) return {"hydra watch", "shows the race that runs"};
  if (s.last && !s.last->winner.empty() && s.merged.empty())
    return {"hydra merge", "merges the winner, after asking"};
  if (s.config.empty()) return {"hydra init", "proposes a hydra.toml with the commands of this project"};
  if (s.ready.empty())
    return {"hydra agents", "shows which agents there are, and how to install and sign in one"};
  return {"hydra race \"what the agents should do\"", "starts a race of all agents that are ready"};
}

std::string standing_text(const Standing& s, const Style& style) {
  const auto row = [&](const char* name, const std::string& text) {
    return style.paint(Paint::bold, pad(name, 15)) + text + "\n";
  };
  auto out = "hydra " HYDRA_VERSION " in " + style.safe(s.repository) +
             (s.branch.empty() ? "" : " (" + style.safe(s.branch) + ")") + "\n\n";
  out += row("Configuration", config_words(s, style)) + row("Agents", agents_words(s, style)) +
         row("Last race", last_race_words(s, style));
  const auto [command, why] = next_step(s);
  return out + row("Next", style.paint(Paint::cyan, command)) + std::string(15, ' ') + why + "\n\n" +
         "`hydra --help` lists all commands.\n";
}

namespace {

Result<Standing> look_around(Context& context) {
  Standing standing;
  standing.repository = find_repository(working_directory()).value_or(working_directory()).string();
  const auto branch = run_captured({"git", "symbolic-ref", "--short", "-q", "HEAD"}, working_directory());
  if (branch && branch->exit == 0) standing.branch = trim(branch->out);
  look_at_config(context, standing);
  HYDRA_TRY(auto client, context.daemon());
  if (const auto looked = look_at_agents(client, check_config(context).config, standing); !looked)
    context.warn(describe(looked.error()));
  if (const auto looked = look_at_races(client, standing); !looked) context.warn(describe(looked.error()));
  return standing;
}

}  // namespace

std::string next_line(Context& context) {
  const auto standing = look_around(context);
  if (!standing) return describe(standing.error());
  const auto [command, why] = next_step(*standing);
  return context.out().paint(Paint::cyan, command) + "   # " + why;
}

Result<int> where_you_stand(Context& context) {
  HYDRA_TRY(const auto standing, look_around(context));
  return say(standing_text(standing, context.out()));
}

}  // namespace hydra::cli
