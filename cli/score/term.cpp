// The functions of `hydra score term` (docs/scoring.md, "Term").
#include "scoring/term.hpp"

#include "base/strings.hpp"
#include "cli/score/functions.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace hydra::cli::score {
namespace {

namespace term = scoring::term;

void write_numbers(Writer& out, std::string_view name, const std::vector<double>& values) {
  out.array(name, values, [&](double v) { out.number(v); });
}

void write_scaled(Writer& out, const std::vector<double>& weights) {
  out.array("scaled", term::scale(weights), [&](auto w) { out.whole(w); });
}

void write_indices(Writer& out, const std::vector<std::size_t>& indices) {
  out.array("outlier_indices", indices, [&](std::size_t i) { out.whole(static_cast<std::int64_t>(i)); });
}

void run_task_score(Args& args, Writer& out) {
  const auto code = args.whole_or_null("exit_code", -kMostWhole, kMostWhole);
  const bool timed_out = args.flag("timed_out");
  if (args.failed()) return;
  out.number("score", term::task_score(code, timed_out));
}

void run_benchmark_score(Args& args, Writer& out) {
  const auto passed = args.count("passed");
  const auto total = args.count("total");
  if (!args.failed() && passed > total) args.fail("out_of_range", "passed", "must be at most total");
  if (args.failed()) return;
  out.number("score", term::benchmark_score(passed, total));
}

void score_term_run_rank(Args& args, Writer& out) {
  std::vector<std::string> ids;
  std::vector<term::Submission> submissions;
  for (auto& agent : args.objects("agents")) {
    ids.push_back(agent.id("id"));
    submissions.push_back({agent.number("score", kAtLeastZero), agent.number("submitted_at", {})});
  }
  if (args.failed()) return;
  out.array("order", term::rank(submissions), [&](auto i) { out.raw(ids[i]); });
}

term::Admission admission_of(Args& args) {
  return {args.number("network_stake", kAtLeastZero), args.count("min_validators"),
          args.number("min_stake_fraction", kFraction)};
}

void run_admit(Args& args, Writer& out) {
  const auto validators = args.count("validators");
  const double stake = args.number("stake", kAtLeastZero);
  const auto rule = admission_of(args);
  if (!args.failed() && stake > rule.network_stake)
    args.fail("out_of_range", "stake", "must be at most network_stake");
  if (args.failed()) return;
  out.flag("admitted", term::admitted(validators, stake, rule));
}

std::vector<term::Evaluation> evaluations_of(Args& args) {
  std::vector<term::Evaluation> out;
  for (auto& e : args.objects("evaluations"))
    out.push_back({e.number("stake", kAtLeastZero), e.number("score", {})});
  return out;
}

void run_stake_weighted_average(Args& args, Writer& out) {
  const auto evaluations = evaluations_of(args);
  if (args.failed()) return;
  out.number("score", term::stake_weighted_average(evaluations));
}

constexpr Range kThreshold{0, kInfinite};

void run_outliers(Args& args, Writer& out) {
  const auto scores = args.numbers("scores", {});
  const double threshold = args.number("threshold", kThreshold);
  if (args.failed()) return;
  const auto o = term::outliers(scores, threshold);
  out.number("median", o.median);
  out.number("mad", o.mad);
  out.array("modified_z", o.modified_z, [&](const auto& z) { z ? out.number(*z) : out.null(); });
  write_indices(out, o.indices);
  if (o.undetermined) out.flag("undetermined", true);
}

void run_validated_score(Args& args, Writer& out) {
  const auto evaluations = evaluations_of(args);
  const auto rule = admission_of(args);
  const double threshold = args.number("threshold", kThreshold);
  if (args.failed()) return;
  const auto v = term::validated_score(evaluations, rule, threshold);
  out.number("score", v.score);
  write_indices(out, v.outliers.indices);
}

void run_normalise(Args& args, Writer& out) {
  const auto scores = args.numbers("scores", kAtLeastZero);
  if (args.failed()) return;
  const auto weights = term::normalise(scores);
  write_numbers(out, "weights", weights);
  write_scaled(out, weights);
}

void run_cap(Args& args, Writer& out) {
  const auto weights = args.numbers("weights", kAtLeastZero);
  const double cap = args.number("cap", kFraction);
  if (args.failed()) return;
  const auto c = term::cap(weights, cap);
  out.number("limit", c.limit);
  write_numbers(out, "capped", c.capped);
}

void run_cap_redistribute(Args& args, Writer& out) {
  const auto shares = args.numbers("shares", kFraction);
  const double cap = args.number("cap", kFraction);
  double sum = 0;
  for (const double s : shares) sum += s;
  constexpr double kNoise = 1e-9;
  if (sum > 1 + kNoise) args.fail("out_of_range", "shares", "must add up to at most 1");
  if (args.failed()) return;
  const auto c = term::cap_redistribute(shares, cap);
  write_numbers(out, "capped", c.capped);
  write_scaled(out, c.capped);
}

void run_strategy(Args& args, Writer& out) {
  const auto kind =
      static_cast<term::Strategy>(args.word("kind", {"linear", "winner_takes_all", "quadratic", "ranked"}));
  const auto scores = args.numbers("scores", kAtLeastZero);
  const auto given = [&](std::string_view name) { return args.has(name) && !args.null(name); };
  std::int64_t top_n = 1;
  if (kind == term::Strategy::winner_takes_all || given("top_n")) top_n = args.whole("top_n", 1, kMostWhole);
  std::vector<double> submitted(scores.size(), 0.0);
  if (given("submitted_at")) submitted = args.numbers("submitted_at", {});
  if (!args.failed() && submitted.size() != scores.size())
    args.fail("length_mismatch", "submitted_at", "must have as many elements as scores");
  if (args.failed()) return;
  std::vector<term::Submission> submissions;
  for (std::size_t i = 0; i < scores.size(); ++i) submissions.push_back({scores[i], submitted[i]});
  write_numbers(out, "weights", term::strategy(kind, submissions, top_n));
}

void run_emission(Args& args, Writer& out) {
  const double total = args.number("total", kAtLeastZero);
  const auto alphas = args.named("alphas", kFraction, false);
  std::vector<double> shares;
  double sum = 0;
  for (const auto& a : alphas) sum += shares.emplace_back(a.value.value_or(0));
  constexpr double kNoise = 1e-9;
  if (sum > 1 + kNoise) args.fail("out_of_range", "alphas", "must add up to at most 1");
  if (args.failed()) return;
  const auto amounts = term::emission(total, shares);
  for (std::size_t i = 0; i < alphas.size(); ++i) out.number(alphas[i].name, amounts[i]);
}

void run_epochs_stale(Args& args, Writer& out) {
  const auto current = args.count("current_epoch");
  const auto last = args.count("last_improvement_epoch");
  const auto grace = args.count("grace");
  if (args.failed()) return;
  out.whole("stale", term::epochs_stale(current, last, grace));
}

void run_burn_percent(Args& args, Writer& out) {
  const auto curve = static_cast<term::Curve>(args.word("curve", {"linear", "exponential"}));
  const double rate = args.number("rate", kFraction);
  const double tau = args.number("tau", kAtLeastZero);
  const double max_burn = args.number("max_burn", kPoints);
  if (args.failed()) return;
  out.number("burn_percent", term::burn_percent(curve, rate, tau, max_burn));
}

void run_burn_weight(Args& args, Writer& out) {
  const double percent = args.number("burn_percent", kPoints);
  if (args.failed()) return;
  const double raw = term::burn_weight(percent);
  out.number("raw", raw);
  out.whole("scaled", term::scale(std::array{raw / term::kFullWeight}).front());
}

/// Whole weights are rounded, unless any weight has a fraction. Weights with sum at most 1 are shares, even a
/// single 1, and are not rounded.
void run_apply_burn(Args& args, Writer& out) {
  constexpr double kExactWhole = 9007199254740992;  // 2^53
  const auto rows = args.named("weights", kAtLeastZero, false);
  const double percent = args.number("burn_percent", kPoints);
  std::vector<term::UidWeight> weights;
  std::set<std::int64_t> uids;
  bool whole = true;
  double sum = 0;
  for (const auto& row : rows) {
    const auto uid = row.name.size() > 1 && row.name[0] == '0' ? std::nullopt : parse_int(row.name);
    if (!uid) args.fail("wrong_type", "weights." + shown(row.name), "must be named by a uid, a whole number");
    weights.push_back({uid.value_or(0), row.value.value_or(0)});
    whole = whole && row.whole_literal;
    sum += weights.back().weight;
  }
  if (whole && sum > kExactWhole) args.fail("out_of_range", "weights", "must add up to at most 2^53");
  if (args.failed()) return;
  whole = whole && sum > 1;
  std::sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.uid < b.uid; });
  out.key("weights");
  out.begin_object();
  for (const auto& w : term::apply_burn(weights, percent, whole)) out.number(std::to_string(w.uid), w.weight);
  out.end_object();
}

