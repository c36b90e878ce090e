// adapters: agent CLIs as data: built-in descriptors, how to launch one, how to read its stream, how to judge
// its end. Everything here is pure but probing, which is not in this room.
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
  std::string prompt_file;   ///< path as the agent sees it, of a file that holds the prompt
  std::string worktree;      ///< as the agent sees it
  std::string run_dir;       ///< private directory of this run, as the agent sees it
  std::string private_home;  ///< per-run configuration directory, as the agent sees it
  std::string model;         ///< may be empty
  std::string session_uuid;
  std::string session;  ///< the CLI's own session to go on with; empty: a new one
  std::string attempt;  ///< goes into HYDRA_RUN_ID
  std::int64_t timeout_seconds = 0;
  bool root = false;
  std::map<std::string, std::string> user_env;  ///< the user's environment: what the allow-list picks from
};

struct Launch {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::string> secrets;  ///< names in `env` whose values must not be stored or shown
  bool prompt_on_stdin = false;
};

/// argv and environment of one run. `usage` when the prompt is too long for an argument (128 KiB) and the
/// descriptor has no other way.
Result<Launch> plan_launch(const model::AgentDescriptor& descriptor, const LaunchContext& context);

/// One file that a per-run home starts with (AgentDescriptor::home_seed).
struct SeedFile {
  std::string source;  ///< relative to the user's HOME
  std::string
      target;  ///< relative to the private home: the source's last part unless the descriptor says otherwise
  bool optional = false;  ///< may be missing
};
std::vector<SeedFile> home_seed(const model::AgentDescriptor& descriptor);

/// A file of the user's home, as a descriptor names it, where the XDG variables have moved it to. Variables
/// that are empty or no absolute path move nothing.
std::string home_file(const std::string& home, const std::string& relative,
                      const std::string& xdg_config_home, const std::string& xdg_data_home);

/// Whether a user is signed in with an agent, and what that is known by, or what is missing.
struct SignIn {
  enum class State { yes, no, unknown } state = State::unknown;
  std::string detail;
};
/// The value of a variable of the user; empty: not set.
using ReadVariable = std::function<std::string(const std::string& name)>;
/// The text of a file that a descriptor names, relative to the user's HOME; nothing: it is not there.
using ReadHome = std::function<std::optional<std::string>(const std::string& relative)>;
/// `said`: what the descriptor's own command answered, where it was asked; `can_ask`: it was not, and could
/// be.
SignIn sign_in_of(const model::AgentDescriptor& descriptor, const ReadVariable& variable,
                  const ReadHome& home, std::optional<bool> said, bool can_ask);

/// Prices of models by name, US dollars per million tokens.
using PriceTable = std::map<std::string, model::Price, std::less<>>;
/// The built-in table (adapters/prices.toml). Prices change: [prices] of hydra.toml wins over it.
const PriceTable& builtin_prices();
/// The built-in table with the user's entries over it.
PriceTable prices(const model::Config& config);
/// The price of a model: by its name, without a provider before "/", without a date at the end. Null:
/// unknown.
const model::Price* find_price(const PriceTable& table, std::string_view model);
/// Fills in cost_usd and marks it `estimated` where the agent named no cost, or named 0 for a model that has
/// a price. A 0 for tokens of a model without one is not known: programs say it where they have no price.
void estimate_cost(model::Usage& usage, std::string_view model, const PriceTable& table);

/// What an agent's whole output said: all that judge() knows of it. Texts are hostile.
struct StreamSummary {
  bool structured = false;  ///< JSON of some kind, as opposed to plain text
  std::uint64_t bytes = 0;
  std::int64_t events = 0;          ///< lines understood
  std::int64_t log_lines = 0;       ///< lines skipped: no JSON, too long, or not this session's
  std::string log_text;             ///< the first of them, at most 4 KiB
  bool terminal = false;            ///< the event that ends a run was seen
  bool terminal_ok = false;         ///< and it said success
  bool error = false;               ///< an event said failure
  std::string error_text;           ///< of the last error or failed terminal event, at most 4 KiB
  std::string error_word;           ///< the agent's own word for the kind of error
  std::optional<int> status;        ///< HTTP status that the error names
  std::optional<int> retry_status;  ///< of the last retry without progress since
  std::string retry_text;
  std::string complaint;  ///< of the last error that was neither a retry nor the end, without progress since
  bool denied = false;    ///< actions were refused to the agent
  std::int64_t denials = 0;    ///< how many, where the stream lists them
  std::int64_t tool_uses = 0;  ///< how many it tried, where the descriptor counts them
  std::string session;
  std::string model;
  std::optional<std::int64_t> turns;
  std::string final_text;  ///< its end, at most 4 KiB
  std::string final_head;  ///< its begin, at most 4 KiB; empty: the same as final_text
  model::Usage usage;
};

/// What a reader should know beside the descriptor.
struct ReaderOptions {
  std::string model;  ///< that was asked for: used when the stream names none
  model::Usage
      resume_base;    ///< what a resumed session had used before (codex counts from the session's start)
  PriceTable prices;  ///< empty: cost is never estimated
};

