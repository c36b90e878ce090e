// The functions of `hydra score hydra` (docs/scoring.md).
#include "cli/score/functions.hpp"
#include "cli/score/hydra_outputs.hpp"
#include "cli/score/summary.hpp"
#include "model/dimension.hpp"
#include "parsers/parsers.hpp"
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace hydra::cli::score {
namespace {

using model::Dimension;
using model::DimensionStatus;

bool given(const Args& args, std::string_view name) { return args.has(name) && !args.null(name); }

/// Reads an optional flag; `spawn_error` may also be the error's text.
bool happened(Args& args, std::string_view name) {
  if (!given(args, name)) return false;
  const auto& value = args.document().at(args.index(name));
  if (name == "spawn_error" && value.kind == Kind::text) return true;
  return args.flag(name);
}

void run_score_build(Args& args, Writer& out) {
  scoring::CommandEnd end;
  end.timed_out = happened(args, "timed_out");
  end.spawn_error = happened(args, "spawn_error");
  if (given(args, "signal"))
    end.signal = static_cast<int>(args.whole("signal", 1, std::numeric_limits<int>::max()));
  if (given(args, "exit_code")) end.exit_code = exit_code(args);
  if (!end.exit_code && !end.signal && !end.timed_out && !end.spawn_error)
    args.fail("missing_argument", "exit_code",
              "or one of signal, timed_out, spawn_error must say how it ended");
  if (args.failed()) return;
  const auto s = scoring::score_build(end);
  out.number("score", s.score);
  out.flag("passed", s.passed);
}

/// Reads `passed` of `total`; more than `total` is out_of_range.
std::int64_t passed_of(Args& args, std::string_view passed, std::string_view total) {
  const auto n = args.count(passed);
  const auto all = args.count(total);
  if (!args.failed() && n > all) args.fail("out_of_range", passed, "must be at most " + std::string(total));
  return n;
}

void run_score_tests(Args& args, Writer& out) {
  const auto baseline_pass = passed_of(args, "baseline_pass", "baseline_total");
  const auto agent_pass = passed_of(args, "agent_pass", "agent_total");
  if (args.failed()) return;
  const auto s = scoring::score_tests(baseline_pass, args.count("baseline_total"), agent_pass,
                                      args.count("agent_total"));
  out.number("score", s.score);
  out.number("bonus", s.bonus);
  out.number("regression_penalty", s.regression_penalty);
}

void run_score_lint(Args& args, Writer& out) {
  const auto baseline_errors = args.count("baseline_errors");
  const auto baseline_warnings = args.count("baseline_warnings");
  const auto agent_errors = args.count("agent_errors");
  const auto agent_warnings = args.count("agent_warnings");
  if (args.failed()) return;
  out.number("score", scoring::score_lint(baseline_errors, baseline_warnings, agent_errors, agent_warnings));
}

void run_score_diff_size(Args& args, Writer& out) {
  const auto added = args.count("lines_added");
  const auto removed = args.count("lines_removed");
  const auto files = args.count("files_changed");
  if (args.failed()) return;
  const auto s = scoring::score_diff_size(added, removed, files);
  out.number("churn_score", s.churn_score);
  out.number("file_score", s.file_score);
  out.number("score", s.score);
}

// Durations may be 0 or negative, as clocks are; H12 clamps them to a millisecond.
constexpr Range kDuration{};
constexpr double kMillisecond = 0.001;

void run_score_speed(Args& args, Writer& out) {
  const auto durations = args.named("durations_seconds", kDuration, true);
  if (args.failed()) return;
  std::vector<std::optional<double>> seconds;
  for (const auto& d : durations) seconds.push_back(d.value);
  const auto points = scoring::score_speed(seconds, kMillisecond);
  out.key("scores");
  out.begin_object();
  for (std::size_t i = 0; i < durations.size(); ++i) {
    out.number(durations[i].name, points[i]);
  }
  out.end_object();
}

std::optional<Dimension> dimension(Args& args, std::string_view map, std::string_view name) {
  const auto d = model::from_name<Dimension>(name);
  if (!d)
    args.fail("unknown_name", std::string(map) + "." + shown(name),
              "is no dimension; there are build, tests, lint, diff_size, speed");
  return d;
}

/// Reads the given weights, not all 0 (H10).
std::array<std::optional<double>, 5> weights_of(Args& args) {
  std::array<std::optional<double>, 5> out;
  bool some = false;
  for (const auto& w : args.named("weights", kAtLeastZero, false)) {
    const auto d = dimension(args, "weights", w.name);
    if (!d) break;
    out[model::index(*d)] = w.value;
    some = some || w.value > 0.0;
  }
  if (!args.failed() && !some) args.fail("invalid_weights", "weights", "must hold a weight above 0");
  return out;
}

/// Reads all five weights; a dimension that counts needs a weight.
model::Weights complete_weights(Args& args, const std::array<bool, 5>& counts) {
  const auto given_weights = weights_of(args);
  double total = 0;
  for (const auto d : model::kDimensions) {
    const auto i = model::index(d);
    if (!counts[i]) continue;
    if (!given_weights[i])
      args.fail("missing_argument", "weights." + std::string(model::name(d)), "is missing");
    total += given_weights[i].value_or(0) > 0 ? 1 : 0;
  }
  if (total <= 0) args.fail("nothing_to_weigh", "weights", "no configured dimension has a weight above 0");
  const auto at = [&](Dimension d) { return given_weights[model::index(d)].value_or(0); };
  return {at(Dimension::build), at(Dimension::tests), at(Dimension::lint), at(Dimension::diff_size),
          at(Dimension::speed)};
}

std::array<bool, 5> counting(const model::ScoreBreakdown& breakdown) {
  std::array<bool, 5> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = breakdown.dimensions[i].status != DimensionStatus::not_configured;
  return out;
}

void run_composite(Args& args, Writer& out) {
  model::ScoreBreakdown breakdown;
  for (const auto& row : args.named("breakdown", kPoints, true)) {
    const auto d = dimension(args, "breakdown", row.name);
    if (!d) return;
    auto& score = breakdown.dimensions[model::index(*d)];
    if (row.value) {
      score.status = DimensionStatus::scored;
      score.points = *row.value;
    }
  }
  if (args.failed()) return;
  const auto weights = complete_weights(args, counting(breakdown));
  if (args.failed()) return;
  out.number("composite", scoring::composite(breakdown, weights));
}

void run_format_score(Args& args, Writer& out) {
  const double score = args.number("score", kPoints);
  out.text("text", scoring::format_score(score));
}

void run_score_colour(Args& args, Writer& out) {
  const double score = args.number("score", kPoints);
  out.text("colour", scoring::name(scoring::colour(score)));
}

/// Reads the members for the order of H16; without them the input order decides ties.
scoring::Contender contender(Args& agent) {
  scoring::Contender c;
  c.composite = agent.number("composite", kPoints);
  if (agent.has("tests")) c.tests = agent.number("tests", kPoints);
  if (agent.has("build")) c.build = agent.number("build", kPoints);
  if (agent.has("diff_size")) c.diff_size = agent.number("diff_size", kPoints);
  if (agent.has("duration_seconds")) c.duration_ms = agent.number("duration_seconds", {-1e300, 1e300}) * 1000;
  if (agent.has("eligible")) c.eligible = agent.flag("eligible");
  return c;
}

void run_rank(Args& args, Writer& out) {
  std::vector<std::string> ids;
  std::vector<scoring::Contender> contenders;
  for (auto& agent : args.objects("agents")) {
    ids.push_back(agent.id("id"));
    contenders.push_back(contender(agent));
  }
  if (args.failed()) return;
  const auto order = scoring::rank_order(contenders);
  out.array("order", order, [&](auto i) { out.raw(ids[i]); });
  out.key("winner");
  if (order.empty() || !contenders[order.front()].eligible)
    out.null();
  else
    out.raw(ids[order.front()]);
}

void run_thresholds(Args& args, Writer& out) {
  const auto composites = args.numbers("composites", kPoints);
  const model::Thresholds thresholds{args.number("auto_merge_minimum", {-kInfinite, kInfinite}),
                                     args.number("fail_maximum", {-kInfinite, kInfinite})};
  if (args.failed()) return;
  std::optional<double> best;
  if (!composites.empty()) best = *std::max_element(composites.begin(), composites.end());
  const auto verdict = scoring::judge(best, thresholds);
  out.flag("auto_merge", verdict.auto_merge);
  out.flag("all_failed", verdict.all_failed);
}

/// Adds tests and lint for `evaluate` if their counts are given, with the arguments of score_tests and
/// score_lint.
void add_counts(Args& args, model::BaselineEvidence& baseline, model::AgentEvidence& agent) {
  constexpr std::string_view kGiven = "given";
  if (args.has("agent_pass") || args.has("agent_total")) {
    const auto passed = passed_of(args, "agent_pass", "agent_total");
    const auto base = passed_of(args, "baseline_pass", "baseline_total");
    agent.checks.tests = check(Dimension::tests, 0);
    agent.checks.tests->tests = counted(std::string(kGiven), passed, args.count("agent_total"));
    baseline.checks.tests = check(Dimension::tests, 0);
    baseline.checks.tests->tests = counted(std::string(kGiven), base, args.count("baseline_total"));
  }
  if (args.has("agent_errors") || args.has("agent_warnings")) {
    model::LintReport mine, base;
    mine.format = base.format = kGiven;
    mine.errors = args.count("agent_errors");
    mine.warnings = args.count("agent_warnings");
    base.errors = args.count("baseline_errors");
    base.warnings = args.count("baseline_warnings");
    agent.checks.lint = check(Dimension::lint, 0);
    agent.checks.lint->lint = mine;
    baseline.checks.lint = check(Dimension::lint, 0);
    baseline.checks.lint->lint = base;
  }
}

/// Returns a cell of the result block: tick or cross for the build, rounded points, -- for none.
std::string cell(Dimension d, const model::DimensionScore& score) {
  if (score.status == DimensionStatus::not_configured || score.status == DimensionStatus::skipped)
    return "--";
  if (d == Dimension::build) return score.points > 0 ? "\u2713" : "\u2717";
  return scoring::format_points(score.points);
}

void write_breakdown(const model::ScoreBreakdown& breakdown, Writer& out) {
  out.key("breakdown");
  out.begin_object();
  for (const auto d : model::kDimensions) {
    const auto& score = breakdown.dimensions[model::index(d)];
    const bool counts = score.status != DimensionStatus::not_configured;
    out.number(model::name(d), counts ? std::optional(score.points) : std::nullopt);
  }
  out.end_object();
}

void run_evaluate(Args& args, Writer& out) {
  model::ScoringConfig config;
  model::BaselineEvidence baseline;
  model::AgentEvidence agent;
  config.build_command = "build";
  agent.checks.build =
      check(Dimension::build, static_cast<int>(args.whole("build_exit_code", std::numeric_limits<int>::min(),
                                                          std::numeric_limits<int>::max())));
  if (args.flag("tests_configured")) config.test_command = "test";
  if (args.flag("lint_configured")) config.lint_command = "lint";
  agent.capture.emplace();
  agent.capture->diff.lines_added = args.count("lines_added");
  agent.capture->diff.lines_removed = args.count("lines_removed");
  agent.capture->diff.files_changed = args.count("files_changed");
  const auto duration = args.number_or_null("duration_seconds", kDuration);
  const auto fastest = args.number_or_null("fastest_seconds", kDuration);
  add_counts(args, baseline, agent);
  if (args.failed()) return;

  auto breakdown = scoring::score_agent(config, baseline, agent);
  auto& speed = breakdown.dimensions[model::index(Dimension::speed)];
  speed.status = DimensionStatus::scored;
  speed.points = scoring::score_speed({duration, fastest}, kMillisecond).front();
  const auto weights = complete_weights(args, counting(breakdown));
  if (args.failed()) return;

  write_breakdown(breakdown, out);
  const bool built = breakdown.dimensions[model::index(Dimension::build)].points > 0;
  out.flag("tests_executed", built && config.test_command.has_value());
  out.flag("lint_executed", built && config.lint_command.has_value());
  out.number("composite", scoring::composite(breakdown, weights));
  out.key("display");
  out.begin_object();
  for (const auto d : model::kDimensions) {
    out.text(model::name(d), cell(d, breakdown.dimensions[model::index(d)]));
  }
  out.end_object();
}

constexpr std::array kHydraFunctions{
    Function{"score_build", run_score_build},
    Function{"score_tests", run_score_tests},
    Function{"score_lint", run_score_lint},
    Function{"score_diff_size", run_score_diff_size},
    Function{"score_speed", run_score_speed},
    Function{"composite", run_composite},
    Function{"format_score", run_format_score},
    Function{"score_colour", run_score_colour},
    Function{"rank", run_rank},
    Function{"thresholds", run_thresholds},
    Function{"evaluate", run_evaluate},
    Function{"parse_test_output", run_parse_test_output},
    Function{"score_tests_output", run_score_tests_output},
};

}  // namespace

std::span<const Function> hydra_functions() { return kHydraFunctions; }

}  // namespace hydra::cli::score
