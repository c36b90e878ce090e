// `hydra clean`: one race after the other, so that the loop answers in between; and the disk usage of races.
#include "base/entries.hpp"
#include "race/checks/templates.hpp"
#include "race/checks/tries.hpp"
#include "race/clean.hpp"
#include "race/merges/merges.hpp"
#include "race/upkeep.hpp"
#include "race/views/view_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sys/stat.h>

namespace hydra::race {
namespace {

// Returns the time since the rename into the trash, the last change of the inode.
std::int64_t age_in_trash(const fs::path& path, std::int64_t now_ms) {
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) return 0;
  const auto at = static_cast<std::int64_t>(st.st_ctim.tv_sec) * 1000 + st.st_ctim.tv_nsec / 1'000'000;
  return std::max<std::int64_t>(0, now_ms - at);
}

}  // namespace

// Makes a plan race by race, and carries it out if requested.
class Upkeep::Cleaning : public std::enable_shared_from_this<Cleaning> {
 public:
  Cleaning(Upkeep& upkeep, CleanCall call, std::function<void(Result<wire::CleanAnswer>)> done)
      : upkeep_(upkeep), call_(std::move(call)), done_(std::move(done)) {}

  void start() {
    // The store remembers many races without files: only a race with files has something to clean.
    std::error_code ec;
    const auto& state = upkeep_.options.paths.state;
    std::vector<std::string> names{call_.race};
    for (const auto* place : {"races", "removed"})
      for (const auto& entry : entries_of(state / place, ec))
        if (call_.race.empty()) names.push_back(entry.path().filename().string());
    auto known = upkeep_.store.known_races(names);
    if (!known.ok()) return done_(std::move(known).error());
    ids_ = std::move(*known);
    // Items that this clean moves to the trash are not listed separately.
    for (const auto& entry : entries_of(state / "trash", ec)) trash_.push_back(entry.path());
    next();
  }

 private:
  void next() {
    if (at_ == ids_.size()) return finish();
    const auto& id = ids_[at_++];
    upkeep_.engine.with_loaded(id, [self = shared_from_this(), &id] { self->look_at(id); });
  }

  void look_at(const std::string& id) {
    std::error_code ec;
    const Layout layout(upkeep_.options.paths.state, id);
    if (!fs::exists(layout.root(), ec) && !removed_at(layout)) return again();
    if (const auto why = why_untouched(id); !why.empty()) {
      items_.push_back({wire::CleanKind::race, id, {}, layout.root().string(), 0, 0, why});
      return again();
    }
    const auto race = upkeep_.load(id);
    if (!race.ok() || !(*race)->store) {
      const auto why = race.ok() ? "it has no store" : describe(race.error());
      items_.push_back({wire::CleanKind::race, id, {}, layout.root().string(), 0, 0, why});
      return again();
    }
    const fs::path repository = (*race)->state.spec.repository.common_dir;
    // The user's hook may hold a merge for minutes: races of other repositories do not wait for it.
    if (const auto other = upkeep_.merges.locks().holder(repository);
        call_.apply && call_.race.empty() && !other.empty()) {
      items_.push_back(
          {wire::CleanKind::race, id, {}, layout.root().string(), 0, 0, other + " is under way"});
      return again();
    }
    (void)upkeep_.engine.mark_busy(id, "is being cleaned");
    if (call_.apply) upkeep_.tries.stop_of(id, "the race is being cleaned");
    if (!call_.apply) {
      run_offloaded(upkeep_.clean_pool, upkeep_.loop, examining(*race, {}));
      return;
    }
    // Under the repository's lock, so that no merge runs meanwhile.
    upkeep_.merges.locks().take(
        repository, "the cleaning of " + id,
        [self = shared_from_this(), race = *race, repository](RepositoryLocks::Held turn) {
          self->upkeep_.merges.locks().run(repository, self->examining(race, std::move(turn)));
        });
  }

  // Returns why this race must not be examined; empty: no reason.
  std::string why_untouched(const std::string& id) {
    for (const auto& [other, race] : upkeep_.races) {
      if (other == id && !race->state.ended) return "it is running";
      if (race->state.spec.verifies == id && !race->state.ended) return "a verification reads it";
    }
    if (call_.race.empty() && upkeep_.tries.busy(id)) return "a result of it is being tried";
    const auto busy = upkeep_.engine.busy_with(id);
    return busy.empty() ? busy : "it " + busy;
  }

