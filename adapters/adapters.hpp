// adapters: agent CLIs as data: descriptors, launch, output stream, verdict. Every function is pure; another
// room probes the programs.
#pragma once

#include "base/result.hpp"
#include "model/agent_descriptor.hpp"
#include "model/agent_run.hpp"
#include "model/config.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::adapters {

/// The built-in descriptors by id.
const std::map<std::string, model::AgentDescriptor>& builtin();

struct LaunchContext {
  std::string prompt;
  std::string prompt_file;   ///< path of a file with the prompt, as the agent sees it
  std::string worktree;      ///< path as the agent sees it
  std::string run_dir;       ///< private directory of this run, as the agent sees it
  std::string private_home;  ///< configuration directory of this run, as the agent sees it
  std::string model;         ///< may be empty
  std::string session_uuid;
  std::string session;  ///< id of the CLI's session to resume; empty: a new session
  std::string attempt;  ///< value of HYDRA_RUN_ID
  std::int64_t timeout_seconds = 0;
  bool root = false;
  std::map<std::string, std::string> user_env;  ///< the user's environment, which the allow-list filters
};

struct Launch {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::string> secrets;  ///< names in `env` whose values must be neither stored nor shown
  bool prompt_on_stdin = false;
};

/// Returns argv and environment of one run. `usage` when the prompt is too long for an argument (128 KiB) and
/// the descriptor has no other way to pass it.
Result<Launch> plan_launch(const model::AgentDescriptor& descriptor, const LaunchContext& context);

/// A file that is copied into a private home before the run (AgentDescriptor::home_seed, home_personal).
struct SeedFile {
  std::string source;  ///< path relative to the user's HOME
  std::string
      target;  ///< relative to the private home: the source's last part unless the descriptor says otherwise
  bool optional = false;  ///< whether the source may be missing
};
std::vector<SeedFile> seed_files(const std::vector<std::string>& rows);

/// Returns the path of a descriptor's home file, moved as XDG_CONFIG_HOME and XDG_DATA_HOME say. Empty and
/// relative XDG values are ignored.
std::string home_file(const std::string& home, const std::string& relative,
                      const std::string& xdg_config_home, const std::string& xdg_data_home);

/// Whether the user is signed in with an agent; `detail`: the proof, or what is missing.
struct SignIn {
  enum class State { yes, no, unknown } state = State::unknown;
  std::string detail;
};
/// Returns the value of an environment variable; empty: not set.
using ReadVariable = std::function<std::string(const std::string& name)>;
/// Returns the text of a file relative to the user's HOME; nullopt: the file does not exist.
using ReadHome = std::function<std::optional<std::string>(const std::string& relative)>;
/// `said`: answer of the descriptor's sign-in command, if Hydra ran the command; `can_ask`: the command
/// exists but Hydra did not run it.
SignIn sign_in_of(const model::AgentDescriptor& descriptor, const ReadVariable& variable,
                  const ReadHome& home, std::optional<bool> said, bool can_ask);

/// Prices of models by name, US dollars per million tokens.
using PriceTable = std::map<std::string, model::Price, std::less<>>;
/// Returns the built-in table (adapters/prices.toml). [prices] of hydra.toml overrides it, since prices
/// change.
const PriceTable& builtin_prices();
/// Returns the built-in table, overridden by the user's entries.
PriceTable prices(const model::Config& config);
/// Returns the price of a model; a provider before "/" and a date at the end of the name are ignored. Null:
/// unknown.
const model::Price* find_price(const PriceTable& table, std::string_view model);
/// Sets cost_usd from the prices and marks it `estimated` if the agent reported no cost, or 0 for a model
/// with a price. Programs report 0 when they have no price, so 0 without a known price becomes unknown.
void estimate_cost(model::Usage& usage, std::string_view model, const PriceTable& table);

/// Everything that judge() knows about an agent's output. Texts are untrusted.
struct StreamSummary {
  bool structured = false;  ///< whether the output is JSON, not plain text
  std::uint64_t bytes = 0;
  std::int64_t events = 0;          ///< lines that a rule matched
  std::int64_t log_lines = 0;       ///< lines skipped: not JSON, too long, or of another session
  std::string log_text;             ///< first skipped lines, at most 4 KiB
  bool terminal = false;            ///< whether the terminal event was seen
  bool terminal_ok = false;         ///< whether the terminal event reported success
  bool error = false;               ///< whether an event reported failure
  std::string error_text;           ///< text of the last error or failed terminal event, at most 4 KiB
  std::string error_word;           ///< the agent's word for the kind of error
  std::optional<int> status;        ///< HTTP status named by the error
  std::optional<int> retry_status;  ///< HTTP status of the last retry that no progress followed
  std::string retry_text;
  std::string complaint;       ///< last error (no retry or terminal event) that no progress followed
  bool denied = false;         ///< whether the agent was refused an action
  std::int64_t denials = 0;    ///< number of refused actions, if the stream lists them
  std::int64_t tool_uses = 0;  ///< number of attempted tool uses, if the descriptor counts them
  std::string session;
  std::string model;
  std::optional<std::int64_t> turns;
  std::string final_text;  ///< last 4 KiB of the final text
  std::string final_head;  ///< first 4 KiB of the final text; empty: same as final_text
  model::Usage usage;
};

/// Facts that a reader needs besides the descriptor.
struct ReaderOptions {
  std::string model;  ///< the requested model, used if the stream names none
  model::Usage
      resume_base;    ///< usage of a resumed session before this run (codex counts from the session's start)
  PriceTable prices;  ///< price table; empty: cost is never estimated
};

