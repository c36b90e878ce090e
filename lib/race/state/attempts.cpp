// An agent's attempts: when another one follows, and their combined usage. Pure.
#include "base/strings.hpp"
#include "race/state/green.hpp"
#include "race/state/judging.hpp"
#include "race/state/state.hpp"
#include "race/state/watch.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

template <class T>
std::optional<T> plus(const std::optional<T>& a, const std::optional<T>& b) {
  if (!a) return b;
  return b ? std::optional<T>(*a + *b) : a;
}

void keep_earlier(AgentState& agent, const model::RetryRequested& retry) {
  for (auto& attempt : agent.earlier) {
    attempt.same_work = attempt.same_work && !retry.fresh;
    attempt.counts = attempt.counts && retry.automatic;
    attempt.same_session = attempt.same_session && !retry.session.empty();
  }
  if (!agent.ended) {
    // The attempt never ran: the branch belongs to the work captured before.
    if (!agent.branch.empty() && !agent.earlier.empty()) agent.earlier.back().branch = agent.branch;
    return;
  }
  EarlierAttempt last;
  last.number = agent.attempts;
  last.ended = *agent.ended;
  last.stop = agent.stop;
  last.branch = agent.branch;
  if (agent.capture) last.commit = agent.capture->commit;
  last.same_work = !retry.fresh;
  last.counts = retry.automatic;
  last.same_session = !retry.session.empty() && agent.ended->verdict.session == retry.session;
  agent.earlier.push_back(std::move(last));
}

constexpr std::string_view kTestsOnly =
    "Write tests for the task below. Do not do the task itself.\n\n"
    "- The tests fail now, and pass when the task is done as it is described.\n"
    "- They test what the task asks for, through interfaces that it names or that are there already, and "
    "nothing that it leaves open.\n"
    "- Place, style and runner are those of this project's tests.\n"
    "- Change nothing but tests, their helpers and their data: everything else is dropped.\n\n"
    "The task:\n\n";

}  // namespace

// The agent's new result is checked from the beginning, in attempts with new numbers. After a cancel the
// results of all other agents are too, since their checks were cut off and give no verdict.
void check_again(State& state, const std::string& agent, bool everything) {
  for (auto& [subject, checked] : state.subjects)
    if (everything || subject.agent == agent)
      checked = SubjectState(Life{checked.life.round + 1, checked.life.generation});
}

void wake(State& state, const std::string& agent) {
  check_again(state, agent, state.cancelled);
  state.cancelled = state.published = false;
  state.ranking.reset();
  state.first_ranking.reset();
  state.cross.reset();
  state.matrix.reset();
  state.judging.reset();
  state.ended.reset();
  state.ended_ms = 0;
}

void begin_again(State& state, const model::RetryRequested& retry) {
  auto* agent = state.agent(retry.agent);
  if (!agent || (!agent->ended && !agent->never_runs() && agent->workspace_error.empty())) return;
  // The first of several agents finds the race ended.
  if (!retry.automatic && state.ended) state.retried.clear();
  if (!retry.automatic) state.retried.insert(retry.agent);
  keep_earlier(*agent, retry);
  agent->due = agent->attempts + 1;
  agent->retry = retry;
  agent->retries = retry.automatic ? agent->retries + 1 : 0;
  agent->ended.reset();
  agent->stop.reset();
  agent->capture.reset();
  agent->capture_error.clear();
  agent->integrity.reset();
  agent->workspace_error.clear();
  agent->branch.clear();
  agent->cancelled = agent->give_up = false;
  agent->started_ms = agent->ended_ms = 0;
  if (retry.fresh) agent->workspace.clear();
  std::erase(state.capture_order, retry.agent);
  state.merge_refused.reset();
  wake(state, retry.agent);
}

std::vector<model::EventBody> results_again(const AgentState& agent) {
  const auto& name = agent.entry.name;
  if (!agent.ended || !agent.capture)
    return {model::WorkspaceFailed{name, "the race that is verified has no result of it"}};
  if (agent.origin == Origin::combined)
    return {model::Combined{name, agent.display, *agent.capture, agent.ended->job.wall_ms}};
  std::vector<model::EventBody> events;
  for (const auto& earlier : agent.earlier) {
    model::RetryRequested retry;
    retry.agent = name;
    retry.automatic = earlier.counts;
    retry.fresh = !earlier.same_work;
    if (earlier.same_session) retry.session = earlier.ended.verdict.session;
    events.emplace_back(model::AgentStarting{name, earlier.ended.job.attempt, earlier.number});
    events.emplace_back(earlier.ended);
    events.emplace_back(std::move(retry));
  }
  events.emplace_back(model::WorkspaceReady{name, agent.workspace, agent.dependencies});
  events.emplace_back(model::AgentStarting{name, agent.attempt, agent.attempts});
  if (agent.cancelled) events.emplace_back(model::CancelRequested{name});
  events.emplace_back(*agent.ended);
  events.emplace_back(model::Captured{name, *agent.capture});
  return events;
}

