#include "cli/race_ref.hpp"

#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"

#include <algorithm>

namespace hydra::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kRacesSearched = 50;

bool race_word(std::string_view text) {
  return text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
         });
}

std::string repository_query(const fs::path& cwd) {
  const auto root = find_repository(cwd);
  return root ? "repository=" + client::url_encode(root->string()) : std::string();
}

// Returns the agent of the race with this name or branch.
const wire::AgentStatus* find_agent(const wire::Status& status, const AgentWords& words) {
  for (const auto& agent : status.agents)
    if (!words.agent.empty() && agent.agent == words.agent) return &agent;
  for (const auto& agent : status.agents)
    if (!words.branch.empty() && agent.branch == words.branch) return &agent;
  return nullptr;
}

Error no_agent(std::string_view text, const wire::Status& status) {
  std::vector<std::string> names;
  for (const auto& agent : status.agents) names.push_back(agent.agent);
  const auto near = nearest(text, names);
  return {Errc::not_found,
          "no agent \"" + std::string(text) + "\" in race " + status.race,
          {},
          near ? "did you mean `" + *near + "`?" : "its agents are: " + join(names, ", ")};
}

Result<AgentRef> search_branches(client::Client& client, const AgentWords& words, std::string_view text,
                                 const wire::Status& last) {
  if (words.branch.empty() || !words.race.empty()) return no_agent(text, last);
  const auto query = repository_query(working_directory());
  HYDRA_TRY(const auto list,
            get<wire::RaceList>(client, "/v1/races" + (query.empty() ? query : "?" + query)));
  const auto& rows = list.races;
  for (std::size_t i = 0; i < std::min(rows.size(), kRacesSearched); ++i) {
    HYDRA_TRY(const auto status, get_status(client, rows[i].race));
    for (const auto& agent : status.agents)
      if (agent.branch == words.branch) return AgentRef{status.race, agent.agent};
  }
  return no_agent(text, last);
}

}  // namespace

std::optional<fs::path> find_repository(const fs::path& start) {
  std::error_code ec;
  auto dir = fs::canonical(start, ec);
  if (ec) return std::nullopt;
  for (;; dir = dir.parent_path()) {
    if (fs::exists(fs::symlink_status(dir / ".git", ec))) return dir;
    if (dir == dir.root_path()) return std::nullopt;
  }
}

Result<std::string> race_target(std::string_view race, const fs::path& cwd, std::string_view tail,
                                std::string_view query) {
  if (!race_word(race))
    return Error{Errc::usage, "not a race: \"" + sanitize(race) + "\"", {}, "`hydra list` shows the ids"};
  std::string all(query);
  if (race.empty()) {
    const auto repository = repository_query(cwd);
    if (!repository.empty()) all += (all.empty() ? "" : "&") + repository;
  }
  return "/v1/races/" + (race.empty() ? std::string("last") : std::string(race)) + std::string(tail) +
         (all.empty() ? "" : "?" + all);
}

Result<wire::Status> get_status(client::Client& client, std::string_view race) {
  HYDRA_TRY(const auto target, race_target(race, working_directory()));
  return get<wire::Status>(client, target);
}

Result<AgentWords> split_agent(std::string_view text) {
  AgentWords out;
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) {
    out.agent = text;
    out.branch = "hydra/" + std::string(text);
  } else if (text.substr(0, slash) == "hydra") {
    out.branch = text;
  } else {
    out.race = text.substr(0, slash);
    out.agent = text.substr(slash + 1);
  }
  if (text.empty() || text.back() == '/' || out.agent.find('/') != std::string::npos)
    return Error{Errc::usage,
                 "not an agent: \"" + sanitize(text) + "\"",
                 {},
                 "use its name, RACE/AGENT or its branch"};
  if (out.agent == "baseline") out.agent = "@baseline";
  return out;
}

Result<AgentRef> resolve_agent(client::Client& client, std::string_view text) {
  HYDRA_TRY(const auto words, split_agent(text));
  HYDRA_TRY(const auto status, get_status(client, words.race));
  if (words.agent == "@baseline") return AgentRef{status.race, words.agent};
  if (const auto* agent = find_agent(status, words)) return AgentRef{status.race, agent->agent};
  return search_branches(client, words, text, status);
}

}  // namespace hydra::cli
