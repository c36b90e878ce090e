// Carries out the commands about checks: workspaces, set-up, build, tests, lint, and the baseline's cache.
#include "race/checks/checks.hpp"

#include "base/log.hpp"
#include "base/strings.hpp"
#include "checks/advice.hpp"
#include "checks/contact.hpp"
#include "checks/episodes.hpp"
#include "checks/evidence.hpp"
#include "checks/gating.hpp"
#include "integrity/seal/seal.hpp"
#include "integrity/seal/written.hpp"
#include "model/json.hpp"
#include "race/checks/found_outside.hpp"
#include "race/checks/templates.hpp"
#include "race/endings.hpp"
#include "race/jobs.hpp"
#include "race/limits/reserve.hpp"
#include "race/state/base_problem.hpp"
#include "race/state/cross.hpp"
#include "race/state/twins.hpp"
#include "race/state/unloaded.hpp"
#include "race/variables.hpp"
#include "scoring/engine.hpp"
#include "trees/byte_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

namespace hydra::race {

using model::Dimension;

namespace {

// Checks of the base that have not failed so long are taken to work: a test command that is missing, or runs
// no test, ends at once.
constexpr std::int64_t kBuiltMs = 5'000, kUnbuiltMs = 20'000;
constexpr std::size_t kMostPatch = 4u << 20;  ///< bytes of a change that are looked at for a missing name

// `to` is empty for a subject without a captured change.
git::CompareRequest change_of(const State& state, const Subject& subject) {
  git::CompareRequest request;
  request.from = state.spec.repository.base;
  if (const auto* agent = state.agent(subject.agent); agent && agent->capture)
    request.to = agent->capture->commit;
  return request;
}

// Tests of agents run in a workspace without the objects of other agents.
bool is_foreign(const Subject& subject) {
  return subject.kind == Kind::cross || subject.kind == Kind::own_tests;
}

const std::string& command_of(const State& state, const Subject& subject, Dimension dimension,
                              const CheckRun& of) {
  if (!of.command.empty()) return of.command;
  if (subject.kind == Kind::per_file && dimension == Dimension::tests)
    return state.agent(subject.agent)->integrity->files_command;
  if (dimension == Dimension::tests && own_files_suffice(state, subject))
    return state.agent(subject.agent)->integrity->own_command;
  const auto* run = dimension == Dimension::tests ? cross_run(state, subject) : nullptr;
  if (run && of.why == CheckRun::Why::repeat && cross_cut_short(state, *run))
    return cross_author(state, subject)->apart;
  return run ? run->command : *check_command(state.spec.config, dimension);
}

std::vector<std::string> report_patterns(const State& state, const Subject& subject, Dimension dimension,
                                         const CheckRun& run) {
  const auto& scoring = state.spec.config.scoring;
  if (dimension == Dimension::build) return {};
  const auto& command = command_of(state, subject, dimension, run);
  if (dimension == Dimension::lint)
    return command.find("HYDRA_REPORTS") == std::string::npos ? std::vector<std::string>{}
                                                              : std::vector<std::string>{"{reports}/*"};
  auto patterns = scoring.test_reports;
  // A command for single files may write no report.
  if (subject.kind == Kind::per_file && command != scoring.test_command &&
      command.find("HYDRA_REPORTS") == std::string::npos)
    std::erase_if(patterns, [](const auto& pattern) { return pattern.starts_with("{reports}"); });
  return patterns;
}

// Returns the commit that a subject's checks run on: with the base's protected paths, or as captured.
std::string commit_of(const State& state, const Subject& subject) {
  if (const auto* run = cross_run(state, subject)) return run->commit;
  const auto* agent = state.agent(subject.agent);
  return agent->integrity && subject.kind != Kind::own_tests ? agent->integrity->commit
                                                             : agent->capture->commit;
}

// Returns the inputs for inspecting an agent with a capture.
checks::Candidate candidate_of(const State& state, const std::string& name) {
  const auto& capture = *state.agent(name)->capture;
  checks::Candidate candidate;
  candidate.name = name;
  candidate.commit = capture.commit;
  candidate.restore = state.spec.config.workspace.checks != model::CheckPlace::in_place;
  for (const auto& flag : capture.flags)
    if (flag.kind == model::FlagKind::hides_files) candidate.hiding_rules.push_back(flag.path);
  return candidate;
}

// Returns the test files of the run's author; nullopt: not a cross run.
std::optional<std::vector<std::string>> files_of_cross(const State& state, const Subject& subject) {
  const auto* author = cross_author(state, subject);
  return author ? std::optional(author->files) : std::nullopt;
}

Result<model::WorkspaceFacts> make_workspace(const trees::WorkspaceProvider& workspaces,
                                             const trees::WorkspaceRequest& request, const fs::path& home,
                                             bool in_place) {
  HYDRA_CHECK(make_dirs(home, 0700));
  if (in_place) {
    model::WorkspaceFacts facts;
    facts.tree = model::TreeKind::in_place;
    facts.setup = true;
    return facts;
  }
  HYDRA_TRY(auto prepared, workspaces.prepare(request));
  return std::move(prepared.facts);
}

// Saves byte code for later checks; without it they are only slower.
void keep_compiled(const trees::Workspace& workspace, const std::string& kind, const fs::path& layer) {
  if (workspace.byte_code.empty() || layer.empty()) return;
  const auto kept = trees::keep_byte_code(layer, workspace.byte_code, kind, workspace.inside);
  if (!kept.ok()) log::debug("{}", describe(kept.error()));
}

}  // namespace

// Returns the agent's directory if checks run in place, else its check workspace. The baseline always has a
// separate one.
trees::Workspace Checks::workspace_of(const Race& race, const Subject& subject,
                                      const model::WorkspaceFacts& facts) {
  const auto& spec = race.state.spec;
  if (is_foreign(subject)) return cross_workspace(race, subject, facts);
  if (spec.config.workspace.checks == model::CheckPlace::fresh || subject.of_baseline())
    return race.workspaces->at(subject, facts);
  trees::Workspace workspace;
  workspace.host = race.state.agent(subject.agent)->workspace;
  workspace.inside = model::sandboxed(spec) ? fs::path(spec.repository.root) : workspace.host;
  if (model::sandboxed(spec)) workspace.binds.push_back({workspace.host, workspace.inside, true, false});
  return workspace;
}

void Checks::prepare_subject(const RacePtr& race, const Subject& subject) {
  const auto& spec = race->state.spec;
  // Tests whose evidence came from the cache are repeated.
  if (checks_done(race->state, subject)) return make_subject(race, subject);
  if (subject.kind == Kind::cross) return prepare_cross(race, subject);
  if (subject.kind != Kind::baseline || spec.fresh_baseline) return make_subject(race, subject);
  with_baseline_key(race, [this, race, subject] { take_from_cache(race, subject, race->baseline_key); });
}

void Checks::preflight_clock(const RacePtr& race, bool built) {
  race->preflight_timer = engine.timer(race, built ? kBuiltMs : kUnbuiltMs, [this](const RacePtr& still) {
    const auto& state = still->state;
    if (state.failure.empty() && !state.cancelled && !checks_done(state, Subject::baseline()))
      emit(state.spec.id, model::BaselineWorks{});
  });
}

void Checks::with_baseline_key(const RacePtr& race, std::function<void()> then) {
  background(
      [spec = race->state.spec, surroundings = race->surroundings] {
        return checks::baseline_key(spec, surroundings->of(spec).text());
      },
      [this, race, then = std::move(then)](Result<std::string> key) {
        if (!lives(race)) return;
        race->baseline_key = key.ok() ? std::move(*key) : std::string();  // empty: nothing is cached
        then();
      });
}

void Checks::take_from_cache(const RacePtr& race, const Subject& subject, const std::string& key) {
  background(
      [&stored = store, key]() -> Result<model::CheckSet> {
        const auto text = stored.cached(key);
        if (!text) return Error{Errc::not_found, "no evidence in the cache", key, {}};
        return model::check_set_from_json(*text);
      },
      [this, race, subject](Result<model::CheckSet> checks) {
        if (!lives(race)) return;
        if (!checks.ok()) return make_subject(race, subject);
        for (auto& event : cached_checks(subject, std::move(*checks)))
          emit(race->state.spec.id, std::move(event));
      });
}

void Checks::make_subject(const RacePtr& race, const Subject& subject, int tries) {
  templates.with_template(race, [this, race, subject, tries](const std::optional<SubjectProblem>& problem) {
    const auto& state = race->state;
    if (!lives(race)) return;
    if (state.cancelled) return;
    if (problem)
      return emit(state.spec.id, model::SubjectFailed{subject, problem->reason, problem->attempt,
                                                      problem->advice, problem->cancelled});
    const bool baseline = subject.of_baseline(), cross = subject.kind == Kind::cross;
    if (cross && !cross_run(state, subject)) return;  // the plan has changed meanwhile
    trees::WorkspaceRequest request;
    request.subject = subject;
    request.commit = baseline ? state.spec.repository.base : commit_of(state, subject);
    // The agent's own tests run on its own tree, without hidden tests, which the agent can't know.
    if (!state.spec.hidden_tests.empty() && subject.kind != Kind::own_tests && !cross)
      request.hidden = race->layout.hidden_tests();
    if (const auto* twin = twin_run(state, subject); twin && !state.spec.hidden_tests.empty())
      request.hidden = race->layout.hidden_twins() / (twin->copy ? "copy" : "twin");
    request.copy = std::any_of(state.subjects.begin(), state.subjects.end(),
                               [](const auto& s) { return s.second.life.generation > 0; });
    const bool in_place =
        !baseline && !cross && state.spec.config.workspace.checks == model::CheckPlace::in_place;
    std::optional<checks::Candidate> candidate;
    if (subject.kind == Kind::result) candidate = candidate_of(state, subject.agent);
    struct Made {
      std::optional<model::Integrity> integrity;
      std::optional<Error> problem;  ///< inspection error for which a retry may help
      Result<model::WorkspaceFacts> facts = Error{};
    };
    background(
        [rules = race->rules, workspaces = race->workspaces, store_copy = *race->store, spec = state.spec,
         request, in_place, candidate, tries, home = race->layout.home(subject),
         seal = race->layout.seal(subject), history = race->layout.history(),
         root = race->layout.root()]() mutable {
          Made made;
          if (auto room = room_for(store_copy, spec, request.commit, root); !room.ok() && !in_place) {
            if (tries < tries_of(room.error(), false))
              made.problem = std::move(room).error();
            else
              made.facts = std::move(room).error();
            return made;
          }
          if (candidate) {
            auto found = checks::inspect_candidate(*rules, store_copy, spec, *candidate);
            if (!found.ok() && tries < tries_of(found.error(), false)) {
              made.problem = std::move(found).error();
              return made;
            }
            made.integrity = checks::or_not_inspected(std::move(found), candidate->commit);
            request.commit = made.integrity->commit;
          }
          made.facts = make_workspace(*workspaces, request, home, in_place);
          if (made.facts.ok() && request.subject.kind == Kind::own_tests) {
            const auto written = store_copy.write_history(history);
            if (!written.ok()) made.facts = written.error();
          }
          if (!made.facts.ok() || in_place || is_foreign(request.subject)) return made;
          const auto sealed = integrity::seal_workspace(*rules, store_copy, spec,
                                                        workspaces->at(request.subject, *made.facts), seal);
          if (!sealed.ok()) made.facts = sealed.error();
          return made;
        },
        [this, race, subject, tries](Result<Made> result) {
          const auto& id = race->state.spec.id;
          if (!lives(race)) return;
          if (!result.ok()) return emit(id, model::SubjectFailed{subject, describe(result.error()), {}, {}});
          auto& made = *result;
          if (made.problem) {
            if (tries == 1)
              emit(id, model::Note{subject, "it is looked at again: " + describe(*made.problem)});
            if (made.problem->number == ENOSPC)
              race->wants_room.try_emplace(text(subject), "its checks wait: " + describe(*made.problem));
            return later(race, [this, race, subject, tries] { make_subject(race, subject, tries + 1); });
          }
          race->wants_room.erase(text(subject));
          if (made.integrity) emit(id, model::Inspected{subject.agent, std::move(*made.integrity)});
          if (!made.facts.ok())
            return emit(id, model::SubjectFailed{subject, describe(made.facts.error()), {}, {}});
          set_up_subject(race, subject, *made.facts);
        });
  });
}

// Inspects the work of a tester, whose tree is never checked.
void Checks::inspect(const RacePtr& race, const std::string& name, int tries) {
  background(
      [rules = race->rules, store_copy = *race->store, spec = race->state.spec,
       candidate = candidate_of(race->state, name)] {
        return checks::inspect_candidate(*rules, store_copy, spec, candidate);
      },
      [this, race, name, tries](Result<model::Integrity> found) {
        if (!lives(race)) return;
        if (!found.ok() && tries < tries_of(found.error(), race->state.cancelled))
          return later(race, [this, race, name, tries] { inspect(race, name, tries + 1); });
        const auto commit = race->state.agent(name)->capture->commit;
        emit(race->state.spec.id, model::Inspected{name, checks::or_not_inspected(std::move(found), commit)});
      });
}

void Checks::run_check(const RacePtr& race, const Subject& subject, Dimension dimension,
                       const CheckRun& run) {
  templates.with_template(
      race, [this, race, subject, dimension, run](const std::optional<SubjectProblem>& problem) {
        if (!lives(race)) return;
        if (!problem) return queue_check(race, subject, dimension, run);
        const auto key = race->layout.key(subject, std::string(model::name(dimension)), run.number());
        check_ended(race, subject, dimension, run, not_started(key, problem->reason), true);
      });
}

void Checks::repeat_tests(const RacePtr& race, const Subject& subject) {
  const auto& state = race->state;
  const auto& mine = *state.checks(subject);
  const CheckRun run{life_of(state, subject), CheckRun::Why::repeat, static_cast<int>(mine.repeats.size())};
  // The base runs as a whole, since its runs tell which names are volatile.
  if (subject.kind != Kind::result || state.spec.config.evaluation.verify == model::Verify::strict)
    return run_check(race, subject, Dimension::tests, run);
  const auto& base = *state.checks(Subject::baseline());
  background(
      [rules = race->rules, store_copy = *race->store, spec = state.spec,
       names = scoring::compare_tests(*base.tests->tests, *mine.tests->tests, unstable_tests(base)).broken]()
          -> Result<std::string> {
        HYDRA_TRY(const auto known, rules->get(store_copy, spec));
        return checks::repeat_command(checks::test_command_of(*known, spec.config.scoring), names);
      },
      [this, race, subject, run](Result<std::string> command) {
        if (!lives(race)) return;
        auto of_files = run;
        of_files.command = command.value_or("");
        run_check(race, subject, Dimension::tests, of_files);
      });
}

void Checks::queue_check(const RacePtr& race, const Subject& subject, Dimension dimension,
                         const CheckRun& run) {
  // Reruns of failures run alone; reruns of the baseline do not block other jobs.
  const bool repeated = run.why == CheckRun::Why::repeat;
  const bool alone = run.why == CheckRun::Why::alone || (repeated && subject.kind != Kind::baseline);
  const auto* base = race->state.checks(Subject::baseline());
  const auto share = base ? share_of(evidence(*base, dimension)) : Share::whole;
  run_in_slot(
      race, subject, {tag(*race, subject), priority_of(subject, dimension), alone, share},
      [this, race, subject, dimension, run, repeated]() -> std::optional<exec::JobSpec> {
        if (!lives(race)) return std::nullopt;
        auto command = command_of(race->state, subject, dimension, run);
        // The new workspace of a subject with cached evidence is not built. A newline ends a comment of the
        // build, and a subshell keeps its directory.
        const auto& build = race->state.checks(subject)->build;
        if (repeated && build && build->cached)
          command = "(" + *race->state.spec.config.scoring.build_command + "\n) && " + command;
        const auto workspace = workspace_of(*race, subject, race->state.subjects.at(subject).facts);
        auto job = check_job(race->state.spec, subject, std::string(model::name(dimension)), command,
                             run.number(), workspace, race->layout, agents_alive(*race), race->tools);
        pass_variables(race->state.spec, race->secrets, job);
        if (run.why == CheckRun::Why::measure) job.limits.wall *= kMeasureFactor;
        return job;
      },
      [this, race, subject, dimension, run](const exec::JobResult& result, bool undisturbed) {
        check_ended(race, subject, dimension, run, result, undisturbed);
      });
}

// Returns the tree's path inside the checks, by which their output names files.
std::string Checks::root_of(const Race& race, const Subject& subject) {
  const auto* found = race.state.subject(subject);
  return race.workspaces && found ? workspace_of(race, subject, found->facts).inside.string() : std::string();
}

void Checks::check_ended(const RacePtr& race, const Subject& subject, Dimension dimension,
                         const CheckRun& run, const exec::JobResult& result, bool alone) {
  if (!lives(race)) return;
  // Other jobs may have caused the time-out: run again, alone, before the failure counts.
  const bool first = run.why == CheckRun::Why::first && run.life == life_of(race->state, subject);
  const bool again = run.why == CheckRun::Why::repeat;
  const CheckRun once_more{run.life, CheckRun::Why::alone, 0};
  if (result.end == exec::End::timed_out && first && !alone && !race->state.cancelled &&
      subject.kind != Kind::cross)
    return run_check(race, subject, dimension, once_more);
  if (result.end == exec::End::timed_out && to_measure(race->state, subject, dimension, run))
    return run_check(race, subject, dimension, {run.life, CheckRun::Why::measure, 0});
  // A lost node says nothing about the result.
  if (result.end == exec::End::lost && first && !race->state.cancelled &&
      race->state.spec.config.execution.placement == model::Placement::slurm) {
    emit(race->state.spec.id, model::Note{subject, fmt::format("its {} was lost ({}); it runs again",
                                                               model::name(dimension), result.message)});
    return run_check(race, subject, dimension, once_more);
  }
  const auto kind = std::string(model::name(dimension));
  const auto attempt = race->layout.attempt(subject, kind, run.number());
  struct Found {
    model::CheckEvidence evidence;
    bool renames = false;  ///< the overlay refused to rename a directory
    std::string note{};    ///< for people; may be empty
  };
  const auto* known = race->state.subject(subject);
  const auto workspace =
      race->workspaces && known ? workspace_of(*race, subject, known->facts) : trees::Workspace{};
  background(
      [rules = race->rules, attempt, result, dimension, kind, number = run.number(),
       measure = run.why == CheckRun::Why::measure, change = change_of(race->state, subject),
       of_the_base = subject.kind == Kind::baseline, tools = race->tools, workspace,
       store_copy = *race->store, spec = race->state.spec, seal = race->layout.seal(subject),
       baseline = subject.of_baseline(), command = command_of(race->state, subject, dimension, run),
       files = files_of_cross(race->state, subject),
       patterns = report_patterns(race->state, subject, dimension, run), root = root_of(*race, subject),
       base_fails = base_problem(race->state) == model::BaseProblem::build_fails] {
        bool cut = false;
        if (of_the_base && result.end == exec::End::exited)
          keep_compiled(workspace, kind, home_layer(workspace, kind, number));
        const auto output = exec::read_log(attempt / "stdout.log", result.out, &cut);
        const auto reports = checks::read_reports(attempt / "reports", patterns);
        Found found{checks::make_evidence(dimension, command, result, output, cut, reports, root), false};
        if (measure) mark_measured(spec.config, found.evidence);
        if (dimension == Dimension::tests && !baseline && spec.config.evaluation.hidden) {
          auto played = checks::read_episodes(attempt / "reports");
          found.evidence.arena = played.figures;
          found.note = std::move(played.problem);
        }
        if (files && found.evidence.tests) {
          auto missing = checks::without_contact(output, *found.evidence.tests, *files);
          found.evidence.no_contact = std::move(missing.tests);
          found.evidence.wrong_arguments = std::move(missing.by_arguments);
        }
        if (!workspace.host.empty())
          found.evidence.rewrote =
              integrity::broken_seal(*rules, store_copy, spec, workspace, seal, baseline);
        const bool passed = found.evidence.status == model::CheckStatus::passed;
        if (dimension == Dimension::build && !workspace.host.empty() && (baseline ? !passed : base_fails))
          if (const auto protecting = rules->get(store_copy, spec); protecting.ok())
            found.evidence.built = integrity::built_sources(workspace, (*protecting)->paths);
        if (found.evidence.status == model::CheckStatus::passed) return found;
        if (const auto late = over_time(spec.config, kind, result); !late.empty())
          found.evidence.message =
              found.evidence.message.empty() ? late : late + "; " + found.evidence.message;
        found.evidence.advice =
            checks::advice_of(output, kind, tools, baseline, &found.evidence, false, [&store_copy, &change] {
              return change.to.empty() ? std::string() : store_copy.patch(change, kMostPatch).value_or("");
            });
        if (auto outside = baseline ? found_outside(spec, output) : std::nullopt) {
          outside->environment = found.evidence.advice && found.evidence.advice->environment;
          found.evidence.advice = std::move(outside);
        }
        found.renames = checks::needs_copy(output);
        return found;
      },
      [this, race, subject, again, dimension, attempt_key = result.key](Result<Found> made) {
        const auto& id = race->state.spec.id;
        if (!lives(race)) return;
        Found found;
        if (made.ok()) {
          found = std::move(*made);
        } else {
          found.evidence.dimension = dimension;
          found.evidence.status = model::CheckStatus::not_started;
          found.evidence.attempt = attempt_key;
          found.evidence.message = describe(made.error());
        }
        const auto* at = race->state.subject(subject);
        if (found.renames && at && at->facts.tree == model::TreeKind::overlay && !race->state.cancelled) {
          // The candidate is not at fault: run again in a copy, and use copies from now on.
          templates.remember_copies_only(race->template_digest);
          return emit(id, model::SubjectReset{subject,
                                              "a command renames a directory, which an overlay refuses; "
                                              "it runs in a copy"});
        }
        if (!found.note.empty()) emit(id, model::Note{subject, found.note});
        const auto remember = [this, race, subject] {
          remember_baseline(race, subject);
          remember_cross(race, subject);
        };
        if (again)
          emit(id, model::CheckRepeated{subject, std::move(found.evidence)}, remember);
        else
          emit(id, model::CheckEnded{subject, std::move(found.evidence)}, remember);
      });
}

// Stores evidence of the base for later races, and that checks can work in this repository.
void Checks::remember_baseline(const RacePtr& race, const Subject& subject) {
  const auto* at = race->state.subject(subject);
  if (subject.kind != Kind::baseline || !at) return;
  const bool works = base_problem(race->state) == model::BaseProblem::none;
  if (!works) engine.put_cached(checks::works_key(race->state.spec), "0");
  if (!fully_checked(race->state, subject) || !at->error.empty()) return;
  if (!race->baseline_key.empty() && checks::cacheable(at->checks))
    engine.put_cached(race->baseline_key, at->checks);
  if (works) engine.put_cached(checks::works_key(race->state.spec), "1");
}

void Checks::stop_checks(const RacePtr& race, const Subject& subject) {
  slots_of_checks(*race).drop(tag(*race, subject));
  templates.drop_template(race);
  for (const auto& key : race->running_checks[subject]) executor.cancel(key);
}

}  // namespace hydra::race
