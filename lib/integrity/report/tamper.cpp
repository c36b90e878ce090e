#include "integrity/report/tamper.hpp"

#include "base/strings.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace hydra::integrity {
namespace {

constexpr std::array<std::string_view, 18> kKinds{
    "skip_marker",    "weakened_assertion", "deleted_test",   "lint_suppression", "tool_shadowing",
    "report_forgery", "runner_hook",        "check_script",   "configuration",    "build_file",
    "history_read",   "hidden_test",        "solution_fetch", "old_mtime",        "generated_file",
    "runner_source",  "rewritten_path",     "not_inspected"};

/// At most so many bytes, cut between characters.
std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  auto end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string_view name(SignalKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

void Signals::add(SignalKind kind, Severity severity, std::string_view path, std::int64_t line,
                  std::string_view excerpt, std::string reason) {
  if (!report_.worst || *report_.worst < severity) report_.worst = severity;
  // A report is never larger than kMostSignals: this many of each severity are enough to choose those from.
  constexpr std::size_t kMostKept = 20 * kMostSignals;
  auto& kept = kept_[severity];
  if (kept >= kMostKept || ++counts_[{std::string(path), kind, severity}] > kMostSignalsOfAFile) {
    ++report_.not_shown;
    return;
  }
  ++kept;
  // Foreign lines may be of any length: only their begin is shown.
  report_.signals.push_back({kind, severity, sanitize(path), line,
                             cut(sanitize(trim(excerpt.substr(0, 4 * kMostExcerpt))), kMostExcerpt),
                             sanitize(reason)});
}

TamperReport find_tampering(const TamperInput& input) {
  TamperReport report;
  Signals signals(report);
  find_in_paths(input, signals);
  find_in_texts(input, signals, report.suppressions);
  find_in_calls(input, signals);
  std::stable_sort(report.signals.begin(), report.signals.end(), [](const Signal& a, const Signal& b) {
    return std::tuple(b.severity, std::string_view(a.path), a.line) <
           std::tuple(a.severity, std::string_view(b.path), b.line);
  });
  if (report.signals.size() > kMostSignals) {
    report.not_shown += static_cast<std::int64_t>(report.signals.size() - kMostSignals);
    report.signals.resize(kMostSignals);
  }
  return report;
}

}  // namespace hydra::integrity
