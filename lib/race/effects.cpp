// Carries out the commands about agents. Each effect ends in an event, whatever happens, or the race would
// stand still.
#include "base/strings.hpp"
#include "race/impl.hpp"
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
    case Verb::stop_agent:
      return stop_agent(race, command.subject);
    case Verb::capture:
      return capture(race, command.subject);
    case Verb::prepare_subject:
      return prepare_subject(race, command.subject);
    case Verb::run_check:
      return run_check(race, command.subject, command.dimension,
                       attempt_number(race->state, command.subject));
    case Verb::stop_checks:
      return stop_checks(race, command.subject);
    case Verb::publish:
      return publish(race);
    case Verb::rank:
      return rank(race);
    case Verb::auto_merge:
      return auto_merge(race, command.subject);
    case Verb::finish:
      return finish(race);
  }
}

void Service::Impl::prepare_race(const RacePtr& race) {
  background(
      [directory = race->layout.store(), spec = race->state.spec]() -> Result<git::Store> {
        HYDRA_CHECK(make_dirs(directory.parent_path(), 0700));
        return git::Store::create(directory, spec);
      },
      [this, race](Result<git::Store> store_made) {
        const auto& id = race->state.spec.id;
        if (!store_made.ok()) return emit(id, model::RaceFailed{describe(store_made.error())});
        open_store(*race);
        emit(id, model::RacePrepared{});
      });
}

void Service::Impl::prepare_workspace(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent) return;
  background(
      [store = *race->store, spec = race->state.spec, layout = race->layout,
       agent = *agent]() -> Result<std::string> {
        const auto& agent_name = agent.entry.name;
        const auto directory = layout.work(agent_name);
        HYDRA_CHECK(make_dirs(directory.parent_path(), 0700));
        HYDRA_CHECK(store.make_workspace(directory, agent_name));
        HYDRA_CHECK(checks::copy_from_checkout(spec.repository.root, directory, spec.config.workspace.copy));
        HYDRA_CHECK(prepare_agent_files(spec, agent, layout));
        return directory.string();
      },
      [this, race, name](Result<std::string> path) {
        const auto& id = race->state.spec.id;
        if (path.ok())
          emit(id, model::WorkspaceReady{name, *path});
        else
          emit(id, model::WorkspaceFailed{name, describe(path.error())});
      });
}

namespace {

std::string sign_in_tag(const Race& race, const std::string& agent) {
  return race.state.spec.id + "/" + agent;
}

}  // namespace

// A sign-in file that its CLI rewrites is used by one live run at a time: two copies of it would spend the
// same refresh token, and log all of them out.
void Service::Impl::run_agent(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent) return;
  if (!shares_sign_in(race->state.spec, *agent, race->secrets)) return queue_agent(race, name);
  auto& sign_in = sign_ins.try_emplace(agent->entry.id, 1).first->second;
  sign_in.acquire(sign_in_tag(*race, name), agent->attempts > 0 ? 0 : 1, false, [this, race, name] {
    race->signed_in.insert(name);
    queue_agent(race, name);
  });
}

void Service::Impl::queue_agent(const RacePtr& race, const std::string& name) {
  const auto turn = [this, race, name] {
    const auto* waiting = race->state.agent(name);
    if (!waiting || waiting->ended || (waiting->cancelled && waiting->attempts == 0))
      return leave_agent(race, name);
    if (waiting->attempts > 0) return start_agent(race, name, waiting->attempts);
    // Written ahead of the start: a daemon that dies in between adopts or starts this very attempt, never a
    // second.
    emit(race->state.spec.id, model::AgentStarting{name, race->layout.key(name, "agent", 1), 1},
         [this, race, name] { start_agent(race, name, 1); });
  };
  // What was started by an earlier daemon holds its slot before anything that waits.
  race->agent_slots->acquire(name, race->state.agent(name)->attempts > 0 ? 0 : 1, false, turn);
}

// The slots of an agent that has ended, or will not start.
void Service::Impl::leave_agent(const RacePtr& race, const std::string& name) {
  race->agent_slots->release();
  if (race->signed_in.erase(name) > 0) sign_ins.at(race->state.agent(name)->entry.id).release();
}

