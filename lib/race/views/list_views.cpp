// The list of races, in pages.
#include "race/impl.hpp"
#include "race/views/view_parts.hpp"

namespace hydra::race {
namespace {

// Adds the part of a race's line that comes from its events.
void add_facts(const State& state, wire::RaceRow& row) {
  if (state.ended) row.ended_ms = state.ended_ms;
  const auto* winner = state.ranking ? state.ranked(state.ranking->winner) : nullptr;
  if (winner) row.best = winner->score.composite;
  if (const auto* merged = state.merged()) row.merged = merged->agent;
  for (const auto& agent : state.agents) row.displays[agent.entry.name] = agent.display;
}

// Loads only the events needed for a race's line, without its checks. An unreadable race does not hide the
// others.
wire::RaceRow stored_facts(storage::EventStore& store, const std::string& race) {
  const auto events = store.events_of_kinds(race, {"race_created", "retry_requested", "combined",
                                                   "scoring_result", "merged", "merge_undone", "race_ended"});
  State state;
  if (events.ok())
    for (const auto& event : *events) apply(state, event);
  wire::RaceRow row;
  add_facts(state, row);
  return row;
}

}  // namespace

Result<wire::RaceList> Service::list(const storage::RaceQuery& query) {
  auto asked = query;
  asked.directory = fs::path(query.directory).lexically_normal().string();
  if (asked.directory.size() > 1 && asked.directory.ends_with('/')) asked.directory.pop_back();
  HYDRA_TRY(const auto page, impl_->store.race_page(asked));
  wire::RaceList list;
  list.total = page.total;
  if (page.next != 0) list.next = std::to_string(page.next);
  for (const auto& row : page.rows) {
    const auto running = impl_->all().find(row.id);
    auto& known = impl_->list_facts[row.id];
    wire::RaceRow line;
    if (running != impl_->all().end()) {
      add_facts(running->second->state, line);
    } else {
      if (!known) known = stored_facts(impl_->store, row.id);
      line = *known;
    }
    line.race = row.id;
    line.task = row.task;
    line.state = model::of_name<model::RacePhase>(row.state);
    line.created_ms = row.created_ms;
    line.repository = row.repository;
    line.agents = row.agents;
    line.winner = row.winner;
    line.disk_bytes = impl_->upkeep.disk_of(row.id);
    list.races.push_back(std::move(line));
  }
  return list;
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