  // Blocking.
  std::vector<CleanItem> examine_race(const Race& race) {
    // The comparison with a capture writes to the store of the race.
    if (!lack_of_room(upkeep_.options.paths.state).empty()) (void)upkeep_.engine.reserve.release();
    auto ages = call_.ages;
    ages.named = !call_.race.empty();
    auto items = examine(race.state, race.layout, *race.store, ages, upkeep_.clock.moment());
    if (call_.apply && call_.only)
      for (auto& item : items)
        if (item.kept.empty() && !call_.only->contains(item.path)) item.kept = "it was not shown";
    if (call_.apply) remove_items(race.state, race.layout, items, call_.ages.keep_ms <= 0);
    return items;
  }

  std::unique_ptr<Offloaded> examining(const RacePtr& race, RepositoryLocks::Held turn) {
    return offloaded(
        [self = shared_from_this(), race] { return self->examine_race(*race); },
        [self = shared_from_this(), race,
         turn = std::move(turn)](Result<std::vector<CleanItem>> items) mutable {
          const auto& id = race->state.spec.id;
          self->upkeep_.engine.unmark_busy(id);
          if (items.ok())
            self->items_.insert(self->items_.end(), items->begin(), items->end());
          else
            self->items_.push_back(
                {wire::CleanKind::race, id, {}, race->layout.root().string(), 0, 0, describe(items.error())});
          if (self->call_.apply) self->upkeep_.measure_disk(id);
          turn.reset();
          self->again();  // after the lock is released
        });
  }

  void again() {
    boost::asio::post(upkeep_.loop, [self = shared_from_this()] { self->next(); });
  }

  // Lists directories that no race owns, which are never removed, and the trash, which `apply` empties.
  void finish() {
    if (!call_.race.empty()) return answer({});
    const bool running = upkeep_.engine.anything_runs();
    upkeep_.background(
        [state = upkeep_.options.paths.state, known = std::set(ids_.begin(), ids_.end()), running,
         apply = call_.apply, only = call_.only, trash = trash_, ages = call_.ages,
         now = upkeep_.clock.now()] {
          std::vector<CleanItem> items;
          std::error_code ec;
          for (const auto& entry : entries_of(state / "races", ec)) {
            const auto name = entry.path().filename().string();
            if (known.contains(name)) continue;
            items.push_back({wire::CleanKind::unknown,
                             {},
                             {},
                             entry.path().string(),
                             disk_bytes(entry.path()),
                             0,
                             "no race is recorded for it; remove it yourself if you know it"});
          }
          for (const auto& path : trash) {
            if (!fs::exists(fs::symlink_status(path, ec)) || (only && !only->contains(path.string())))
              continue;
            CleanItem item{wire::CleanKind::trash,  {}, {}, path.string(), disk_bytes(path),
                           age_in_trash(path, now), {}};
            if (running) item.kept = "removed automatically when no race runs";
            if (item.kept.empty() && item.age_ms < ages.older_than_ms) item.kept = "too young";
            if (item.kept.empty() && item.bytes < ages.min_bytes) item.kept = "smaller";
            if (apply && item.kept.empty())
              if (const auto gone = remove_tree(item.path); !gone.ok()) item.kept = describe(gone.error());
            items.push_back(std::move(item));
          }
          return items;
        },
        [self = shared_from_this()](const Result<std::vector<CleanItem>>& items) {
          if (!items.ok()) return self->done_(items.error());
          self->answer(*items);
        });
  }

  // Deletes what was removed before the answer says so.
  void answer(const std::vector<CleanItem>& more) {
    items_.insert(items_.end(), more.begin(), more.end());
    if (call_.apply) upkeep_.empty_trash();
    if (!call_.apply || upkeep_.engine.anything_runs()) return say();
    upkeep_.background(
        [trash = upkeep_.options.paths.state / "trash"] {
          std::error_code ec;
          for (const auto& entry : entries_of(trash, ec)) (void)remove_tree(entry.path());
        },
        [self = shared_from_this()] { self->say(); });
  }

  void say() {
    constexpr std::size_t kShownLeftOut = 4;
    wire::CleanPlan plan{call_.apply, items_, {}};
    for (auto& item : plan.items)
      if (item.left_out) item.left_out = detail::left_out_view(*item.left_out, kShownLeftOut);
    auto send = [done = done_, plan](Result<wire::Templates> found) mutable {
      if (found.ok()) plan.templates = std::move(found->templates);
      done(wire::CleanAnswer(plan));
    };
    if (!call_.race.empty()) return send(wire::Templates{});
    // A template's age is the time since its last use.
    upkeep_.background(
        [templates = upkeep_.templates.kept(), call = call_, now = upkeep_.clock.now()] {
          std::set<std::string> meant;
          for (const auto& info : templates.list())
            if ((!call.apply || !call.only || call.only->contains(info.digest)) &&
                now - info.meta.used_ms >= call.ages.older_than_ms && info.meta.bytes >= call.ages.min_bytes)
              meant.insert(info.digest);
          return meant;
        },
        [self = shared_from_this(), send](const Result<std::set<std::string>>& listed) mutable {
          if (!listed.ok()) return self->done_(listed.error());
          const auto& meant = *listed;
          if (self->call_.apply) return self->upkeep_.templates.clean(std::move(send), meant);
          self->upkeep_.templates.list([send, meant](Result<wire::Templates> all) mutable {
            if (all.ok())
              std::erase_if(all->templates, [&](const auto& row) { return !meant.contains(row.template_); });
            send(std::move(all));
          });
        });
  }

