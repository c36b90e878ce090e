// model: how one kind of agent CLI is started, read and stopped. Plain data that `config` reads from TOML.
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
/// also matches an absent value.
struct JsonCondition {
  std::string pointer;
  std::string equals;  ///< scalar as text: "true", "0", "success"; alternatives are separated by `|`
};

/// Selects lines of a stream: all conditions must hold. Empty: never.
using JsonWhen = std::vector<JsonCondition>;

/// How several lines with usage become one: the last line counts, all lines are added up, or each number's
/// maximum counts.
enum class UsageMode { none, last, sum, max };
template <>
inline constexpr auto kWords<UsageMode> = words<UsageMode>("none", "last", "sum", "max");

/// Places of usage in a stream. Members are JSON pointers, empty: absent; `*` adds up every member of an
/// object or array, `-1` is the last element of an array. Tokens are counts.
struct UsageRule {
  UsageMode mode = UsageMode::none;
  JsonWhen when;       ///< condition on the line; in a usage file, empty means every line
  std::string unique;  ///< pointer to an id: with mode sum, only the last line of each id counts
  std::string input, output, cache_read, cache_write, reasoning;
  std::string total;                       ///< all tokens; the excess over input and output is reasoning
  std::string cost_usd;                    ///< US dollars
  bool input_includes_cache = false;       ///< input includes cached tokens
  bool output_excludes_reasoning = false;  ///< output excludes reasoning tokens
  bool cumulative = false;      ///< counts from the start of the session; a resumed share is subtracted
  std::string cumulative_from;  ///< first version of the CLI whose numbers are cumulative; empty: version
                                ///< does not matter
  std::string cost_cumulative_from;  ///< first version whose cost alone is cumulative; empty: never
};

/// A file beside the stream that holds the usage (docs/adapters.md, "Usage means the same for every agent").
struct UsageFile {
  std::string path;  ///< template with {run_dir}, {home}, {session}; `*` matches inside one part; empty: none
  StreamFormat format = StreamFormat::json_whole;
  bool live = false;  ///< written during the run, not only at its end
  std::string model;  ///< pointer to the name of the model really called, in any line
  UsageRule rule;
};

/// Patterns over plain text, RE2. Named groups: input, output, cache_read, cache_write, cost.
struct TextRules {
  std::string usage;  ///< a line that reports usage; numbers may end in k or m and hold commas
  bool input_includes_cache = false;  ///< input number includes cached tokens
  bool sum_tokens =
      true;  ///< true: matching lines add up; false: the last line counts; cost is always the maximum
  std::string error;     ///< a line that means failure
  std::string progress;  ///< a line that counts as progress; empty: every line
  std::string session;   ///< pattern whose first group is the session id
  std::string tool;      ///< pattern whose first group is the tool in use
};

/// How a stream is read (docs/adapters.md, "Read its stream").
struct StreamRules {
  StreamFormat format = StreamFormat::text;
  std::uint64_t max_line_bytes = 32u << 20;  ///< longer lines are skipped as log; no whole line is held
  std::vector<std::string> skip_prefixes;    ///< prefixes of lines that are skipped, but count as progress
  JsonWhen session_when;
  std::string session_path;
  std::vector<JsonWhen> progress;  ///< lines that reset the stall clock
  JsonWhen retry_when;
  std::string retry_status;          ///< pointer to an HTTP status
  JsonWhen terminal_when;            ///< the event that ends a run
  bool terminal_required = false;    ///< a run without a terminal event is truncated, even with exit code 0
  JsonWhen terminal_ok;              ///< conditions on the terminal event that mean success
  std::vector<JsonWhen> error_when;  ///< events that mean failure
  std::string error_text, error_status;  ///< pointers in an error or terminal event
  std::string terminal_text;             ///< pointer to the final text
  std::string error_regex;               ///< RE2 on the final text: an error under a success flag
  UsageRule usage;
  std::vector<UsageRule>
      usage_fallbacks;  ///< the first rule that counted anything is used when `usage` did not (killed runs)
  UsageFile usage_file;
  UsageFile usage_log;  ///< JSON Lines file that grows during the run; used until usage_file has numbers
  TextRules text;
  JsonWhen denied_when;
  std::string denied_path;              ///< pointer; a non-empty array and no change: misconfigured
  std::vector<std::string> text_paths;  ///< pointers to text worth showing as the last line
  std::vector<std::string> tool_paths;  ///< pointers to the name of the tool in use
  std::string retry_text;               ///< pointer to the text of a retry event
  std::string retry_regex;              ///< RE2 that retry_text must match; empty: any
  std::vector<JsonWhen> resume_when;    ///< lines after which an earlier terminal event no longer counts
  bool session_guard = false;  ///< true: once the session is known, lines without its id are not the agent's
  std::string stop_reason;   ///< pointer to the reason of an end that is neither success nor an error; shown
                             ///< instead of the final text, which is the model's
  std::string error_class;   ///< pointer to the agent's own word for the kind of error
  JsonWhen model_when;       ///< empty: every line
  std::string model_path;    ///< pointer to the name of the model
  std::string version_path;  ///< pointer to the CLI's version; the first line that has it counts
  JsonWhen open_when;        ///< lines that list work in the background
  std::string open_list;     ///< pointer to that list; empty list: no work is open
  std::string open_name;     ///< pointer to the name of its first entry
  std::string turns;         ///< pointer to the number of turns, usually in the terminal event
  JsonWhen turn_when;        ///< lines that are one turn each
  std::vector<JsonWhen> tool_when;  ///< lines that are one use of a tool each
  JsonWhen stderr_error_when;       ///< a JSON line of standard error that means failure
  std::string stderr_error_text;    ///< pointer to the text of that line
  std::string stderr_retry_regex;   ///< RE2 on standard error: first group is the HTTP status of a retry
  std::string stderr_denied_regex;  ///< RE2 on standard error: an action was refused
};

