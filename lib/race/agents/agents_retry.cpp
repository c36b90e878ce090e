// Agents that run again: automatically after a rate limit or provider error, or on the user's request, which
// also resumes an ended race.
#include "base/clock.hpp"
#include "base/strings.hpp"
#include "race/agents/agents.hpp"
#include "race/agents/worktrees.hpp"
#include "race/jobs.hpp"
#include "race/upkeep.hpp"
#include "race/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace hydra::race {
namespace {

constexpr const char* kGoOn = "You were interrupted. Go on with the task where you left off.";
/// Maximum delay before an automatic retry, in seconds.
constexpr double kLongestDelay = 3600;

Error refused(const std::string& message, const std::string& hint) {
  return {Errc::refused, message, {}, hint};
}

std::string names_of(const State& state) {
  std::vector<std::string> names;
  for (const auto& agent : state.agents) names.push_back(agent.entry.name);
  return join(names, ", ");
}

bool plain_directory(const fs::path& path) {
  std::error_code ec;
  return fs::symlink_status(path, ec).type() == fs::file_type::directory;
}

}  // namespace

void Agents::retry_agent(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent || race->retry_at_ms.contains(name)) return;
  const double seconds = std::min(
      race->state.spec.config.limits.retry_delay_seconds * std::pow(2, agent->retries), kLongestDelay);
  const auto delay = std::chrono::milliseconds(static_cast<std::int64_t>(std::llround(seconds * 1000)));
  race->retry_at_ms[name] = clock.now() + delay.count();
  const auto& verdict = agent->ended->verdict;
  emit(
      race->state.spec.id,
      model::Note{Subject::of(name), fmt::format("{}; it runs again in {} (retry {} of {})",
                                                 verdict.outcome == model::Outcome::lost ? "its node was lost"
                                                 : verdict.error_class == model::ErrorClass::rate_limit
                                                     ? "a rate limit ended it"
                                                     : "an error of its provider ended it",
                                                 format_duration(delay.count()), agent->retries + 1,
                                                 most_retries(race->state, *agent))});
  auto timer = std::make_shared<boost::asio::steady_timer>(loop);
  timer->expires_after(delay);
  timer->async_wait([this, race, name, timer](const boost::system::error_code& ec) {
    if (!ec) retry_now(race, name);
  });
}

// Retries in the same workspace if it has changes, else in a new one, so that neither work is lost nor
// remains of a failed start stay.
void Agents::retry_now(const RacePtr& race, const std::string& name) {
  race->retry_at_ms.erase(name);
  const auto* agent = race->state.agent(name);
  if (!agent || draining() || !retry_due(race->state, *agent)) return;
  background([store_copy = *race->store, tree = worktree_of(race->layout, name),
              name] { return store_copy.live_diff(tree, name); },
             [this, race, name](const Result<model::DiffStat>& diff) {
               const auto* ended = race->state.agent(name);
               if (!retry_due(race->state, *ended)) return;
               model::RetryRequested retry;
               retry.agent = name;
               retry.automatic = true;
               retry.fresh = diff.ok() && diff->files_changed == 0;
               if (ended->retry) {
                 // Keep the parameters of an earlier manual retry.
                 retry.fresh = retry.fresh && ended->retry->session.empty();
                 retry.prompt = ended->retry->prompt == kGoOn ? std::string() : ended->retry->prompt;
                 retry.budget_usd = ended->retry->budget_usd;
                 retry.budget_tokens = ended->retry->budget_tokens;
               }
               if (!retry.fresh && resumable(race->state.spec, *ended)) {
                 retry.session = ended->ended->verdict.session;
                 // The user's message may never have reached the model.
                 if (retry.prompt.empty()) retry.prompt = kGoOn;
               } else if (!retry.fresh && retry.prompt.empty()) {
                 retry.prompt = told_again(race->state, *ended, {});
               }
               const auto& verdict_of = ended->ended->verdict;
               retry.reason =
                   verdict_of.outcome == model::Outcome::lost ? "lost" : model::name(verdict_of.error_class);
               emit(race->state.spec.id, std::move(retry));
             });
}

