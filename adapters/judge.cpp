// adapters: what became of a run. The rules of the agent-clis reference, section 4, one function each, in
// their order: the first that applies decides.
#include "adapters/adapters.hpp"
#include "adapters/classify.hpp"
#include "base/strings.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

namespace hydra::adapters {
namespace {

using How = RunEnd::How;
using model::Outcome;

/// Longer silence than this before an exit is work, not a refusal to start.
constexpr std::int64_t kStartMs = 10'000;

struct Case {
  const model::AgentDescriptor& descriptor;
  const StreamSummary& stream;
  const RunEnd& end;

  [[nodiscard]] std::string who() const {
    return descriptor.display.empty() ? descriptor.id : descriptor.display;
  }
  /// The exit code as the descriptor sees it: clean, or not.
  [[nodiscard]] bool clean_exit() const {
    if (end.stopped_after_terminal) return true;
    if (end.how != How::exited) return false;
    return descriptor.ignore_exit_code || std::find(descriptor.ok_exit.begin(), descriptor.ok_exit.end(),
                                                    end.code) != descriptor.ok_exit.end();
  }
  [[nodiscard]] std::string exit_words() const {
    return end.how == How::signaled ? fmt::format("was ended by signal {}", end.signal)
                                    : fmt::format("exited with code {}", end.code);
  }
};

struct Finding {
  Outcome outcome;
  std::string error_class;
  std::string message;
};
using Maybe = std::optional<Finding>;

/// A foreign text as the end of a sentence: one line, cut.
std::string said(std::string_view text) {
  const auto clean = sanitize(trim(text.substr(0, 1000)));
  return clean.empty() ? std::string() : fmt::format(": {}", ellipsize(clean, 200));
}

std::string advice(const model::AgentDescriptor& d, std::string_view error_class) {
  if (error_class == "auth") {
    if (d.auth_env.empty()) return "sign in with its own command, then race again";
    return fmt::format("sign in or set {}, then race again", join(d.auth_env, " or "));
  }
  if (error_class == "rate_limit") return "its provider limits you: wait or raise the limit, then race again";
  if (error_class == "provider") return "its provider or the network failed: race again";
  if (error_class == "truncated") return "look at its log with `hydra logs`, then race again";
  return "look at its log with `hydra logs`";
}

std::string last_words(std::string_view stderr_tail) {
  const auto all = lines(trim(stderr_tail));
  return all.empty() ? std::string() : std::string(trim(all.back()));
}

Finding failed(const Case& c, std::string error_class, std::string_view what, std::string_view text) {
  const std::string message =
      fmt::format("{} {}{}; {}", c.who(), what, said(text), advice(c.descriptor, error_class));
  return {Outcome::failed, std::move(error_class), message};
}

/// Rule 1: who stopped it counts before anything it said.
Maybe stopped_by_hydra(const Case& c) {
  switch (c.end.how) {
    case How::timed_out:
      return Finding{
          Outcome::timed_out, "",
          fmt::format("{} ran out of time; raise [limits] agent_timeout_seconds or use --timeout", c.who())};
    case How::cancelled:
      return Finding{Outcome::cancelled, "",
                     fmt::format("{} was cancelled; race again to have it try once more", c.who())};
    case How::over_budget:
      return Finding{Outcome::over_budget, "",
                     fmt::format("{} went over its budget; raise --budget-usd or --budget-tokens", c.who())};
    case How::lost:
      return Finding{
          Outcome::lost, "",
          fmt::format("{}'s supervisor vanished without a result; race again to have it try once more",
                      c.who())};
    default:
      return std::nullopt;
  }
}

/// Rule 2: it never began.
Maybe never_began(const Case& c) {
  const auto& d = c.descriptor;
  if (c.end.how == How::start_failed) {
    const auto hint = d.install_hint.empty() ? std::string("check its `command` in hydra.toml")
                                             : fmt::format("install it: {}", d.install_hint);
    return Finding{Outcome::launch_error, "launch_error",
                   fmt::format("{} could not be started{}; {}", c.who(), said(c.end.message), hint)};
  }
  const bool silent = c.stream.events == 0 && !c.stream.terminal && !c.stream.error;
  if (c.end.how != How::exited || !silent) return std::nullopt;
  // A plain program may well do its work without a word.
  if (!c.stream.structured && c.clean_exit()) return std::nullopt;
  if (const auto problem = setup_problem(c.end.stderr_tail)) {
    const auto what =
        problem->error_class == "auth" ? advice(d, "auth") : std::string("check its `command` and version");
    return Finding{Outcome::launch_error, problem->error_class,
                   fmt::format("{} refused to start{}; {}", c.who(), said(problem->line), what)};
  }
  if (const auto it = d.exit_class.find(c.end.code); it != d.exit_class.end() && c.end.code != 0)
    return Finding{Outcome::launch_error, it->second,
                   fmt::format("{} {} before it began{}; {}", c.who(), c.exit_words(),
                               said(last_words(c.end.stderr_tail)), advice(d, it->second))};
  const bool missing = c.end.code == 126 || c.end.code == 127;
  if (!missing && (c.end.wall_ms >= kStartMs || (c.stream.bytes > 0 || c.end.stdout_bytes > 0)))
    return std::nullopt;
  if (c.stream.structured && !d.stream.terminal_required && c.clean_exit()) return std::nullopt;
  return Finding{
      Outcome::launch_error, "launch_error",
      fmt::format("{} {} before it said anything{}; try its command by hand, `hydra logs` shows the rest",
                  c.who(), c.exit_words(), said(last_words(c.end.stderr_tail)))};
}

/// Rule 3: it reported an error itself.
Maybe reported_error(const Case& c) {
  const auto& s = c.stream;
  if (!s.error && !(s.terminal && !s.terminal_ok)) return std::nullopt;
  const std::string text = s.error_text.empty() ? s.final_text : s.error_text;
  auto status = s.status;
  if (!status && s.error_text.empty()) status = s.retry_status;
  std::string error_class = classify_error(status, text);
  if (error_class == "agent_error" && !status && c.end.how == How::exited)
    if (const auto it = c.descriptor.exit_class.find(c.end.code); it != c.descriptor.exit_class.end())
      error_class = it->second;
  return failed(c, error_class, "reported an error", text);
}

/// Rule 4: it reported success with the words of an error.
Maybe error_in_words(const Case& c) {
  const auto& pattern = c.descriptor.stream.error_regex;
  if (pattern.empty() || c.stream.final_text.empty()) return std::nullopt;
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 re(re2::StringPiece(pattern.data(), pattern.size()), options);
  const std::string& text = c.stream.final_text;
  if (!re.ok() || !RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), re)) return std::nullopt;
  return failed(c, classify_error(std::nullopt, text), "ended with an error", text);
}