  Upkeep& upkeep_;
  CleanCall call_;
  std::function<void(Result<wire::CleanAnswer>)> done_;
  std::vector<std::string> ids_;  ///< races with files, newest first
  std::size_t at_ = 0;
  std::vector<CleanItem> items_;
  std::vector<fs::path> trash_;  ///< content of the trash at the beginning
};

void Upkeep::clean(CleanCall call, std::function<void(Result<wire::CleanAnswer>)> done) {
  if (call.apply && !call.race.empty() && !call.wait)
    if (const auto race = load(call.race); race.ok())
      if (const auto other = merges.locks().holder((*race)->state.spec.repository.common_dir); !other.empty())
        return done(wire::CleanAnswer(wire::Waits{other}));
  std::make_shared<Cleaning>(*this, std::move(call), std::move(done))->start();
}

void Upkeep::restore(const std::string& id, const wire::RestoreRequest& asked,
                     std::function<void(Result<wire::RestoreAnswer>)> done) {
  const auto loaded = load(id);
  if (!loaded.ok()) return done(loaded.error());
  const auto race = *loaded;
  if (!race->state.ended) return done(Error{Errc::conflict, "the race is running", id, {}});
  if (!race->state.spec.verifies.empty())
    return done(Error{Errc::usage, "a verification has no workspaces", id,
                      "hydra clean --undo " + race->state.spec.verifies});
  if (!asked.agent.empty() && race->state.agent(asked.agent) == nullptr)
    return done(Error{Errc::not_found, "no agent '" + sanitize(asked.agent) + "' in this race", id, {}});
  const fs::path repository = race->state.spec.repository.common_dir;
  if (const auto other = merges.locks().holder(repository); !asked.wait && !other.empty())
    return done(wire::RestoreAnswer(wire::Waits{other}));
  if (auto marked = engine.mark_busy(id, "is being restored"); !marked.ok())
    return done(std::move(marked).error());
  merges.locks().take(
      repository, "the restoring of " + id,
      [this, race, repository, agent = asked.agent, done](const RepositoryLocks::Held& turn) {
        merges.locks().post(
            repository,
            [race, agent]() -> Result<wire::Restored> {
              const bool away = removed_at(race->layout).has_value();
              HYDRA_CHECK(bring_back(race->layout));
              HYDRA_TRY(auto made, restore_workspaces(race->state, race->layout, *race->store, agent));
              const auto worktree = agent.empty() ? std::string() : race->layout.work(agent).string();
              return wire::Restored{race->state.spec.id, std::move(made), away, worktree};
            },
            [this, race, done, turn](Result<wire::Restored> restored) {
              engine.unmark_busy(race->state.spec.id);
              if (!restored.ok()) return done(std::move(restored).error());
              measure_disk(race->state.spec.id);
              done(wire::RestoreAnswer(std::move(*restored)));
            });
      });
}

bool Upkeep::away_for_good(const std::string& race) const {
  const Layout layout(options.paths.state, race);
  std::error_code ec;
  return !fs::exists(layout.store(), ec) && !removed_at(layout);
}

std::string Upkeep::undo_hint(const std::string& race) const {
  return away_for_good(race) ? "" : "hydra clean --undo " + race;
}

Result<void> check_disk_limit(const Paths& paths, double gib) {
  if (gib <= 0) return {};
  constexpr double kGib = 1u << 30;
  const auto used =
      static_cast<double>(disk_bytes(paths.state / "races") + disk_bytes(paths.state / "templates") +
                          disk_bytes(paths.state / "trash") + disk_bytes(paths.state / "removed"));
  if (used <= gib * kGib) return {};
  return Error{
      Errc::environment,
      fmt::format("Hydra's races and templates take {:.2f} GiB, and [limits] disk_gib is {:g}: no new race "
                  "starts",
                  used / kGib, gib),
      paths.state.string(), "`hydra clean` shows what can go"};
}

}  // namespace hydra::race
