#include "cli/score/hydra_outputs.hpp"

#include "cli/score/summary.hpp"
#include "parsers/parsers.hpp"
#include "scoring/engine.hpp"

#include <limits>

namespace hydra::cli::score {

using model::CheckStatus;
using model::Dimension;

namespace {

void write_count(Writer& out, std::string_view name, std::optional<std::int64_t> n) {
  out.key(name);
  if (n)
    out.whole(*n);
  else
    out.null();
}

/// Returns the known runner's report, else a single summary line; guesses about unknown runners are not used
/// in formulas. `runner` is a hint like the configured command: the output decides.
model::ParsedTests read_tests(std::string_view runner, std::string_view output, std::optional<int> code) {
  auto report = parsers::parse_tests(output, {code, std::nullopt}, runner);
  const bool guessed = report.format == "generic";
  if (guessed || report.format == "exit_code_only" || !report.counts.passed)
    if (auto summary = read_summary(runner, output, code)) return std::move(*summary);
  return guessed ? parsers::parse_tests(std::string_view(), {code, std::nullopt}, std::string_view())
                 : report;
}

}  // namespace

std::optional<int> exit_code(Args& args) {
  const auto code =
      args.whole_or_null("exit_code", std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  return code ? std::optional(static_cast<int>(*code)) : std::nullopt;
}

model::CheckEvidence check(Dimension dimension, std::optional<int> code) {
  model::CheckEvidence e;
  e.dimension = dimension;
  e.status = code == 0 ? CheckStatus::passed : CheckStatus::failed;
  e.exit_code = code;
  return e;
}

model::ParsedTests counted(std::string format, std::int64_t passed, std::int64_t total) {
  model::ParsedTests r;
  r.format = std::move(format);
  r.complete = true;
  r.counts.passed = passed;
  r.counts.total = total;
  return r;
}

void run_parse_test_output(Args& args, Writer& out) {
  const auto runner = args.null("runner") ? std::string_view{} : args.text("runner");
  const auto output = args.text("output");
  const auto code = exit_code(args);
  if (args.failed()) return;
  const auto report = read_tests(runner, output, code);
  write_count(out, "passed", report.counts.passed);
  write_count(out, "failed", report.counts.failed);
  write_count(out, "total", report.counts.total);
}

void run_score_tests_output(Args& args, Writer& out) {
  const auto output = args.text("output");
  const auto code = exit_code(args);
  const auto pass = args.whole_or_null("baseline_pass", 0, kMostWhole);
  const auto total = args.whole_or_null("baseline_total", 0, kMostWhole);
  if (pass && total && *pass > *total)
    args.fail("out_of_range", "baseline_pass", "must be at most baseline_total");
  if (args.failed()) return;

  model::ScoringConfig config;
  config.test_command = "test";
  model::AgentEvidence agent;
  agent.checks.tests = check(Dimension::tests, code);
  const auto& report = agent.checks.tests->tests.emplace(read_tests({}, output, code));
  model::BaselineEvidence baseline;
  if (pass && total) {
    baseline.checks.tests = check(Dimension::tests, 0);
    baseline.checks.tests->tests = counted(report.format, *pass, *total);
  }
  const auto breakdown = scoring::score_agent(config, baseline, agent);
  out.flag("parsed", report.format != "exit_code_only" && report.counts.passed.has_value());
  out.number("score", breakdown.dimensions[model::index(Dimension::tests)].points);
}

}  // namespace hydra::cli::score
