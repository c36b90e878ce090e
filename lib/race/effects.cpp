// Carries out the commands of a race as a whole, and hands the others on. Each effect ends in an event,
// whatever happens, or the race would stand still.
#include "base/strings.hpp"
#include "git/pin.hpp"
#include "race/gating.hpp"
#include "race/hidden.hpp"
#include "race/impl.hpp"
#include "race/secret_files.hpp"
#include "race/selection.hpp"
#include "race/weigh.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace hydra::race {

void Service::Impl::carry_out(const RacePtr& race, const Command& command) {
  switch (command.verb) {
    case Verb::prepare_race:
      return prepare_race(race);
    case Verb::prepare_workspace:
      return prepare_workspace(race, command.subject);
    case Verb::run_agent:
      return run_agent(race, command.subject);
    case Verb::retry_agent:
      return retry_agent(race, command.subject);
    case Verb::stop_agent:
      return stop_agent(race, command.subject);
    case Verb::capture:
      return capture(race, command.subject);
    case Verb::inspect:
      return inspect(race, command.subject);
    case Verb::prepare_subject:
      return prepare_subject(race, command.subject);
    case Verb::run_check:
      return run_check(race, command.subject, command.dimension,
                       attempt_number(race->state, command.subject));
    case Verb::repeat_tests:
      return repeat_tests(race, command.subject);
    case Verb::stop_checks:
      return stop_checks(race, command.subject);
    case Verb::publish:
      return publish(race);
    case Verb::plan_twins:
      return plan_twins(race);
    case Verb::plan_cross:
      return plan_cross(race);
    case Verb::cross_clock:
      return cross_clock(race);
    case Verb::sum_cross:
      return sum_cross(race);
    case Verb::plan_judges:
      return plan_judges(race);
    case Verb::judge:
      return judge(race, command.subject);
    case Verb::rank:
      return rank(race);
    case Verb::next_round:
      return next_round(race);
    case Verb::stop_rest:
      return stop_rest(race);
    case Verb::plan_measure:
      return plan_measure(race);
    case Verb::measure_clock:
      return measure_clock(race);
    case Verb::sum_measure:
      return sum_measure(race);
    case Verb::auto_merge:
      return auto_merge(race, command.subject);
    case Verb::finish:
      return finish(race);
  }
}

void Service::Impl::prepare_race(const RacePtr& race) {
  background(
      [directory = race->layout.store(), bases = race->layout.bases(),
       spec = race->state.spec]() -> Result<git::Store> {
        HYDRA_CHECK(make_dirs(directory.parent_path(), 0700));
        HYDRA_TRY(auto made, git::Store::create(directory, spec, bases));
        HYDRA_CHECK(hidden_stays_hidden(made, spec));
        return made;
      },
      [this, race](Result<git::Store> store_made) {
        const auto& id = race->state.spec.id;
        if (!store_made.ok()) return emit(id, model::RaceFailed{describe(store_made.error())});
        open_store(*race);
        emit(id, model::RacePrepared{});
      });
}

namespace {

Result<std::string> make_workspace(const git::Store& store, const model::RaceSpec& spec, const Layout& layout,
                                   const AgentState& agent) {
  const auto& name = agent.entry.name;
  const auto directory = layout.work(name);
  const auto make = [&]() -> Result<void> {
    HYDRA_CHECK(make_dirs(directory.parent_path(), 0700));
    HYDRA_CHECK(store.make_workspace(directory, name));
    HYDRA_CHECK(trees::copy_from_checkout(spec.repository.root, directory, spec.config.workspace.copy));
    return prepare_agent_files(spec, agent, layout);
  };
  if (auto made = make(); !made.ok()) {
    auto error = std::move(made).error();
    // git does not say why it could not write.
    constexpr std::uintmax_t kFull = 1u << 20;
    std::error_code ec;
    const auto room = fs::space(directory, ec);
    if (!ec && room.available < kFull && error.message.find("No space left") == std::string::npos) {
      error.message += ": No space left on device (" + directory.string() + ")";
      error.hint = "make room there, then race again: `hydra clean` shows what can go";
    }
    // No agent was in it. On a disk that it filled there is no room even for the event that says so.
    (void)remove_tree(directory);
    git::forget_worktree(spec.repository, directory);
    return error;
  }
  return directory.string();
}

}  // namespace

void Service::Impl::prepare_workspace(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent) return;
  background([store_copy = *race->store, spec = race->state.spec, layout = race->layout,
              agent = *agent] { return make_workspace(store_copy, spec, layout, agent); },
             [this, race, name](Result<std::string> path) {
               const auto& id = race->state.spec.id;
               if (path.ok())
                 emit(id, model::WorkspaceReady{name, *path});
               else
                 emit(id, model::WorkspaceFailed{name, describe(path.error())});
             });
}

