// Agents that run again: automatically after a rate limit or provider error, or on the user's request, which
// also resumes an ended race.
#include "base/clock.hpp"
#include "base/strings.hpp"
#include "race/agents/agents.hpp"
#include "race/agents/review.hpp"
#include "race/agents/worktrees.hpp"
#include "race/jobs.hpp"
#include "race/upkeep.hpp"
#include "race/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

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

namespace {

/// Returns why an agent of an ended race can't run again; nullopt: it can.
std::optional<Error> no_retry(const State& state, const std::string& name, const std::string& undo) {
  const auto* agent = state.agent(name);
  if (!agent)
    return Error{Errc::not_found, "no agent '" + sanitize(name) + "' in this race", state.spec.id,
                 "its agents are " + names_of(state)};
  if (agent->origin == Origin::combined)
    return refused(name + " was made of parts of results: no agent ran for it",
                   "combine others: hydra merge RESULT:PATH...");
  if (!state.spec.verifies.empty())
    return refused("this race verifies " + state.spec.verifies + ": its worktrees are those of that race",
                   "hydra retry " + state.spec.verifies + "/" + name);
  if (!state.failure.empty())
    return refused("the race failed before its agents could work: " + state.failure, "race again");
  if (std::any_of(state.merges.begin(), state.merges.end(),
                  [&](const auto& merged) { return merged.agent == name; }))
    return refused("the result of " + name + " has been merged already",
                   "start a new race from the current commit");
  if (!agent->workspace.empty() && !plain_directory(agent->workspace))
    return refused(
        "the worktree of " + name + " is gone: " + agent->workspace,
        undo.empty() ? "race again: its captures are gone for good" : "`" + undo + "` makes it again");
  return std::nullopt;
}

}  // namespace

std::optional<Error> Agents::no_retry_of(const Race& race, const RetryCall& call) const {
  if (call.agents.empty()) return Error{Errc::usage, "a retry names its agents", "agents", {}};
  const auto undo = upkeep.away_for_good(call.race) ? std::string() : upkeep.undo_hint(call.race);
  std::set<std::string> names;
  for (const auto& name : call.agents) {
    if (auto error = no_retry(race.state, name, undo)) return error;
    if (!names.insert(name).second)
      return Error{Errc::usage, sanitize(name) + " is named twice", "agents", {}};
  }
  if (const auto busy = engine.busy_with(call.race); !busy.empty())
    return Error{Errc::conflict, "the race " + busy, call.race, "try again when that is done"};
  if (call.message.find('\0') != std::string::npos)
    return Error{Errc::usage, "the message has a NUL byte", {}, {}};
  return std::nullopt;
}

model::RetryRequested Agents::retry_of(const Race& race, const RetryCall& call, const std::string& name,
                                       wire::Retried& answer) const {
  const auto& state = race.state;
  const auto* agent = state.agent(name);
  const auto message = with_review(call.comments, name == call.reviewed, call.message);
  model::RetryRequested retry;
  retry.agent = name;
  retry.reason = "asked for";
  retry.budget_usd = call.budget_usd;
  retry.budget_tokens = call.budget_tokens;
  const auto& descriptor = state.spec.config.agents.at(agent->entry.id);
  const bool files = plain_directory(race.layout.run(name) / "config");
  if (resumable(state.spec, *agent) && files) {
    retry.session = agent->ended->verdict.session;
    retry.prompt = trim(message).empty() ? kGoOn : message;
  } else {
    retry.prompt = told_again(state, *agent, message);
    const char* why = descriptor.resume_command.empty() ? "its CLI can't be resumed"
                      : !agent->ended || agent->ended->verdict.session.empty()
                          ? "its session is not known"
                          : "the files of its session are gone";
    answer.warnings.push_back(fmt::format("{}: a new session begins in the same worktree ({})", name, why));
  }
  answer.agents.push_back({name, retry.session, agent->attempts + 1, !retry.session.empty()});
  return retry;
}

void Agents::retry(RetryCall call, std::function<void(Result<wire::Retried>)> done) {
  if (draining()) return done(daemon_stops());
  auto loaded = load(call.race);
  if (!loaded.ok()) return done(std::move(loaded).error());
  const RacePtr race = *loaded;
  const bool in_memory = races.contains(call.race);
  if (in_memory && !race->state.ended)
    return done(Error{Errc::conflict, "the race still runs", call.race,
                      "wait for its end (`hydra watch`), or `hydra cancel` it first"});
  // The race's last effects complete within one turn of the loop.
  if (in_memory)
    return boost::asio::post(loop, [this, call = std::move(call), done = std::move(done)]() mutable {
      retry(std::move(call), std::move(done));
    });
  if (auto error = no_retry_of(*race, call)) return done(std::move(*error));
  if (call.reviewed.empty()) call.reviewed = call.agents.front();
  if (!call.review.empty() && call.comments.empty())
    return quote_review(race, std::move(call), std::move(done));

  wire::Retried answer{call.race, {}, race->state.last_event, {}};
  std::vector<model::EventBody> retries;
  for (const auto& name : call.agents) retries.emplace_back(retry_of(*race, call, name, answer));
  engine.enter(race);
  for (const auto& [name, value] : call.environment) {
    const auto& known = race->state.spec.secret_names;
    if (!is_plain_variable(name) && std::find(known.begin(), known.end(), name) != known.end())
      race->secrets[name] = value;
    else if (!is_plain_variable(name))
      race->secrets.emplace(name, value);
  }
  ask(call.race, std::move(retries), [this, answer, done = std::move(done)](const Result<void>& stored) {
    if (stored.ok()) return done(answer);
    engine.leave(answer.race);
    done(stored.error());
  });
}

void Agents::quote_review(const RacePtr& race, RetryCall call,
                          std::function<void(Result<wire::Retried>)> done) {
  const auto* reviewed = race->state.agent(call.reviewed);
  std::error_code ec;
  if (!reviewed || !reviewed->capture || !race->store || !fs::is_directory(race->layout.store(), ec))
    return done(
        Error{Errc::not_found, sanitize(call.reviewed) + " has no result to comment on", call.race, {}});
  auto quote = [store_copy = *race->store, commit = reviewed->capture->commit, review = call.review,
                secrets = engine.secrets.of_race(race->state.spec, race->secrets)] {
    return quoted_review(store_copy, commit, review, secrets);
  };
  background(std::move(quote),
             [this, call = std::move(call), done = std::move(done)](Result<std::string> made) mutable {
               if (!made.ok()) return done(std::move(made).error());
               call.comments = std::move(*made);
               retry(std::move(call), std::move(done));
             });
}

}  // namespace hydra::race