/// Rule 5, and what is like it: the end is missing.
Maybe no_end(const Case& c) {
  const auto& s = c.stream;
  const auto& d = c.descriptor;
  const bool good_end = s.terminal && s.terminal_ok;
  if (c.end.how == How::signaled && !good_end && !c.end.stopped_after_terminal) {
    const bool retried = s.retry_status || !s.retry_text.empty();
    const auto error_class = retried ? classify_error(s.retry_status, s.retry_text) : std::string();
    return Finding{Outcome::crashed, error_class,
                   fmt::format("{} was ended by signal {} that Hydra did not send{}; {}", c.who(),
                               c.end.signal, said(s.retry_text), advice(d, error_class))};
  }
  if (good_end) return std::nullopt;
  if (!s.structured) {
    if (c.clean_exit()) return std::nullopt;
    const auto it = d.exit_class.find(c.end.code);
    const auto words = last_words(c.end.stderr_tail);
    return failed(c, it != d.exit_class.end() ? it->second : classify_error(std::nullopt, words),
                  c.exit_words(), words);
  }
  if (!d.stream.terminal_required && s.events > 0 && c.clean_exit()) return std::nullopt;
  if (s.retry_status || !s.retry_text.empty())
    return failed(c, classify_error(s.retry_status, s.retry_text), "stopped while it retried", s.retry_text);
  if (const auto it = d.exit_class.find(c.end.code); c.end.how == How::exited && it != d.exit_class.end())
    return failed(c, it->second, c.exit_words(), last_words(c.end.stderr_tail));
  return failed(c, "truncated",
                s.events == 0 ? "said nothing that can be understood" : "stopped without reporting its end",
                c.clean_exit() ? std::string() : c.exit_words() + ". " + last_words(c.end.stderr_tail));
}

/// Rules 6 and 7.
Finding good(const Case& c) {
  if (c.clean_exit()) return {Outcome::completed, "", ""};
  return {Outcome::completed_with_warning, "",
          fmt::format("{} reported success and then {}; look at its log with `hydra logs`", c.who(),
                      c.exit_words())};
}

}  // namespace

model::Verdict judge(const model::AgentDescriptor& descriptor, const StreamSummary& stream,
                     const RunEnd& end) {
  const Case c{descriptor, stream, end};
  Maybe finding;
  for (const auto rule : {stopped_by_hydra, never_began, reported_error, error_in_words, no_end}) {
    finding = rule(c);
    if (finding) break;
  }
  if (!finding) finding = good(c);
  model::Verdict verdict;
  verdict.outcome = finding->outcome;
  verdict.error_class = std::move(finding->error_class);
  verdict.message = std::move(finding->message);
  verdict.session = stream.session;
  verdict.final_text = stream.final_text;
  verdict.usage = stream.usage;
  return verdict;
}

model::Verdict judge(const model::AgentDescriptor& descriptor, const StreamReader& stream,
                     const RunEnd& end) {
  return judge(descriptor, stream.summary(), end);
}

model::Verdict finish_verdict(model::Verdict verdict, bool denied, bool changed) {
  const bool done =
      verdict.outcome == Outcome::completed || verdict.outcome == Outcome::completed_with_warning;
  if (!done || !denied || changed) return verdict;
  verdict.outcome = Outcome::misconfigured;
  verdict.error_class = "launch_error";
  verdict.message =
      "everything the agent tried was refused to it and it changed nothing; let it act without asking in its "
      "`command`";
  return verdict;
}

}  // namespace hydra::adapters
