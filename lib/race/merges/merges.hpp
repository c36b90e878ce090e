// race: how results come into the user's repository: branches, merges and their undoing, results made of
// parts, and what the repository was when the race began.
#pragma once

#include "git/repository.hpp"
#include "race/engine.hpp"
#include "race/joined.hpp"
#include "race/limits/repository_locks.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

class Upkeep;

class Merges : Owner {
 public:
  Merges(Engine& engine, Upkeep& upkeep) : Owner(engine), upkeep(upkeep) {}
  /// Once the loop is over. The last hook of a merge gets a moment; one that hangs is ended, and what it left
  /// is recovered.
  void stop();

  // merges_merge.cpp
  void auto_merge(const RacePtr& race, const std::string& agent);
  void merge(MergeCall call, std::function<void(Result<wire::MergeAnswer>)> done);
  /// At users' repositories, by their common directories: merges, undoing and what a clean removes, each from
  /// its first look to the event that records it.
  [[nodiscard]] RepositoryLocks& locks() { return merging; }

  // merges_targets.cpp
  Result<std::pair<RacePtr, std::string>> find_target(const MergeCall& call) const;

  // merges_repository.cpp
  void publish(const RacePtr& race, int tries = 1);
  /// The user's repository compared with the race's start: for an agent, or the whole race; `then` in any
  /// case.
  void compare_repository(const RacePtr& race, const std::string& agent, std::function<void()> then);
  void repair(const RacePtr& race, const std::string& directory,
              std::function<void(Result<wire::MergeAnswer>)> done);

  // merges_combine.cpp
  void combine(CombineCall call, std::function<void(Result<wire::Combined>)> done);

  // merges_journals.cpp
  /// Begins to finish or take back what dead merges left half done.
  void recover_merges();

 private:
  using Stored = Engine::Stored;
  using Previewed = std::function<void(Result<git::MergePreview>)>;
  void run_merge(const RacePtr& race, const std::string& agent, const MergeCall& call, bool automatic,
                 Previewed done);
  void start_merge(const RacePtr& race, const std::string& agent, const git::MergeRequest& request,
                   bool automatic, Previewed finish);
  /// What it would do, beside whoever has the turn (but for a recovery): it changes nothing, and its journal
  /// is its own.
  void preview_merge(const RacePtr& race, const git::MergeRequest& request, Previewed done);
  void undo_merge(const MergeCall& call, std::function<void(Result<wire::MergeAnswer>)> done);
  void start_undo(const RacePtr& race, const model::Merged& merged, const MergeCall& call,
                  std::function<void(Result<wire::MergeAnswer>)> finish);
  void preview_undo(const RacePtr& race, const model::Merged& merged, const MergeCall& call,
                    std::function<void(Result<wire::MergeAnswer>)> finish);
  static constexpr const char* kRecovery = "the recovery of a merge that was cut off";
  /// What such a call would wait for though it shall not; empty: nothing.
  [[nodiscard]] std::string in_the_way(const MergeCall& call, const fs::path& repository) const;
  /// For the journal of a preview: a directory that nobody else has.
  fs::path preview_place() { return options.paths.state / "previews" / std::to_string(++previews); }
  /// `not_found` where nothing of the race is left to merge.
  [[nodiscard]] Result<void> captures_there(const Race& race) const;
  /// Whether a verification of this race has checked this agent's result as it is.
  [[nodiscard]] bool verified(const State& state, const AgentState& agent) const;

  [[nodiscard]] Result<std::vector<storage::RaceRow>> races_where(
      const std::function<bool(const std::string& root)>& wanted) const;
  Result<std::pair<RacePtr, model::Merged>> find_merged(const MergeCall& call) const;
  /// Common directory of the repository around `directory` as its races know it; empty: it has none.
  Result<fs::path> repository_of(const std::string& directory) const;
  /// Why nothing is found here, where the repository of a race that could be meant is gone or was moved.
  std::optional<Error> gone_or_moved(const MergeCall& call, const std::vector<storage::RaceRow>& rows) const;

  /// Within a turn: finishes and records what dead merges of this repository left, then calls `then`.
  void settle_journals(const fs::path& repository, Stored then);
  void settle_journal(const RacePtr& race, const fs::path& journal, Stored then);
  /// Stores the event of a journal that landed; only then the journal goes.
  void record_landed(const RacePtr& race, model::EventBody event, const fs::path& journal, Stored then);
  void drop_journal(const fs::path& journal) const;  ///< whole or not at all; from any thread
  void record(const RacePtr& race, model::EventBody event, Stored then = {}) {
    engine.record(race, std::move(event), std::move(then));
  }

  Upkeep& upkeep;
  std::uint64_t previews = 0;   ///< made so far
  std::stop_source merge_stop;  ///< asked for at the end of the daemon: the user's hooks are ended
  RepositoryLocks merging{loop};
  Joined<Result<git::RepositoryChanges>> looks;  ///< at users' repositories, by race
  RepositoryLocks looking{loop};                 ///< what only looks, since filters of the user's run there
};

}  // namespace hydra::race
