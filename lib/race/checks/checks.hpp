// race: the checks of a race's subjects (base, results, cross runs, twins): their workspaces, their queueing
// for the machine, their jobs and outcomes.
#pragma once

#include "race/engine.hpp"
#include "race/limits/leases.hpp"
#include "trees/workspace.hpp"

#include <functional>
#include <optional>
#include <string>

namespace hydra::race {

class Templates;

/// Returns whether a check of this race would slow a running agent down.
bool agents_alive(const Race& race);

class Checks : Owner {
 public:
  Checks(Engine& engine, Templates& templates);

  // checks.cpp
  void prepare_subject(const RacePtr& race, const Subject& subject);
  void inspect(const RacePtr& race, const std::string& agent, int tries = 1);
  void run_check(const RacePtr& race, const Subject& subject, model::Dimension dimension,
                 const CheckRun& run);
  void repeat_tests(const RacePtr& race, const Subject& subject);
  void stop_checks(const RacePtr& race, const Subject& subject);

  // checks_jobs.cpp
  /// Runs the job and always calls `ended`; with exec::End::start_failed if the job could not be started.
  void submit(const RacePtr& race, const Subject& subject, const exec::JobSpec& job,
              const std::function<void(const exec::JobResult&)>& ended);
  /// As submit(), with CPUs and ports reserved for the job.
  void submit_check(const RacePtr& race, const Subject& subject, exec::JobSpec job,
                    const std::function<void(const exec::JobResult&)>& ended, Share share = Share::whole);
  /// The slot that a job of checks waits for; see SlotPool::acquire().
  struct SlotWish {
    std::string tag;
    int priority = 0;
    bool alone = false;
    Share share = Share::whole;
  };
  /// Returns the tag under which a subject's checks wait for a slot.
  static std::string tag(const Race& race, const Subject& subject) {
    return race.state.spec.id + "/" + text(subject);
  }
  /// Returns the priority of a subject's job, the smallest first: builds, since a failed one drops its whole
  /// chain; verification and judgements last, since the configured checks of all races go first.
  static int priority_of(const Subject& subject, model::Dimension dimension);
  /// Waits for a slot, then calls `job` (nullopt: no longer wanted) and runs its result. The slot is free
  /// again before `ended` is called. `alone`: no other job ran at the same time.
  void run_in_slot(const RacePtr& race, const Subject& subject, const SlotWish& wish,
                   std::function<std::optional<exec::JobSpec>()> job,
                   std::function<void(const exec::JobResult&, bool alone)> ended);
  SlotPool& slots_of_checks(const Race& race) {
    return race.own_check_slots ? *race.own_check_slots : check_slots;
  }
  /// Returns why a check of that subject does not run yet, for people; empty: the check runs, or waits for no
  /// slot.
  [[nodiscard]] std::string check_waits(const Race& race, const Subject& subject);

  // checks_cross.cpp
  void plan_twins(const RacePtr& race);
  void plan_cross(const RacePtr& race);
  /// Lets waiting agents begin after a while without a failure of the base. `built`: its build has passed.
  void preflight_clock(const RacePtr& race, bool built);
  void sum_cross(const RacePtr& race);

 private:
  static trees::Workspace workspace_of(const Race& race, const Subject& subject,
                                       const model::WorkspaceFacts& facts);
  static std::string root_of(const Race& race, const Subject& subject);
  void make_subject(const RacePtr& race, const Subject& subject, int tries = 1);
  void set_up_subject(const RacePtr& race, const Subject& subject, const model::WorkspaceFacts& facts);
  void seal_set_up(const RacePtr& race, const trees::Workspace& workspace, const model::SubjectReady& ready);
  /// Calls `then` once Race::baseline_key is known, if the race still lives.
  void with_baseline_key(const RacePtr& race, std::function<void()> then);
  /// Uses evidence stored under this key instead of the subject's checks; makes the workspace if none is
  /// stored.
  void take_from_cache(const RacePtr& race, const Subject& subject, const std::string& key);
  void queue_check(const RacePtr& race, const Subject& subject, model::Dimension dimension,
                   const CheckRun& run);
  void check_ended(const RacePtr& race, const Subject& subject, model::Dimension dimension,
                   const CheckRun& run, const exec::JobResult& result, bool alone);
  void remember_baseline(const RacePtr& race, const Subject& subject);

  /// Returns a workspace that does not reveal whose commit is checked.
  static trees::Workspace cross_workspace(const Race& race, const Subject& subject,
                                          const model::WorkspaceFacts& facts);
  void prepare_cross(const RacePtr& race, const Subject& subject);
  /// Stores evidence of a cross run for later races, and removes its workspace.
  void remember_cross(const RacePtr& race, const Subject& subject);

  Templates& templates;
  SlotPool check_slots;
  CpuGroups cpu_groups;
};

}  // namespace hydra::race
