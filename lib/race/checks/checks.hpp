// race: the checks of a race's subjects (its base, its results, cross runs and twins):
// their workspaces, their turns on this machine, their jobs, and what becomes of their ends.
#pragma once

#include "race/engine.hpp"
#include "race/limits/leases.hpp"
#include "trees/workspace.hpp"

#include <functional>
#include <optional>
#include <string>

namespace hydra::race {

class Templates;

/// Whether a check of this race would slow a running agent down.
bool agents_alive(const Race& race);

class Checks : Owner {
 public:
  Checks(Engine& engine, Templates& templates);

  // checks.cpp
  void prepare_subject(const RacePtr& race, const std::string& subject);
  void inspect(const RacePtr& race, const std::string& agent, int tries = 1);
  void run_check(const RacePtr& race, const std::string& subject, model::Dimension dimension,
                 const CheckRun& run);
  void repeat_tests(const RacePtr& race, const std::string& subject);
  void stop_checks(const RacePtr& race, const std::string& subject);

  // checks_jobs.cpp
  /// Runs the job. `ended` in any case: with exec::End::start_failed where it can't be started.
  void submit(const RacePtr& race, const std::string& subject, const exec::JobSpec& job,
              const std::function<void(const exec::JobResult&)>& ended);
  /// The same with CPUs and ports of its own.
  void submit_check(const RacePtr& race, const std::string& subject, exec::JobSpec job,
                    const std::function<void(const exec::JobResult&)>& ended, Share share = Share::whole);
  /// Which slot a job of checks waits for; see SlotPool::acquire().
  struct SlotWish {
    std::string tag;
    int priority = 0;
    bool alone = false;
    Share share = Share::whole;
  };
  /// The same once it has its slot, which is free again before `ended` is called. `job` is asked then;
  /// nothing: it is not wanted any more. `alone`: nothing else ran meanwhile.
  void run_in_slot(const RacePtr& race, const std::string& subject, const SlotWish& wish,
                   std::function<std::optional<exec::JobSpec>()> job,
                   std::function<void(const exec::JobResult&, bool alone)> ended);
  SlotPool& slots_of_checks(const Race& race) {
    return race.own_check_slots ? *race.own_check_slots : check_slots;
  }
  /// For people: why a check of that subject does not run yet; empty: it runs, or waits for nothing of the
  /// kind.
  [[nodiscard]] std::string check_waits(const Race& race, const std::string& subject);

  // checks_cross.cpp
  void plan_twins(const RacePtr& race);
  void plan_cross(const RacePtr& race);
  void cross_clock(const RacePtr& race);
  void sum_cross(const RacePtr& race);


 private:
  /// By which a subject's checks wait for a slot.
  static std::string tag(const Race& race, const std::string& subject) {
    return race.state.spec.id + "/" + subject;
  }
  static trees::Workspace workspace_of(const Race& race, const std::string& subject,
                                       const model::WorkspaceFacts& facts);
  static std::string root_of(const Race& race, const std::string& subject);
  void make_subject(const RacePtr& race, const std::string& subject, int tries = 1);
  /// Where the transcripts are of the agents whose results this race has.
  [[nodiscard]] Layout transcripts_of(const Race& race) const;
  void set_up_subject(const RacePtr& race, const std::string& subject, const model::WorkspaceFacts& facts);
  void seal_set_up(const RacePtr& race, const trees::Workspace& workspace, const model::SubjectReady& ready);
  /// `then` once Race::baseline_key is known, while the race lives.
  void with_baseline_key(const RacePtr& race, std::function<void()> then);
  /// What is stored under this key takes the place of the subject's checks; else its workspace is made.
  void take_from_cache(const RacePtr& race, const std::string& subject, const std::string& key);
  void queue_check(const RacePtr& race, const std::string& subject, model::Dimension dimension,
                   const CheckRun& run);
  void check_ended(const RacePtr& race, const std::string& subject, model::Dimension dimension,
                   const CheckRun& run, const exec::JobResult& result, bool alone);
  void remember_baseline(const RacePtr& race, const std::string& subject);

  /// Shows nothing that tells whose commit it is.
  static trees::Workspace cross_workspace(const Race& race, const std::string& subject,
                                          const model::WorkspaceFacts& facts);
  void prepare_cross(const RacePtr& race, const std::string& subject);
  /// Evidence of a cross run for later races; its workspace goes.
  void remember_cross(const RacePtr& race, const std::string& subject);

  Templates& templates;
  SlotPool check_slots;
  CpuGroups cpu_groups;
  PortLeases ports;
};

}  // namespace hydra::race
