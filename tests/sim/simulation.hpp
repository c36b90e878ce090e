// sim: many races through the real reducer, the real window and the real store, on an engine that is not
// there (sim/fake_executor.hpp). What effects do in a race, a few lines do here: the same events, in virtual
// time.
#pragma once

#include "base/result.hpp"
#include "sim/fake_executor.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace hydra::sim {

struct Options {
  std::filesystem::path database;  ///< made anew
  std::uint64_t seed = 1;
  int races = 100;
  int agents = 20;  ///< of each race: a run each
  int window = 2000;
  int open_races = 0;  ///< at once; 0: as many as fill the window twice
  /// Virtual milliseconds of which the events are one transaction, 2,000 events at most. A daemon stores what
  /// came while it stored the ones before: the faster the clock runs, the more that is.
  std::int64_t group_ms = 20;
  double again = 0.002;        ///< an effect ends in its event twice, as around a crash
  std::uint64_t restarts = 0;  ///< how often the daemon dies: all that is in memory is gone, the jobs go on
  Faults faults{};
  bool digest = false;  ///< also the digest of the log, which costs as much as the rest
};

struct Report {
  std::uint64_t runs = 0, events = 0;
  std::uint64_t accepted = 0;  ///< results of runs that count; must equal `runs`, less `hopeless`
  std::uint64_t hopeless = 0;  ///< runs whose attempts the engine called lost, all four of them, as it counts
  std::uint64_t accepted_twice = 0;  ///< runs of which two attempts' ends counted as the same one; must be 0
  std::uint64_t retries = 0;         ///< attempts that followed a lost one
  std::uint64_t restarts = 0;
  FakeExecutor::Counts engine;
  std::size_t live_at_end = 0;  ///< jobs that nobody waits for any more; must be 0
  std::int64_t virtual_ms = 0;
  std::uint64_t digest = 0;    ///< of every stored event, in order
  double slowest_restart = 0;  ///< seconds from opening the store to the first job handed out
};

/// Errors are those of the store. Blocking: as long as it takes.
Result<Report> simulate(const Options& options);

}  // namespace hydra::sim
