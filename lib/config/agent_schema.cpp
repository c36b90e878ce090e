#include "config/schema.hpp"

namespace hydra::config {
namespace {

using D = model::AgentDescriptor;

#define AGENT(member) [](D& d) -> Target { return &d.member; }
#define AGENT_ONE_OF(member) [](D& d) -> Target { return choice(d.member); }

// Keys of a usage rule, used for a member of the descriptor and for list elements.
#define USAGE_KEYS(prefix, at_one, at)                                                                      \
  {prefix "mode", at_one(mode), kAny, "",                                                                   \
   "\"last\": the last line that matches counts, \"sum\": all are added up, \"max\": the greatest of each " \
   "number."},                                                                                              \
      {prefix "when", at(when), kAny, "", "Lines that carry usage."},                                       \
      {prefix "unique", at(unique), form(Form::pointer), "",                                                \
       "Pointer to an id; with \"sum\", lines of one id count once."},                                      \
      {prefix "input", at(input), form(Form::pointer), "tokens", "Input tokens."},                          \
      {prefix "output", at(output), form(Form::pointer), "tokens", "Output tokens."},                       \
      {prefix "cache_read", at(cache_read), form(Form::pointer), "tokens",                                  \
       "Input tokens read from a cache."},                                                                  \
      {prefix "cache_write", at(cache_write), form(Form::pointer), "tokens",                                \
       "Input tokens written to a cache."},                                                                 \
      {prefix "reasoning", at(reasoning), form(Form::pointer), "tokens", "Reasoning tokens."},              \
      {prefix "total", at(total), form(Form::pointer), "tokens",                                            \
       "All tokens: what input and output leave of them is reasoning."},                                    \
      {prefix "cost_usd", at(cost_usd), form(Form::pointer), "US dollars", "Money."},                       \
      {prefix "input_includes_cache", at(input_includes_cache), kAny, "",                                   \
       "The input count holds the cached tokens too."},                                                     \
      {prefix "output_excludes_reasoning", at(output_excludes_reasoning), kAny, "",                         \
       "The output count does not hold the reasoning tokens."},                                             \
      {prefix "cumulative", at(cumulative), kAny, "",                                                       \
       "It counts from the session's start, also when resumed."},                                           \
      {prefix "cumulative_from", at(cumulative_from), kAny, "",                                             \
       "So it does since this version of the program (stream.version_path)."},                              \
  {                                                                                                         \
    prefix "cost_cumulative_from", at(cost_cumulative_from), kAny, "",                                      \
        "Only money counts from the session's start, since this version of the program."                    \
  }
#define RULE(member) [](model::UsageRule& r) -> Target { return &r.member; }
#define RULE_ONE_OF(member) [](model::UsageRule& r) -> Target { return choice(r.member); }
#define IN_USAGE(member) AGENT(stream.usage.member)
#define IN_USAGE_ONE_OF(member) AGENT_ONE_OF(stream.usage.member)
#define IN_FILE(member) AGENT(stream.usage_file.rule.member)
#define IN_FILE_ONE_OF(member) AGENT_ONE_OF(stream.usage_file.rule.member)
#define IN_LOG(member) AGENT(stream.usage_log.rule.member)
#define IN_LOG_ONE_OF(member) AGENT_ONE_OF(stream.usage_log.rule.member)

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
    {"display", AGENT(display), kAny, "", "Name in results.", "\"My Agent\""},
    {"like", AGENT(like), kAny, "",
     "Agent that this one is a variant of: its keys are the defaults of all others."},
    {"model", AGENT(model), kAny, "", "Model of entries that name none (NAME=MODEL)."},
    {"prompt_prefix", AGENT(prompt_prefix), kAny, "", "Text before the task."},
    {"command", AGENT(command), form(Form::argv), "",
     "Program and arguments, never a shell line. {prompt} {prompt_file} {worktree} {model} {run_dir} {home} "
     "{session_uuid} {timeout_s} are replaced; \"{?model:--model}\", \"{?model}\" vanish without a model; "
     "\"{{\" is a brace.",
     "[\"my-agent\", \"--yes\", \"{?model:--model}\", \"{?model}\", \"{prompt}\"]"},
    {"long_command", AGENT(long_command), form(Form::argv_or_empty), "",
     "Instead of `command` when the prompt does not fit into an argument (128 KiB) or would look like an "
     "option: the prompt then comes on stdin or by {prompt_file}."},
    {"prompt", AGENT_ONE_OF(prompt), kAny, "",
     "How the prompt goes in when neither {prompt} nor {prompt_file} is in `command`: as last argument, "
     "on stdin, or as the path of a file in the last argument."},
    {"env", AGENT(env), form(Form::env_values), "", "Variables set for the agent; placeholders work."},
    {"env_if_root", AGENT(env_if_root), form(Form::env_values), "", "Set only when Hydra runs as root."},
    {"env_pass", AGENT(env_pass), form(Form::env_patterns), "",
     "Variables passed on from your environment, NAME or PREFIX_*, beyond the allow-list. Default for custom "
     "agents: none."},
    {"env_unset", AGENT(env_unset), form(Form::env_patterns), "", "Variables never passed on."},
    {"install_hint", AGENT(install_hint), kAny, "", "Shown when the program is missing."},
    {"sign_in_hint", AGENT(sign_in_hint), kAny, "",
     "Shown when it is not signed in, as \"run `my-agent login`\"."},
    {"provider", AGENT(provider), kAny, "",
     "Provider whose limits its model calls share; empty: only its own."},
    {"models", AGENT(models), kAny, "", "Names of models worth suggesting."},
    {"resume_command", AGENT(resume_command), form(Form::resume_argv), "",
     "Like `command`, going on with session {session}; empty: it can't."},
    {"version.min", AGENT(version_min), kAny, "", "Oldest version that fits."},
    {"version.tested", AGENT(version_tested), kAny, "",
     "Newest version that was tried; a newer one is warned about."},
    {"probe.command", AGENT(probe_command), form(Form::argv_or_empty), "", "Prints the version."},
    {"probe.regex", AGENT(probe_regex), form(Form::regex), "", "First group is the version."},
    {"probe.timeout_seconds", AGENT(probe_timeout_seconds), Rule{0, 600, true}, "s",
     "Wall clock of a probe."},
    {"auth.env", AGENT(auth_env), form(Form::env_names), "",
     "Any of these set means signed in; passed on, kept secret."},
    {"auth.files", AGENT(auth_files), form(Form::relative_paths), "",
     "Relative to your home; one means probably signed in."},
    {"auth.proof", AGENT(auth_proof), form(Form::file_regexes), "",
     "Content of one of auth.files that means signed in: { \".my/auth.json\" = '\"token\"' }. A first group "
     "is the name of a variable that must be set."},
    {"auth.command", AGENT(auth_command), form(Form::argv_or_empty), "", "Exit 0 means signed in."},
    {"auth.static", AGENT(auth_static), kAny, "",
     "The sign-in file is never rewritten by the agent, so several runs may use it at once."},
    {"auth.rotates", AGENT(auth_rotates), form(Form::relative_paths), "",
     "Those of auth.files that the agent rewrites: used by one run at a time, and carried back. Default: "
     "all, unless auth.static."},
    {"home.variable", AGENT(home_variable), kAny, "",
     "Variable that names the agent's configuration directory."},
    {"home.policy", AGENT_ONE_OF(home), kAny, "",
     "\"per_run\": a fresh configuration directory for every run."},
    {"home.seed", AGENT(home_seed), form(Form::home_paths), "",
     "Files of your home copied into it: \"SOURCE\", \"SOURCE?\" when it may be missing, \"SOURCE -> "
     "TARGET\"."},
    {"home.personal", AGENT(home_personal), form(Form::home_paths), "",
     "Instructions, skills and commands of your home, copied like these, but not with [workspace] home = "
     "\"plain\"."},
    {"home.cache", AGENT(home_cache), form(Form::relative_paths), "",
     "Directories of your home that a sandboxed run may read at their own path, as [\".cache/my/pkg/*\"]: "
     "what the program would unpack again for each run."},
    {"home.write", AGENT(home_write), form(Form::any), "", "Files written into it: path = content."},
    {"stop", AGENT(stop), kAny, "",
     "Signals of the stop ladder, as [{ signal = \"INT\", wait_seconds = 5 }]; KILL ends it."},
    {"litter", AGENT(litter), form(Form::relative_paths), "",
     "Paths that the agent itself leaves in the repository."},
    {"exit.ok", AGENT(ok_exit), Rule{0, 255}, "", "Exit codes that mean success."},
    {"exit.ignore", AGENT(ignore_exit_code), kAny, "", "The exit code says nothing; only the stream counts."},
    {"exit.class", AGENT(exit_class), form(Form::exit_classes), "",
     "Meaning of exit codes: { 41 = \"auth\" }; auth, rate_limit, provider, agent_error, launch_error."},
    {"stream.format", AGENT_ONE_OF(stream.format), kAny, "",
     "\"jsonl\": a JSON object a line, \"json_last\": the last such line counts, \"json_whole\": all output "
     "is one object."},
    {"stream.max_line_bytes", AGENT(stream.max_line_bytes), Rule{1024, 1u << 30}, "bytes",
     "Longer lines are skipped as log."},
    {"stream.session_when", AGENT(stream.session_when), kAny, "",
     "Line that names the session, as { type = \"init\" }; none given: every line."},
    {"stream.session_path", AGENT(stream.session_path), form(Form::pointer), "",
     "JSON pointer to the session id."},
    {"stream.progress", AGENT(stream.progress), kAny, "",
     "Lines that count as progress; none given: every line."},
    {"stream.retry_when", AGENT(stream.retry_when), kAny, "", "Lines that report a retry of the model call."},
    {"stream.retry_status", AGENT(stream.retry_status), form(Form::pointer), "",
     "Pointer to their HTTP status."},
    {"stream.retry_text", AGENT(stream.retry_text), form(Form::pointer), "", "Pointer to their text."},
    {"stream.retry_regex", AGENT(stream.retry_regex), form(Form::regex), "",
     "Pattern that this text must match."},
    {"stream.terminal_when", AGENT(stream.terminal_when), kAny, "", "Line that ends a run."},
    {"stream.terminal_required", AGENT(stream.terminal_required), kAny, "",
     "Without it the run was cut, also with exit code 0."},
    {"stream.terminal_ok", AGENT(stream.terminal_ok), kAny, "", "Conditions on it that mean success."},
    {"stream.terminal_text", AGENT(stream.terminal_text), form(Form::pointer), "",
     "Pointer to the final text."},
    {"stream.error_when", AGENT(stream.error_when), kAny, "", "Lines that mean failure."},
    {"stream.error_text", AGENT(stream.error_text), form(Form::pointer), "",
     "Pointer to the text of an error."},
    {"stream.error_status", AGENT(stream.error_status), form(Form::pointer), "",
     "Pointer to its HTTP status."},
    {"stream.error_regex", AGENT(stream.error_regex), form(Form::regex), "",
     "A final text that matches is an error whatever else is said. Anchor it: agents write about errors "
     "too."},
    {"stream.denied_when", AGENT(stream.denied_when), kAny, "", "Line that lists refused actions."},
    {"stream.denied_path", AGENT(stream.denied_path), form(Form::pointer), "", "Pointer to that list."},
    {"stream.text_paths", AGENT(stream.text_paths), form(Form::pointer), "",
     "Pointers to text worth showing."},
    {"stream.tool_paths", AGENT(stream.tool_paths), form(Form::pointer), "",
     "Pointers to the name of the tool in use."},
    {"stream.skip_prefixes", AGENT(stream.skip_prefixes), kAny, "",
     "Lines that begin so are not read, but count as progress."},
    {"stream.resume_when", AGENT(stream.resume_when), kAny, "",
     "Lines after which an earlier end no longer counts: the run continues."},
    {"stream.session_guard", AGENT(stream.session_guard), kAny, "",
     "Every line names the session; a line that names another one is not the agent's."},
    {"stream.stop_reason", AGENT(stream.stop_reason), form(Form::pointer), "",
     "Pointer to why a run ended that is neither done nor an \"error\": told instead of its text."},
    {"stream.error_class", AGENT(stream.error_class), form(Form::pointer), "",
     "Pointer to the agent's own word for the kind of an error."},
    {"stream.model_when", AGENT(stream.model_when), kAny, "",
     "Line that names the model; none given: every line."},
    {"stream.model_path", AGENT(stream.model_path), form(Form::pointer), "",
     "Pointer to the name of the model."},
    {"stream.version_path", AGENT(stream.version_path), form(Form::pointer), "",
     "Pointer to the program's own version, in whatever line has it first."},
    {"stream.open.when", AGENT(stream.open_when), kAny, "",
     "Lines that list work that continues in the background after an end."},
    {"stream.open.list", AGENT(stream.open_list), form(Form::pointer), "", "Pointer to that list."},
    {"stream.open.name", AGENT(stream.open_name), form(Form::pointer), "",
     "Pointer to the name of its first entry."},
    {"stream.turns", AGENT(stream.turns), form(Form::pointer), "", "Pointer to the number of model calls."},
    {"stream.turn_when", AGENT(stream.turn_when), kAny, "", "Lines that are one model call each."},
    {"stream.tool_when", AGENT(stream.tool_when), kAny, "", "Lines that are one use of a tool each."},
    {"stream.stderr_error_when", AGENT(stream.stderr_error_when), kAny, "",
     "A JSON line of standard error that means failure."},
    {"stream.stderr_error_text", AGENT(stream.stderr_error_text), form(Form::pointer), "",
     "Pointer to its text."},
    {"stream.stderr_retry_regex", AGENT(stream.stderr_retry_regex), form(Form::regex), "",
     "A retry on standard error; the first group is its HTTP status."},
    {"stream.stderr_denied_regex", AGENT(stream.stderr_denied_regex), form(Form::regex), "",
     "A refused action on standard error."},
    {"stream.text.usage", AGENT(stream.text.usage), form(Form::regex), "",
     "Line of plain text with usage; groups named input, output, cache_read, cache_write, cost."},
    {"stream.text.input_includes_cache", AGENT(stream.text.input_includes_cache), kAny, "",
     "The input number holds the cached tokens too."},
    {"stream.text.sum_tokens", AGENT(stream.text.sum_tokens), kAny, "",
     "Tokens of such lines are added up, else the last counts; of costs the greatest counts."},
    {"stream.text.error", AGENT(stream.text.error), form(Form::regex), "",
     "Line of plain text that means failure."},
    {"stream.text.progress", AGENT(stream.text.progress), form(Form::regex), "",
     "Line of plain text that counts as progress; none given: every line."},
    {"stream.text.session", AGENT(stream.text.session), form(Form::regex), "",
     "First group is the session id."},
    {"stream.text.tool", AGENT(stream.text.tool), form(Form::regex), "", "First group is the tool in use."},
    USAGE_KEYS("stream.usage.", IN_USAGE_ONE_OF, IN_USAGE),
    {"stream.usage_fallback", AGENT(stream.usage_fallbacks), kAny, "",
     "Tables like `usage`: the first that counted anything is used when `usage` did not, as for killed "
     "runs."},
    {"stream.usage_file.path", AGENT(stream.usage_file.path), form(Form::path_template), "",
     "A file with the usage, read when the agent is gone: {run_dir}, {home}, {session}; * matches inside a "
     "name."},
    {"stream.usage_file.format", AGENT_ONE_OF(stream.usage_file.format), kAny, "", "Its format."},
    {"stream.usage_file.live", AGENT(stream.usage_file.live), kAny, "",
     "It is written as the run goes, so that a budget can stop it."},
    {"stream.usage_file.model", AGENT(stream.usage_file.model), form(Form::pointer), "",
     "Pointer to the model that was really called."},
    USAGE_KEYS("stream.usage_file.", IN_FILE_ONE_OF, IN_FILE),
    {"stream.usage_log.path", AGENT(stream.usage_log.path), form(Form::path_template), "",
     "A file in JSON Lines that grows while the agent runs, read along, or such a file of each directory "
     "that `**` matches; `usage_file` wins at the end."},
    {"stream.usage_log.model", AGENT(stream.usage_log.model), form(Form::pointer), "",
     "Pointer to the model that was really called."},
    USAGE_KEYS("stream.usage_log.", IN_LOG_ONE_OF, IN_LOG),
};

}  // namespace

std::span<const Key<model::AgentDescriptor>> agent_keys() { return kAgentKeys; }
std::span<const Key<model::UsageRule>> usage_keys() { return kUsageKeys; }
std::span<const Key<model::Price>> price_keys() { return kPriceKeys; }

}  // namespace hydra::config
