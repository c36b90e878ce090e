// adapters: the outcome of a run. Each rule of docs/adapters.md, "How an end is judged", is one function; the
// first rule that applies decides.
#include "adapters/adapters.hpp"
#include "adapters/classify.hpp"
#include "adapters/event_reader.hpp"
#include "base/clock.hpp"
#include "base/strings.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

namespace hydra::adapters {
namespace {

using How = RunEnd::How;
using model::ErrorClass;
using model::Outcome;

/// A longer silence before an exit means work, not a refusal to start.
constexpr std::int64_t kStartMs = 10'000;
/// A longer silence before a timeout is reported as a stall.
constexpr std::int64_t kStallMs = 30'000;

/// Exit codes after a stop signal: 128 + HUP, INT, QUIT, KILL, TERM.
bool stop_code(int code) { return code == 129 || code == 130 || code == 131 || code == 137 || code == 143; }
bool stop_signal(int signal) {
  return signal == 1 || signal == 2 || signal == 3 || signal == 9 || signal == 15;
}

struct Case {
  const model::AgentDescriptor& descriptor;
  const StreamSummary& stream;
  const RunEnd& end;
  std::optional<std::string> stderr_error = std::nullopt;  ///< error in a JSON line of standard error
  std::optional<int> stderr_retry = std::nullopt;  ///< HTTP status of the last retry on standard error