/// Reads one agent's output while the agent runs. Chunks may be split anywhere; memory does not grow with the
/// length of a line.
class StreamReader {
 public:
  explicit StreamReader(const model::AgentDescriptor& descriptor, ReaderOptions options = {});
  ~StreamReader();
  StreamReader(StreamReader&&) noexcept;
  StreamReader& operator=(StreamReader&&) noexcept;

  void feed(std::string_view bytes);
  /// Reads the descriptor's usage_file (or its last line, if each line holds a total). The file overrides the
  /// stream's usage unless the terminal event is complete. False: the file holds no usage.
  bool usage_file(std::string_view text);
  /// Reads the next bytes of a file of the descriptor's usage_log; `offset` 0 restarts the file's count,
  /// bytes at any other unexpected offset are ignored. The log counts only while usage_file has given
  /// nothing.
  void usage_log(std::string_view bytes, std::uint64_t offset, const std::string& file = {});
  /// Marks the end of the output.
  void finish();

  struct View {
    std::string last_line;    ///< last line worth showing: sanitised, one line, at most 200 bytes
    std::string tool;         ///< name of the tool in use, if the stream names it
    std::int64_t events = 0;  ///< lines that a rule matched
    std::int64_t progress =
        0;  ///< events that count as progress; the stall clock restarts whenever this number changes
    bool terminal = false;  ///< whether the agent reported its end; after 10 s Hydra stops the process and
                            ///< keeps the success
    std::int64_t open_tasks = 0;  ///< work in the background, if the stream lists it
    std::string open_name;        ///< name of the first: sanitised, one line
    int retries = 0;              ///< retries since the last progress
    int auth_retries = 0;  ///< consecutive retries with 401 or 403; from 3 on the run is worth stopping
    std::optional<int> retry_status;   ///< HTTP status of the last retry
    bool denied = false;               ///< whether the agent was refused an action
    bool asks_sign_in = false;         ///< whether JSON Lines so far say only that the user is not signed in
    std::optional<std::int64_t> turn;  ///< model calls so far, if the stream tells
    std::optional<std::int64_t> tokens;  ///< counted_tokens() so far, compared with the token budget
    std::string session, model;
    model::Usage usage;  ///< usage so far; cost_usd may be estimated
  };
  [[nodiscard]] View view() const;
  /// Returns the summary: valid at any time, complete after finish().
  [[nodiscard]] StreamSummary summary() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether the provider refused three times in a row with 401 or 403 (docs/adapters.md, "How an end is
/// judged").
bool refused_for_good(const StreamReader::View& view);
/// Returns the tokens that a token budget counts: input, cache writes, output, reasoning; nullopt: unknown.
/// Cache reads are free, since each turn rereads the conversation at a tenth of the price or less.
std::optional<std::int64_t> counted_tokens(const model::Usage& usage);
/// Returns all tokens of a usage: input, cached input and output; nullopt: unknown.
std::optional<std::int64_t> all_tokens(const model::Usage& usage);

/// How the process ended.
struct RunEnd {
  enum class How { exited, signaled, timed_out, cancelled, over_budget, start_failed, lost } how = How::lost;
  int code = 0;
  int signal = 0;
  std::string message;         ///< reason of a start failure
  std::string stderr_tail;     ///< last 16 KiB of standard error
  std::int64_t wall_ms = 0;    ///< run time; below 0: unknown
  std::int64_t silent_ms = 0;  ///< time without progress before the end; 0: unknown
  std::uint64_t stdout_bytes = 0;
  bool stopped_after_terminal =
      false;  ///< whether Hydra stopped a run that had reported its end but did not exit: no failure
};

/// Returns the outcome by the rules of docs/adapters.md, "How an end is judged", in their order. The diff is
/// not an input: finish_verdict() turns `denied` without a change into misconfigured.
model::Verdict judge(const model::AgentDescriptor& descriptor, const StreamReader& stream, const RunEnd& end);
model::Verdict judge(const model::AgentDescriptor& descriptor, const StreamSummary& stream,
                     const RunEnd& end);
/// Applies the last rules to a run that changed nothing: no model called means failed, every action refused
/// misconfigured.
model::Verdict finish_verdict(model::Verdict verdict, bool denied, bool changed);
/// Whether standard error says that an action was refused (StreamRules::stderr_denied_regex).
bool stderr_denied(const model::AgentDescriptor& descriptor, std::string_view stderr_tail);
/// Whether every tool use was refused; for runs without a diff.
bool all_denied(const StreamSummary& stream);

/// Returns the last of the final ten lines of an agent's message that ends with a question mark; empty: none.
std::string question_in(std::string_view message);

/// Returns the remedy for an error class as the end of a sentence ("sign in or set X, then race again");
/// empty for ErrorClass::none.
std::string advice(const model::AgentDescriptor& descriptor, model::ErrorClass error_class);

/// Returns the descriptor with that id or alias; null: none.
const model::AgentDescriptor* find_agent(const std::map<std::string, model::AgentDescriptor>& agents,
                                         std::string_view name);

/// Relation of a probed version to the versions that the descriptor knows.
enum class VersionFit { unknown, known, too_old, newer };
VersionFit version_fit(const model::AgentDescriptor& descriptor, std::string_view version);
/// Whether `version` is at least `from`; false if either is not a version.
bool version_reaches(std::string_view version, std::string_view from);
/// Returns one sentence for the user; empty for a known version.
std::string version_note(const model::AgentDescriptor& descriptor, std::string_view version);

}  // namespace hydra::adapters
