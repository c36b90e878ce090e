// race: results in the user's repository: branches, merges and their undo, combined results, and comparison
// with the repository's state at the race's start.
#pragma once

#include "git/repository.hpp"
#include "race/engine.hpp"
#include "race/joined.hpp"
#include "race/limits/repository_locks.hpp"
#include "race/merges/trimmed.hpp"

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
  /// Call after the loop has ended. A running merge's last hook gets a moment, then is killed; recovery
  /// handles the remains.
  void stop();

  // merges_merge.cpp
  void auto_merge(const RacePtr& race, const std::string& agent);
  void merge(MergeCall call, std::function<void(Result<wire::MergeAnswer>)> done);
  /// Locks of users' repositories, by common directory. Merges, undos and a clean's removals hold one from
  /// their first read to the event that records them.
  [[nodiscard]] RepositoryLocks& locks() { return merging; }

  // merges_targets.cpp
  Result<std::pair<RacePtr, std::string>> find_target(const MergeCall& call) const;

  // merges_repository.cpp
  void publish(const RacePtr& race, int tries = 1);
  /// Compares the user's repository with the race's start, for an agent or the whole race; always calls
  /// `then`.
  void compare_repository(const RacePtr& race, const std::string& agent, std::function<void()> then);
  void repair(const RacePtr& race, const std::string& directory,
              std::function<void(Result<wire::MergeAnswer>)> done);

  // merges_combine.cpp
  void combine(CombineCall call, std::function<void(Result<wire::Combined>)> done);

  // merges_journals.cpp
  /// Starts finishing or undoing merges that a crash interrupted.
  void recover_merges();

 private:
  using Stored = Engine::Stored;
  using Previewed = std::function<void(Result<git::MergePreview>)>;
  void run_merge(const RacePtr& race, const std::string& agent, const MergeCall& call, bool automatic,
                 Previewed done);
  /// Moves the user's checkout with this journal, and records the move if it landed; `ended` gets the answer.
  void move_checkout(const RacePtr& race, const fs::path& journal,
                     std::function<Result<git::MergePreview>()> move,
                     std::function<model::EventBody(const git::Landed&)> event,
                     std::function<void(Result<git::MergePreview>, bool landed)> ended);
  void start_merge(const RacePtr& race, const std::string& agent, const TrimmedRequest& request,
                   bool automatic, Previewed finish);
  /// Computes a merge without taking the lock (except for a recovery): a preview changes nothing and has its
  /// own journal.
  void preview_merge(const RacePtr& race, const TrimmedRequest& request, Previewed done);
  void undo_merge(const MergeCall& call, std::function<void(Result<wire::MergeAnswer>)> done);
  void start_undo(const RacePtr& race, const model::Merged& merged, const MergeCall& call,
                  std::function<void(Result<wire::MergeAnswer>)> finish);
  void preview_undo(const RacePtr& race, const model::Merged& merged, const MergeCall& call,
                    std::function<void(Result<wire::MergeAnswer>)> finish);
  static constexpr const char* kRecovery = "the recovery of a merge that was cut off";
  /// Returns what a call with `wait` false would have to wait for; empty: nothing.
  [[nodiscard]] std::string in_the_way(const MergeCall& call, const fs::path& repository) const;
  /// Returns a unique directory for the journal of a preview.
  fs::path preview_place() { return options.paths.state / "previews" / std::to_string(++previews); }
  /// `not_found` if no captures of the race are left.
  [[nodiscard]] Result<void> captures_there(const Race& race) const;
  /// Returns whether a verification of this race has checked this agent's result as it is.
  [[nodiscard]] bool verified(const State& state, const AgentState& agent) const;

  [[nodiscard]] Result<std::vector<storage::RaceRow>> races_where(
      const std::function<bool(const std::string& root)>& wanted) const;
  Result<std::pair<RacePtr, model::Merged>> find_merged(const MergeCall& call) const;
  /// Returns the common directory of the repository around `directory`, as in its races; empty: no races.
  Result<fs::path> repository_of(const std::string& directory) const;
  /// Returns the error for a target that may belong to a race whose repository is gone or was moved.
  std::optional<Error> gone_or_moved(const MergeCall& call, const std::vector<storage::RaceRow>& rows) const;

  /// With the lock held: finishes and records interrupted merges of this repository, then calls `then`.
  void settle_journals(const fs::path& repository, Stored then);
  void settle_journal(const RacePtr& race, const fs::path& journal, Stored then);
  /// Stores the event of a merge that landed; removes its journal only after that.
  void record_landed(const RacePtr& race, model::EventBody event, const fs::path& journal, Stored then);
  void drop_journal(const fs::path& journal) const;  ///< atomic; from any thread
  void record(const RacePtr& race, model::EventBody event, Stored then = {}) {
    engine.record(race, std::move(event), std::move(then));
  }

  Upkeep& upkeep;
  std::uint64_t previews = 0;   ///< number of previews so far
  std::stop_source merge_stop;  ///< requested when the daemon ends; kills the user's hooks
  RepositoryLocks merging{loop};
  Joined<Result<git::RepositoryChanges>> looks;  ///< comparisons of users' repositories, by race
  RepositoryLocks looking{loop};  ///< threads for reading repositories, since the user's filters run there
};

}  // namespace hydra::race
