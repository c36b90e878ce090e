#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_fields.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/log_text.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace hydra::cli {
namespace {

constexpr std::chrono::milliseconds kPoll{300};

struct LogsArgs {
  std::string name, kind = "agent";
  bool follow = false, raw = false, err = false, json = false;
};

// Reads one log from its begin; with `follow` until the log ends.
class LogReader {
 public:
  LogReader(const LogsArgs& args, client::Client& client, AgentRef ref)
      : args_(args), client_(client), ref_(std::move(ref)), err_(args.err) {}

  /// Returns the exit code; kInterrupted after Ctrl-C.
  Result<int> run(Interrupts& interrupts) {
    for (;;) {
      HYDRA_TRY(const auto response, client_.request("GET", target()));
      if (response.status != 200) return client::error_of(response);
      const auto header = [&](const char* name) {
        const auto it = response.headers.find(name);
        return it == response.headers.end() ? std::string() : it->second;
      };
      if (header("x-hydra-cut") == "1" && !cut_told_) {
        cut_told_ = true;
        // The gap is marked in place, but raw bytes and JSON records get no extra line.
        if (args_.raw || args_.json)
          std::fprintf(stderr, "(the middle of this log was not kept)\n");
        else
          show(text_.feed("\n(the middle of this log was not kept)\n"));
      }
      if (err_ != args_.err && offset_ == 0 && !response.body.empty() && !args_.json)
        print_line("(nothing on standard output; this is standard error)");
      if (args_.raw)
        print(response.body);
      else
        show(text_.feed(response.body));
      const auto next = parse_int(header("x-hydra-next-offset"));
      const bool moved = next && *next > offset_;
      if (moved) offset_ = *next;
      if (moved && !response.body.empty()) {
        if (interrupts.take(std::chrono::milliseconds(0)) != 0) return kInterrupted;
        continue;
      }
      if (!args_.follow || header("x-hydra-ended") == "1") {
        if (err_ || args_.raw || offset_ > 0) break;
        err_ = true;
        continue;
      }
      if (interrupts.take(kPoll) != 0) return kInterrupted;
    }
    if (!args_.raw) show(text_.finish());
    return kDone;
  }

 private:
  void show(const std::string& text) const {
    if (!args_.json) return print(text);
    for (const auto line : lines(text))
      print_line(one_line({{"schema", 1},
                           {"race", ref_.race},
                           {"subject", ref_.agent},
                           {"kind", args_.kind},
                           {"stream", err_ ? "err" : "out"},
                           {"line", to_utf8(line)}}));
  }

  [[nodiscard]] std::string target() const {
    return fmt::format("/v1/races/{}/logs/{}?kind={}&stream={}&offset={}{}", client::url_encode(ref_.race),
                       client::url_encode(ref_.agent), client::url_encode(args_.kind), err_ ? "err" : "out",
                       offset_, args_.raw ? "&raw=1" : "");
  }

  const LogsArgs& args_;
  client::Client& client_;
  AgentRef ref_;
  LogText text_;
  bool err_;  ///< also after a standard output without a byte
  std::int64_t offset_ = 0;
  bool cut_told_ = false;
};

// Returns one agent, or all of a race if the word is a race id or empty.
Result<std::vector<AgentRef>> subjects(client::Client& client, const std::string& word) {
  if (!word.empty()) {
    const auto ref = resolve_agent(client, word);
    if (ref) return std::vector<AgentRef>{*ref};
    if (ref.error().code != Errc::not_found || word.find('/') != std::string::npos) return ref.error();
    const auto race = get_status(client, word);
    if (!race) return ref.error();
  }
  HYDRA_TRY(const auto status, get_status(client, word));
  std::vector<AgentRef> out;
  for (const auto& agent : status.agents) out.push_back({status.race, agent.agent});
  return out;
}

Result<int> logs(const LogsArgs& args, Context& context) {
  if (args.raw && args.json) return Error{Errc::usage, "--raw and --json exclude each other", {}, {}};
  if (args.raw && ::isatty(1) != 0)
    return Error{Errc::usage,
                 "--raw would send an agent's control characters to this terminal",
                 {},
                 "send it to a file or a pipe"};
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto refs, subjects(client, args.name));
  if (args.follow && refs.size() > 1)
    return Error{Errc::usage, "--follow needs one agent", {}, "hydra logs " + refs[0].agent + " --follow"};
  Interrupts interrupts;
  int failed = kDone;
  for (const auto& ref : refs) {
    if (refs.size() > 1 && !args.json) print_line("==> " + context.out().safe(ref.agent) + " <==");
    LogReader reader(args, client, ref);
    const auto code = reader.run(interrupts);
    if (!code)
      failed = context.fail(code.error());
    else if (*code != kDone)
      return *code;
  }
  return refs.size() == 1 ? failed : kDone;
}

}  // namespace

Verb logs_verb() {
  return verb_of<LogsArgs>(
      "logs", "Output of an agent or of its checks (default: every agent of the last race)",
      {"hydra logs codex", "hydra logs codex --kind tests", "hydra logs baseline --kind build",
       "hydra logs 01jx4k/codex --follow", "hydra logs codex --raw > codex.jsonl"},
      [](Options& o, LogsArgs& args) {
        o.positional("subject", args.name, false, "an agent, RACE/AGENT, a branch, `baseline`, or a race");
        o.choice("--kind,-k", args.kind,
                 {"agent", "setup", "build", "tests", "lint", "template", "warm", "run"}, "whose output");
        o.flag("--follow,-f", args.follow, "go on until it ends");
        o.flag("--stderr", args.err, "standard error instead of standard output");
        o.flag("--json", args.json, "one JSON object a line of the log (docs/api.md)");
        o.flag("--raw", args.raw, "the bytes as they are; not on a terminal");
      },
      logs);
}

}  // namespace hydra::cli
