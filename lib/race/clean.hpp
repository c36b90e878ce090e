// race: what of ended races may go, and why the rest stays. Removed is only what Hydra's own records name,
// and no directory of an agent whose content is not the captured commit (reliability reference, section 2).
#pragma once

#include "base/clock.hpp"
#include "base/paths.hpp"
#include "base/result.hpp"
#include "git/repository.hpp"
#include "race/layout.hpp"
#include "wire/answers.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hydra::race {

struct State;
using wire::CleanItem;

struct CleanAges {
  std::int64_t older_than_ms = 0;  ///< since the race's end, for workspaces
  std::int64_t keep_ms = 0;        ///< the same for captures and evidence; 0: they go for good
  std::uint64_t min_bytes = 0;     ///< smaller things stay
  bool named = false;              ///< one race, by its id: also where nothing can be compared any more
  bool uncaptured = false;         ///< of a named one: workspaces too whose content is in no capture
};

/// Disk that the tree takes; links are not followed.
std::uint64_t disk_bytes(const fs::path& tree);

/// What there is of one ended race, and what may go. Blocking: each workspace is captured once more and
/// compared. Changes nothing but objects of the store. Without the repository that the race began in nothing
/// can be compared: then the race may go as a whole, workspaces and all, where it was named.
std::vector<CleanItem> examine(const State& state, const Layout& layout, const git::Store& store,
                               const CleanAges& ages, const Moment& now);

/// Takes the items that may go away: workspaces into the trash, and what they left in the user's repository.
/// The rest of a race goes to Layout::removed(), from where bring_back() fetches it, or with `for_good` into
/// the trash. An item that could not go says why in `kept`.
void remove_items(const State& state, const Layout& layout, std::vector<CleanItem>& items, bool for_good);

/// A race that a clean took away stands at its place again; nothing happens where there is none.
Result<void> bring_back(const Layout& layout);
/// What is left of it goes into the trash for good, and its pin in the user's repository.
Result<void> drop_removed(const State& state, const Layout& layout);
/// When it was taken away; absent: it was not.
std::optional<Moment> removed_at(const Layout& layout);

/// Makes the workspaces of captured agents that are gone again, at their captured commit. Their names.
/// `only`: that agent's alone (empty: all), and as a directory of its own where it is a layer.
Result<std::vector<std::string>> restore_workspaces(const State& state, const Layout& layout,
                                                    const git::Store& store, const std::string& only);

/// An error once races, templates and trash take more than `gib`; 0: no limit. Blocking.
Result<void> check_disk_limit(const Paths& paths, double gib);

}  // namespace hydra::race
