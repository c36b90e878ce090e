#include "base/strings.hpp"
#include "config/config.hpp"
#include "config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hydra::config {
namespace {

constexpr std::int64_t kMostOfOne = 64;
constexpr std::size_t kMostEntries = 256;

/// Converts an id to a part of a branch name.
std::string branch_word(std::string_view id) {
  std::string out;
  for (const char c : id) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (good)
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "agent" : out;
}

Result<std::string> find_id(std::string_view name, const std::vector<std::string>& known) {
  const auto has = [&](std::string_view n) {
    return std::find(known.begin(), known.end(), n) != known.end();
  };
  if (has(name)) return std::string(name);
  if (has(canonical_agent(name))) return std::string(canonical_agent(name));
  const auto near = nearest(name, known);
  return Error{
      Errc::usage,
      fmt::format("unknown agent '{}'", sanitize(name)),
      {},
      near ? fmt::format("did you mean '{}'?", *near)
           : fmt::format("known: {}; others are added as [agents.NAME] in hydra.toml", join(known, ", "))};
}

struct Wish {
  std::string id, model;
  std::int64_t count = 1;
};

/// Parses NAME, NAME:COUNT, NAME=MODEL, NAME:COUNT=MODEL. A model may contain ':' and '/'.
Result<Wish> parse_wish(std::string_view text, const std::vector<std::string>& known) {
  Wish wish;
  const auto equals = text.find('=');
  std::string_view left = trim(text.substr(0, equals));
  if (equals != std::string_view::npos) {
    wish.model = trim(text.substr(equals + 1));
    if (wish.model.empty())
      return Error{
          Errc::usage, fmt::format("'{}' names no model after '='", sanitize(text)), {}, "write NAME=MODEL"};
    if (wish.model.front() == '-' || sanitize(wish.model) != wish.model)
      return Error{Errc::usage, fmt::format("'{}' is no name of a model", sanitize(wish.model)), {}, {}};
  }
  const auto colon = left.find(':');
  if (colon != std::string_view::npos) {
    const auto count = parse_int(left.substr(colon + 1));
    if (!count || *count < 1 || *count > kMostOfOne)
      return Error{Errc::usage,
                   fmt::format("'{}' needs a count from 1 to {} after ':'", sanitize(text), kMostOfOne),
                   {},
                   "write NAME:2 for two of them, NAME=MODEL for a model"};
    wish.count = *count;
    left = left.substr(0, colon);
  }
  if (left.empty())
    return Error{Errc::usage, "a name of an agent is missing", {}, "write NAME,NAME:2,NAME=MODEL"};
  HYDRA_TRY(wish.id, find_id(left, known));
  return wish;
}

}  // namespace

Result<std::vector<model::AgentEntry>> parse_agents(std::string_view list,
                                                    const std::vector<std::string>& known) {
  std::vector<model::AgentEntry> entries;
  std::set<std::string> names;
  for (const auto part : split(list, ',')) {
    if (trim(part).empty() && trim(list).empty()) break;
    HYDRA_TRY(const Wish wish, parse_wish(trim(part), known));
    if (entries.size() + static_cast<std::size_t>(wish.count) > kMostEntries)
      return Error{Errc::usage, fmt::format("more than {} agents", kMostEntries), {}, {}};
    const std::string word = branch_word(wish.id);
    for (std::int64_t i = 0; i < wish.count; ++i) {
      std::string name = word;
      // git stores branches as files, so names that differ only in case collide on some file systems.
      for (int n = 2; !names.insert(to_lower(name)).second; ++n) name = fmt::format("{}-{}", word, n);
      entries.push_back({name, wish.id, wish.model});
    }
  }
  if (entries.empty()) return Error{Errc::usage, "no agent is named", {}, "write --agents claude,codex:2"};
  return entries;
}

std::vector<std::string> known_agents(const model::Config& config) {
  std::vector<std::string> ids;
  for (const auto& [id, descriptor] : config.agents) ids.push_back(id);
  return ids;
}

model::AgentEntry judge_entry(const model::Config& config, const model::JudgeConfig& judge) {
  model::AgentEntry entry;
  const std::string_view words = judge.agent;
  const auto equals = words.find('=');
  const std::string name(trim(words.substr(0, equals)));
  entry.id = config.agents.contains(name) ? name : std::string(canonical_agent(name));
  if (equals != std::string_view::npos)
    entry.model = trim(words.substr(equals + 1));
  else if (const auto agent = config.agents.find(entry.id); agent != config.agents.end())
    entry.model = agent->second.model;
  return entry;
}

void keep_agents(model::Config& config, const std::vector<model::AgentEntry>& named) {
  std::set<std::string> ids;
  for (const auto& entry : named) ids.insert(entry.id);
  for (const auto& judge : config.judges)
    if (!judge.command) ids.insert(judge_entry(config, judge).id);
  if (!config.selection.testers.empty()) {
    const auto testers = parse_agents(join(config.selection.testers, ","), known_agents(config));
    if (!testers.ok()) return;
    for (const auto& entry : *testers) ids.insert(entry.id);
  }
  std::erase_if(config.agents, [&](const auto& agent) { return !ids.contains(agent.first); });
}

}  // namespace hydra::config
