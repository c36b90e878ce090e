// Journals of merges: kept until the event of each merge is stored; also those left by a crash or a full
// disk.
#include "base/entries.hpp"
#include "base/strings.hpp"
#include "model/environment.hpp"
#include "race/agents/secrets.hpp"
#include "race/merges/merges.hpp"

#include <algorithm>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::race {
namespace {

bool holds(const State& state, const std::string& commit) {
  return std::any_of(state.merges.begin(), state.merges.end(),
                     [&](const auto& merged) { return merged.commit == commit; });
}

Result<std::string> go_through(const State& state, const fs::path& journal, std::stop_token stop) {
  const auto& spec = state.spec;
  auto done = git::recover_merge(journal, spec.repository, model::variable(spec, "PATH"),
                                 model::variable(spec, "HOME"), {false, std::move(stop)});
  const auto name = journal.filename().string();
  if (!done.ok())
    log::error("merge of {}: {}", name, describe(done.error()));
  else if (!done->empty())
    log::warn("merge of {}: {}", name, *done);
  return done;
}

struct LeftJournal {
  RacePtr race;
  fs::path directory;
};

}  // namespace

void Merges::record_landed(const RacePtr& race, model::EventBody event, const fs::path& journal,
                           Stored then) {
  record(race, std::move(event), [this, journal, then = std::move(then)](const Result<void>& stored) {
    if (stored.ok()) drop_journal(journal);
    then(stored);
  });
}

// The journal is renamed first, since half a journal would mean something else than a whole one.
void Merges::drop_journal(const fs::path& journal) const {
  const auto trash = options.paths.state / "trash";
  (void)make_dirs(trash, 0700);
  struct stat st {};
  for (int n = 0; n < 1000; ++n) {
    const auto place = trash / (journal.filename().string() + "-" + std::to_string(n));
    if (::lstat(place.c_str(), &st) == 0) continue;
    if (::rename(journal.c_str(), place.c_str()) == 0) return;
    break;
  }
  ::unlink((journal / "intent").c_str());  // without the intent, the other files mean nothing
  (void)remove_tree(journal);
}

// Records a landed merge after recovery has processed its journal, and removes the journal.
void Merges::settle_journal(const RacePtr& race, const fs::path& journal, Stored then) {
  if (!git::merge_settled(journal)) return then({});
  const auto parts = split(journal.filename().string(), '.');
  const bool undo = parts.size() == 3 && parts[2] == "undo";
  const auto landed = git::landed(journal);
  if (landed && parts.size() > 1) {
    const std::string name(parts[1]);
    if (undo && holds(race->state, landed->before))
      return record_landed(race, model::MergeUndone{name, landed->before, landed->ref}, journal,
                           std::move(then));
    if (!undo && !holds(race->state, landed->commit))
      return record_landed(
          race, model::Merged{name, landed->commit, landed->ref, false, landed->before, landed->state},
          journal, std::move(then));
  }
  drop_journal(journal);
  then({});
}

// Recovers merges that a crash interrupted, from their journals. The user's filters run meanwhile and may be
// slow: every operation on such a repository, previews included, waits for the recovery.
void Merges::recover_merges() {
  std::error_code ec;
  (void)remove_tree(options.paths.state / "previews");
  std::set<fs::path> repositories;
  for (const auto& entry : entries_of(options.paths.state / "merges", ec)) {
    const auto name = entry.path().filename().string();
    const auto race = load(name.substr(0, name.find('.')));
    if (race.ok()) repositories.insert((*race)->state.spec.repository.common_dir);
  }
  for (const auto& repository : repositories)
    looking.take(repository, kRecovery, [this, repository](const RepositoryLocks::Held& look) {
      merging.take(repository, kRecovery, [this, repository, look](const RepositoryLocks::Held& turn) {
        settle_journals(repository, [look, turn](const auto&) {});
      });
    });
}

void Merges::settle_journals(const fs::path& repository, Stored then) {
  std::vector<LeftJournal> left;
  std::error_code ec;
  for (const auto& entry : entries_of(options.paths.state / "merges", ec)) {
    const auto name = entry.path().filename().string();
    const auto race = load(name.substr(0, name.find('.')));
    if (race.ok() && (*race)->state.spec.repository.common_dir == repository)
      left.push_back({*race, entry.path()});
  }
  if (left.empty()) return then({});
  merging.post(
      repository,
      [this, left = std::move(left)]() mutable {
        // A journal that cannot be processed stays, and the next merge reports why.
        std::erase_if(left, [&](const LeftJournal& one) {
          return !go_through(one.race->state, one.directory, merge_stop.get_token()).ok();
        });
        return std::move(left);
      },
      [this, then = std::move(then)](const Result<std::vector<LeftJournal>>& settled) {
        if (!settled.ok()) return then(settled.error());
        auto waits = std::make_shared<std::size_t>(settled->size() + 1);
        auto problem = std::make_shared<Result<void>>();
        const auto one_done = [waits, problem, then](const Result<void>& stored) {
          if (!stored.ok()) *problem = stored;
          if (--*waits == 0) then(*problem);
        };
        for (const auto& [race, journal] : *settled) settle_journal(race, journal, one_done);
        one_done({});
      });
}

}  // namespace hydra::race
