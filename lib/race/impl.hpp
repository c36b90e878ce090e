// race: the service's implementation: the engine, and the owners of a race's parts.
#pragma once

#include "race/agents/agents.hpp"
#include "race/checks/checks.hpp"
#include "race/checks/judges.hpp"
#include "race/checks/templates.hpp"
#include "race/checks/tries.hpp"
#include "race/engine.hpp"
#include "race/merges/merges.hpp"
#include "race/race_flow.hpp"
#include "race/upkeep.hpp"
#include "race/views/views.hpp"

#include <map>
#include <optional>
#include <string>

namespace hydra::race {

struct Service::Impl final : Engine {
  Impl(boost::asio::io_context& loop, Options options, storage::EventStore& store, exec::Executor& executor,
       const Clock& clock, IdSource& ids);
  ~Impl() override;

  Result<void> recover();
  void carry_out(const RacePtr& race, const Command& command) override;
  void note_stored(const model::Event& event) override {
    list_facts.erase(event.race);
    ++stored_events;
  }
  void note_told(const model::Event& event) override;

  Templates templates;
  Checks checks;
  Agents agents;
  Judges judges;
  Tries tries;
  Merges merges;
  Upkeep upkeep;
  RaceFlow flow;
  /// Rows of the race list that come from events of ended races.
  std::map<std::string, std::optional<wire::RaceRow>> list_facts;
  std::uint64_t stored_events = 0;  ///< since the start
  void list_page(storage::RacePage page, std::function<void(Result<wire::RaceList>)> done);
  [[nodiscard]] wire::RaceList list_of(const storage::RacePage& page);

  // These functions serve the views.
  const league::Calibration& calibration() { return upkeep.calibration(); }
  [[nodiscard]] std::string undo_hint(const std::string& race) const { return upkeep.undo_hint(race); }
};

}  // namespace hydra::race