bool left_work(const AgentState& agent) {
  const bool unrun = !agent.workspace_error.empty() || agent.never_runs();
  return unrun && !agent.ended && !agent.workspace.empty() && !agent.earlier.empty() &&
         agent.earlier.back().same_work;
}

bool counts_for_race(const State& state, const AgentState& agent) {
  return state.retried.empty() || state.retried.contains(agent.entry.name);
}

model::Usage judges_in_budget(const State& state) {
  return state.retried.empty() ? judges_usage(state) : model::Usage{};
}

model::Usage add_usage(const model::Usage& a, const model::Usage& b) {
  model::Usage both;
  both.input = plus(a.input, b.input);
  both.output = plus(a.output, b.output);
  both.cache_read = plus(a.cache_read, b.cache_read);
  both.cache_write = plus(a.cache_write, b.cache_write);
  both.reasoning = plus(a.reasoning, b.reasoning);
  both.cost_usd = plus(a.cost_usd, b.cost_usd);
  both.estimated = a.estimated || b.estimated;
  // Some tokens have no known price, others have: the sum of the cost is too low.
  const auto unpriced = [](const model::Usage& u) { return !u.cost_usd && (u.input || u.output); };
  both.partial = a.partial || b.partial || (both.cost_usd && (unpriced(a) || unpriced(b)));
  return both;
}

model::Usage earlier_usage(const AgentState& agent, bool of_budget) {
  model::Usage all;
  for (const auto& attempt : agent.earlier)
    if (attempt.counts || !of_budget) all = add_usage(all, attempt.ended.verdict.usage);
  return all;
}

model::Usage usage_of(const AgentState& agent, const model::Usage& live) {
  return add_usage(earlier_usage(agent, false), agent.ended ? agent.ended->verdict.usage : live);
}

model::Usage resume_base(const AgentState& agent) {
  model::Usage all;
  for (const auto& attempt : agent.earlier)
    if (attempt.same_session) all = add_usage(all, attempt.ended.verdict.usage);
  return all;
}

std::int64_t work_ms(const AgentState& agent) {
  // Time between an agent's reported end and its exit is not work.
  const auto own = [](const model::JobFacts& job) { return job.wall_ms - job.leaving_ms; };
  std::int64_t all = agent.ended ? own(agent.ended->job) : 0;
  for (const auto& attempt : agent.earlier)
    if (attempt.same_work) all += own(attempt.ended.job);
  return all;
}

std::string first_prompt(const model::RaceSpec& spec, const model::AgentEntry& entry) {
  if (entry.tester) return std::string(kTestsOnly) + spec.task;
  return spec.task;
}

std::string told_again(const State& state, const AgentState& agent, const std::string& message) {
  const bool began = agent.ended && (!agent.ended->verdict.final_text.empty() || agent.changed());
  if (!began && trim(message).empty()) return {};
  std::string prompt = first_prompt(state.spec, agent.entry);
  if (began) {
    prompt += "\n\nYou have worked on this before, in this directory; what you did then is still there.";
    if (const auto& said = agent.ended->verdict.final_text; !said.empty())
      prompt += " The last that you said was:\n\n" + said;
    prompt += trim(message).empty() ? "\n\nGo on where you left off." : "";
  }
  return trim(message).empty() ? prompt : prompt + "\n\n" + message;
}

namespace {

// A lost node says nothing about the agent. On a single machine, a person or program ended the agent.
bool lost_on_cluster(const State& state, const AgentState& agent) {
  return state.spec.config.execution.placement == model::Placement::slurm &&
         agent.ended->verdict.outcome == model::Outcome::lost;
}

}  // namespace

int most_retries(const State& state, const AgentState& agent) {
  constexpr int kOfLost = 3;
  const int asked = state.spec.config.limits.retries;
  return agent.ended && lost_on_cluster(state, agent) ? std::max(kOfLost, asked) : asked;
}

bool retry_due(const State& state, const AgentState& agent) {
  if (!agent.ended || agent.capture || !agent.capture_error.empty()) return false;
  // "finished": the agent had reported its end and only did not exit.
  if (agent.stop && agent.stop->reason != model::StopReason::finished) return false;
  if (agent.cancelled || agent.give_up || state.cancelled || rest_stopped(state)) return false;
  const auto& verdict = agent.ended->verdict;
  const bool failed =
      verdict.outcome == model::Outcome::failed || verdict.outcome == model::Outcome::launch_error;
  const bool passing = verdict.error_class == model::ErrorClass::rate_limit ||
                       verdict.error_class == model::ErrorClass::provider;
  if (!(lost_on_cluster(state, agent) || (failed && passing))) return false;
  if (agent.retries >= most_retries(state, agent)) return false;
  if (over(budget_of(state, agent), spent(add_usage(earlier_usage(agent, true), verdict.usage))))
    return false;
  auto all = judges_in_budget(state);
  for (const auto& other : state.agents) {
    if (!counts_for_race(state, other)) continue;
    all = add_usage(all, earlier_usage(other, true));
    if (other.ended) all = add_usage(all, other.ended->verdict.usage);
  }
  return !over(race_budget_of(state), spent(all));
}

}  // namespace hydra::race
