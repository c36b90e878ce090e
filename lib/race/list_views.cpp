// The list of races, in pages.
#include "race/impl.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::race {
namespace {

using nlohmann::json;

const model::RankedAgent* winner_of(const std::optional<model::Ranking>& ranking) {
  if (!ranking) return nullptr;
  const auto found = std::find_if(ranking->agents.begin(), ranking->agents.end(),
                                  [&](const auto& row) { return row.agent == ranking->winner; });
  return found == ranking->agents.end() ? nullptr : &*found;
}

json facts_json(const State& state) {
  const auto* winner = winner_of(state.ranking);
  json displays = json::object();
  for (const auto& agent : state.agents) displays[agent.entry.name] = agent.display;
  return {{"ended_ms", state.ended.empty() ? json(nullptr) : json(state.ended_ms)},
          {"best", winner ? json(winner->score.composite) : json(nullptr)},
          {"merged", state.merged ? json(state.merged->agent) : json(nullptr)},
          {"displays", std::move(displays)}};
}

// Enough of a race for its line in the list: nothing of its checks is read.
Result<json> stored_facts(storage::EventStore& store, const std::string& race) {
  HYDRA_TRY(const auto events,
            store.events_of_kinds(race, {"race_created", "retry_requested", "combined", "scoring_result",
                                         "merged", "merge_undone", "race_ended"}));
  State state;
  for (const auto& event : events) apply(state, event);
  return facts_json(state);
}

std::string list_dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

Result<std::string> Service::list_json(const ListQuery& query) {
  storage::RaceQuery asked{fs::path(query.directory).lexically_normal().string(), query.state, query.text,
                           query.before, query.limit};
  if (asked.directory.size() > 1 && asked.directory.ends_with('/')) asked.directory.pop_back();
  HYDRA_TRY(const auto page, impl_->store.race_page(asked));
  json j{{"races", json::array()},
         {"next", page.next == 0 ? json(nullptr) : json(std::to_string(page.next))},
         {"total", page.total}};
  for (const auto& row : page.rows) {
    json line{{"race", row.id},
              {"task", row.task},
              {"state", row.state},
              {"created_ms", row.created_ms},
              {"repository", row.repository},
              {"agents", row.agents},
              {"winner", row.winner}};
    const auto running = impl_->races.find(row.id);
    auto& known = impl_->list_facts[row.id];
    if (running != impl_->races.end()) {
      line.update(facts_json(running->second->state));
    } else if (known.empty()) {
      // One race that can't be read hides no other one.
      const auto facts = stored_facts(impl_->store, row.id);
      known = list_dump(facts.ok() ? *facts : facts_json(State{}));
    }
    if (running == impl_->races.end()) line.update(json::parse(known));
    if (const auto bytes = impl_->disk_of(row.id)) line["disk_bytes"] = *bytes;
    j["races"].push_back(std::move(line));
  }
  return list_dump(j);
}

Result<std::set<std::string>> Service::repositories() {
  HYDRA_TRY(const auto found, impl_->store.repositories());
  return std::set<std::string>(found.begin(), found.end());
}

Result<std::string> Service::repository_of(const std::string& id) {
  HYDRA_TRY(const auto race, impl_->load(id));
  return race->state.spec.repository.root;
}

}  // namespace hydra::race
