// race: decides what of ended races may be removed: only items in Hydra's own records, and no agent's
// directory whose content is not the captured commit (docs/reliability.md, "Files of a race").
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
  std::int64_t keep_ms = 0;        ///< the same for captures and evidence; 0: deleted immediately
  std::uint64_t min_bytes = 0;     ///< smaller items stay
  bool named = false;       ///< one race, named by its id: included even if nothing can be compared any more
  bool uncaptured = false;  ///< only for a named race: include workspaces whose content is in no capture
};

/// Returns the tree's disk usage; links are not followed.
std::uint64_t disk_bytes(const fs::path& tree);

/// Lists an ended race's items and which may go. Blocking: captures each workspace again, adding only
/// objects. Without the race's repository nothing is compared, and a named race may go whole, workspaces
/// included.
std::vector<CleanItem> examine(const State& state, const Layout& layout, const git::Store& store,
                               const CleanAges& ages, const Moment& now);

/// Removes the permitted items: workspaces and their traces in the user's repository to the trash, the rest
/// to Layout::removed() (see bring_back()), or with `for_good` to the trash. `kept` of an item tells a
/// failure.
void remove_items(const State& state, const Layout& layout, std::vector<CleanItem>& items, bool for_good);

/// Restores a removed race to its place; a no-op if it was not removed.
Result<void> bring_back(const Layout& layout);
/// Moves the remains of a removed race to the trash, and deletes its pin in the user's repository.
Result<void> drop_removed(const State& state, const Layout& layout);
/// Returns when the race was removed; nullopt: not removed.
std::optional<Moment> removed_at(const Layout& layout);

/// Recreates missing workspaces of captured agents at their captured commit; returns their names. `only`: one
/// agent (empty: all), whose layer becomes a separate directory.
Result<std::vector<std::string>> restore_workspaces(const State& state, const Layout& layout,
                                                    const git::Store& store, const std::string& only);

/// Returns an error if races, templates and trash exceed `gib`; 0: no limit. Blocking.
Result<void> check_disk_limit(const Paths& paths, double gib);

}  // namespace hydra::race
