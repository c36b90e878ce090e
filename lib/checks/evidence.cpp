#include "checks/evidence.hpp"

#include "base/strings.hpp"
#include "base/strip_paths.hpp"
#include "checks/advice.hpp"
#include "checks/identity.hpp"
#include "parsers/parsers.hpp"

#include <fmt/format.h>

namespace hydra::checks {

using model::CheckStatus;

namespace {

CheckStatus status_of(const exec::JobResult& result) {
  switch (result.end) {
    case exec::End::exited:
      return result.code == 0 ? CheckStatus::passed : CheckStatus::failed;
    case exec::End::signaled:
    case exec::End::oom:
      return CheckStatus::crashed;
    case exec::End::timed_out:
    case exec::End::idle:
      return CheckStatus::timed_out;
    case exec::End::cancelled:
    case exec::End::start_failed:
    case exec::End::lost:
      return CheckStatus::not_started;
  }
  return CheckStatus::not_started;
}

void strip_all(model::CheckEvidence& evidence, const std::vector<std::string>& roots) {
  const auto strip = [&](std::string& text) { text = strip_paths(text, roots); };
  strip(evidence.message);
  if (evidence.tests) {
    for (auto& test : evidence.tests->tests) strip(test.name);
    for (auto& text : evidence.tests->suspicious) strip(text);
  }
  if (evidence.lint) {
    for (auto& text : evidence.lint->suspicious) strip(text);
    for (auto& finding : evidence.lint->findings) {
      strip(finding.file);
      strip(finding.message);
    }
  }
}

Step step_of(std::string_view stage) {
  if (stage == "setup") return Step::setup;
  if (stage == "build") return Step::build;
  return stage == "lint" ? Step::lint : Step::tests;
}

}  // namespace

model::CheckEvidence make_evidence(model::Dimension dimension, const std::string& command,
                                   const exec::JobResult& result, std::string_view output, bool output_cut,
                                   const std::vector<std::string>& roots) {
  model::CheckEvidence evidence;
  evidence.dimension = dimension;
  evidence.command = command;
  evidence.attempt = result.key;
  evidence.status = status_of(result);
  evidence.wall_ms = result.wall_ms;
  evidence.isolation = result.isolation == exec::Isolation::bwrap ? "bwrap" : "none";
  evidence.message = result.message;
  if (result.end == exec::End::exited) evidence.exit_code = result.code;
  if (result.signal != 0) evidence.signal = result.signal;
  if (evidence.status == CheckStatus::not_started) return evidence;
  if (must_reject(output)) {
    evidence.status = CheckStatus::not_started;
    evidence.message = "a build directory of another path was used: the run counts for nothing";
    return evidence;
  }
  const parsers::ExitFacts exit{evidence.exit_code, evidence.signal};
  if (dimension == model::Dimension::tests) {
    evidence.tests = parsers::parse_tests(output, exit, command);
    if (output_cut) evidence.tests->complete = false;
  } else if (dimension == model::Dimension::lint) {
    evidence.lint = parsers::parse_lint(output, exit, command);
    // Findings in the dropped middle can't be counted: the figures would be inventions.
    if (output_cut) evidence.lint = model::LintReport{"exit_code_only", {}, {}, {"the log was cut"}};
  }
  if (!roots.empty()) strip_all(evidence, roots);
  return evidence;
}

std::optional<model::Advice> advice_of(const exec::fs::path& log, const exec::LogFacts& facts,
                                       std::string_view stage, const model::Config& config, bool baseline,
                                       const model::CheckEvidence* evidence) {
  const auto found = advise(exec::read_log(log, facts), step_of(stage), tools_of_commands(config));
  if (!found) return std::nullopt;
  model::Advice advice;
  advice.signature = found->signature;
  advice.text = std::string(found->meaning) + " (" + found->line +
                "): " + (baseline ? found->advice : found->candidate_advice);
  advice.environment = found->kind != AdviceKind::exdev && (!evidence || stops_race(*found, *evidence));
  return advice;
}

bool cacheable(const model::CheckSet& checks) {
  for (const auto* check : {&checks.build, &checks.tests, &checks.lint})
    if (*check && (*check)->status != CheckStatus::passed && (*check)->status != CheckStatus::failed &&
        (*check)->status != CheckStatus::skipped)
      return false;
  return true;
}

std::string works_key(const model::RaceSpec& spec) {
  const auto& config = spec.config;
  const auto& workspace = config.workspace;
  std::string key = "works 1\n" + spec.repository.root + "\n" + spec.isolation + "\n";
  for (const auto& command : {config.scoring.build_command, config.scoring.test_command,
                              config.scoring.lint_command, workspace.setup, workspace.warm})
    key += command ? "+" + *command + "\n" : "-\n";
  for (const auto* list : {&workspace.copy, &workspace.share, &workspace.outputs, &workspace.caches,
                           &workspace.read, &config.sandbox.read})
    key += join(*list, "\n") + "\n\n";
  return key + fmt::format("{} {}\n", config.sandbox.check_network, static_cast<int>(workspace.checks));
}

std::string baseline_key(const model::RaceSpec& spec) {
  const auto& config = spec.config;
  std::string key = "v2\n" + describe_surroundings(spec);
  for (const auto& command : {config.scoring.build_command, config.scoring.test_command,
                              config.scoring.lint_command, config.workspace.warm})
    key += command ? "+" + *command + "\n" : "-\n";
  key += fmt::format("{} {} {}\n", config.scoring.timeout_per_check_seconds,
                     static_cast<int>(config.workspace.checks), config.workspace.ports);
  return key;
}

}  // namespace hydra::checks