void run_is_improvement(Args& args, Writer& out) {
  const auto top = args.number_or_null("top_score", kAtLeastZero);
  const double score = args.number("new_score", kAtLeastZero);
  const double threshold = args.number("threshold", kAtLeastZero);
  if (args.failed()) return;
  out.flag("improved", term::is_improvement(top, score, threshold));
}

constexpr std::array kTermFunctions{
    Function{"task_score", run_task_score},
    Function{"benchmark_score", run_benchmark_score},
    Function{"rank", score_term_run_rank},
    Function{"admit", run_admit},
    Function{"stake_weighted_average", run_stake_weighted_average},
    Function{"outliers", run_outliers},
    Function{"validated_score", run_validated_score},
    Function{"normalise", run_normalise},
    Function{"cap", run_cap},
    Function{"cap_redistribute", run_cap_redistribute},
    Function{"strategy", run_strategy},
    Function{"emission", run_emission},
    Function{"epochs_stale", run_epochs_stale},
    Function{"burn_percent", run_burn_percent},
    Function{"burn_weight", run_burn_weight},
    Function{"apply_burn", run_apply_burn},
    Function{"is_improvement", run_is_improvement},
};

}  // namespace

std::span<const Function> term_functions() { return kTermFunctions; }

}  // namespace hydra::cli::score