int tries_of(const Error& error, bool cancelled) {
  const auto says = [&](std::string_view words) { return error.message.find(words) != std::string::npos; };
  constexpr int kFew = 5, kTenMinutes = 600;
  if (says("No space left on device") || says("Disk quota exceeded")) return cancelled ? kFew : kTenMinutes;
  for (const auto* words : {"Input/output error", "Resource temporarily unavailable",
                            "Cannot allocate memory", "Too many open files"})
    if (says(words)) return kFew;
  return 1;
}

namespace {

std::string tried_again(const std::string& what, const Error& error, const fs::path& directory) {
  const auto lack = lack_of_room(directory);
  return lack.empty() ? fmt::format("{} is tried again every second: {}", what, describe(error))
                      : fmt::format("{} waits for room: {}", what, lack);
}

}  // namespace

void Service::Impl::later(std::function<void()> work) {
  const auto timer = std::make_shared<boost::asio::steady_timer>(loop, std::chrono::seconds(1));
  timer->async_wait([timer, work = std::move(work)](const boost::system::error_code& ec) {
    if (!ec) work();
  });
}

void Service::Impl::capture(const RacePtr& race, const std::string& name, int tries) {
  const auto* agent = race->state.agent(name);
  const auto& spec = race->state.spec;
  auto left_out = spec.config.agents.at(agent->entry.id).litter;
  // What Hydra itself copied in is no work of the agent's, and may hold secrets.
  left_out.insert(left_out.end(), spec.config.workspace.copy.begin(), spec.config.workspace.copy.end());
  struct Made {
    model::Capture capture;
    std::string secrets;  ///< what to tell of keys in it
  };
  background(
      [store = *race->store, rules = race->rules, spec, path = agent->workspace, name, left_out,
       secrets = secrets_of_race(spec, race->secrets)]() -> Result<Made> {
        Made made;
        HYDRA_TRY(made.capture, store.capture(path, name, left_out));
        HYDRA_CHECK(weigh(*rules, store, spec, made.capture));
        HYDRA_TRY(made.secrets, flag_secrets(store, made.capture, secrets));
        return made;
      },
      [this, race, name, tries](Result<Made> captured) {
        const auto& id = race->state.spec.id;
        if (captured.ok()) {
          race->wants_room.erase(name);
          if (!captured->secrets.empty()) emit(id, model::Note{name, captured->secrets});
          model::Captured event{name, std::move(captured->capture)};
          if (!race->store->exposed()) return emit(id, std::move(event));
          return compare_repository(race, name, [this, id, event] { emit(id, event); });
        }
        const auto& error = captured.error();
        if (draining) return;  // the next daemon captures it
        if (tries >= tries_of(error, race->state.cancelled)) {
          race->wants_room.erase(name);
          return emit(id, model::CaptureFailed{name, describe(error)});
        }
        if (error.message.find("No space left on device") != std::string::npos) (void)reserve.release();
        if (tries == 1) emit(id, model::Note{name, "its capture is tried again: " + describe(error)});
        race->wants_room.try_emplace(name, tried_again("its capture", error, race->layout.root()));
        later([this, race, name, tries] { capture(race, name, tries + 1); });
      });
}

void Service::Impl::publish(const RacePtr& race, int tries) {
  std::vector<git::PublishItem> items;
  std::vector<std::string> names;
  for (const auto& agent : race->state.agents) {
    if (!agent.capture || !agent.capture->changed || !agent.branch.empty()) continue;
    items.push_back({git::branch_name(agent.entry.name, race->state.spec.created_ms), agent.capture->commit});
    names.push_back(agent.entry.name);
  }
  const auto& id = race->state.spec.id;
  if (items.empty()) return emit(id, model::Published{});
  background(
      [store = *race->store, items] { return store.publish(items); },
      [this, race, names, tries](std::vector<Result<std::string>> branches) {
        const auto& race_id = race->state.spec.id;
        const auto again = [&](const auto& branch) {
          return !branch.ok() && tries < tries_of(branch.error(), race->state.cancelled);
        };
        const auto first = std::find_if(branches.begin(), branches.end(), again);
        if (draining && !std::all_of(branches.begin(), branches.end(), [](const auto& b) { return b.ok(); }))
          return;  // the next daemon makes them
        if (first != branches.end()) {
          if (tries == 1)
            emit(race_id, model::Note{"", "the branches are tried again: " + describe(first->error())});
          race->wants_room.try_emplace("", tried_again("the making of branches", first->error(),
                                                       race->state.spec.repository.common_dir));
          return later([this, race, tries] { publish(race, tries + 1); });
        }
        race->wants_room.erase("");
        model::Published published;
        for (std::size_t i = 0; i < names.size(); ++i) {
          if (branches[i].ok()) {
            published.branches.emplace_back(names[i], *branches[i]);
            continue;
          }
          const auto& error = branches[i].error();
          emit(race_id, model::Note{names[i], "its branch could not be made: " + describe(error)});
          published.refused.emplace_back(names[i], error.message);
        }
        emit(race_id, std::move(published));
      });
}

