// Carries out the commands about judges: the plan, the input of each judgement, its job and its answer; and
// ratings by people.
#include "race/checks/judges.hpp"

#include "adapters/judge_answer.hpp"
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"
#include "race/agents/agent_files.hpp"
#include "race/agents/agents.hpp"
#include "race/agents/provider_of.hpp"
#include "race/agents/secrets.hpp"
#include "race/agents/sign_in.hpp"
#include "race/agents/verdict.hpp"
#include "race/checks/checks.hpp"
#include "race/checks/judge_words.hpp"
#include "race/endings.hpp"
#include "race/jobs.hpp"
#include "race/state/selection.hpp"

#include <algorithm>
#include <array>

namespace hydra::race {
namespace {

constexpr std::size_t kMostDiff = 8u << 20;
constexpr std::size_t kMostInPrompt = 60'000;  // a prompt may have to fit into one argument
constexpr const char* kJudgeInside = "/run/hydra/judge";

/// Returns the judge as an agent, for its files and its job.
AgentState judge_agent(const model::RaceSpec& spec, const JudgeTask& task, const std::string& prompt,
                       const Layout& layout) {
  AgentState agent;
  agent.entry = config::judge_entry(spec.config, task.judge);
  agent.entry.name = text(task.planned.subject);
  agent.display = task.judge.name;
  agent.workspace = (layout.judge(task.planned.subject) / "work").string();
  agent.retry = model::RetryRequested{};
  agent.retry->prompt = prompt;
  return agent;
}

bool is_agent(const JudgeTask& task) { return !task.judge.command; }

bool was_begun(const JudgeTask& task, const Layout& layout) {
  const auto attempt = layout.attempt(task.planned.subject, "judge", task.number);
  std::error_code ec;
  return fs::exists(attempt / "started.json", ec) || fs::exists(attempt / "result.json", ec);
}

fs::path texts_directory(const JudgeTask& task, const Layout& layout) {
  return layout.judge(task.planned.subject) / (is_agent(task) ? "work" : "input");
}

std::string prompt_of_judge(const JudgeTask& task, const Layout& layout) {
  return read_file(layout.judge(task.planned.subject) / "prompt.txt", kMostDiff).value_or("");
}

/// Writes the texts of a judgement, and the tree for a command.
Result<void> lay_out_judgement(const git::Store& store, const model::RaceSpec& spec, const JudgeTask& task,
                               const Layout& layout) {
  const auto& subject = task.planned.subject;
  const auto place = layout.judge(subject);
  HYDRA_CHECK(remove_tree(place));
  const auto texts = texts_directory(task, layout);
  HYDRA_CHECK(make_dirs(texts, 0700));
  HYDRA_TRY(auto diff, store.diff(task.planned.commit, kMostDiff));
  const JudgeBrief brief{spec.task, task.judge.rubric, to_utf8(diff), task.nonce, task.fence};
  const auto prompt = judge_prompt(brief, kMostInPrompt);
  HYDRA_CHECK(write_file(texts / "task.txt", spec.task, 0600));
  HYDRA_CHECK(write_file(texts / "rubric.txt", task.judge.rubric, 0600));
  HYDRA_CHECK(write_file(texts / "change.diff", diff, 0600));
  if (is_agent(task)) return write_file(place / "prompt.txt", prompt, 0600);
  HYDRA_CHECK(write_file(texts / "prompt.txt", prompt, 0600));
  // Without the repository, since commits name their authors.
  HYDRA_CHECK(store.checkout(place / "tree", task.planned.commit, {}));
  HYDRA_CHECK(remove_tree(place / "tree" / ".git"));
  return make_dirs(layout.home(subject), 0700);
}

void clear_judgement(const model::RaceSpec& spec, const JudgeTask& task, const Layout& layout) {
  const auto& subject = task.planned.subject;
  trees::move_to_trash(layout.judge(subject), layout.trash());
  trees::move_to_trash(layout.home(subject), layout.trash());
  if (is_agent(task)) close_agent_files(spec, judge_agent(spec, task, {}, layout), layout);
}

/// Returns why the end is invalid; empty: the output decides. An agent's exit code is judged with its output.
std::string invalid_end(const exec::JobResult& result, bool agent) {
  if (result.end == exec::End::timed_out || result.end == exec::End::idle) return "timed_out";
  if (result.end == exec::End::start_failed) return "not_started";
  return result.end == exec::End::exited && (agent || result.code == 0) ? "" : "failed";
}

model::Judgement begun_judgement(const JudgeTask& task) {
  model::Judgement judgement;
  judgement.subject = task.planned.subject;
  judgement.judge = task.judge.name;
  judgement.result = task.planned.result;
  judgement.commit = task.planned.commit;
  return judgement;
}

/// Returns an agent's last message, and adds its cost.
std::string words_of_agent(const model::RaceSpec& spec, const JudgeTask& task, const exec::JobResult& result,
                           const Layout& layout, model::Judgement& judgement) {
  const auto agent = judge_agent(spec, task, {}, layout);
  Attempt attempt;
  attempt.descriptor = spec.config.agents.at(agent.entry.id);
  attempt.options = reader_options(spec, agent);
  attempt.result = result;
  attempt.directory = layout.attempt(task.planned.subject, "judge", task.number);
  attempt.run_dir = layout.run(text(task.planned.subject));
  attempt.home = attempt.run_dir / "config";
  auto judged = read_and_judge(attempt);
  judgement.usage = judged.verdict.usage;
  if (judgement.invalid.empty() && !ended_well(judged.verdict.outcome)) {
    judgement.invalid = "failed";
    judgement.reason = sanitize(judged.verdict.message);
  }
  return judged.verdict.final_text;
}

model::Judgement read_end(const model::RaceSpec& spec, const JudgeTask& task, const exec::JobResult& result,
                          const Layout& layout) {
  auto judgement = begun_judgement(task);
  judgement.attempt = result.key;
  judgement.wall_ms = result.wall_ms;
  judgement.invalid = invalid_end(result, is_agent(task));
  if (!judgement.invalid.empty()) judgement.reason = sanitize(result.message);
  if (result.end == exec::End::start_failed) return judgement;
  const auto log = layout.attempt(task.planned.subject, "judge", task.number) / "stdout.log";
  const auto words = is_agent(task) ? words_of_agent(spec, task, result, layout, judgement)
                                    : exec::read_log(log, result.out);
  if (judgement.invalid.empty()) adapters::read_judgement(words, task.nonce, judgement);
  return judgement;
}

}  // namespace

void Judges::plan_judges(const RacePtr& race) {
  // Drawn only after every agent has ended, so that no agent can know the values.
  const auto seed = engine.ids.token().substr(0, 16), secret = engine.ids.token();
  emit(race->state.spec.id, model::JudgesPlanned{plan_judgements(race->state, seed, secret)});
}

void Judges::judge(const RacePtr& race, const Subject& subject) {
  const auto task = judge_task(race->state, subject);
  if (!task) return;
  const auto budget = task->judge.budget_usd;
  // A judgement that began before a restart is adopted, whatever its cost.
  const bool begun = was_begun(*task, race->layout);
  const bool spent_all = budget > 0 && judge_spent(race->state, task->judge.name) >= budget;
  if (!begun && (spent_all || (is_agent(*task) && agents.race_over_budget(race)))) {
    auto judgement = begun_judgement(*task);
    judgement.invalid = "over_budget";
    return emit(race->state.spec.id, model::Judged{std::move(judgement)});
  }
  background(
      [store_copy = *race->store, spec = race->state.spec, task = *task, layout = race->layout,
       begun]() -> Result<void> {
        return begun ? Result<void>{} : lay_out_judgement(store_copy, spec, task, layout);
      },
      [this, race, task = *task](const Result<void>& laid_out) {
        if (!lives(race) || race->state.cancelled) return;
        if (laid_out.ok()) return await_judge_turn(race, task);
        judge_ended(race, task, not_started({}, describe(laid_out.error())), {});
      });
}

// A command waits for a check slot; an agent waits for its provider and for exclusive use of its sign-in.
void Judges::await_judge_turn(const RacePtr& race, const JudgeTask& task) {
  const auto& spec = race->state.spec;
  const auto tag = Checks::tag(*race, task.planned.subject);
  if (!is_agent(task))
    return checks.slots_of_checks(*race).acquire(
        tag, Checks::priority_of(task.planned.subject, model::Dimension::tests), false,
        [this, race, task] {
          const auto held = std::make_shared<Holding>();
          held->add([this, race] { checks.slots_of_checks(*race).release(); });
          start_judge(race, task, held);
        },
        spec.created_ms);
  const auto agent = judge_agent(spec, task, {}, race->layout);
  agents.await_turn_of(race, tag, shared_sign_in(spec, agent, race->layout), provider_of(spec, agent.entry),
                       [this, race, task](const Held& held) { start_judge(race, task, held); });
}

Result<exec::JobSpec> Judges::judging_agent_job(const RacePtr& race, const JudgeTask& task) const {
  const auto& spec = race->state.spec;
  const auto& subject = task.planned.subject;
  engine.secrets.remember(spec, race->secrets);
  const auto agent = judge_agent(spec, task, prompt_of_judge(task, race->layout), race->layout);
  HYDRA_TRY(auto job, agent_job(spec, agent, task.number, race->layout, race->secrets));
  job.key = race->layout.key(subject, "judge", task.number);
  job.token = attempt_token(spec, job.key);
  job.attempt_dir = race->layout.attempt(subject, "judge", task.number);
  // Objects of the user's repository tell the authors of commits.
  const auto& others = spec.repository.alternates;
  std::erase_if(job.sandbox.binds, [&](const exec::Bind& bind) {
    const auto host = bind.host.string();
    return host.starts_with(spec.repository.common_dir) ||
           std::find(others.begin(), others.end(), host) != others.end();
  });
  HYDRA_CHECK(
      hide_own(job, hidden_places(options.paths, race->state.spec), race->layout.hidden(text(subject))));
  HYDRA_CHECK(hide_source(job, spec.hidden_source, race->layout.hidden(text(subject))));
  return job;
}

exec::JobSpec Judges::judging_command_job(const RacePtr& race, const JudgeTask& task) const {
  const auto& spec = race->state.spec;
  const auto input = texts_directory(task, race->layout);
  const bool sandboxed = model::sandboxed(spec);
  trees::Workspace workspace;
  workspace.host = race->layout.judge(task.planned.subject) / "tree";
  workspace.inside = sandboxed ? fs::path(spec.repository.root) : workspace.host;
  const fs::path texts = sandboxed ? fs::path(kJudgeInside) : input;
  if (sandboxed)
    workspace.binds = {{workspace.host, workspace.inside, false, false}, {input, texts, false, false}};
  auto job = check_job(spec, task.planned.subject, "judge", *task.judge.command, task.number, workspace,
                       race->layout, agents_alive(*race), race->tools);
  job.workdir = workspace.inside;
  job.merge_output = false;
  constexpr std::array<std::pair<const char*, const char*>, 4> kTexts{{{"HYDRA_TASK", "task.txt"},
                                                                       {"HYDRA_DIFF", "change.diff"},
                                                                       {"HYDRA_RUBRIC", "rubric.txt"},
                                                                       {"HYDRA_PROMPT", "prompt.txt"}}};
  for (const auto& [name, file] : kTexts) job.env.emplace_back(name, (texts / file).string());
  job.env.emplace_back("HYDRA_NONCE", task.nonce);
  return job;
}

void Judges::start_judge(const RacePtr& race, const JudgeTask& task, const Held& held) {
  if (!lives(race) || race->state.cancelled) return held->give_back();
  if (!is_agent(task) || was_begun(task, race->layout)) return submit_judge(race, task, held);
  // Only now, since the previous holder may have renewed the sign-in.
  background(
      [spec = race->state.spec, task, layout = race->layout] {
        const auto agent = judge_agent(spec, task, prompt_of_judge(task, layout), layout);
        return prepare_agent_files(spec, agent, layout);
      },
      [this, race, task, held](const Result<void>& prepared) {
        if (prepared.ok() && lives(race) && !race->state.cancelled) return submit_judge(race, task, held);
        judge_ended(race, task, not_started({}, prepared.ok() ? "" : describe(prepared.error())), held);
      });
}

void Judges::submit_judge(const RacePtr& race, const JudgeTask& task, const Held& held) {
  const auto& subject = task.planned.subject;
  const auto ended = [this, race, task, held](const exec::JobResult& result) {
    judge_ended(race, task, result, held);
  };
  if (!is_agent(task)) return checks.submit_check(race, subject, judging_command_job(race, task), ended);
  auto job = judging_agent_job(race, task);
  if (!job.ok())
    return ended(not_started(race->layout.key(subject, "judge", task.number), describe(job.error())));
  checks.submit(race, subject, *job, ended);
}

void Judges::judge_ended(const RacePtr& race, const JudgeTask& task, const exec::JobResult& result,
                         const Held& held) {
  struct Read {
    model::Judgement judgement;
    std::string sign_in;  ///< note about the sign-in file; may be empty
  };
  background(
      [spec = race->state.spec, layout = race->layout, task, result] {
        Read read{read_end(spec, task, result, layout), {}};
        if (is_agent(task)) {
          const auto agent = judge_agent(spec, task, {}, layout);
          read.sign_in = carry_sign_in_back(spec, agent, layout);
        }
        clear_judgement(spec, task, layout);
        return read;
      },
      [this, race, held, task](Result<Read> made) {
        Read read;
        if (made.ok())
          read = std::move(*made);
        else
          read.judgement = begun_judgement(task), read.judgement.invalid = "failed";
        if (held) held->give_back();
        if (!lives(race) || race->state.cancelled) return;
        const auto& id = race->state.spec.id;
        if (!read.sign_in.empty()) emit(id, model::Note{Subject::of(task.judge.name), read.sign_in});
        emit(id, model::Judged{std::move(read.judgement)});
      });
}

namespace {

Result<void> check_rating(const State& state, const RateCall& call) {
  if (call.rating < 1 || call.rating > 5)
    return Error{Errc::usage, "a rating is a whole number from 1 to 5", "rating", {}};
  const auto line = [](const std::string& text, std::size_t most) {
    return text.size() <= most && sanitize(text) == text;
  };
  if (!line(call.note, 2000) || !line(call.author, 200))
    return Error{Errc::usage, "note and author are one line each, of 2000 and 200 bytes at most", {}, {}};
  const auto* agent = state.agent(call.agent);
  if (!agent)
    return Error{Errc::not_found, "no agent '" + sanitize(call.agent) + "' in this race", state.spec.id, {}};
  if (!state.ended)
    return Error{Errc::conflict, "the race still runs", state.spec.id, "rate when it has ended: hydra watch"};
  if (!agent->capture) return Error{Errc::refused, call.agent + " has no result", state.spec.id, {}};
  return {};
}

std::string author_of(const State& state, const std::string& asked) {
  if (!asked.empty()) return asked;
  const auto& name = state.spec.repository.user_name;
  return name.empty() ? std::string("you") : sanitize(name).substr(0, 200);
}

}  // namespace

// If judges have a weight, the order may change; a rating never triggers a merge.
void Judges::rate(RateCall call, std::function<void(Result<wire::Rated>)> done) {
  const auto race = load(call.race);
  if (!race.ok()) return done(race.error());
  const auto& state = (*race)->state;
  if (auto checked = check_rating(state, call); !checked.ok()) return done(std::move(checked).error());
  const auto author = author_of(state, call.author);
  const model::Rated rated{call.agent, {author, static_cast<int>(call.rating), call.note}};
  auto after = std::make_shared<State>(state);
  apply(*after, {0, call.race, clock.now(), rated, {}});
  const bool again = state.ranking && state.spec.config.scoring.weights.judges > 0;
  if (again) after->ranking = ranking_of(*after);
  const auto answer = [call, author, after, again, done = std::move(done)](const Result<void>& stored) {
    if (!stored.ok()) return done(stored.error());
    const auto score = judged(*after, *after->agent(call.agent));
    done(wire::Rated{call.race, call.agent, author, call.rating, score ? score->score : std::nullopt,
                     score ? score->state : model::JudgesState::no_votes, score ? score->text : "", again,
                     after->ranking ? after->ranking->winner : ""});
  };
  std::vector<model::EventBody> events{rated};
  if (again) events.emplace_back(model::ScoringResult{*after->ranking});
  ask(call.race, std::move(events), answer);
}

}  // namespace hydra::race
