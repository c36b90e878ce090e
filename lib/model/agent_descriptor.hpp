// model: how one kind of agent CLI is started, understood and stopped. Data only: read from TOML by `config`.
#pragma once

#include "model/words.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hydra::model {

enum class PromptVia { argument, standard_input, file };
template <>
inline constexpr auto kWords<PromptVia> = words<PromptVia>("argument", "stdin", "file");
enum class StreamFormat { text, jsonl, json_last, json_whole };
template <>
inline constexpr auto kWords<StreamFormat> = words<StreamFormat>("text", "jsonl", "json_last", "json_whole");
enum class HomePolicy { shared, per_run };
template <>
inline constexpr auto kWords<HomePolicy> = words<HomePolicy>("shared", "per_run");

/// A scalar that a JSON value must equal, by JSON pointer ("/type" -> "result"). A pointer that ends in `?`
/// also holds where nothing stands.
struct JsonCondition {
  std::string pointer;
  std::string equals;  ///< the scalar as text: "true", "0", "success"; `|` between several: any of them
};

/// Which lines of a stream a rule speaks of: all conditions hold. Empty: never.
using JsonWhen = std::vector<JsonCondition>;

/// How several lines with usage become one: the last counts, all are added up, each number's greatest counts.
enum class UsageMode { none, last, sum, max };
template <>
inline constexpr auto kWords<UsageMode> = words<UsageMode>("none", "last", "sum", "max");

/// Where usage stands in a stream. Pointers are JSON pointers; an empty one is absent; `*` is every member of
/// an object or array and adds up, `-1` is the last element of an array. Tokens are counts.
struct UsageRule {
  UsageMode mode = UsageMode::none;
  JsonWhen when;       ///< in a usage file: none given means every line
  std::string unique;  ///< pointer to an id: with mode sum, lines of one id count once, the last of them
  std::string input, output, cache_read, cache_write, reasoning;
  std::string total;                       ///< all tokens: what exceeds input and output is reasoning
  std::string cost_usd;                    ///< US dollars
  bool input_includes_cache = false;       ///< input counts cached tokens too
  bool output_excludes_reasoning = false;  ///< output does not count reasoning tokens
  bool cumulative = false;  ///< counts from the start of the session: what a resumed session had is taken off
  std::string cumulative_from;       ///< the same, but since this version of the CLI; empty: not by version
  std::string cost_cumulative_from;  ///< money alone does, since this version of the CLI; empty: never
};

/// A file beside the stream that holds the usage (agent-clis reference, 2.2 and 2.6).
struct UsageFile {
  std::string path;  ///< template with {run_dir}, {home}, {session}; `*` matches inside one part; empty: none
  StreamFormat format = StreamFormat::json_whole;
  bool live = false;  ///< written as the run goes, and not only at its end
  std::string model;  ///< pointer to the model that was really called, in whatever line has it
  UsageRule rule;
};

/// Patterns over plain text, RE2. Named groups: input, output, cache_read, cache_write, cost.
struct TextRules {
  std::string usage;  ///< a line that reports usage; numbers may end in k or m and hold commas
  bool input_includes_cache = false;  ///< the input number holds the cached tokens too
  bool sum_tokens =
      true;              ///< tokens of matching lines are added up, else the last counts; cost: the greatest
  std::string error;     ///< a line that means failure
  std::string progress;  ///< a line that counts as progress; empty: every line
  std::string session;   ///< first group is the session id
  std::string tool;      ///< first group is the tool in use
};

/// How a stream is read (agent-clis reference, section 5.1).
struct StreamRules {
  StreamFormat format = StreamFormat::text;
  std::uint64_t max_line_bytes = 32u << 20;  ///< longer lines are skipped as log; no line is ever held
  std::vector<std::string> skip_prefixes;  ///< lines that begin so are not read at all, but count as progress
  JsonWhen session_when;
  std::string session_path;
  std::vector<JsonWhen> progress;  ///< lines that reset the stall clock
  JsonWhen retry_when;
  std::string retry_status;              ///< pointer to an HTTP status
  JsonWhen terminal_when;                ///< the event that ends a run
  bool terminal_required = false;        ///< without it a run is truncated, also with exit code 0
  JsonWhen terminal_ok;                  ///< conditions on the terminal event that mean success
  std::vector<JsonWhen> error_when;      ///< events that mean failure
  std::string error_text, error_status;  ///< pointers in an error or terminal event
  std::string terminal_text;             ///< pointer to the final text
  std::string error_regex;               ///< RE2 on the final text: an error under a success flag
  UsageRule usage;
  std::vector<UsageRule>
      usage_fallbacks;  ///< the first that counted is used when `usage` did not (killed runs)
  UsageFile usage_file;
  UsageFile usage_log;  ///< JSON Lines that grow while it runs; counts until usage_file has numbers
  TextRules text;
  JsonWhen denied_when;
  std::string denied_path;              ///< non-empty array there and no change: misconfigured
  std::vector<std::string> text_paths;  ///< pointers to text worth showing as the last line
  std::vector<std::string> tool_paths;  ///< pointers to the name of the tool in use
  std::string retry_text;               ///< pointer to the text of a retry event
  std::string retry_regex;              ///< RE2 that this text must match; empty: any
  std::vector<JsonWhen> resume_when;    ///< lines after which an earlier terminal event no longer counts
  bool session_guard = false;  ///< once the session is known, lines that do not carry it are not the agent's
  std::string stop_reason;     ///< pointer to why a run ended that is neither done nor an "error": told
                               ///< instead of its text, which is the model's
  std::string error_class;     ///< pointer to the agent's own word for the kind of error
  JsonWhen model_when;         ///< none given: every line
  std::string model_path;      ///< pointer to the name of the model
  std::string version_path;    ///< pointer to the CLI's own version, in whatever line has it first
  std::string turns;           ///< pointer to the number of turns, usually in the terminal event
  JsonWhen turn_when;          ///< lines that are one turn each
  std::vector<JsonWhen> tool_when;  ///< lines that are one use of a tool each
  JsonWhen stderr_error_when;       ///< a JSON line of standard error that means failure
  std::string stderr_error_text;    ///< pointer to its text
  std::string stderr_retry_regex;   ///< RE2 on standard error: first group is the HTTP status of a retry
  std::string stderr_denied_regex;  ///< RE2 on standard error: an action was refused
};