void Service::Impl::rank(const RacePtr& race) {
  const auto& spec = race->state.spec;
  const auto& config = spec.config.scoring;
  const auto ranking = ranking_of(race->state);
  if (spec.config.merge.automatic && spec.verifies.empty() && !ranking.winner.empty()) {
    const auto best = ranking.agents.front().score.composite;
    const bool above = scoring::judge(best, config.thresholds).auto_merge;
    auto hold = merge_hold(race->state, ranking.winner);
    if (hold.empty()) hold = selection_hold(race->state, ranking);
    if (above && !hold.empty()) emit(spec.id, model::MergeRefused{ranking.winner, hold, true});
  }
  emit(spec.id, model::ScoringResult{ranking});
}

namespace {

std::vector<fs::path> homes_of_checks(const Race& race) {
  std::vector<fs::path> homes;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(race.layout.root() / "home", ec))
    if (!race.state.agent(model::name_of_directory(entry.path().filename().string())))
      homes.push_back(entry.path());
  return homes;
}

// Those whose job still ends are cleared by its end.
std::vector<std::string> judgements_left(const Race& race) {
  std::vector<std::string> left;
  if (!race.state.judging) return left;
  for (const auto& planned : race.state.judging->judgements) {
    const auto running = race.running_checks.find(planned.subject);
    if (running == race.running_checks.end() || running->second.empty()) left.push_back(planned.subject);
  }
  return left;
}

}  // namespace

// Private homes hold copies of credentials: these go with the race, before it is called over; sessions that
// can be resumed stay.
void Service::Impl::finish(const RacePtr& race) {
  // What the user did since the end of the race is nobody's fault.
  if (race->state.only_measured) return clear_up(race);
  compare_repository(race, {}, [this, race] { clear_up(race); });
}

void Service::Impl::clear_up(const RacePtr& race) {
  background(
      [spec = race->state.spec, agents = race->state.agents, layout = race->layout,
       homes = homes_of_checks(*race), judgements = judgements_left(*race)] {
        for (const auto& agent : agents)
          if (spec.config.agents.contains(agent.entry.id)) close_agent_files(spec, agent, layout);
        trees::move_to_trash(layout.root() / "seals", layout.trash());
        for (const auto& subject : judgements)  // of a cancelled race; its ended ones are gone
          for (const auto& place : {layout.judge(subject), layout.run(subject)})
            trees::move_to_trash(place, layout.trash());
        std::error_code empty;
        fs::remove(layout.root() / "judges", empty);
        for (const auto& home : homes) trees::move_to_trash(home, layout.trash());
        return 0;
      },
      [this, race](int) {
        const auto& state = race->state;
        const std::string end = !state.failure.empty() ? "failed" : state.cancelled ? "cancelled" : "done";
        emit(state.spec.id, model::RaceEnded{end}, [this, race] {
          // Nothing should wait or run any more; what does anyway must not outlive the race.
          for (const auto& [subject, found] : race->state.subjects) stop_checks(race, subject);
          if (race->state.judging)
            for (const auto& planned : race->state.judging->judgements) stop_checks(race, planned.subject);
          if (race->workspaces) {
            for (const auto& [subject, found] : race->state.subjects) race->workspaces->discard(subject);
          }
          boost::asio::post(loop, [this, id = race->state.spec.id] {
            races.erase(id);
            disk.erase(id);
            measure_disk(id);
          });  // from now on it is read from the store
          empty_trash();
        });
      });
}

// Deleting beside a race would slow its checkouts down: it waits until nothing runs, and some seconds more.
void Service::Impl::empty_trash() {
  trash_timer.expires_after(std::chrono::seconds(5));
  trash_timer.async_wait([this](const boost::system::error_code& ec) {
    if (ec) return;
    if (anything_runs()) return;  // the end of that race comes here again
    drop_expired();
    background(
        [trash = options.paths.state / "trash", reserve = reserve] {
          reserve.make();
          std::error_code entries;
          for (const auto& entry : fs::directory_iterator(trash, entries)) (void)remove_tree(entry.path());
          return 0;
        },
        [](int) {});
  });
}

}  // namespace hydra::race
