#include "parsers/lint_reading.hpp"

#include "base/strings.hpp"
#include "parsers/formats.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <functional>

namespace hydra::parsers {
namespace {

using model::LintOutcome;

constexpr std::size_t kMaxSeen = 200'000;  ///< remembered findings, to detect repetitions
constexpr std::size_t kMaxTools = 32;

std::string short_text(std::string_view s) {
  auto first = s.substr(0, s.find('\n'));
  if (first.size() <= model::kMaxLintText) return std::string(first);
  auto n = model::kMaxLintText;
  while (n > 0 && (static_cast<unsigned char>(first[n]) & 0xC0) == 0x80) --n;
  return std::string(first.substr(0, n));
}

std::uint64_t key_of(const Hit& hit) {
  std::uint64_t key = 14695981039346656037ULL;
  const auto mix = [&key](std::string_view s) {
    key = (key ^ std::hash<std::string_view>{}(s)) * 1099511628211ULL;
  };
  mix(hit.file);
  if (hit.per_file) return key;
  mix(hit.tool);
  mix(hit.rule);
  mix(hit.message);
  mix(std::to_string(hit.line) + ":" + std::to_string(hit.column));
  return key;
}

/// Returns whether a line that no reader understood may report a failure.
bool sounds_like_trouble(std::string_view line) {
  const auto low = to_lower(line.substr(0, 400));
  for (const auto& word : words("trouble"))
    if (contains(low, word)) return true;
  return false;
}

bool ended_well(const ExitFacts& exit) { return !exit.signal && exit.exit_code.value_or(0) == 0; }

}  // namespace

/// Returns whether the tool was not requested; the log then counts as not understood.
bool LintReading::foreign(std::string_view tool) {
  if (only_.empty() || tool.empty() || std::find(only_.begin(), only_.end(), tool) != only_.end())
    return false;
  unknown_ = trouble_ = true;
  return true;
}

void LintReading::believe(std::size_t line) {
  if (evidence_.size() < model::kMaxLintFindings &&
      (evidence_.empty() || evidence_.back() != static_cast<std::int64_t>(line) + 1))
    evidence_.push_back(static_cast<std::int64_t>(line) + 1);
}

void LintReading::add(const Hit& hit, std::size_t line) {
  if (foreign(hit.tool)) return;
  spoke(hit.tool);
  if (hit.severity == Severity::note) return;
  believe(line);
  if (hit.twice || hit.per_file) {
    const auto key = key_of(hit);
    if (seen_.contains(key)) return;
    if (seen_.size() < kMaxSeen) seen_.insert(key);
  }
  const bool error = hit.severity == Severity::error;
  if (last_ != hit.tool) last_ = hit.tool;
  auto& sum = sums_[sums_.size() < kMaxTools || sums_.contains(hit.tool) ? last_ : std::string()];
  ++(error ? sum.errors : sum.warnings);
  certainty_ = std::min(certainty_, hit.certainty);
  if (findings_.size() >= model::kMaxLintFindings) return;
  model::LintFinding f;
  f.file = short_text(hit.file);
  f.line = hit.line;
  f.column = hit.column;
  f.rule = short_text(hit.rule);
  f.severity = error ? model::LintSeverity::error : model::LintSeverity::warning;
  f.message = short_text(hit.message);
  findings_.push_back(std::move(f));
}

void LintReading::spoke(std::string_view tool) {
  if (!foreign(tool) && !tool.empty() && tools_.size() < kMaxTools && !tools_.contains(tool))
    tools_.emplace(tool);
}

void LintReading::clean(std::string_view tool, std::size_t line) {
  if (foreign(tool)) return;
  spoke(tool);
  believe(line);
  clean_ = true;
}

void LintReading::failed(std::string_view tool, std::string_view why, bool strong, std::size_t line) {
  if (foreign(tool)) return;
  spoke(tool);
  believe(line);
  if (!crashed_ || (strong && !strong_)) why_ = short_text(why);
  crashed_ = true;
  strong_ = strong_ || strong;
}

void LintReading::total(const Total& t, std::size_t line) {
  if (foreign(t.tool)) return;
  spoke(t.tool);
  believe(line);
  if (t.errors.value_or(0) + t.warnings.value_or(0) + t.all.value_or(0) == 0) clean_ = true;
  const std::string tool = t.tool.empty() ? last_ : std::string(t.tool);
  if (sums_.size() >= kMaxTools && !sums_.contains(tool)) return;
  auto& sum = sums_[tool];
  const auto plus = [&t](std::optional<std::int64_t>& to, const std::optional<std::int64_t>& more) {
    if (more) to = t.last ? *more : to.value_or(0) + *more;
  };
  plus(sum.said_errors, t.errors);
  plus(sum.said_warnings, t.warnings);
  plus(sum.said_all, t.all);
  sum.capped = sum.capped || t.capped;
}

/// Compares a tool's list with the tool's summary. A summary never counts less than the list.
void LintReading::reconcile(const std::string& tool, const Sum& sum, Result& out) {
  auto errors = sum.errors, warnings = sum.warnings;
  bool same = true;
  if (sum.said_all && !sum.said_errors) {
    same = *sum.said_all == sum.found();
    errors += std::max<std::int64_t>(0, *sum.said_all - sum.found());
  } else if (sum.says()) {
    const auto want_errors = sum.said_errors.value_or(sum.errors);
    const auto want_warnings = sum.said_all        ? std::max<std::int64_t>(0, *sum.said_all - want_errors)
                               : sum.said_warnings ? *sum.said_warnings
                                                   : sum.warnings;
    same = want_errors == sum.errors && want_warnings == sum.warnings;
    errors = std::max(errors, want_errors);
    warnings = std::max(warnings, want_warnings);
  }
  if (same && sum.says()) out.agreed = true;
  if (!same) out.capped = true;
  if (!same && sum.found() > 0 && !sum.capped && out.contradictions.size() < 10)
    out.contradictions.push_back(
        "the summary" + (tool.empty() ? tool : " of " + tool) + " says " +
        std::to_string(sum.said_all.value_or(sum.said_errors.value_or(0) + sum.said_warnings.value_or(0))) +
        " findings, the log lists " + std::to_string(sum.found()));
  out.errors += errors;
  out.warnings += warnings;
}

LintReading::Result LintReading::result() const {
  Result out;
  // A summary whose tool listed nothing covers the findings without a summary.
  Sum silent, loose;
  for (const auto& [tool, sum] : sums_) {
    if (sum.says() && sum.found() == 0) {
      const auto plus = [](std::optional<std::int64_t>& to, const std::optional<std::int64_t>& more) {
        if (more) to = to.value_or(0) + *more;
      };
      plus(silent.said_errors, sum.said_errors);
      plus(silent.said_warnings, sum.said_warnings);
      plus(silent.said_all, sum.said_all);
      silent.capped = true;
    } else if (sum.says()) {
      reconcile(tool, sum, out);
    } else {
      loose.errors += sum.errors;
      loose.warnings += sum.warnings;
    }
  }
  silent.errors = loose.errors;
  silent.warnings = loose.warnings;
  reconcile("", silent, out);
  return out;
}

void LintReading::not_understood(std::string_view line) {
  if (is_blank(line)) return;
  unknown_ = true;
  if (!trouble_) trouble_ = sounds_like_trouble(line);
}

void LintReading::cut(std::string_view why) {
  cut_ = true;
  if (suspicious_.size() < 10) suspicious_.emplace_back(why);
}

std::string LintReading::tool_names() const {
  std::string names;
  const bool ruff = tools_.contains("ruff");
  for (const auto& t : tools_) {
    if (ruff && t == "flake8") continue;  // ruff's short lines look like flake8's
    names += (names.empty() ? "" : "+") + t;
  }
  return names;
}

model::LintReport LintReading::unread(const ExitFacts& exit) const {
  model::LintReport r;
  r.format = "exit_code_only";
  if (crashed_ || exit.signal) {
    r.outcome = LintOutcome::crashed;
    if (auto names = tool_names(); !names.empty()) r.format = std::move(names);
    r.evidence = evidence_;
  }
  if (!why_.empty()) r.suspicious.push_back(why_);
  if (clean_ && !ended_well(exit) && !crashed_)
    r.suspicious.emplace_back("the output looks clean, the command failed");
  return r;
}

model::LintReport LintReading::report(const ExitFacts& exit) const {
  const auto all = result();
  const auto count = all.errors + all.warnings;
  if (exit.signal || (crashed_ && (strong_ || count == 0))) return unread(exit);
  // No findings: credible only if the command succeeded, and a tool spoke or every line was understood.
  const bool silence = !unknown_ || (!trouble_ && (clean_ || !tools_.empty()));
  if (count == 0 && (!ended_well(exit) || !silence || cut_)) return unread(exit);
  model::LintReport r;
  r.errors = all.errors;
  r.warnings = all.warnings;
  r.findings = findings_;
  r.evidence = evidence_;
  r.suspicious = suspicious_;
  r.suspicious.insert(r.suspicious.end(), all.contradictions.begin(), all.contradictions.end());
  r.format = tool_names();
  if (r.format.empty()) r.format = count == 0 ? "clean" : "summary";
  r.outcome = count == 0 ? LintOutcome::clean : LintOutcome::findings;
  r.complete = !cut_ && r.suspicious.empty() && !crashed_;
  if (count == 0) {
    r.confidence = unknown_                    ? model::Confidence::low
                   : clean_ && !tools_.empty() ? model::Confidence::high
                                               : model::Confidence::medium;
  } else if (certainty_ == 1 || findings_.empty()) {
    r.confidence = model::Confidence::low;
  } else {
    const bool sure = (all.agreed || certainty_ == 3) && !all.capped && r.complete;
    r.confidence = sure ? model::Confidence::high : model::Confidence::medium;
  }
  return r;
}

}  // namespace hydra::parsers
