#include "cli/render/check_block.hpp"

#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/render/failed_log.hpp"
#include "cli/render/result_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hydra::cli {
namespace {

std::string counts(const NamedCheck& check) {
  std::vector<std::string> parts;
  const auto add = [&](const std::optional<std::int64_t>& n, const char* word) {
    if (n) parts.push_back(fmt::format("{} {}", *n, word));
  };
  if (const auto& tests = check.tests) {
    add(tests->passed, "passed");
    add(tests->failed, "failed");
    add(tests->skipped, "skipped");
    add(tests->errors, "errors");
  }
  if (const auto& lint = check.lint) {
    add(lint->errors, "errors");
    add(lint->warnings, "warnings");
  }
  return join(parts, ", ");
}

std::string row(const NamedCheck& check, const Style& style) {
  const bool passed = check.status == model::CheckStatus::passed;
  auto line = fmt::format("  {:<6} {:<8} {:>7.1f} s", check.name, words(check.status), check.wall_seconds);
  if (check.cold_wall_seconds) line += fmt::format("   ({:.1f} s from nothing)", *check.cold_wall_seconds);
  if (const auto text = counts(check); !text.empty()) line += "   " + text;
  line = style.paint(passed ? Paint::green : Paint::red, line) + "\n";
  line += "         " + style.safe(check.command) + "\n";
  if (!passed && !check.message.empty()) line += "         " + style.safe(check.message) + "\n";
  if (check.advice) line += "         " + style.paint(Paint::yellow, style.safe(check.advice->text)) + "\n";
  return line;
}

}  // namespace

std::string log_command(const std::string& race, const std::string& attempt, const Style& style) {
  // A cached baseline ran in an earlier race.
  const auto step = step_of_attempt(attempt);
  return "`hydra logs " + style.safe(step.race.empty() ? race : step.race) + "/baseline --kind " +
         style.safe(step.kind) + "`";
}

std::int64_t wanted_limit(const wire::Baseline& baseline) {
  double slowest = 0;
  for (const auto& check : checks_of(baseline))
    slowest = std::max({slowest, check.wall_seconds, check.cold_wall_seconds.value_or(0)});
  if (baseline.limit_seconds <= 0 || slowest * 2 <= baseline.limit_seconds) return 0;
  // The advice is three times the measured time, as the machine may be busy, in whole minutes.
  return static_cast<std::int64_t>(std::ceil(slowest * 3 / 60)) * 60;
}

std::string check_block(const std::string& race, const wire::Baseline& baseline, const Style& style) {
  std::string out = style.paint(Paint::bold, "The baseline in a check workspace") + "\n\n";
  if (const auto& made = baseline.template_; made && made->cached) {
    out += "  workspace: made from a template that was there\n\n";
  } else if (made && !made->steps.empty()) {
    out += "  workspace template:";
    for (const auto& [name, ms] : made->steps)
      out += fmt::format(" {} {:.1f} s", name == "template" ? "build" : name, static_cast<double>(ms) / 1000);
    out += "\n\n";
  }
  if (!baseline.reason.empty()) {
    out += style.paint(Paint::red, "  " + style.safe(baseline.reason)) + "\n";
    if (!baseline.advice.empty())
      out += "  " + style.paint(Paint::yellow, style.safe(baseline.advice)) + "\n";
    if (!baseline.attempt.empty())
      out += "  " + log_command(race, baseline.attempt, style) + " shows the output.\n";
    return out;
  }
  const auto checks = checks_of(baseline);
  if (checks.empty())
    return out + "  No build, test or lint command is configured: `hydra init` proposes some.\n";
  for (const auto& check : checks) out += row(check, style);
  if (baseline.problem != model::BaseProblem::none)
    out += "\n" + style.paint(Paint::red, "No result could be judged: " + style.safe(baseline.problem_text)) +
           "\n";
  else if (const auto limit = wanted_limit(baseline); limit > 0)
    out += fmt::format(
        "\nThe slowest check took more than half of the {:g} s that it may: [scoring] "
        "timeout_per_check_seconds = {} leaves room.\n",
        baseline.limit_seconds, limit);
  if (!baseline.cold_difference.empty())
    out += "\n" +
           style.paint(Paint::red, "The incremental build and one from nothing differ: " +
                                       style.safe(baseline.cold_difference)) +
           "\n";
  for (const auto& check : checks)
    if (check.status != model::CheckStatus::passed && check.status != model::CheckStatus::skipped &&
        !check.attempt.empty())
      out += "\n" + log_command(race, check.attempt, style) + " shows the output.\n";
  return out;
}

std::string base_verdict(const wire::Baseline& baseline) {
  const auto not_ready = [](const std::string& why) {
    return "Not ready: " + sanitize(why) + ". Correct hydra.toml or the project, then run `hydra check`.";
  };
  for (const auto* why : {&baseline.reason, &baseline.problem_text, &baseline.cold_difference})
    if (!why->empty()) return not_ready(*why);
  const auto tests = baseline.tests ? baseline.tests->tests : std::nullopt;
  const auto total = tests ? tests->total.value_or(0) : 0;
  const auto bad = tests ? tests->failed.value_or(0) + tests->errors.value_or(0) : 0;
  // Known failures and findings of a linter leave results comparable.
  for (const auto& check : checks_of(baseline))
    if (check.status != model::CheckStatus::passed && check.name != "lint" &&
        (check.name != "tests" || bad == 0))
      return not_ready(fmt::format("{} {}", check.name, words(check.status)));
  if (total == 0) return "Ready to race.";
  return fmt::format("Ready: {} test{}, {}.", total, total == 1 ? "" : "s",
                     bad == 0 ? "none fails" : fmt::format("{} fail{} already", bad, bad == 1 ? "s" : ""));
}

int check_exit(const wire::Baseline& baseline) {
  const auto checks = checks_of(baseline);
  const bool passed = baseline.problem == model::BaseProblem::none && baseline.reason.empty() &&
                      baseline.cold_difference.empty() &&
                      std::all_of(checks.begin(), checks.end(), [](const auto& check) {
                        return check.status == model::CheckStatus::passed;
                      });
  return passed ? kDone : kNoWinner;
}

}  // namespace hydra::cli
