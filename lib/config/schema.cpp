#include "config/schema.hpp"

namespace hydra::config {
namespace {

using C = model::Config;

#define AT(member) [](C& c) -> Target { return &c.member; }
#define ONE_OF(member) [](C& c) -> Target { return choice(c.member); }

constexpr double kDay = 86400;
constexpr double kMany = 1e9;
constexpr double kBytes = 9007199254740992.0;  // 2^53

constexpr Rule kWeight{0, kMany};
constexpr Rule kPoints{0, 100};
constexpr Rule kTime{0, kDay, true};
constexpr Rule kTimeOrZero{0, kDay};
constexpr Rule kLongTime{0, 7 * kDay, true};
constexpr Rule kCount{0, 4096};
constexpr Rule kSize{0, kBytes};
constexpr Rule kBudgetUsd{0, 1e6};

const Key<C> kConfigKeys[] = {
    {"scoring.weights.build", AT(scoring.weights.build), kWeight, "weight"},
    {"scoring.weights.tests", AT(scoring.weights.tests), kWeight, "weight"},
    {"scoring.weights.lint", AT(scoring.weights.lint), kWeight, "weight"},
    {"scoring.weights.diff_size", AT(scoring.weights.diff_size), kWeight, "weight"},
    {"scoring.weights.speed", AT(scoring.weights.speed), kWeight, "weight"},
    {"scoring.weights.judges", AT(scoring.weights.judges), kWeight, "weight"},
    {"scoring.build_command", AT(scoring.build_command), form(Form::shell_command), "",
     "Builds the project; run by sh -c. Without it the dimension is left out and the other weights are "
     "scaled up.",
     "\"npm run build\""},
    {"scoring.test_command", AT(scoring.test_command), form(Form::shell_command), "",
     "Runs the tests; run by sh -c.", "\"npm test\""},
    {"scoring.lint_command", AT(scoring.lint_command), form(Form::shell_command), "",
     "Runs the linter; run by sh -c.", "\"npm run lint\""},
    {"scoring.test_reports", AT(scoring.test_reports), form(Form::reports), "",
     "Reports that the test command writes into $HYDRA_REPORTS, read before its output and held against it, "
     "as [\"{reports}/junit.xml\"]."},
    {"scoring.timeout_per_check_seconds", AT(scoring.timeout_per_check_seconds), kTime, "s",
     "Wall clock of one check; above 0."},
    {"scoring.thresholds.auto_merge_minimum", AT(scoring.thresholds.auto_merge_minimum), kPoints, "points",
     "A winner above this may be merged automatically; acts only with --auto-merge or [merge] auto = true."},
    {"scoring.thresholds.fail_maximum", AT(scoring.thresholds.fail_maximum), kPoints, "points",
     "When the best score is below this, the race is marked: all agents failed."},
    {"workspace.checks", ONE_OF(workspace.checks), kAny, "",
     "\"fresh\": checks run in their own workspace; \"in_place\": in the agent's directory (weaker)."},
    {"workspace.worktrees", ONE_OF(workspace.worktrees), kAny, "",
     "Each agent works in its own \"checkout\", or in an \"overlay\" over one that all share; \"auto\": "
     "in an overlay from 5,000 files on, where the sandbox can mount one."},
    {"workspace.home", ONE_OF(workspace.home), kAny, "",
     "Home of each agent: with your instructions, skills and commands (\"user\"), or \"plain\"; \"auto\": "
     "plain "
     "for tasks of a suite."},
    {"workspace.setup", AT(workspace.setup), form(Form::shell_command), "",
     "Run by sh -c once, in the template of the check workspaces, and again for a result that changes a "
     "manifest or lock file.",
     "\"npm ci\""},
    {"workspace.setup_network", AT(workspace.setup_network), kAny, "",
     "The set-up may use the network although checks may not."},
    {"workspace.copy", AT(workspace.copy), form(Form::relative_paths), "",
     "Files of your checkout that git does not hold, copied into every workspace, as [\".env\"]."},
    {"workspace.share", AT(workspace.share), form(Form::relative_paths), "",
     "Dependency directories of your checkout, copied into the template, as [\"node_modules\"]; \"**/NAME\" "
     "takes every directory of that name."},
    {"workspace.outputs", AT(workspace.outputs), form(Form::output_globs), "",
     "Build results, kept warm from the template and removed where a result deletes or renames sources, as "
     "[\"build\", \"**/dist\"]."},
    {"workspace.warm", AT(workspace.warm), form(Form::shell_command), "",
     "Run by sh -c in the template after the build, so that checks find more of it done.",
     "\"cargo test --no-run\""},
    {"workspace.run", AT(workspace.run), form(Form::shell_command), "",
     "Run by sh -c for `hydra try`: starts the program, which listens on $PORT.", "\"npm run dev\""},
    {"workspace.caches", AT(workspace.caches), form(Form::caches), "",
     "Tool caches of your home that checks may read, as [\"npm\", \"~/.cache/tool\"]; what checks write "
     "there is thrown away. Names: docs/workspaces.md."},
    {"workspace.env", AT(workspace.env), form(Form::env_settings), "",
     "Variables of set-up, checks and agents: a name of your shell's, or NAME=VALUE, as [\"JAVA_HOME\", "
     "\"DATABASE_URL=sqlite:test.db\"]."},
    {"workspace.env_pass", AT(workspace.env_pass), form(Form::env_patterns), "",
     "Further variables of your shell that set-up, checks and agents get, by name or as [\"PKG_CONFIG_*\"]."},
    {"workspace.read", AT(workspace.read), form(Form::paths), "",
     "Further paths that checks and agents may read, relative to the repository or absolute."},
    {"evaluation.verify", ONE_OF(evaluation.verify), kAny, "",
     "How thoroughly results are checked: \"fast\": protected paths are restored, nothing runs twice; "
     "\"standard\": also the agent's own tests if it changed protected ones, and failures again; "
     "\"strict\": also every result once more from nothing."},
    {"evaluation.protected", AT(evaluation.protected_paths), form(Form::protected_globs), "",
     "Further paths that checks take from the base, as [\"scripts/check.sh\", \"**/*.golden\"]; with \"!\" "
     "in front, paths of the built-in set that agents may change: \"!tests/fixtures\"."},
    {"evaluation.hidden", AT(evaluation.hidden), form(Form::shell_command), "",
     "Directory of hidden tests, laid over the tree when checks run; no agent sees them. Absolute or "
     "relative to the repository.",
     "\"../hidden-tests\""},
    {"evaluation.budget", AT(evaluation.budget), Rule{0, 100}, "ratio",
     "Time of cross tests and twins, as a multiple of the results' own checks, and at least a minute; "
     "0: none "
     "run. verify = \"strict\" has no limit."},
    {"evaluation.order", ONE_OF(scoring.order), kAny, "",
     "By what eligible results are ordered: \"evidence\": points of tests and evidence first, the composite "
     "within a tie; \"composite\": the composite alone. See docs/selection.md."},
    {"selection.testers", AT(selection.testers), form(Form::agent_list), "",
     "Agents that see the task and no result and write tests only: the strongest evidence. Each costs a run "
     "more.",
     "[\"claude\"]"},
    {"limits.agent_timeout_seconds", AT(limits.agent_timeout_seconds), kLongTime, "s",
     "Wall clock of one agent; above 0."},
    {"limits.agents", AT(limits.agents), kCount, "agents",
     "Agents at once in all your races together; 0: no limit."},
    {"limits.checks", AT(limits.checks), kCount, "checks",
     "Checks of this race at once; 0: as many as cores suffice for in all races together, two for each or "
     "one where the base's check kept one busy."},
    {"limits.memory_bytes", AT(limits.memory_bytes), kSize, "bytes",
     "Memory of each agent and each check; 0: no limit."},
    {"limits.processes", AT(limits.processes), Rule{0, 4194304}, "processes",
     "Processes of each agent and each check; 0: no limit."},
    {"limits.disk_bytes", AT(limits.disk_bytes), kSize, "bytes",
     "How much the files of one agent or check may grow; above it that job is ended, and its work is kept. "
     "0: no limit."},
    {"limits.disk_free_mib", AT(limits.disk_free_mib), Rule{0, 1048576}, "MiB",
     "Room that stays free on each disk: so much and at least a twentieth of it, or half of what is free "
     "when "
     "a job begins, if that is less. A job that uses it up is ended, as one above disk_bytes. 0: none."},
    {"limits.budget_usd", AT(limits.budget_usd), kBudgetUsd, "US dollars",
     "Cost limit of one agent, which is stopped at it; its work is kept. 0: no limit. See "
     "docs/adapters.md."},
    {"limits.budget_tokens", AT(limits.budget_tokens), kSize, "tokens",
     "Tokens of one agent: input without what was read from a cache, and output. 0: no limit."},
    {"limits.race_budget_usd", AT(limits.race_budget_usd), kBudgetUsd, "US dollars",
     "Cost limit of all agents of a race together; 0: no limit."},
    {"limits.race_budget_tokens", AT(limits.race_budget_tokens), kSize, "tokens",
     "Tokens of all agents of a race together; 0: no limit."},
    {"limits.idle_timeout", AT(limits.idle_timeout), Rule{0, 7 * kDay}, "s",
     "An agent without progress (a text, a tool call, a turn, tokens) for so long is stopped; 0: never. "
     "Without it: 900 for agents whose output is JSON Lines, never for others.",
     "900"},
    {"limits.per_provider", AT(limits.per_provider), kCount, "agents",
     "Agents of one provider at once, in all your races together; 0: no limit."},
    {"limits.retries", AT(limits.retries), Rule{0, 5}, "attempts",
     "How often an agent that ended with a rate limit or an error of its provider runs again by itself."},
    {"limits.retry_delay_seconds", AT(limits.retry_delay_seconds), kTimeOrZero, "s",
     "Time before the first of these retries; it doubles with each."},
    {"limits.disk_gib", AT(limits.disk_gib), Rule{0, 1048576}, "GiB",
     "Disk of all races and templates together; if they take more, no new race starts until `hydra clean` "
     "has made room. 0: no limit."},
    {"sandbox.mode", ONE_OF(sandbox.mode), kAny, "",
     "\"required\": no race without a sandbox; \"auto\": use what the machine has and say so; \"off\": "
     "none."},
    {"sandbox.isolation", ONE_OF(sandbox.isolation), kAny, "",
     "Kind of the sandbox: \"bwrap\" on this machine's own files, or \"podman\" or \"docker\" with an "
     "image (docs/cluster.md)."},
    {"sandbox.image", AT(sandbox.image), form(Form::shell_command), "",
     "Image of podman and docker, which has what agents and checks need; resolved once for a race, to the "
     "digest that every result names. \"./Containerfile\" is built, relative to the repository.",
     "\"docker.io/library/node:22\""},
    {"sandbox.check_network", AT(sandbox.check_network), kAny, "", "Checks may use the network."},
    {"sandbox.read", AT(sandbox.read), form(Form::host_paths), "",
     "Paths bound read-only in addition, as [\"~/.cargo\"]; ~ is your home."},
    {"sandbox.write", AT(sandbox.write), form(Form::host_paths), "",
     "Paths bound writable for agents in addition; every result says so."},
    {"execution.placement", ONE_OF(execution.placement), kAny, "",
     "Placement of agents and checks: on this machine (\"local\"), or as jobs of a Slurm cluster that shares "
     "Hydra's state directory and the repository (\"slurm\"). See docs/cluster.md. Only in your own file."},
    {"execution.sbatch", AT(execution.sbatch), form(Form::sbatch_options), "",
     "Resources of each job, as options of sbatch: [\"--partition=main\", \"--cpus-per-task=4\"]. Only in "
     "your own file."},
    {"execution.scratch", AT(execution.scratch), form(Form::host_paths), "",
     "Directory on each node's own disk: it holds worktrees of agents and checks while their jobs run, and "
     "only archives and logs pass the shared file system. Only in your own file.",
     "\"/scratch\""},
    {"merge.auto", AT(merge.automatic), kAny, "", "Merge a winner above auto_merge_minimum without asking."},
    {"merge.auto_merge_evidence", ONE_OF(merge.auto_merge_evidence), kAny, "",
     "Evidence that a winner needs before it is merged automatically: \"some\" or \"good\" evidence "
     "(docs/selection.md), or \"any\": none at all."},
    {"merge.style", ONE_OF(merge.style), kAny, "",
     "A \"merge\" commit, one commit instead (\"squash\"), or nothing but a fast-forward (\"ff_only\")."},
    {"merge.message", AT(merge.message), form(Form::shell_command), "",
     "Commit message; {task}, {agent}, {branch} and {score} are replaced.",
     "\"{task} ({agent}, {score} points)\""},
    {"notify.command", AT(notify.command), kAny, "",
     "Program and arguments run when a race has ended; it gets the end as JSON on its standard input. Only "
     "in your own file."},
    {"notify.webhook", AT(notify.webhook), form(Form::http_url), "",
     "Address that gets the same JSON by POST, https or http. Only in your own file.",
     "\"https://example.org/hook\""},
    {"standings.competitions", AT(standings.competitions), kAny, "",
     "Kinds of task or suites that share the emission, as [\"bugfix=0.6\", \"feature=0.4\"]; none: one "
     "competition of everything."},
    {"standings.stakes", AT(standings.stakes), kAny, "",
     "Trust in validators, as [\"ada=3\"]; others have 1."},
    {"standings.min_validators", AT(standings.min_validators), Rule{1, 4096}, "validators",
     "An entry that fewer validators tried has no score."},
    {"standings.min_stake_fraction", AT(standings.min_stake_fraction), Rule{0, 1}, "",
     "Part of all stakes that the validators of a score must hold."},
    {"standings.outlier_threshold", AT(standings.outlier_threshold), Rule{0, kMany}, "",
     "Modified z-score beyond which a validator's score is left out."},
    {"standings.strategy", ONE_OF(standings.strategy), kAny, "",
     "How weights follow from scores: linear, winner_takes_all, quadratic, ranked."},
    {"standings.top_n", AT(standings.top_n), Rule{1, 4096}, "entries", "Winners of winner_takes_all."},
    {"standings.cap", AT(standings.cap), Rule{0, 1}, "",
     "Largest part of all weights that one entry can have."},
    {"standings.improvement", AT(standings.improvement), Rule{0, 1}, "",
     "By which part the top score must be beaten to count as an improvement."},
    {"standings.grace_epochs", AT(standings.grace_epochs), Rule{0, 100000}, "epochs",
     "Epochs without an improvement before the decay begins."},
    {"standings.decay", ONE_OF(standings.decay), kAny, "", "Curve of the decay: linear or exponential."},
    {"standings.decay_rate", AT(standings.decay_rate), Rule{0, 1}, "", "Decay of one stale epoch."},
    {"standings.max_burn", AT(standings.max_burn), Rule{0, 100}, "percent", "The most that is burnt."},
    {"reward.damage_dealt", AT(reward.damage_dealt), Rule{0, kMany}, "",
     "Reward of `hydra export --format rewards` for all failing tests of the base that a result fixes, in "
     "shares."},
    {"reward.damage_received", AT(reward.damage_received), Rule{-kMany, 0}, "",
     "The same for all passing tests of the base that it breaks."},
    {"reward.survival", AT(reward.survival), Rule{-2, 2}, "", "For an eligible result."},
    {"reward.wasted_action", AT(reward.wasted_action), Rule{-kMany, 0}, "",
     "For a result that changes nothing."},
    {"reward.death_penalty", AT(reward.death_penalty), Rule{-2, -1}, "",
     "For a result that is not eligible."},
    {"race.preflight", ONE_OF(preflight), kAny, "",
     "Whether agents wait for the baseline's checks: auto (until these work, in a repository "
     "in which they "
     "never did: no failure for 20 s, or 5 s after the build), always (until they have ended), never."},
    {"race.agents", AT(default_agents), form(Form::agent_list), "",
     "Agents of a race without --agents: names, NAME:COUNT, NAME=MODEL.", "[\"claude\", \"codex:2\"]"},
};

#undef AT
#define AT(member) [](model::JudgeConfig& c) -> Target { return &c.member; }

const Key<model::JudgeConfig> kJudgeKeys[] = {
    {"name", AT(name), form(Form::judge_name), "", "Its name in results: a-z, 0-9 and -.", "\"reviewer\""},
    {"command", AT(command), form(Form::shell_command), "",
     "Run by sh -c in the result's tree, which it can't write to; task, diff, rubric, prompt and nonce are "
     "in $HYDRA_TASK, $HYDRA_DIFF, $HYDRA_RUBRIC, $HYDRA_PROMPT (files) and $HYDRA_NONCE. Either this or "
     "agent.",
     "\"python3 /opt/judge.py\""},
    {"agent", AT(agent), form(Form::any), "",
     "An agent that judges by the rubric: NAME or NAME=MODEL; each judgement is a run of it."},
    {"rubric", AT(rubric), form(Form::any), "", "Criteria, in words."},
    {"stake", AT(stake), Rule{0, 1e12, true}, "", "Trust that it gets beside the others; above 0."},
    {"budget_usd", AT(budget_usd), kBudgetUsd, "US dollars",
     "Cost limit of all its judgements in a race, checked before each of them; 0: no limit."},
};

#undef AT

}  // namespace

std::span<const Key<model::Config>> config_keys() { return kConfigKeys; }

std::span<const Key<model::JudgeConfig>> judge_keys() { return kJudgeKeys; }

}  // namespace hydra::config
