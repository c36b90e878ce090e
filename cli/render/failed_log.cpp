#include "cli/render/failed_log.hpp"

#include "base/strings.hpp"
#include "cli/render/log_text.hpp"
#include "cli/render/result_block.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

constexpr std::size_t kLines = 10;
constexpr std::size_t kLongestLine = 400;  ///< columns
constexpr std::size_t kMostSteps = 4;      ///< logs shown; other failed steps are only named
constexpr int kTail = 64 << 10;            ///< bytes

void keep_last(FailedLog& log, const std::string& text) {
  for (const auto line : lines(text)) {
    if (trim(line).empty()) continue;
    if (log.lines.size() == kLines) log.lines.erase(log.lines.begin());
    log.lines.push_back(ellipsize(line, kLongestLine));
  }
}

}  // namespace

StepRef step_of_attempt(const std::string& attempt) {
  const auto parts = split(attempt, '/');
  if (parts.size() < 3) return {std::string(parts.front()), "setup"};
  return {std::string(parts.front()), std::string(parts[parts.size() - 2])};
}

std::string failed_attempt(const wire::Baseline& baseline) {
  if (!baseline.reason.empty()) return baseline.attempt;
  for (const auto& check : checks_of(baseline))
    if (check.status != model::CheckStatus::passed && check.status != model::CheckStatus::skipped &&
        !check.attempt.empty())
      return check.attempt;
  return {};
}

FailedLog read_failed_log(client::Client& client, const std::string& attempt) {
  FailedLog log{step_of_attempt(attempt), false, {}};
  const auto parts = split(attempt, '/');
  const bool whole = parts.size() == 4;
  const auto response =
      client.request("GET", fmt::format("/v1/races/{}/logs/{}?kind={}&stream=out&tail={}{}",
                                        client::url_encode(log.step.race),
                                        client::url_encode(whole ? parts[1] : std::string_view("@baseline")),
                                        client::url_encode(log.step.kind), kTail,
                                        whole ? "&attempt=" + client::url_encode(attempt) : std::string()));
  if (!response || response->status != 200) return log;
  log.there = true;
  LogText text;
  keep_last(log, text.feed(response->body));
  keep_last(log, text.finish());
  return log;
}

std::string failed_log_block(const FailedLog& log, const Style& style) {
  if (!log.there)
    return fmt::format("\nIts log went with race {}; `hydra check --fresh` runs it again.\n",
                       style.safe(log.step.race));
  if (log.lines.empty()) return {};
  std::string out = fmt::format("\nThe last lines of its {}:\n",
                                log.step.kind == "setup" ? "set-up" : style.safe(log.step.kind));
  for (const auto& line : log.lines) out += "  " + style.paint(Paint::dim, style.safe(line)) + "\n";
  return out;
}

std::vector<FailedStep> failed_steps(const wire::Results& results) {
  std::vector<FailedStep> steps;
  if (results.state != model::RacePhase::done) return steps;
  const auto checks = checks_of(results.baseline);
  const auto passes_before = [&](const std::string& name) {
    return std::any_of(checks.begin(), checks.end(), [&](const auto& check) {
      return check.name == name && check.status == model::CheckStatus::passed;
    });
  };
  for (const auto& agent : results.agents)
    for (const auto& check : checks_of(agent)) {
      const bool ran = check.status != model::CheckStatus::passed &&
                       check.status != model::CheckStatus::skipped && !check.attempt.empty();
      // Findings of a scored linter are already in the points.
      const bool counted =
          check.name == "lint" && dimension_of(agent, "lint").status == model::DimensionStatus::scored;
      const bool known = std::any_of(steps.begin(), steps.end(),
                                     [&](const auto& step) { return step.check.attempt == check.attempt; });
      if (!ran || counted || (!passes_before(check.name) && check.name != "build")) continue;
      if (!known && steps.size() < kMostSteps) steps.push_back({shown_name(agent), check});
      break;  // later checks did not run, or failed because of this one
    }
  return steps;
}

namespace {

std::string why_unscored(const wire::Dimension& dimension, const NamedCheck& check, const Style& style) {
  if (check.status == model::CheckStatus::timed_out)
    return fmt::format("timed out after {:.0f} s", check.wall_seconds);
  if (check.signal) return fmt::format("ended by signal {}", *check.signal);
  if (check.status == model::CheckStatus::not_started)
    return "did not run" + (check.message.empty() ? "" : ": " + style.safe(check.message));
  if (check.exit_code == model::kCommandNotFound)
    return "did not run, command not found: " + style.safe(check.command);
  if (check.exit_code == model::kNotExecutable)
    return "did not run, not executable: " + style.safe(check.command);
  auto text = check.tests && check.tests->failed.value_or(0) > 0
                  ? fmt::format("fail, {} of {}", *check.tests->failed, check.tests->total.value_or(0))
                  : fmt::format("ended with exit code {}", check.exit_code.value_or(0));
  if (dimension.reason == model::ScoreReason::unverified && !check.suspicious.empty())
    text += " (unverified: " + style.safe(check.suspicious.front()) + ")";
  return text;
}

}  // namespace

std::string unscored_lines(const wire::Results& results, const Style& style) {
  std::vector<std::pair<std::string, std::string>> lines;  // reason, names of agents
  const auto shown = failed_steps(results);
  for (const auto& agent : results.agents)
    for (const auto& check : checks_of(agent)) {
      const auto& dimension = dimension_of(agent, check.name.c_str());
      const bool none = dimension.status == model::DimensionStatus::failed ||
                        (dimension.status == model::DimensionStatus::scored && dimension.points <= 0 &&
                         check.name != "lint");
      const bool known = std::any_of(shown.begin(), shown.end(), [&](const auto& step) {
        return !check.attempt.empty() && step.check.attempt == check.attempt;
      });
      if (!none || known || check.status == model::CheckStatus::passed) continue;
      const auto text = check.name + " " + why_unscored(dimension, check, style);
      const auto same =
          std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == text; });
      if (same == lines.end())
        lines.emplace_back(text, style.safe(shown_name(agent)));
      else
        same->second += ", " + style.safe(shown_name(agent));
      break;  // later checks did not run, or failed because of this one
    }
  std::string out;
  for (const auto& [text, names] : lines) out += "  " + names + ": " + text + "\n";
  return out.empty() ? out : "\n" + out;
}

std::string failed_step_block(const FailedStep& step, const FailedLog& log, const Style& style) {
  const auto& check = step.check;
  const bool own = log.step.kind == check.name;
  auto out =
      fmt::format("\n{}: its {} {}: {}\n", style.safe(step.who), own ? check.name : "set-up",
                  own ? words(check.status) : "failed", style.safe(own ? check.command : check.message));
  for (const auto& line : log.lines) out += "  " + style.paint(Paint::dim, style.safe(line)) + "\n";
  if (check.advice) out += "  " + style.paint(Paint::yellow, style.safe(check.advice->text)) + "\n";
  return out;
}

std::string failed_steps_text(client::Client& client, const wire::Results& results, const Style& style) {
  std::string out;
  for (const auto& step : failed_steps(results)) {
    const auto log = read_failed_log(client, step.check.attempt);
    if (!log.lines.empty() || step.check.advice) out += failed_step_block(step, log, style);
  }
  return out;
}

}  // namespace hydra::cli