struct StopStep {
  int signal = 15;  ///< SIGINT 2, SIGTERM 15, SIGKILL 9
  double wait_seconds = 5;
};

struct AgentDescriptor {
  std::string id;             ///< [A-Za-z0-9-]{1,32}
  std::string display;        ///< for people: "Claude Code"
  std::string like;           ///< kind of the agent that this one is a variant of; empty: none
  std::string model;          ///< model of entries that name none; may be empty
  std::string prompt_prefix;  ///< text before the first prompt of a session
  std::vector<std::string>
      command;  ///< argv template: {prompt} {prompt_file} {worktree} {model} {run_dir} {home} {session_uuid}
                ///< {timeout_s}; an element "{?model:--model}" is dropped when there is no model
  std::vector<std::string> long_command;   ///< replaces `command` for a prompt that is longer than 128 KiB or
                                           ///< begins with "-"; without {prompt}
  PromptVia prompt = PromptVia::argument;  ///< how the prompt is passed when `command` contains neither
                                           ///< {prompt} nor {prompt_file}
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> env_if_root;
  std::vector<std::string>
      env_pass;  ///< names (or PREFIX_*) passed on from the user's environment: keys, endpoints
  std::vector<std::string> env_unset;      ///< names (or PREFIX_*)
  std::vector<std::string> probe_command;  ///< argv: {"claude", "--version"}
  std::string probe_regex;                 ///< RE2 over stdout and stderr, first group is the version
  double probe_timeout_seconds = 60;
  std::string version_min;     ///< oldest version that accepts these flags; empty: unknown
  std::string version_tested;  ///< newest version that was tested; newer ones cause a warning, not a refusal
  std::vector<std::string> auth_env;    ///< variables, any one of which, when set, means signed in
  std::vector<std::string> auth_files;  ///< paths relative to HOME, any one of which means probably signed in
  std::map<std::string, std::string>
      auth_proof;  ///< for entries of auth_files: RE2 that the text must match to mean signed in; a first
                   ///< group names a variable that must be set
  std::vector<std::string> auth_command;  ///< command whose exit code 0 means signed in; may be empty
  bool auth_static = false;  ///< sign-in files are never rewritten: several runs may use a copy at once
  std::vector<std::string> auth_rotates;  ///< entries of auth_files that the CLI rewrites and that hold only
                                          ///< a sign-in; empty: all, unless auth_static
  std::string home_variable;              ///< "CLAUDE_CONFIG_DIR"; empty: none
  HomePolicy home = HomePolicy::shared;
  std::vector<std::string>
      home_seed;  ///< files of the user's HOME copied into the private one: "SOURCE", "SOURCE?" (optional),
                  ///< "SOURCE? -> TARGET"; adapters::seed_files() reads them
  std::vector<std::string> home_personal;  ///< instructions, skills and commands, written like home_seed; not
                                           ///< copied into a plain home (WorkspaceConfig::home)
  std::vector<std::string>
      home_cache;  ///< directories of the user's HOME that a sandboxed run may read, so that the program does
                   ///< not unpack them for each run; `*` matches inside one part
  std::map<std::string, std::string>
      home_write;                   ///< files written into a per-run home: relative path -> content
  std::vector<StopStep> stop;       ///< default: INT 5 s, TERM grace, KILL
  std::vector<std::string> litter;  ///< paths in the repository that the CLI itself leaves behind
  std::vector<int> ok_exit{0};
  bool ignore_exit_code = false;
  std::map<int, std::string>
      exit_class;  ///< exit code -> auth | rate_limit | provider | agent_error | launch_error
  StreamRules stream;
  std::string install_hint;  ///< "npm install -g @anthropic-ai/claude-code"
  std::string sign_in_hint;  ///< "run `claude` and /login, or set ANTHROPIC_API_KEY"
  std::string provider;      ///< whose limits its model calls share ("anthropic"); empty: the agent's own
  std::vector<std::string> models;  ///< names worth suggesting; not a complete list
  std::vector<std::string>
      resume_command;  ///< argv template that resumes session {session}; empty: the CLI cannot resume

  /// Returns the id that all variants of one agent share.
  [[nodiscard]] const std::string& kind() const { return like.empty() ? id : like; }
};

}  // namespace hydra::model