/// Reads one agent's output while it runs. Bytes may come in any pieces; no line is held, whatever its
/// length.
class StreamReader {
 public:
  explicit StreamReader(const model::AgentDescriptor& descriptor, ReaderOptions options = {});
  ~StreamReader();
  StreamReader(StreamReader&&) noexcept;
  StreamReader& operator=(StreamReader&&) noexcept;

  void feed(std::string_view bytes);
  /// The descriptor's usage_file, or its end where each line says everything. It wins over the stream's own
  /// numbers, unless the event that ends the run has all of them. False: there is no usage in it.
  bool usage_file(std::string_view text);
  /// The next bytes of the descriptor's usage_log, from `offset` on; 0 begins it anew, and bytes that don't
  /// follow those before are left out. Counts as long as usage_file has said nothing.
  void usage_log(std::string_view bytes, std::uint64_t offset);
  /// No more bytes will come.
  void finish();

  struct View {
    std::string last_line;    ///< worth showing, sanitised, one line, at most 200 bytes
    std::string tool;         ///< tool in use, if the stream tells
    std::int64_t events = 0;  ///< lines understood
    std::int64_t progress =
        0;                  ///< events that count as progress: the stall clock starts anew when it changes
    bool terminal = false;  ///< the agent is done; give it 10 s to leave, then stop it and keep the success
    int retries = 0;        ///< retries since the last progress
    int auth_retries = 0;   ///< of them, in a row, with 401 or 403: at 3 it is worth stopping the run
    std::optional<int> retry_status;     ///< of the last of them
    bool denied = false;                 ///< actions were refused to the agent
    bool asks_sign_in = false;           ///< JSON Lines: all that it said so far is that it is not signed in
    std::optional<std::int64_t> turn;    ///< model calls so far, where the stream tells
    std::optional<std::int64_t> tokens;  ///< counted_tokens() so far: what a token budget counts
    std::string session, model;
    model::Usage usage;  ///< so far; cost_usd may be estimated
  };
  [[nodiscard]] View view() const;
  /// Valid at any time, complete after finish().
  [[nodiscard]] StreamSummary summary() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Early stop (agent-clis reference, section 4): three refusals with 401 or 403 in a row.
bool refused_for_good(const StreamReader::View& view);
/// What a token budget counts: input, input written to a cache, and output with reasoning. What is read from
/// a cache does not count: every turn reads the whole conversation again, for a tenth of the price or less.
/// Nothing when none is known.
std::optional<std::int64_t> counted_tokens(const model::Usage& usage);
/// All tokens of a usage: input, cached input and output; nothing when none is known.
std::optional<std::int64_t> all_tokens(const model::Usage& usage);

/// How the process ended, in this room's words.
struct RunEnd {
  enum class How { exited, signaled, timed_out, cancelled, over_budget, start_failed, lost } how = How::lost;
  int code = 0;
  int signal = 0;
  std::string message;         ///< of a start failure
  std::string stderr_tail;     ///< last 16 KiB
  std::int64_t wall_ms = 0;    ///< below 0: unknown
  std::int64_t silent_ms = 0;  ///< how long it had made no progress at its end; 0: not known
  std::uint64_t stdout_bytes = 0;
  bool stopped_after_terminal =
      false;  ///< Hydra ended a run that had reported its end and did not leave: no blame
};

/// The outcome by the rules of the agent-clis reference, section 4, in their order. Pure. The diff is not
/// part of it: `denied` with no change becomes misconfigured in finish_verdict.
model::Verdict judge(const model::AgentDescriptor& descriptor, const StreamReader& stream, const RunEnd& end);
model::Verdict judge(const model::AgentDescriptor& descriptor, const StreamSummary& stream,
                     const RunEnd& end);
/// The last rule: everything refused and nothing changed is misconfigured.
model::Verdict finish_verdict(model::Verdict verdict, bool denied, bool changed);
/// Does standard error say that an action was refused (StreamRules::stderr_denied_regex)?
bool stderr_denied(const model::AgentDescriptor& descriptor, std::string_view stderr_tail);
/// Without a diff: was every use of a tool refused?
bool all_denied(const StreamSummary& stream);

/// What to do about an error of that class, as the end of a sentence ("sign in or set X, then race again").
/// Empty for ErrorClass::none.
std::string advice(const model::AgentDescriptor& descriptor, model::ErrorClass error_class);

/// The descriptor of that id or alias among `agents`; null when there is none.
const model::AgentDescriptor* find_agent(const std::map<std::string, model::AgentDescriptor>& agents,
                                         std::string_view name);

/// A version that a probe found, against what the descriptor knows.
enum class VersionFit { unknown, known, too_old, newer };
VersionFit version_fit(const model::AgentDescriptor& descriptor, std::string_view version);
/// Is it that version, or a later one? False where one of them is none.
bool version_reaches(std::string_view version, std::string_view from);
/// One sentence for the user; empty for a known version.
std::string version_note(const model::AgentDescriptor& descriptor, std::string_view version);

}  // namespace hydra::adapters