  [[nodiscard]] std::string who() const {
    return descriptor.display.empty() ? descriptor.id : descriptor.display;
  }
  [[nodiscard]] bool ok_code(int code) const {
    return std::find(descriptor.ok_exit.begin(), descriptor.ok_exit.end(), code) != descriptor.ok_exit.end();
  }
  /// Whether the descriptor counts the exit as clean.
  [[nodiscard]] bool clean_exit() const {
    if (end.stopped_after_terminal) return true;
    if (end.how != How::exited) return false;
    if (ok_code(end.code)) return true;
    return descriptor.ignore_exit_code && !stop_code(end.code);
  }
  /// Whether another process than Hydra stopped the agent: its output then does not count.
  [[nodiscard]] bool stopped_from_outside() const {
    if (end.stopped_after_terminal) return false;
    if (end.how == How::signaled) return stop_signal(end.signal);
    return end.how == How::exited && stop_code(end.code) && !ok_code(end.code) &&
           !descriptor.exit_class.contains(end.code);
  }
  [[nodiscard]] bool soon() const {
    return end.wall_ms < 0 ? end.how == How::exited && end.code != 0 : end.wall_ms < kStartMs;
  }
  [[nodiscard]] std::string exit_words() const {
    return end.how == How::signaled ? fmt::format("was ended by signal {}", end.signal)
                                    : fmt::format("exited with code {}", end.code);
  }
};

using Maybe = std::optional<model::Verdict>;

/// Returns untrusted text as the end of a sentence: one line, shortened.
std::string said(std::string_view text) {
  const auto clean = sanitize(trim(text.substr(0, 1000)));
  return clean.empty() ? std::string() : fmt::format(": {}", ellipsize(clean, 200));
}

/// Returns the last line that begins like an error, else the last line outside of a stack trace.
std::string last_words(std::string_view stderr_tail) {
  static const auto error =
      pattern(R"((?i)^\W{0,4}(?:[\w.:]{0,60}\W{0,3}\b)?(?:[a-z]*error|[a-z]*exception|fatal|panic)\b)");
  static const auto stack = pattern(R"(^\s+at |^\s*[\])}]+[;,]?\s*$|^\s*Location:|^Node\.js v|^\s*$)");
  const auto all = lines(trim(stderr_tail));
  std::string_view last;
  for (auto line = all.rbegin(); line != all.rend(); ++line) {
    if (matches(stack, *line)) continue;
    if (last.empty()) last = *line;
    if (matches(error, *line)) return std::string(trim(*line));
  }
  if (last.empty() && !all.empty()) last = all.back();
  return std::string(trim(last));
}

/// Returns the descriptor's class of the exit code.
std::optional<ErrorClass> class_of_exit(const Case& c) {
  const auto it = c.descriptor.exit_class.find(c.end.code);
  if (it == c.descriptor.exit_class.end()) return std::nullopt;
  return model::of_name<ErrorClass>(it->second);
}

/// Makes a verdict whose message tells the event and then the remedy.
model::Verdict found(Outcome outcome, ErrorClass error_class, const std::string& happened, std::string todo) {
  model::Verdict verdict;
  verdict.outcome = outcome;
  verdict.error_class = error_class;
  verdict.message = todo.empty() ? happened : happened + "; " + todo;
  verdict.advice = std::move(todo);
  return verdict;
}

model::Verdict failed(const Case& c, ErrorClass error_class, std::string_view what, std::string_view text) {
  auto todo = advice(c.descriptor, error_class);
  return found(Outcome::failed, error_class, fmt::format("{} {}{}", c.who(), what, said(text)),
               std::move(todo));
}

/// Whether the agent prints output during its work.
bool speaks_at_work(const model::AgentDescriptor& descriptor) {
  using model::StreamFormat;
  return descriptor.stream.format == StreamFormat::text || descriptor.stream.format == StreamFormat::jsonl;
}

/// Rule 1: a stop by Hydra outweighs any output.
Maybe stopped_by_hydra(const Case& c) {
  switch (c.end.how) {
    case How::timed_out: {
      const bool stalled = c.end.silent_ms >= kStallMs && speaks_at_work(c.descriptor);
      const auto silence =
          stalled ? ", and nothing had come from it for " + format_duration(c.end.silent_ms) : std::string();
      return found(Outcome::timed_out, ErrorClass::none, c.who() + " ran out of time" + silence,
                   stalled ? "look at its log with `hydra logs`; [limits] idle_timeout ends such a run sooner"
                           : "raise [limits] agent_timeout_seconds or use --timeout");
    }
    case How::cancelled:
      return found(Outcome::cancelled, ErrorClass::none, c.who() + " was cancelled",
                   "race again to have it try once more");
    case How::over_budget:
      return found(Outcome::over_budget, ErrorClass::none, c.who() + " went over its budget",
                   "raise --budget-usd or --budget-tokens");
    case How::lost:
      return found(Outcome::lost, ErrorClass::none, c.who() + "'s supervisor vanished without a result",
                   "race again to have it try once more");
    default:
      return std::nullopt;
  }
}

/// Whether the descriptor's error pattern matches a line of standard error.
bool complains(const model::AgentDescriptor& descriptor, std::string_view stderr_tail) {
  const auto re = pattern(descriptor.stream.text.error);
  const auto all = lines(stderr_tail);
  return std::any_of(all.begin(), all.end(), [&](auto line) { return matches(re, line); });
}

model::Verdict not_started(const Case& c) {
  const auto& d = c.descriptor;
  std::string todo =
      d.install_hint.empty() ? "check its `command` in hydra.toml" : "install it: " + d.install_hint;
  const auto words = to_lower(c.end.message);
  if (words.find("directory") != std::string::npos && words.find("no such file") == std::string::npos)
    todo = "its `command` names a directory: name the program in it";
  else if (words.find("permission denied") != std::string::npos)
    todo = "its `command` must name a program that you may run, not a directory or a plain file";
  return found(Outcome::launch_error, ErrorClass::launch_error,
               fmt::format("{} could not be started{}", c.who(), said(c.end.message)), todo);
}

/// Rule 2: the agent never started its work.
Maybe never_began(const Case& c) {
  const auto& d = c.descriptor;
  if (c.end.how == How::start_failed) return not_started(c);
  const bool silent = c.stream.events == 0 && !c.stream.terminal && !c.stream.error && !c.stderr_error;
  if (!silent || (c.end.how != How::exited && c.end.how != How::signaled)) return std::nullopt;
  // A plain-text program may work silently, unless its error pattern matches standard error.
  if (!c.stream.structured && c.clean_exit() && !complains(d, c.end.stderr_tail)) return std::nullopt;
  auto problem = setup_problem(c.end.stderr_tail);
  // Some agents print a sign-in request on standard output and then wait forever.
  if (!problem && c.stream.structured) problem = setup_problem(c.stream.log_text);
  if (problem) {
    auto todo = problem->error_class == ErrorClass::auth ? advice(d, ErrorClass::auth)
                                                         : std::string("check its `command` and version");
    return found(Outcome::launch_error, problem->error_class,
                 fmt::format("{} refused to start{}", c.who(), said(problem->line)), std::move(todo));
  }
  if (c.end.how != How::exited || c.stopped_from_outside()) return std::nullopt;
  if (const auto said_so = class_of_exit(c); said_so && c.end.code != 0)
    return found(
        Outcome::launch_error, *said_so,
        fmt::format("{} {} before it began{}", c.who(), c.exit_words(), said(last_words(c.end.stderr_tail))),
        advice(d, *said_so));
  // Agents with these formats print only at their end, so a silent one was interrupted during its work.
  const auto format = d.stream.format;
  if (c.clean_exit() &&
      (format == model::StreamFormat::json_whole || format == model::StreamFormat::json_last))
    return std::nullopt;
  const bool missing = c.end.code == 126 || c.end.code == 127;
  if (!missing && (!c.soon() || c.stream.bytes > 0 || c.end.stdout_bytes > 0)) return std::nullopt;
  if (c.stream.structured && !d.stream.terminal_required && c.clean_exit()) return std::nullopt;
  const auto words = last_words(c.end.stderr_tail);
  const auto happened = fmt::format("{} {} before it said anything{}", c.who(), c.exit_words(), said(words));
  auto error_class = missing ? ErrorClass::agent_error : classify_error(std::nullopt, words);
  if (error_class == ErrorClass::agent_error)
    return found(Outcome::launch_error, ErrorClass::launch_error, happened,
                 "try its command by hand, `hydra logs` shows the rest");
  auto todo = advice(d, error_class);
  return found(Outcome::launch_error, error_class, happened, std::move(todo));
}

/// Rule 3: the agent reported an error.
Maybe reported_error(const Case& c) {
  const auto& s = c.stream;
  const bool in_stream = s.error || (s.terminal && !s.terminal_ok);
  const bool in_stderr = c.stderr_error && !(s.terminal && s.terminal_ok && c.clean_exit());
  if (!in_stream && !in_stderr) return std::nullopt;
  std::string text = s.error_text.empty() ? s.final_text : s.error_text;
  if (c.stderr_error && s.error_text.empty()) text = *c.stderr_error;
  auto status = s.status;
  if (!status && s.error_text.empty()) status = s.retry_status;
  ErrorClass error_class = classify_error(status, text, s.error_word);
  if (error_class == ErrorClass::agent_error && !status && c.end.how == How::exited)
    error_class = class_of_exit(c).value_or(error_class);
  return failed(c, error_class, "reported an error", text);
}

/// Rule 4: the agent reported success in the words of an error.
Maybe error_in_words(const Case& c) {
  const auto re = pattern(c.descriptor.stream.error_regex);
  // The pattern is tried on the first and the last 4 KiB; text before the match is not part of the error.
  for (const std::string_view text :
       {std::string_view(c.stream.final_head), std::string_view(c.stream.final_text)}) {
    const auto at = match_at(re, text);
    if (at == std::string_view::npos) continue;
    const auto error = text.substr(at);
    return failed(c, classify_error(std::nullopt, head(error, 500)), "ended with an error", error);
  }
  return std::nullopt;
}

/// Rule 5 and similar cases: the terminal event is missing.
Maybe no_end(const Case& c) {
  const auto& s = c.stream;
  const auto& d = c.descriptor;
  const bool good_end = s.terminal && s.terminal_ok;
  const bool retried = s.retry_status || !s.retry_text.empty() || c.stderr_retry;
  const auto status = s.retry_status ? s.retry_status : c.stderr_retry;
  // A retried model call without a status means that the provider did not answer.
  const auto retry_class = [&] {
    auto error_class = classify_error(status, s.retry_text);
    return error_class == ErrorClass::agent_error && !status ? ErrorClass::provider : error_class;
  };
  if (c.stopped_from_outside() && (good_end || c.end.how == How::signaled || !s.structured)) {
    auto error_class = retried ? retry_class() : ErrorClass::agent_error;
    auto todo = retried ? advice(d, error_class) : std::string("race again to have it try once more");
    const auto signal = c.end.how == How::signaled ? c.end.signal : c.end.code - 128;
    return found(Outcome::crashed, error_class,
                 fmt::format("{} was ended by signal {} that Hydra did not send{}", c.who(), signal,
                             said(s.retry_text)),
                 std::move(todo));
  }
  if (c.end.how == How::signaled && !good_end && !c.end.stopped_after_terminal) {
    auto todo = advice(d, ErrorClass::agent_error);
    return found(Outcome::crashed, ErrorClass::agent_error,
                 fmt::format("{} crashed with signal {}", c.who(), c.end.signal), std::move(todo));
  }
  if (good_end) return std::nullopt;
  if (!s.structured) {
    if (c.clean_exit()) return std::nullopt;
    const auto said_so = class_of_exit(c);
    auto words = last_words(c.end.stderr_tail);
    if (words.empty()) words = last_words(s.final_text);
    return failed(c, said_so ? *said_so : classify_error(std::nullopt, words), c.exit_words(), words);
  }
  if (!d.stream.terminal_required && s.events > 0 && c.clean_exit()) return std::nullopt;
  if (!s.complaint.empty())
    return failed(c, classify_error(std::nullopt, s.complaint), "stopped without reporting its end",
                  s.complaint);
  if (retried) return failed(c, retry_class(), "stopped while it retried", s.retry_text);
  if (const auto said_so = class_of_exit(c); c.end.how == How::exited && said_so)
    return failed(c, *said_so, c.exit_words(), last_words(c.end.stderr_tail));
  // Standard output names no error, so standard error decides the class.
  const auto words = last_words(c.end.stderr_tail);
  const auto error_class = c.clean_exit() || c.stopped_from_outside() ? ErrorClass::agent_error
                                                                      : classify_error(std::nullopt, words);
  auto finding =
      failed(c, error_class,
             s.events == 0 ? "said nothing that can be understood" : "stopped without reporting its end",
             c.clean_exit() ? std::string() : c.exit_words() + (words.empty() ? "" : ". " + words));
  if (error_class == ErrorClass::agent_error) {
    finding.message += ", then race again";
    finding.advice += ", then race again";
  }
  return finding;
}

/// Rules 6 and 7: the agent reported success; the exit decides whether with a warning.
model::Verdict good(const Case& c) {
  if (c.clean_exit()) return found(Outcome::completed, ErrorClass::none, "", "");
  return found(Outcome::completed_with_warning, ErrorClass::none,
               fmt::format("{} reported success and then {}", c.who(), c.exit_words()),
               "look at its log with `hydra logs`");
}

/// Returns the last JSON error on standard error, by the descriptor's rules.
std::optional<std::string> error_line(const model::AgentDescriptor& descriptor,
                                      std::string_view stderr_tail) {
  const auto& rules = descriptor.stream;
  if (rules.stderr_error_when.empty()) return std::nullopt;
  Interest interest;
  const When when(interest, rules.stderr_error_when);
  const Pointer text(interest, rules.stderr_error_text);
  JsonSkimmer skimmer(interest);
  std::optional<std::string> said;
  bool goes_on = false;  // whether an object continues on the next line
  for (const auto line : lines(stderr_tail)) {
    if (!goes_on || line.starts_with('{')) skimmer.begin();
    goes_on = skimmer.feed(line) && skimmer.feed("\n") && !skimmer.complete();
    if (skimmer.complete() && when.holds(skimmer.values())) said = text_at(text, skimmer.values());
  }
  return said;
}

std::optional<int> last_retry(const model::AgentDescriptor& descriptor, std::string_view stderr_tail) {
  const auto re = pattern(descriptor.stream.stderr_retry_regex);
  if (re == nullptr || re->NumberOfCapturingGroups() < 1) return std::nullopt;
  re2::StringPiece rest(stderr_tail.data(), stderr_tail.size());
  std::optional<int> last;
  for (int status = 0; RE2::FindAndConsume(&rest, *re, &status);) last = status;
  return last;
}

}  // namespace

model::Verdict judge(const model::AgentDescriptor& descriptor, const StreamSummary& stream,
                     const RunEnd& end) {
  const Case c{descriptor, stream, end, error_line(descriptor, end.stderr_tail),
               last_retry(descriptor, end.stderr_tail)};
  Maybe finding;
  for (const auto rule : {stopped_by_hydra, never_began, reported_error, error_in_words, no_end}) {
    finding = rule(c);
    if (finding) break;
  }
  model::Verdict verdict = finding ? *std::move(finding) : good(c);
  verdict.session = stream.session;
  verdict.final_text = stream.final_text;
  verdict.model = stream.model;
  verdict.turns = stream.turns;
  verdict.usage = stream.usage;
  return verdict;
}

model::Verdict judge(const model::AgentDescriptor& descriptor, const StreamReader& stream,
                     const RunEnd& end) {
  return judge(descriptor, stream.summary(), end);
}

model::Verdict finish_verdict(model::Verdict verdict, bool denied, bool changed) {
  if (!ended_well(verdict.outcome) || changed) return verdict;
  const auto tokens = all_tokens(verdict.usage);
  const auto& cost = verdict.usage.cost_usd;
  if ((tokens || cost) && tokens.value_or(0) == 0 && cost.value_or(0) == 0) {
    verdict.outcome = Outcome::failed;
    verdict.error_class = ErrorClass::agent_error;
    verdict.advice = "look at its log with `hydra logs`";
    verdict.message = "no model was called (0 tokens) and nothing was changed; " + verdict.advice;
  }
  if (!denied) return verdict;
  verdict.outcome = Outcome::misconfigured;
  verdict.error_class = ErrorClass::launch_error;
  verdict.advice = "let it act without asking in its `command`";
  verdict.message = "everything the agent tried was refused to it and it changed nothing; " + verdict.advice;
  return verdict;
}

bool stderr_denied(const model::AgentDescriptor& descriptor, std::string_view stderr_tail) {
  return matches(pattern(descriptor.stream.stderr_denied_regex), stderr_tail);
}

std::string advice(const model::AgentDescriptor& d, ErrorClass error_class) {
  if (error_class == ErrorClass::auth) {
    if (!d.sign_in_hint.empty()) return d.sign_in_hint + ", then race again";
    if (d.auth_env.empty()) return "sign in with its own command, then race again";
    return fmt::format("sign in or set {}, then race again", join(d.auth_env, " or "));
  }
  if (error_class == ErrorClass::rate_limit)
    return "its provider limits you: wait or raise the limit, then race again";
  if (error_class == ErrorClass::provider) return "its provider or the network failed: race again";
  if (error_class == ErrorClass::launch_error)
    return "try its command by hand, and `hydra agents --probe` for its version";
  if (error_class == ErrorClass::agent_error) return "look at its log with `hydra logs`";
  return {};
}

std::string question_in(std::string_view message) {
  constexpr int kFinalLines = 10;
  static const RE2 kQuestion(R"([?？؟]["'’”»)\]*_` ]*$)");  // of any script, also in quotes and Markdown
  const auto lines = split(message, '\n');
  int seen = 0;
  for (auto line = lines.rbegin(); line != lines.rend() && seen < kFinalLines; ++line) {
    const auto text = trim(*line);
    if (text.empty()) continue;
    ++seen;
    if (RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kQuestion)) return std::string(text);
  }
  return {};
}

}  // namespace hydra::adapters