void Service::Impl::start_agent(const RacePtr& race, const std::string& name, int number) {
  const auto* agent = race->state.agent(name);
  auto job = agent_job(race->state.spec, *agent, number, race->layout, race->secrets);
  if (job.ok())
    if (auto hidden = hide_own(*job, {options.paths.state, options.paths.runtime}, race->layout.hidden(name));
        !hidden.ok())
      job = std::move(hidden).error();
  exec::JobResult failed;
  failed.end = exec::End::start_failed;
  if (job.ok()) {
    const auto submitted = executor.submit(
        *job, [this, race, name](const exec::JobResult& result) { agent_ended(race, name, result); });
    if (submitted.ok()) return;
    failed.message = describe(submitted.error());
  } else {
    failed.message = describe(job.error());
  }
  failed.key = race->layout.key(name, "agent", number);
  failed.isolation = race->state.spec.isolation == "bwrap" ? exec::Isolation::bwrap : exec::Isolation::none;
  agent_ended(race, name, failed);
}

namespace {

adapters::RunEnd run_end(const exec::JobResult& result, const fs::path& attempt) {
  using How = adapters::RunEnd::How;
  adapters::RunEnd end;
  switch (result.end) {
    case exec::End::exited:
      end.how = How::exited;
      break;
    case exec::End::signaled:
    case exec::End::oom:
      end.how = How::signaled;
      break;
    case exec::End::timed_out:
    case exec::End::idle:
      end.how = How::timed_out;
      break;
    case exec::End::cancelled:
      end.how = How::cancelled;
      break;
    case exec::End::start_failed:
      end.how = How::start_failed;
      break;
    case exec::End::lost:
      end.how = How::lost;
      break;
  }
  end.code = result.code;
  end.signal = result.signal;
  end.message = result.message;
  end.wall_ms = result.wall_ms;
  end.stdout_bytes = result.out.total;
  const auto err = exec::read_log(attempt / "stderr.log", result.err);
  end.stderr_tail = err.size() > 16384 ? err.substr(err.size() - 16384) : err;
  return end;
}

model::JobFacts job_facts(const exec::JobResult& result) {
  model::JobFacts facts;
  facts.attempt = result.key;
  facts.wall_ms = result.wall_ms;
  facts.cpu_user_ms = result.cpu_user_ms;
  facts.cpu_system_ms = result.cpu_system_ms;
  facts.max_rss_kib = result.max_rss_kib;
  facts.leaked = result.leaked;
  facts.output_bytes = result.out.total + result.err.total;
  facts.output_cut = result.out.hole_to > result.out.hole_from || result.err.hole_to > result.err.hole_from;
  facts.isolation = result.isolation == exec::Isolation::bwrap ? "bwrap" : "none";
  facts.end = exec::name(result.end);
  if (result.end == exec::End::exited) facts.exit_code = result.code;
  if (result.signal != 0) facts.signal = result.signal;
  return facts;
}

struct Judged {
  model::Verdict verdict;
  bool denied = false;
};

Judged read_and_judge(const model::AgentDescriptor& descriptor, adapters::ReaderOptions options,
                      const exec::JobResult& result, const fs::path& attempt) {
  adapters::StreamReader reader(descriptor, std::move(options));
  reader.feed(exec::read_log(attempt / "stdout.log", result.out));
  reader.finish();
  return {adapters::judge(descriptor, reader, run_end(result, attempt)), adapters::denied(reader)};
}

}  // namespace

void Service::Impl::agent_ended(const RacePtr& race, const std::string& name, const exec::JobResult& result) {
  leave_agent(race, name);
  const auto& descriptor = race->state.spec.config.agents.at(race->state.agent(name)->entry.id);
  const auto attempt = race->layout.attempt(name, "agent", std::max(1, race->state.agent(name)->attempts));
  background(
      [descriptor, result, attempt, options = reader_options(race->state.spec, *race->state.agent(name))] {
        return read_and_judge(descriptor, options, result, attempt);
      },
      [this, race, name, result](Judged judged) {
        executor.release(result.key);
        discard_live(race, name);
        if (judged.denied && judged.verdict.error_class.empty()) judged.verdict.error_class = "denied";
        emit(race->state.spec.id, model::AgentEnded{name, job_facts(result), std::move(judged.verdict)});
      });
}

void Service::Impl::stop_agent(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent) return;
  if (agent->attempts == 0) {
    if (race->agent_slots->drop(name) > 0 && race->signed_in.erase(name) > 0)
      sign_ins.at(agent->entry.id).release();
    if (const auto found = sign_ins.find(agent->entry.id); found != sign_ins.end())
      found->second.drop(sign_in_tag(*race, name));
    return;
  }
  executor.cancel(race->layout.key(name, "agent", agent->attempts));
}