void Agents::retry(RetryCall call, std::function<void(Result<wire::Retried>)> done) {
  if (draining()) return done(daemon_stops());
  auto loaded = load(call.race);
  if (!loaded.ok()) return done(std::move(loaded).error());
  const RacePtr race = *loaded;
  const auto& state = race->state;
  const bool in_memory = races.contains(call.race);
  if (in_memory && !state.ended)
    return done(Error{Errc::conflict, "the race still runs", call.race,
                      "wait for its end (`hydra watch`), or `hydra cancel` it first"});
  // The race's last effects complete within one turn of the loop.
  if (in_memory)
    return boost::asio::post(loop, [this, call = std::move(call), done = std::move(done)]() mutable {
      retry(std::move(call), std::move(done));
    });
  const auto* agent = state.agent(call.agent);
  if (!agent)
    return done(Error{Errc::not_found, "no agent '" + sanitize(call.agent) + "' in this race", call.race,
                      "its agents are " + names_of(state)});
  if (agent->origin == Origin::combined)
    return done(refused(call.agent + " was made of parts of results: no agent ran for it",
                        "combine others: hydra merge RESULT:PATH..."));
  if (!state.spec.verifies.empty())
    return done(
        refused("this race verifies " + state.spec.verifies + ": its worktrees are those of that race",
                "hydra retry " + state.spec.verifies + "/" + call.agent));
  if (!state.failure.empty())
    return done(refused("the race failed before its agents could work: " + state.failure, "race again"));
  if (const auto busy = engine.busy_with(call.race); !busy.empty())
    return done(Error{Errc::conflict, "the race " + busy, call.race, "try again when that is done"});
  if (std::any_of(state.merges.begin(), state.merges.end(),
                  [&](const auto& merged) { return merged.agent == call.agent; }))
    return done(refused("the result of " + call.agent + " has been merged already",
                        "start a new race from the current commit"));
  if (!agent->workspace.empty() && !plain_directory(agent->workspace))
    return done(refused("the worktree of " + call.agent + " is gone: " + agent->workspace,
                        upkeep.away_for_good(call.race)
                            ? "race again: its captures are gone for good"
                            : "`" + upkeep.undo_hint(call.race) + "` makes it again"));
  if (call.message.find('\0') != std::string::npos)
    return done(Error{Errc::usage, "the message has a NUL byte", {}, {}});

  model::RetryRequested retry;
  retry.agent = call.agent;
  retry.reason = "asked for";
  retry.budget_usd = call.budget_usd;
  retry.budget_tokens = call.budget_tokens;
  const auto& descriptor = state.spec.config.agents.at(agent->entry.id);
  std::vector<std::string> warnings;
  const bool files = plain_directory(race->layout.run(call.agent) / "config");
  if (resumable(state.spec, *agent) && files) {
    retry.session = agent->ended->verdict.session;
    retry.prompt = trim(call.message).empty() ? kGoOn : call.message;
  } else {
    retry.prompt = told_again(state, *agent, call.message);
    const char* why = descriptor.resume_command.empty() ? "its CLI can't be resumed"
                      : !agent->ended || agent->ended->verdict.session.empty()
                          ? "its session is not known"
                          : "the files of its session are gone";
    warnings.push_back(fmt::format("{}: a new session begins in the same worktree ({})", call.agent, why));
  }

  engine.enter(race);
  for (const auto& [name, value] : call.environment) {
    const auto& known = race->state.spec.secret_names;
    if (!is_plain_variable(name) && std::find(known.begin(), known.end(), name) != known.end())
      race->secrets[name] = value;
    else if (!is_plain_variable(name))
      race->secrets.emplace(name, value);
  }
  const wire::Retried answer{
      call.race, call.agent, retry.session, agent->attempts + 1, state.last_event, !retry.session.empty(),
      warnings};
  ask(call.race, {std::move(retry)}, [this, answer, done = std::move(done)](const Result<void>& stored) {
    if (stored.ok()) return done(answer);
    engine.leave(answer.race);
    done(stored.error());
  });
}

}  // namespace hydra::race
