// The trash, disk usage of races, and notifications about their ends.
#include "race/upkeep.hpp"

#include "base/entries.hpp"
#include "race/agents/worktrees.hpp"
#include "race/clean.hpp"
#include "race/merges/merges.hpp"
#include "race/notify.hpp"
#include "wire/requests.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace hydra::race {
namespace {

constexpr std::chrono::milliseconds kPatience{2000}, kLook{20};

}  // namespace

void Upkeep::join() {
  clean_pool.join();
  disk_pool.join();
}

void Upkeep::stop() {
  for (auto waited = kLook; notifying > 0 && waited <= kPatience; waited += kLook)
    std::this_thread::sleep_for(kLook);
  if (const int left = notifying; left > 0)
    log::warn("{} notifications are dropped: nobody listened for {} ms", left, kPatience.count());
  notify_stop.request_stop();
  notify_pool.join();
}

// Deleting would slow down a race's checkouts: the trash is emptied a few seconds after the last race has
// ended.
void Upkeep::empty_trash() {
  trash_timer.expires_after(std::chrono::seconds(5));
  trash_timer.async_wait([this](const boost::system::error_code& ec) {
    if (ec) return;
    if (engine.anything_runs()) return;  // the end of that race calls this function again
    drop_expired();
    background(
        [state = options.paths.state, trash = options.paths.state / "trash", reserve = engine.reserve] {
          reserve.make();
          drop_shared_bases(state);
          std::error_code entries;
          for (const auto& entry : entries_of(trash, entries)) (void)remove_tree(entry.path());
        });
  });
}

// Deletes removed races whose keep time has passed.
void Upkeep::drop_expired() {
  std::error_code ec;
  for (const auto& entry : entries_of(options.paths.state / "removed", ec))
    engine.with_loaded(entry.path().filename().string(), [this, id = entry.path().filename().string()] {
      if (const auto race = load(id); race.ok()) drop_if_expired(*race);
    });
}

void Upkeep::drop_if_expired(const RacePtr& race) {
  const auto at = removed_at(race->layout);
  if (!at || elapsed_ms(*at, clock.moment()) < wire::CleanRequest{}.keep_ms) return;
  const fs::path repository = race->state.spec.repository.common_dir;
  merges.locks().take(repository, "the cleaning of " + race->state.spec.id,
                      [this, race, repository](const RepositoryLocks::Held& turn) {
                        merges.locks().post(
                            repository, [race] { return drop_removed(race->state, race->layout); },
                            [turn](const Result<void>& gone) {
                              if (!gone.ok()) log::warn("{}", describe(gone.error()));
                            });
                      });
}

std::optional<std::uint64_t> Upkeep::disk_of(const std::string& race) {
  const auto found = disk.find(race);
  const bool running = races.contains(race);
  constexpr std::int64_t kFresh = 10'000;
  if (found == disk.end() || (running && clock.now() - found->second.at_ms > kFresh)) measure_disk(race);
  if (found == disk.end()) return std::nullopt;
  return found->second.bytes;
}

void Upkeep::measure_disk(const std::string& race) {
  if (!measuring.insert(race).second) return;
  run_offloaded(disk_pool, loop,
                offloaded([root = Layout(options.paths.state, race).root()] { return disk_bytes(root); },
                          [this, race](const Result<std::uint64_t>& bytes) {
                            measuring.erase(race);
                            if (bytes.ok()) disk[race] = {*bytes, clock.now()};
                          }));
}

void Upkeep::measure_disk_anew(const std::string& race) {
  disk.erase(race);
  measure_disk(race);
}

void Upkeep::announce(const Race& race) {
  const auto& spec = race.state.spec;
  // No notification for a baseline-only race or a verification.
  if (race.state.agents.empty() || !spec.verifies.empty()) return;
  NotifyContext context{spec.environment, session_bus(), spec.repository.root};
  const auto& config = spec.config.notify;
  if (config.command.empty() && config.webhook.empty() && context.session.empty()) return;
  context.stop = notify_stop.get_token();
  ++notifying;
  boost::asio::post(notify_pool, [this, id = spec.id, config, what = notification_of(race.state),
                                  context = std::move(context)] {
    const auto over = [this](const void*) { --notifying; };
    const std::unique_ptr<const WorkPool, decltype(over)> told(&notify_pool, over);
    const auto problems = notify(config, what, context);
    if (context.stop.stop_requested())
      for (const auto& problem : problems) log::warn("race {}: {}", id, problem);
    if (problems.empty() || context.stop.stop_requested()) return;
    boost::asio::post(loop, [this, id, problems] {
      for (const auto& problem : problems) {
        log::warn("race {}: {}", id, problem);
        emit(id, model::Note{{}, problem});
      }
    });
  });
}

}  // namespace hydra::race