namespace {

// How often a capture or a publication that failed so is tried again, a second apart: what the machine lacks
// for a moment is no verdict about the agent's work, and a full disk is emptied by people.
int tries_of(const Error& error, bool cancelled) {
  const auto says = [&](std::string_view words) { return error.message.find(words) != std::string::npos; };
  constexpr int kFew = 5, kTenMinutes = 600;
  if (says("No space left on device") || says("Disk quota exceeded")) return cancelled ? kFew : kTenMinutes;
  for (const auto* words : {"Input/output error", "Resource temporarily unavailable",
                            "Cannot allocate memory", "Too many open files"})
    if (says(words)) return kFew;
  return 1;
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
  background([store = *race->store, path = agent->workspace, name,
              left_out] { return store.capture(path, name, left_out); },
             [this, race, name, tries](Result<model::Capture> captured) {
               const auto& id = race->state.spec.id;
               if (captured.ok()) return emit(id, model::Captured{name, std::move(*captured)});
               const auto& error = captured.error();
               if (draining) return;  // the next daemon captures it
               if (tries >= tries_of(error, race->state.cancelled))
                 return emit(id, model::CaptureFailed{name, describe(error)});
               if (tries == 1) emit(id, model::Note{name, "its capture is tried again: " + describe(error)});
               later([this, race, name, tries] { capture(race, name, tries + 1); });
             });
}

void Service::Impl::publish(const RacePtr& race, int tries) {
  std::vector<git::PublishItem> items;
  std::vector<std::string> names;
  for (const auto& agent : race->state.agents) {
    if (!agent.capture || !agent.capture->changed) continue;
    items.push_back({git::branch_name(agent.entry.name, race->state.spec.created_ms), agent.capture->commit});
    names.push_back(agent.entry.name);
  }
  const auto& id = race->state.spec.id;
  if (items.empty()) return emit(id, model::Published{});
  background(
      [store = *race->store, items] { return store.publish(items); },
      [this, race, names, tries](Result<std::vector<std::string>> branches) {
        const auto& race_id = race->state.spec.id;
        if (!branches.ok() && draining) return;  // the next daemon makes them
        if (!branches.ok() && tries < tries_of(branches.error(), race->state.cancelled)) {
          if (tries == 1)
            emit(race_id, model::Note{"", "the branches are tried again: " + describe(branches.error())});
          return later([this, race, tries] { publish(race, tries + 1); });
        }
        model::Published published;
        if (branches.ok()) {
          for (std::size_t i = 0; i < names.size(); ++i)
            published.branches.emplace_back(names[i], (*branches)[i]);
        } else {
          emit(race_id, model::Note{"", "the branches could not be made: " + describe(branches.error())});
        }
        emit(race_id, std::move(published));
      });
}

void Service::Impl::rank(const RacePtr& race) {
  const auto ranking = scoring::evaluate(race->state.spec.config.scoring, baseline_evidence(race->state),
                                         agent_evidence(race->state));
  emit(race->state.spec.id, model::ScoringResult{ranking});
}

void Service::Impl::finish(const RacePtr& race) {
  const auto& state = race->state;
  const std::string end = !state.failure.empty() ? "failed" : state.cancelled ? "cancelled" : "done";
  emit(state.spec.id, model::RaceEnded{end}, [this, race] {
    if (race->workspaces) {
      for (const auto& [subject, found] : race->state.subjects) race->workspaces->discard(subject);
    }
    // Private homes hold copies of credentials: they go with the race.
    checks::move_to_trash(race->layout.root() / "home", race->layout.trash());
    checks::move_to_trash(race->layout.root() / "run", race->layout.trash());
    boost::asio::post(loop, [this, id = race->state.spec.id] {
      races.erase(id);
      disk.erase(id);
      measure_disk(id);
    });  // from now on it is read from the store
    empty_trash();
  });
}

// Deleting beside a race would slow its checkouts down: it waits until nothing runs, and some seconds more.
void Service::Impl::empty_trash() {
  trash_timer.expires_after(std::chrono::seconds(5));
  trash_timer.async_wait([this](const boost::system::error_code& ec) {
    if (ec) return;
    const bool busy =
        std::any_of(races.begin(), races.end(), [](const auto& r) { return r.second->state.ended.empty(); });
    if (busy) return;  // the end of that race comes here again
    background(
        [trash = options.paths.state / "trash"] {
          std::error_code entries;
          for (const auto& entry : fs::directory_iterator(trash, entries)) (void)remove_tree(entry.path());
          return 0;
        },
        [](int) {});
  });
}

}  // namespace hydra::race