struct StopStep {
  int signal = 15;  ///< SIGINT 2, SIGTERM 15, SIGKILL 9
  double wait_seconds = 5;
};

struct AgentDescriptor {
  std::string id;       ///< [A-Za-z0-9-]{1,32}
  std::string display;  ///< "Claude Code"
  std::vector<std::string>
      command;  ///< argv template: {prompt} {prompt_file} {worktree} {model} {run_dir} {home} {session_uuid}
                ///< {timeout_s}; an element "{?model:--model}" is dropped when there is no model
  std::vector<std::string> long_command;  ///< instead of `command` for a prompt that is longer than 128 KiB
                                          ///< or begins with "-"; without {prompt}
  PromptVia prompt =
      PromptVia::argument;  ///< how the prompt goes in when {prompt}/{prompt_file} stand nowhere in `command`
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> env_if_root;
  std::vector<std::string>
      env_pass;  ///< names (or PREFIX_*) passed on from the user's environment: keys, endpoints
  std::vector<std::string> env_unset;      ///< names (or PREFIX_*)
  std::vector<std::string> probe_command;  ///< {"claude", "--version"}
  std::string probe_regex;                 ///< RE2, first group is the version; searched in stdout and stderr
  double probe_timeout_seconds = 60;
  std::string version_min;     ///< oldest version that these flags fit; empty: unknown
  std::string version_tested;  ///< newest version that was tried; newer ones are warned about, not refused
  std::vector<std::string> auth_env;    ///< any one of these set means signed in
  std::vector<std::string> auth_files;  ///< relative to HOME; one that exists means probably signed in
  std::map<std::string, std::string>
      auth_proof;  ///< of auth_files: RE2 that the text must match to mean signed in; a first group names a
                   ///< variable that must be set
  std::vector<std::string> auth_command;  ///< exit 0 means signed in; may be empty
  bool auth_static = false;  ///< sign-in files are never rewritten: several runs may use a copy at once
  std::vector<std::string> auth_rotates;  ///< those of auth_files that the CLI rewrites, and that hold
                                          ///< nothing but a sign-in; empty: all, unless auth_static
  std::string home_variable;              ///< CLAUDE_CONFIG_DIR; empty: none
  HomePolicy home = HomePolicy::shared;
  std::vector<std::string>
      home_seed;  ///< files of the user's HOME copied into the private one: "SOURCE", "SOURCE?" (optional),
                  ///< "SOURCE? -> TARGET"; adapters::home_seed() reads them
  std::vector<std::string>
      home_cache;  ///< directories of the user's HOME that a sandboxed run sees too, for reading: what the
                   ///< program would otherwise unpack for each run again; `*` matches inside one part
  std::map<std::string, std::string>
      home_write;                   ///< files written into a per-run home: relative path -> content
  std::vector<StopStep> stop;       ///< default: INT 5 s, TERM grace, KILL
  std::vector<std::string> litter;  ///< paths that the CLI itself leaves in the repository
  std::vector<int> ok_exit{0};
  bool ignore_exit_code = false;
  std::map<int, std::string>
      exit_class;  ///< exit code -> auth | rate_limit | provider | agent_error | launch_error
  StreamRules stream;
  std::string install_hint;         ///< "npm install -g @anthropic-ai/claude-code"
  std::string sign_in_hint;         ///< "run `claude` and /login, or set ANTHROPIC_API_KEY"
  std::string provider;             ///< whose limits its model calls share ("anthropic"); empty: its own
  std::vector<std::string> models;  ///< names worth suggesting; not a complete list
  std::vector<std::string>
      resume_command;  ///< argv template that goes on with session {session}; empty: it cannot
};

}  // namespace hydra::model
