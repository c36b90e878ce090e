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

void Service::list(const storage::RaceQuery& query, std::function<void(Result<wire::RaceList>)> done) {
  auto asked = query;
  asked.directory = fs::path(query.directory).lexically_normal().string();
  if (asked.directory.size() > 1 && asked.directory.ends_with('/')) asked.directory.pop_back();
  impl_->read_aside([&store = impl_->store, asked] { return store.race_page(asked); },
                    [this, done = std::move(done)](Result<storage::RacePage> page) mutable {
                      if (!page.ok()) return done(std::move(page).error());
                      impl_->list_page(std::move(*page), std::move(done));
                    });
}

void Service::Impl::list_page(storage::RacePage page, std::function<void(Result<wire::RaceList>)> done) {
  std::map<std::string, std::optional<wire::RaceRow>> fresh;
  for (const auto& row : page.rows)
    if (!all().contains(row.id) && !list_facts[row.id]) fresh[row.id];
  if (fresh.empty()) return done(list_of(page));
  read_aside(
      [&events = store, fresh = std::move(fresh)]() mutable {
        for (auto& [race, facts] : fresh) facts = stored_facts(events, race);
        return std::move(fresh);
      },
      [this, page = std::move(page), before = stored_events,
       done = std::move(done)](Result<std::map<std::string, std::optional<wire::RaceRow>>> read) {
        if (!read.ok()) return done(std::move(read).error());
        for (auto& [race, facts] : *read) list_facts[race] = std::move(facts);
        done(list_of(page));
        // Events that were stored meanwhile may be missing in these facts.
        if (before != stored_events) list_facts.clear();
      });
}

wire::RaceList Service::Impl::list_of(const storage::RacePage& page) {
  wire::RaceList list;
  list.total = page.total;
  if (page.next != 0) list.next = std::to_string(page.next);
  for (const auto& row : page.rows) {
    wire::RaceRow line;
    if (const auto running = all().find(row.id); running != all().end())
      add_facts(running->second->state, line);
    else if (const auto& known = list_facts[row.id])
      line = *known;
    line.race = row.id;
    line.task = row.task;
    line.state = model::of_name<model::RacePhase>(row.state);
    line.created_ms = row.created_ms;
    line.repository = row.repository;
    line.agents = row.agents;
    line.winner = row.winner;
    line.disk_bytes = upkeep.disk_of(row.id);
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
