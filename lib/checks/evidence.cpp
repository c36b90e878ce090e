#include "checks/evidence.hpp"

#include "base/strings.hpp"
#include "base/strip_paths.hpp"
#include "checks/advice.hpp"
#include "parsers/parsers.hpp"
#include "trees/identity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::checks {

using model::CheckStatus;

namespace {

CheckStatus status_of(const exec::JobResult& result) {
  switch (result.end) {
    case exec::End::exited:
      return result.code == 0 ? CheckStatus::passed : CheckStatus::failed;
    case exec::End::signaled:
    case exec::End::oom:
    case exec::End::disk:
    case exec::End::no_room:
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

}  // namespace

namespace {

void strip_all(model::CheckEvidence& evidence, const std::string& root) {
  const auto strip = [&](std::string& text) { text = strip_paths(text, {root}); };
  strip(evidence.message);
  if (evidence.tests) {
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

}  // namespace

model::CheckEvidence make_evidence(model::Dimension dimension, const std::string& command,
                                   const exec::JobResult& result, std::string_view output, bool output_cut,
                                   const std::vector<ReportFile>& reports, const std::string& root) {
  model::CheckEvidence evidence;
  evidence.dimension = dimension;
  evidence.command = command;
  evidence.attempt = result.key;
  evidence.status = status_of(result);
  evidence.wall_ms = result.wall_ms;
  evidence.cpu_ms = result.cpu_user_ms + result.cpu_system_ms;
  evidence.isolation = result.isolation;
  evidence.message = result.message;
  if (result.end == exec::End::exited) evidence.exit_code = result.code;
  if (result.signal != 0) evidence.signal = result.signal;
  if (evidence.status == CheckStatus::not_started) return evidence;
  // Build tools continue with another tree's results and exit with 0: such a run says nothing about this
  // tree.
  if (must_reject(output)) {
    evidence.status = CheckStatus::failed;
    evidence.message = "it used a build directory that was made for another path";
    return evidence;
  }
  const parsers::ExitFacts exit{evidence.exit_code, evidence.signal};
  std::vector<parsers::Report> found;
  for (const auto& file : reports) found.push_back({file.name, file.text, file.problem});
  const parsers::Hints hints{command, "auto", root};
  if (dimension == model::Dimension::tests) {
    auto read = parsers::parse_tests(output, exit, hints, found);
    for (auto& test : read.tests) test.name = strip_paths(test.name, {root});
    evidence.tests = read;
    (void)evidence.tests->tests.numbered();  // here, in a worker
    if (output_cut && found.empty()) evidence.tests->complete = false;
    const bool unread = evidence.tests->format == "exit_code_only";
    if (evidence.status == CheckStatus::passed && unread) evidence.advice = ran_nothing(output);
    if (evidence.advice) evidence.tests->outcome = model::TestOutcome::no_tests;
    if (evidence.tests->exit_disagrees && evidence.status == CheckStatus::failed && evidence.message.empty())
      evidence.message = complaint_of(output);
  } else if (dimension == model::Dimension::lint) {
    evidence.lint = parsers::parse_lint(output, exit, hints, found);
    // Findings in the dropped middle can't be counted, so any figures would be wrong.
    if (output_cut && found.empty())
      evidence.lint = model::LintReport{"exit_code_only", {}, {}, {"the log was cut"}};
  }
  if (evidence.lint) {
    auto& lint = *evidence.lint;
    lint.findings.resize(std::min(lint.findings.size(), kMaxEvidenceFindings));
    lint.findings.shrink_to_fit();
    lint.evidence.resize(std::min(lint.evidence.size(), kMaxEvidenceFindings));
  }
  if (!root.empty()) strip_all(evidence, root);
  return evidence;
}

std::optional<model::Advice> advice_of(std::string_view log, std::string_view kind,
                                       const config::EcosystemSet& tools, bool baseline,
                                       const model::CheckEvidence* found, bool network,
                                       const std::function<std::string()>& change) {
  const Step step = kind == "setup"                                ? Step::setup
                    : kind == "warm"                               ? Step::warm
                    : kind == model::name(model::Dimension::tests) ? Step::tests
                    : kind == model::name(model::Dimension::lint)  ? Step::lint
                                                                   : Step::build;
  const auto advice = advise(log, step, tools, network);
  if (!advice) return std::nullopt;
  model::Advice told;
  told.signature = std::string(advice->signature);
  auto todo = baseline || advice->candidate_advice.empty() ? advice->advice : advice->candidate_advice;
  if (!baseline && advice->candidate_advice.empty() && change && adds_missing_name(*advice, change()))
    todo = "the base does not need it: this result's change does";
  told.text = std::string(advice->meaning);
  if (!todo.empty()) told.text += ": " + todo;
  if (!advice->line.empty()) told.text += " (\"" + advice->line + "\")";
  const model::CheckEvidence nothing;
  told.environment = baseline && stops_race(*advice, found ? *found : nothing);
  return told;
}

std::optional<model::Advice> advice_of_log(const exec::fs::path& log, const exec::LogFacts& facts,
                                           std::string_view kind, const config::EcosystemSet& tools,
                                           bool baseline, bool network) {
  return advice_of(exec::read_log(log, facts), kind, tools, baseline, nullptr, network);
}

bool cacheable(const model::CheckSet& checks) {
  for (const auto& repeat : checks.repeats)
    if (repeat.status != CheckStatus::passed && repeat.status != CheckStatus::failed) return false;
  for (const auto* check : {&checks.build, &checks.tests, &checks.lint})
    if (*check && (*check)->status != CheckStatus::passed && (*check)->status != CheckStatus::failed &&
        (*check)->status != CheckStatus::skipped && !(*check)->measured)
      return false;
  return true;
}

std::string works_key(const model::RaceSpec& spec) {
  const auto& config = spec.config;
  const auto& workspace = config.workspace;
  std::string key =
      "works 1\n" + spec.repository.root + "\n" + std::string(name(spec.isolation)) + spec.image + "\n";
  for (const auto& command : {config.scoring.build_command, config.scoring.test_command,
                              config.scoring.lint_command, workspace.setup, workspace.warm})
    key += command ? "+" + *command + "\n" : "-\n";
  for (const auto* list : {&workspace.copy, &workspace.share, &workspace.outputs, &workspace.caches,
                           &workspace.read, &config.sandbox.read})
    key += join(*list, "\n") + "\n\n";
  return key + fmt::format("{} {}\n", config.sandbox.check_network, static_cast<int>(workspace.checks));
}

std::string cross_key(const std::string& baseline, const std::string& run) {
  return "cross 1\n" + run + "\n" + baseline;
}

std::string baseline_key(const model::RaceSpec& spec, const std::string& surroundings) {
  const auto& config = spec.config;
  std::string key = "v5\n" + surroundings;
  for (const auto& command : {config.scoring.build_command, config.scoring.test_command,
                              config.scoring.lint_command, config.workspace.warm})
    key += command ? "+" + *command + "\n" : "-\n";
  for (const auto& pattern : config.scoring.test_reports) key += "report " + pattern + "\n";
  const auto& evaluation = config.evaluation;
  key += fmt::format("{} {}\n", static_cast<int>(evaluation.verify), spec.hidden_digest);
  key += fmt::format("{} {}\n", config.scoring.timeout_per_check_seconds,
                     static_cast<int>(config.workspace.checks));
  return key;
}

}  // namespace hydra::checks
