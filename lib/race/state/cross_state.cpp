// Schedules cross tests: when they run, in which order, when they have ended; and whose tests can run on
// whose results. Pure.
#include "race/state/costs.hpp"
#include "race/state/cross.hpp"
#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "race/state/twins.hpp"
#include "race/state/unloaded.hpp"

#include <algorithm>
#include <map>

namespace hydra::race {

using model::Dimension;

namespace {

// Limit of concurrent workspaces: enough for the slots of a small machine, without filling the disk.
constexpr std::size_t kCrossAtOnce = 4;

/// Counts the competing results, as far as the fold tells; identical trees count once.
std::size_t competing_results(const State& state) {
  std::set<Subject> owners;
  for (const auto& agent : state.agents)
    if (agent.changed() && !agent.cancelled && agent.integrity && agent.origin != Origin::tester)
      owners.insert(check_owner(state, agent));
  owners.erase(Subject::baseline());
  return owners.size();
}

/// Returns whether any agent may have added tests; only git knows which.
bool may_have_tests(const State& state) {
  const bool unprotected = !state.spec.config.evaluation.unprotected_paths.empty();
  return std::any_of(state.agents.begin(), state.agents.end(), [&](const AgentState& agent) {
    if (!agent.integrity || agent.cancelled || !agent.changed()) return false;
    return agent.origin == Origin::tester || agent.integrity->own_run ||
           !agent.integrity->unrestored.empty() || unprotected;
  });
}

bool run_over(const State& state, const model::PlannedRun& run) { return fully_checked(state, run.subject); }

bool is_member(const model::PlannedAuthor& author, const std::string& name) {
  return std::find(author.members.begin(), author.members.end(), name) != author.members.end();
}

/// Whether an author's tests are worth running on other results.
enum class Voice {
  unknown,  ///< runs on the author's code and on the base are still missing
  silent,   ///< no test passes on the author's code without passing on the base
  speaks,
};

/// Before the neutral copy has run, every test counts as one of behaviour.
Voice voice_of(const State& state, const model::PlannedAuthor& author) {
  std::vector<const model::PlannedRun*> own;
  for (const auto& name : author.members)
    if (const auto* found = run_of(state, author.name, Subject::of(name))) own.push_back(found);
  const auto* base = run_of(state, author.name, Subject::baseline());
  if (own.empty() || !base) return Voice::speaks;  // a tester has no code
  const auto over = [&](const auto* found) { return run_over(state, *found); };
  if (!over(base) || !std::all_of(own.begin(), own.end(), over)) return Voice::unknown;
  const auto tests = tests_of_author(state, author);
  const auto of_text = tests_of_text(state, author, tests);
  const auto before = cells_of(state, *base, tests);
  for (const auto* found : own) {
    const auto now = cells_of(state, *found, tests);
    for (std::size_t i = 0; i < tests.size(); ++i)
      if (now[i] == model::Cell::pass && before[i] != model::Cell::pass && !of_text.contains(tests[i]))
        return Voice::speaks;
  }
  return Voice::silent;
}

/// Returns the next runs in order; runs on other results only for authors whose tests speak.
std::vector<const model::PlannedRun*> next_runs(const State& state, std::size_t most) {
  std::vector<const model::PlannedRun*> next;
  std::map<std::string, Voice> voices;  // by author
  const bool more = cross_within_budget(state);
  for (const auto& run : state.cross->runs) {
    if (next.size() == most) break;
    if (run_over(state, run) || (!more && !state.subject(run.subject))) continue;
    const auto* author = cross_author(state, run.subject);
    const bool of_others =
        author && !run.result.none() && !run.result.of_baseline() && !is_member(*author, run.result.agent);
    if (author && (of_others || run.neutral)) {
      const auto [known, first] = voices.emplace(author->name, Voice::unknown);
      if (first) known->second = voice_of(state, *author);
      if (known->second != Voice::speaks) continue;
      const auto* neutral = neutral_run(state, author->name);
      if (of_others && neutral && !run_over(state, *neutral)) continue;
    }
    next.push_back(&run);
  }
  return next;
}

}  // namespace

bool cross_possible(const State& state) {
  if (!cross_configured(state) || state.cancelled) return false;
  const bool testers = std::any_of(state.agents.begin(), state.agents.end(),
                                   [](const auto& agent) { return agent.origin == Origin::tester; });
  const std::size_t least = testers ? 1 : 2;
  return competing_results(state) >= least && may_have_tests(state);
}

const model::PlannedRun* cross_run(const State& state, const Subject& subject) {
  if (const auto* twin = twin_run(state, subject)) return &twin->run;
  if (!state.cross) return nullptr;
  for (const auto& run : state.cross->runs)
    if (run.subject == subject) return &run;
  return nullptr;
}

const model::PlannedAuthor* cross_author(const State& state, const Subject& subject) {
  const auto* run = cross_run(state, subject);
  if (!run || !state.cross) return nullptr;
  for (const auto& author : state.cross->authors)
    if (author.name == run->author) return &author;
  return nullptr;
}

const model::PlannedRun* run_of(const State& state, const std::string& author, const Subject& result) {
  if (!state.cross) return nullptr;
  for (const auto& run : state.cross->runs)
    if (run.author == author && run.result == result && !run.neutral) return &run;
  return nullptr;
}

const model::PlannedRun* neutral_run(const State& state, const std::string& author) {
  if (!state.cross) return nullptr;
  for (const auto& run : state.cross->runs)
    if (run.author == author && run.neutral) return &run;
  return nullptr;
}

void begin_cross(State& state, const model::CrossPlan& plan) {
  state.cross = plan;
  state.matrix.reset();
  for (const auto& run : plan.runs) begin_anew(state, run);
}

void begin_anew(State& state, const model::PlannedRun& run) {
  const auto found = state.subjects.find(run.subject);
  if (found == state.subjects.end() || checks_done(state, run.subject)) return;
  // The workspace of the earlier plan is gone.
  const auto& life = found->second.life;
  found->second = SubjectState(Life{life.round, life.generation + 1});
}

bool cross_configured(const State& state) {
  const auto& config = state.spec.config;
  return !state.spec.check_only && config.evaluation.verify != model::Verify::fast &&
         config.scoring.test_command && config.workspace.checks != model::CheckPlace::in_place;
}

bool cross_open(const State& state) {
  if (state.ranking) return false;
  // A plan made while agents still ran does not cover their results.
  if (state.matrix) return early_cross(state) && cross_possible(state);
  return state.cross || (cross_possible(state) && cross_within_budget(state));
}

bool early_cross(const State& state) { return state.cross && !state.cross->early_of.empty(); }

void want_cross(const State& state, std::set<Command>& commands) {
  if (!state.cross || state.matrix) {
    commands.insert({Verb::plan_cross, {}, Dimension::build});
    return;
  }
  const auto next = next_runs(state, kCrossAtOnce);
  for (const auto* run : next) want_checks(state, run->subject, commands);
  if (next.empty()) commands.insert({Verb::sum_cross, {}, Dimension::build});
}

bool cross_repeat_wanted(const State& state, const Subject& subject) {
  if (twin_run(state, subject)) return twin_repeat_wanted(state, subject);
  const auto* run = cross_run(state, subject);
  if (!run) return false;
  const auto* checks = state.checks(subject);
  if (!checks || !checks->repeats.empty()) return false;
  const auto& tests = checks->tests;
  if (!finished(tests) || !tests->tests) return false;
  if (cross_cut_short(state, *run)) return true;
  const auto& missing = tests->no_contact;
  // The base's own reruns cover tests that fail on the base too.
  const auto* base = state.checks(Subject::baseline());
  const auto known =
      base && base->tests && base->tests->tests ? base->tests->tests->tests : model::TestList();
  return std::any_of(tests->tests->tests.begin(), tests->tests->tests.end(), [&](const auto& test) {
    const bool red = test.status == model::TestStatus::failed || test.status == model::TestStatus::error;
    return red && known.find(test.name) != test.status &&
           std::find(missing.begin(), missing.end(), test.name) == missing.end();
  });
}

wire::Progress cross_progress(const State& state) {
  wire::Progress progress;
  if (!state.cross) return progress;
  for (const auto& run : state.cross->runs) {
    ++progress.of;
    if (run_over(state, run)) ++progress.done;
  }
  return progress;
}

CrossInputs cross_inputs(const State& state) {
  CrossInputs inputs;
  const auto ranking = ranking_of(state);
  for (const auto& agent : state.agents) {
    const auto row = std::find_if(ranking.agents.begin(), ranking.agents.end(),
                                  [&](const auto& ranked) { return ranked.agent == agent.entry.name; });
    if (row == ranking.agents.end() || !row->eligible || !agent.capture) continue;
    const auto owner = check_owner(state, agent);
    if (std::any_of(inputs.results.begin(), inputs.results.end(),
                    [&](const auto& result) { return result.owner == owner; }))
      continue;
    const auto* integrity = integrity_of(state, agent);
    inputs.results.push_back({owner, integrity ? integrity->commit : agent.capture->commit});
    CrossInputs::Writer writer{owner.agent, agent.capture->commit, model::AuthorKind::result, {}, {}, {}};
    const auto own = owner.as(Kind::own_tests);
    const auto* own_checks = state.checks(own);
    if (own_checks && own_checks->tests && own_checks->tests->status == model::CheckStatus::passed &&
        own_files_suffice(state, own)) {
      writer.own_tree = agent.capture->tree;
      writer.own_command = integrity->own_command;
    }
    for (const auto& finding : findings_of(state, agent))
      if (finding.severity == model::Severity::block) writer.blocked.insert(finding.path);
    inputs.writers.push_back(std::move(writer));
  }
  for (const auto& agent : state.agents) {
    if (agent.origin != Origin::tester || !agent.changed() || agent.cancelled) continue;
    if (!agent.integrity || !agent.integrity->error.empty()) continue;
    CrossInputs::Writer writer{
        agent.entry.name, agent.capture->commit, model::AuthorKind::tester, {}, {}, {}};
    for (const auto& finding : agent.integrity->findings)
      if (finding.severity == model::Severity::block) writer.blocked.insert(finding.path);
    inputs.writers.push_back(std::move(writer));
  }
  if (const auto* base = state.checks(Subject::baseline())) {
    const auto& tests = base->tests;
    inputs.base_named = finished(tests) && tests->tests && !tests->tests->tests.empty();
  }
  return inputs;
}

}  // namespace hydra::race
