// adapters: agent CLIs as data: built-in descriptors, how to launch one, how to read its stream, how to judge
// its end. Everything here is pure but probing, which is not in this room.
#pragma once

#include "base/result.hpp"
#include "model/agent_descriptor.hpp"
#include "model/agent_run.hpp"

#include <cstdint>
#include <filesystem>
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

/// What an agent's whole output said: all that judge() knows of it. Texts are hostile.
struct StreamSummary {
  bool structured = false;  ///< JSON of some kind, as opposed to plain text
  std::uint64_t bytes = 0;
  std::int64_t events = 0;          ///< lines understood
  std::int64_t log_lines = 0;       ///< lines skipped: no JSON, or too long
  bool terminal = false;            ///< the event that ends a run was seen
  bool terminal_ok = false;         ///< and it said success
  bool error = false;               ///< an event said failure
  std::string error_text;           ///< of the last error or failed terminal event, at most 4 KiB
  std::optional<int> status;        ///< HTTP status that the error names
  std::optional<int> retry_status;  ///< of the last retry without progress since
  std::string retry_text;
  bool denied = false;  ///< actions were refused to the agent
  std::string session;
  std::string final_text;  ///< at most 4 KiB
  model::Usage usage;
};

/// Reads one agent's output while it runs. Bytes may come in any pieces; long lines are not held beyond the
/// limit.
class StreamReader {
 public:
  explicit StreamReader(const model::AgentDescriptor& descriptor);
  ~StreamReader();
  StreamReader(StreamReader&&) noexcept;
  StreamReader& operator=(StreamReader&&) noexcept;

  void feed(std::string_view bytes);
  /// No more bytes will come.
  void finish();

  struct View {
    std::string last_line;      ///< worth showing, sanitised, one line, at most 200 bytes
    std::string tool;           ///< tool in use, if the stream tells
    std::int64_t events = 0;    ///< lines understood
    std::int64_t progress = 0;  ///< events that count as progress
    bool terminal = false;  ///< the agent is done; give it 10 s to leave, then stop it and keep the success
    int auth_retries = 0;   ///< retries in a row with 401 or 403: at 3 it is worth stopping the run
    model::Usage usage;
  };
  [[nodiscard]] View view() const;
  /// Valid at any time, complete after finish().
  [[nodiscard]] StreamSummary summary() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How the process ended, in this room's words.
struct RunEnd {
  enum class How { exited, signaled, timed_out, cancelled, over_budget, start_failed, lost } how = How::lost;
  int code = 0;
  int signal = 0;
  std::string message;      ///< of a start failure
  std::string stderr_tail;  ///< last 16 KiB
  std::int64_t wall_ms = 0;
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
bool denied(const StreamReader& stream);

}  // namespace hydra::adapters
