#include "config/schema.hpp"

#include <array>

namespace hydra::config {
namespace {

using C = model::Config;
using D = model::AgentDescriptor;

constexpr std::array<std::string_view, 2> kIsolation{"private", "linked"};
constexpr std::array<std::string_view, 2> kChecks{"fresh", "in_place"};
constexpr std::array<std::string_view, 3> kPreflight{"auto", "always", "never"};
constexpr std::array<std::string_view, 3> kVerify{"fast", "standard", "strict"};
constexpr std::array<std::string_view, 3> kOnTamper{"block", "hold", "report"};
constexpr std::array<std::string_view, 3> kSandbox{"required", "auto", "off"};
constexpr std::array<std::string_view, 3> kPrompt{"argument", "stdin", "file"};
constexpr std::array<std::string_view, 4> kFormat{"text", "jsonl", "json_last", "json_whole"};
constexpr std::array<std::string_view, 2> kHome{"shared", "per_run"};
constexpr std::array<std::string_view, 4> kUsage{"none", "last", "sum", "max"};

// The names stand in the order of the enumerators.
template <class E>
Choice choice(E& member, std::span<const std::string_view> names) {
  return {names, &member, [](const void* p) { return static_cast<int>(*static_cast<const E*>(p)); },
          [](void* p, int i) { *static_cast<E*>(p) = static_cast<E>(i); }};
}

#define AT(member) [](C& c) -> Target { return &c.member; }
#define ONE_OF(member, names) [](C& c) -> Target { return choice(c.member, names); }
#define AGENT(member) [](D& d) -> Target { return &d.member; }
#define AGENT_ONE_OF(member, names) [](D& d) -> Target { return choice(d.member, names); }

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

Rule form(Form f) {
  Rule rule;
  rule.form = f;
  return rule;
}

const Key<C> kConfigKeys[] = {
    {"scoring.weights.build", AT(scoring.weights.build), kWeight, "weight"},
    {"scoring.weights.tests", AT(scoring.weights.tests), kWeight, "weight"},
    {"scoring.weights.lint", AT(scoring.weights.lint), kWeight, "weight"},
    {"scoring.weights.diff_size", AT(scoring.weights.diff_size), kWeight, "weight"},
    {"scoring.weights.speed", AT(scoring.weights.speed), kWeight, "weight"},
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
     "as "
     "[\"{reports}/junit.xml\"]."},
    {"scoring.lint_reports", AT(scoring.lint_reports), form(Form::reports), "",
     "The same for the lint command, as [\"{reports}/eslint.json\"]."},
    {"scoring.timeout_per_check_seconds", AT(scoring.timeout_per_check_seconds), kTime, "s",
     "Wall clock of one check; above 0."},
    {"scoring.allow_trivial",
     AT(scoring.allow_trivial),
     {},
     "",
     "A change of white space or file modes only counts as a change."},
    {"scoring.thresholds.auto_merge_minimum", AT(scoring.thresholds.auto_merge_minimum), kPoints, "points",
     "A winner above this may be merged by itself; acts only with --auto-merge or [merge] auto = true."},
    {"scoring.thresholds.fail_maximum", AT(scoring.thresholds.fail_maximum), kPoints, "points",
     "When the best score is below this, the race is marked: all agents failed."},
    {"workspace.isolation",
     ONE_OF(workspace.isolation, kIsolation),
     {},
     "",
     "Each agent works in a \"private\" repository that borrows your objects, or in a \"linked\" worktree of "
     "yours."},
    {"workspace.checks",
     ONE_OF(workspace.checks, kChecks),
     {},
     "",
     "\"fresh\": checks run in a workspace of their own; \"in_place\": in the agent's directory (weaker)."},
    {"workspace.setup", AT(workspace.setup), form(Form::shell_command), "",
     "Run by sh -c once, in the template of the check workspaces, and again for a candidate that changes a "
     "manifest or lock file.",
     "\"npm ci\""},
    {"workspace.setup_timeout_seconds", AT(workspace.setup_timeout_seconds), kTime, "s",
     "Wall clock of the set-up; above 0."},
    {"workspace.setup_network",
     AT(workspace.setup_network),
     {},
     "",
     "The set-up may use the network although checks may not."},
    {"workspace.copy", AT(workspace.copy), form(Form::relative_paths), "",
     "Files of your checkout that git does not hold, copied into every workspace, as [\".env\"]."},
    {"workspace.share", AT(workspace.share), form(Form::relative_paths), "",
     "Dependency directories of your checkout, copied into the template, as [\"node_modules\"]; \"**/NAME\" "
     "takes every directory of that name."},
    {"workspace.outputs", AT(workspace.outputs), form(Form::output_globs), "",
     "Build results, kept warm from the template and removed where a candidate deletes or renames sources, "
     "as "
     "[\"build\", \"**/dist\"]."},
    {"workspace.warm", AT(workspace.warm), form(Form::shell_command), "",
     "Run by sh -c in the template after the build, so that checks find more of it done.",
     "\"cargo test --no-run\""},
    {"workspace.caches", AT(workspace.caches), form(Form::caches), "",
     "Tool caches of your home that checks may read, as [\"npm\", \"~/.cache/tool\"]; what checks write "
     "there is "
     "thrown away. Names: docs/workspaces.md."},
    {"workspace.ports", AT(workspace.ports), Rule{0, 16}, "ports",
     "Ports leased to each check when checks share the host's network, in $HYDRA_PORT_0 and so on."},
    {"workspace.read", AT(workspace.read), form(Form::paths), "",
     "Further paths that checks and agents may read, relative to the repository or absolute."},
    {"evaluation.verify",
     ONE_OF(evaluation.verify, kVerify),
     {},
     "",
     "How much is paid for certainty: \"fast\": protected paths are restored, nothing runs twice; "
     "\"standard\": "
     "also the agent's own tests where it changed protected ones, and failures again; \"strict\": also every "
     "result once more from nothing."},
    {"evaluation.baseline_runs", AT(evaluation.baseline_runs), Rule{0, 5}, "runs",
     "How often the base's tests run, to tell unstable ones; 0: once with \"fast\", else twice."},
    {"evaluation.protected", AT(evaluation.protected_paths), form(Form::output_globs), "",
     "Further paths that checks take from the base, as [\"scripts/check.sh\", \"**/*.golden\"]."},
    {"evaluation.unprotected", AT(evaluation.unprotected_paths), form(Form::output_globs), "",
     "Paths of the built-in set that agents may change, as [\"tests/fixtures\"]."},
    {"evaluation.hidden", AT(evaluation.hidden), form(Form::shell_command), "",
     "Directory of hidden tests, laid over the tree when checks run; no agent sees them. Absolute or "
     "relative "
     "to the repository.",
     "\"../hidden-tests\""},
    {"evaluation.on_tamper",
     ONE_OF(evaluation.on_tamper, kOnTamper),
     {},
     "",
     "A blocking finding of the tamper report makes a result ineligible (\"block\"), keeps it from being "
     "merged "
     "by itself (\"hold\"), or is only shown (\"report\")."},
    {"limits.agent_timeout_seconds", AT(limits.agent_timeout_seconds), kLongTime, "s",
     "Wall clock of one agent; above 0."},
    {"limits.stop_grace_seconds", AT(limits.stop_grace_seconds), kTimeOrZero, "s",
     "Time between the polite stop signal and the kill."},
    {"limits.agents", AT(limits.agents), kCount, "agents", "Agents at once; 0: no limit."},
    {"limits.agents_total", AT(limits.agents_total), kCount, "agents",
     "Agents at once in all your races together; 0: no limit."},
    {"limits.checks", AT(limits.checks), kCount, "checks",
     "Checks of this race at once; 0: half as many as there are cores in all races together, each with CPUs "
     "of its own."},
    {"limits.log_head_bytes", AT(limits.log_head_bytes), kSize, "bytes",
     "Kept of the beginning of each log."},
    {"limits.log_tail_bytes", AT(limits.log_tail_bytes), kSize, "bytes", "Kept of the end of each log."},
    {"limits.memory_bytes", AT(limits.memory_bytes), kSize, "bytes", "Per agent and per check; 0: no limit."},
    {"limits.processes", AT(limits.processes), Rule{0, 4194304}, "processes",
     "Per agent and per check; 0: no limit."},
    {"limits.disk_bytes", AT(limits.disk_bytes), kSize, "bytes",
     "By which the files of one agent may grow, or of one check; over it it is ended, and its work kept. 0: "
     "no "
     "limit."},
    {"limits.template_cache_gib", AT(limits.template_cache_gib), Rule{0, 65536}, "GiB",
     "Disk that templates of check workspaces may keep between races, oldest go first; 0: none is kept."},
    {"limits.budget_usd", AT(limits.budget_usd), kBudgetUsd, "US dollars",
     "What one agent may cost; over it the agent is stopped and its work kept. 0: no limit. See "
     "docs/budgets.md."},
    {"limits.budget_tokens", AT(limits.budget_tokens), kSize, "tokens",
     "Tokens of one agent: input without what was read from a cache, and output. 0: no limit."},
    {"limits.race_budget_usd", AT(limits.race_budget_usd), kBudgetUsd, "US dollars",
     "What all agents of a race may cost together; 0: no limit."},
    {"limits.race_budget_tokens", AT(limits.race_budget_tokens), kSize, "tokens",
     "Tokens of all agents of a race together; 0: no limit."},
    {"limits.idle_timeout", AT(limits.idle_timeout), Rule{0, 7 * kDay}, "s",
     "An agent without progress (a text, a tool call, a turn, tokens) for so long is stopped; 0: never. "
     "Without "
     "it: 900 for agents whose output is JSON Lines, never for others.",
     "900"},
    {"limits.exit_grace_seconds", AT(limits.exit_grace_seconds), kTime, "s",
     "An agent that has reported its end may take so long to exit before it is stopped; its end counts."},
    {"limits.per_provider", AT(limits.per_provider), kCount, "agents",
     "Agents of one provider at once, in all your races together; 0: no limit."},
    {"limits.stagger_seconds", AT(limits.stagger_seconds), Rule{0, 600}, "s",
     "Time between two starts of agents of one provider."},
    {"limits.retries", AT(limits.retries), Rule{0, 5}, "attempts",
     "How often an agent that ended with a rate limit or an error of its provider runs again by itself."},
    {"limits.retry_delay_seconds", AT(limits.retry_delay_seconds), kTimeOrZero, "s",
     "Time before the first of these retries; it doubles with each."},
    {"limits.disk_gib", AT(limits.disk_gib), Rule{0, 1048576}, "GiB",
     "Disk of all races and templates together; where they take more, no new race starts until `hydra clean` "
     "has made room. 0: no limit."},
    {"sandbox.mode",
     ONE_OF(sandbox.mode, kSandbox),
     {},
     "",
     "\"required\": no race without a sandbox; \"auto\": use what the machine has and say so; \"off\": "
     "none."},
    {"sandbox.check_network", AT(sandbox.check_network), {}, "", "Checks may use the network."},
    {"sandbox.read", AT(sandbox.read), form(Form::host_paths), "",
     "Paths bound read-only in addition, as [\"~/.cargo\"]; ~ is your home."},
    {"sandbox.write", AT(sandbox.write), form(Form::host_paths), "",
     "Paths bound writable for agents in addition; every result says so."},
    {"merge.auto", AT(merge.automatic), {}, "", "Merge a winner above auto_merge_minimum without asking."},
    {"merge.squash", AT(merge.squash), {}, "", "One commit instead of a merge."},
    {"merge.ff_only", AT(merge.ff_only), {}, "", "Refuse what is not a fast-forward."},
    {"merge.message", AT(merge.message), form(Form::shell_command), "",
     "Commit message; {task}, {agent}, {branch} and {score} are replaced.",
     "\"{task} ({agent}, {score} points)\""},
    {"capture.generated", AT(capture.generated), form(Form::relative_paths), "",
     "Directories whose content is left out of a capture where the agent's own new ignore rules hide it."},
    {"capture.max_file_mib", AT(capture.max_file_mib), Rule{1, 1000}, "MiB",
     "A larger file is left out of a capture, and named with the result."},
    {"clean.keep_days", AT(clean.keep_days), Rule{0, 36500}, "days",
     "How long `hydra clean` leaves captures and evidence of an ended race; workspaces go before."},
    {"notify.command",
     AT(notify.command),
     {},
     "",
     "Program and arguments run when a race has ended; it gets the end as JSON on its standard input. Only "
     "in "
     "your own file."},
    {"notify.webhook", AT(notify.webhook), form(Form::http_url), "",
     "Address that gets the same JSON by POST, https or http. Only in your own file.",
     "\"https://example.org/hook\""},
    {"notify.desktop", AT(notify.desktop), {}, "", "A desktop notification, where there is a session bus."},
    {"race.preflight",
     ONE_OF(preflight, kPreflight),
     {},
     "",
     "Whether agents wait until the baseline's checks have run: auto (until they have worked once in this "
     "repository), always, never."},
    {"race.agents", AT(default_agents), form(Form::agent_list), "",
     "Agents of a race without --agents: names, NAME:COUNT, NAME=MODEL.", "[\"claude\", \"codex:2\"]"},
};

// The same keys for a rule that is a member of the descriptor, and for one in a list.
#define USAGE_KEYS(prefix, at_one, at)                                                                      \
  {prefix "mode",                                                                                           \
   at_one(mode),                                                                                            \
   {},                                                                                                      \
   "",                                                                                                      \
   "\"last\": the last line that matches counts, \"sum\": all are added up, \"max\": the greatest of each " \
   "number."},                                                                                              \
      {prefix "when", at(when), {}, "", "Lines that carry usage."},                                         \
      {prefix "unique", at(unique), form(Form::pointer), "",                                                \
       "Pointer to an id; with \"sum\", lines of one id count once."},                                      \
      {prefix "input", at(input), form(Form::pointer), "tokens", "Input tokens."},                          \
      {prefix "output", at(output), form(Form::pointer), "tokens", "Output tokens."},                       \
      {prefix "cache_read", at(cache_read), form(Form::pointer), "tokens",                                  \
       "Input tokens read from a cache."},                                                                  \
      {prefix "cache_write", at(cache_write), form(Form::pointer), "tokens",                                \
       "Input tokens written to a cache."},                                                                 \
      {prefix "reasoning", at(reasoning), form(Form::pointer), "tokens", "Reasoning tokens."},              \
      {prefix "cost_usd", at(cost_usd), form(Form::pointer), "US dollars", "Money."},                       \
      {prefix "input_includes_cache",                                                                       \
       at(input_includes_cache),                                                                            \
       {},                                                                                                  \
       "",                                                                                                  \
       "The input count holds the cached tokens too."},                                                     \
      {prefix "output_excludes_reasoning",                                                                  \
       at(output_excludes_reasoning),                                                                       \
       {},                                                                                                  \
       "",                                                                                                  \
       "The output count does not hold the reasoning tokens."},                                             \
  {                                                                                                         \
    prefix "cumulative", at(cumulative), {}, "", "It counts from the session's start, also when resumed."   \
  }
#define RULE(member) [](model::UsageRule& r) -> Target { return &r.member; }
#define RULE_ONE_OF(member) [](model::UsageRule& r) -> Target { return choice(r.member, kUsage); }
#define IN_USAGE(member) AGENT(stream.usage.member)
#define IN_USAGE_ONE_OF(member) AGENT_ONE_OF(stream.usage.member, kUsage)
#define IN_FILE(member) AGENT(stream.usage_file.rule.member)
#define IN_FILE_ONE_OF(member) AGENT_ONE_OF(stream.usage_file.rule.member, kUsage)

const Key<model::UsageRule> kUsageKeys[] = {USAGE_KEYS("", RULE_ONE_OF, RULE)};

#define PRICE(member) [](model::Price& p) -> Target { return &p.member; }
constexpr Rule kMoney{0, 1e6};

const Key<model::Price> kPriceKeys[] = {
    {"input", PRICE(input), kMoney, "US dollars per million tokens", "Input."},
    {"output", PRICE(output), kMoney, "US dollars per million tokens", "Output, reasoning with it."},
    {"cache_read", PRICE(cache_read), kMoney, "US dollars per million tokens", "Input read from a cache."},
    {"cache_write", PRICE(cache_write), kMoney, "US dollars per million tokens", "Input written to a cache."},
};

const Key<D> kAgentKeys[] = {
    {"display", AGENT(display), {}, "", "Name in results.", "\"My Agent\""},
    {"command", AGENT(command), form(Form::argv), "",
     "Program and arguments, never a shell line. {prompt} {prompt_file} {worktree} {model} {run_dir} {home} "
     "{session_uuid} {timeout_s} are replaced; \"{?model:--model}\", \"{?model}\" vanish without a model; "
     "\"{{\" is a brace.",
     "[\"my-agent\", \"--yes\", \"{?model:--model}\", \"{?model}\", \"{prompt}\"]"},
    {"long_command", AGENT(long_command), form(Form::argv_or_empty), "",
     "Instead of `command` when the prompt does not fit into an argument (128 KiB) or would look like an "
     "option: the "
     "prompt then comes on stdin or by {prompt_file}."},
    {"prompt",
     AGENT_ONE_OF(prompt, kPrompt),
     {},
     "",
     "How the prompt goes in when neither {prompt} nor {prompt_file} stands in `command`: as last argument, "
     "on stdin, "
     "or as the path of a file in the last argument."},
    {"env", AGENT(env), form(Form::env_values), "", "Variables set for the agent; placeholders work."},
    {"env_if_root", AGENT(env_if_root), form(Form::env_values), "", "Set only when Hydra runs as root."},
    {"env_pass", AGENT(env_pass), form(Form::env_patterns), "",
     "Variables passed on from your environment, NAME or PREFIX_*, beyond the allow-list. Default for custom "
     "agents: none."},
    {"env_unset", AGENT(env_unset), form(Form::env_patterns), "", "Variables never passed on."},
    {"install_hint", AGENT(install_hint), {}, "", "Shown when the program is missing."},
    {"sign_in_hint",
     AGENT(sign_in_hint),
     {},
     "",
     "Shown when it is not signed in, as \"run `my-agent login`\"."},
    {"provider", AGENT(provider), {}, "", "Whose limits its model calls share; empty: only its own."},
    {"models", AGENT(models), {}, "", "Names of models worth suggesting."},
    {"resume_command", AGENT(resume_command), form(Form::resume_argv), "",
     "Like `command`, going on with session {session}; empty: it can't."},
    {"version.min", AGENT(version_min), {}, "", "Oldest version that fits."},
    {"version.tested",
     AGENT(version_tested),
     {},
     "",
     "Newest version that was tried; a newer one is warned about."},
    {"probe.command", AGENT(probe_command), form(Form::argv_or_empty), "", "Prints the version."},
    {"probe.regex", AGENT(probe_regex), form(Form::regex), "", "First group is the version."},
    {"probe.timeout_seconds", AGENT(probe_timeout_seconds), Rule{0, 600, true}, "s",
     "Wall clock of a probe."},
    {"auth.env", AGENT(auth_env), form(Form::env_names), "",
     "Any of these set means signed in; passed on, kept secret."},
    {"auth.files", AGENT(auth_files), form(Form::relative_paths), "",
     "Relative to your home; one means probably signed in."},
    {"auth.command", AGENT(auth_command), form(Form::argv_or_empty), "", "Exit 0 means signed in."},
    {"auth.static",
     AGENT(auth_static),
     {},
     "",
     "The sign-in file is never rewritten by the agent, so several runs may use it at once."},
    {"auth.rotates", AGENT(auth_rotates), form(Form::relative_paths), "",
     "Those of auth.files that the agent rewrites: used by one run at a time, and carried back. Default: "
     "all, "
     "unless auth.static."},
    {"home.variable",
     AGENT(home_variable),
     {},
     "",
     "Variable that names the agent's configuration directory."},
    {"home.policy",
     AGENT_ONE_OF(home, kHome),
     {},
     "",
     "\"per_run\": a fresh configuration directory for every run."},
    {"home.seed", AGENT(home_seed), form(Form::home_paths), "",
     "Files of your home copied into it: \"SOURCE\", \"SOURCE?\" when it may be missing, \"SOURCE -> "
     "TARGET\"."},
    {"home.write", AGENT(home_write), form(Form::any), "", "Files written into it: path = content."},
    {"stop",
     AGENT(stop),
     {},
     "",
     "Signals of the stop ladder, as [{ signal = \"INT\", wait_seconds = 5 }]; KILL ends it."},
    {"litter", AGENT(litter), form(Form::relative_paths), "",
     "Paths that the agent itself leaves in the repository."},
    {"exit.ok", AGENT(ok_exit), Rule{0, 255}, "", "Exit codes that mean success."},
    {"exit.ignore", AGENT(ignore_exit_code), {}, "", "The exit code says nothing; only the stream counts."},
    {"exit.class", AGENT(exit_class), form(Form::exit_classes), "",
     "What exit codes mean: { 41 = \"auth\" }; auth, rate_limit, provider, agent_error, launch_error."},
    {"stream.format",
     AGENT_ONE_OF(stream.format, kFormat),
     {},
     "",
     "\"jsonl\": a JSON object a line, \"json_last\": the last such line counts, \"json_whole\": all output "
     "is one object."},
    {"stream.max_line_bytes", AGENT(stream.max_line_bytes), Rule{1024, 1u << 30}, "bytes",
     "Longer lines are skipped as log."},
    {"stream.session_when",
     AGENT(stream.session_when),
     {},
     "",
     "Line that names the session, as { type = \"init\" }; none given: every line."},
    {"stream.session_path", AGENT(stream.session_path), form(Form::pointer), "",
     "JSON pointer to the session id."},
    {"stream.progress",
     AGENT(stream.progress),
     {},
     "",
     "Lines that count as progress; none given: every line."},
    {"stream.retry_when", AGENT(stream.retry_when), {}, "", "Lines that report a retry of the model call."},
    {"stream.retry_status", AGENT(stream.retry_status), form(Form::pointer), "",
     "Pointer to their HTTP status."},
    {"stream.retry_text", AGENT(stream.retry_text), form(Form::pointer), "", "Pointer to their text."},
    {"stream.retry_regex", AGENT(stream.retry_regex), form(Form::regex), "", "What that text must match."},
    {"stream.terminal_when", AGENT(stream.terminal_when), {}, "", "Line that ends a run."},
    {"stream.terminal_required",
     AGENT(stream.terminal_required),
     {},
     "",
     "Without it the run was cut, also with exit code 0."},
    {"stream.terminal_ok", AGENT(stream.terminal_ok), {}, "", "Conditions on it that mean success."},
    {"stream.terminal_text", AGENT(stream.terminal_text), form(Form::pointer), "",
     "Pointer to the final text."},
    {"stream.error_when", AGENT(stream.error_when), {}, "", "Lines that mean failure."},
    {"stream.error_text", AGENT(stream.error_text), form(Form::pointer), "",
     "Pointer to the text of an error."},
    {"stream.error_status", AGENT(stream.error_status), form(Form::pointer), "",
     "Pointer to its HTTP status."},
    {"stream.error_regex", AGENT(stream.error_regex), form(Form::regex), "",
     "A final text that matches is an error whatever else is said. Anchor it: agents write about errors "
     "too."},
    {"stream.denied_when", AGENT(stream.denied_when), {}, "", "Line that lists refused actions."},
    {"stream.denied_path", AGENT(stream.denied_path), form(Form::pointer), "", "Pointer to that list."},
    {"stream.text_paths", AGENT(stream.text_paths), form(Form::pointers), "",
     "Pointers to text worth showing."},
    {"stream.tool_paths", AGENT(stream.tool_paths), form(Form::pointers), "",
     "Pointers to the name of the tool in use."},
    {"stream.skip_prefixes",
     AGENT(stream.skip_prefixes),
     {},
     "",
     "Lines that begin so are not read, but count as progress."},
    {"stream.resume_when",
     AGENT(stream.resume_when),
     {},
     "",
     "Lines after which an earlier end no longer counts: the run goes on."},
    {"stream.session_guard",
     AGENT(stream.session_guard),
     {},
     "",
     "Every line names the session; a line that names another one is not the agent's."},
    {"stream.error_class", AGENT(stream.error_class), form(Form::pointer), "",
     "Pointer to the agent's own word for the kind of an error."},
    {"stream.model_when",
     AGENT(stream.model_when),
     {},
     "",
     "Line that names the model; none given: every line."},
    {"stream.model_path", AGENT(stream.model_path), form(Form::pointer), "",
     "Pointer to the name of the model."},
    {"stream.turns", AGENT(stream.turns), form(Form::pointer), "", "Pointer to the number of model calls."},
    {"stream.turn_when", AGENT(stream.turn_when), {}, "", "Lines that are one model call each."},
    {"stream.tool_when", AGENT(stream.tool_when), {}, "", "Lines that are one use of a tool each."},
    {"stream.stderr_error_when",
     AGENT(stream.stderr_error_when),
     {},
     "",
     "A JSON line of standard error that means failure."},
    {"stream.stderr_error_text", AGENT(stream.stderr_error_text), form(Form::pointer), "",
     "Pointer to its text."},
    {"stream.stderr_retry_regex", AGENT(stream.stderr_retry_regex), form(Form::regex), "",
     "A retry on standard error; the first group is its HTTP status."},
    {"stream.stderr_denied_regex", AGENT(stream.stderr_denied_regex), form(Form::regex), "",
     "A refused action on standard error."},
    {"stream.text.usage", AGENT(stream.text.usage), form(Form::regex), "",
     "Line of plain text with usage; groups named input, output, cache_read, cache_write, cost."},
    {"stream.text.input_includes_cache",
     AGENT(stream.text.input_includes_cache),
     {},
     "",
     "The input number holds the cached tokens too."},
    {"stream.text.sum_tokens",
     AGENT(stream.text.sum_tokens),
     {},
     "",
     "Tokens of such lines are added up, else the last counts; of costs the greatest counts."},
    {"stream.text.error", AGENT(stream.text.error), form(Form::regex), "",
     "Line of plain text that means failure."},
    {"stream.text.progress", AGENT(stream.text.progress), form(Form::regex), "",
     "Line of plain text that counts as progress; none given: every line."},
    {"stream.text.session", AGENT(stream.text.session), form(Form::regex), "",
     "First group is the session id."},
    {"stream.text.tool", AGENT(stream.text.tool), form(Form::regex), "", "First group is the tool in use."},
    USAGE_KEYS("stream.usage.", IN_USAGE_ONE_OF, IN_USAGE),
    {"stream.usage_fallback",
     AGENT(stream.usage_fallbacks),
     {},
     "",
     "Tables like `usage`: the first that counted anything is used when `usage` did not, as for killed "
     "runs."},
    {"stream.usage_file.path", AGENT(stream.usage_file.path), form(Form::path_template), "",
     "A file with the usage, read when the agent is gone: {run_dir}, {home}, {session}; * matches inside a "
     "name."},
    {"stream.usage_file.format", AGENT_ONE_OF(stream.usage_file.format, kFormat), {}, "", "Its format."},
    USAGE_KEYS("stream.usage_file.", IN_FILE_ONE_OF, IN_FILE),
};

}  // namespace

std::span<const Key<model::Config>> config_keys() { return kConfigKeys; }
std::span<const Key<model::AgentDescriptor>> agent_keys() { return kAgentKeys; }
std::span<const Key<model::UsageRule>> usage_keys() { return kUsageKeys; }
std::span<const Key<model::Price>> price_keys() { return kPriceKeys; }

}  // namespace hydra::config
