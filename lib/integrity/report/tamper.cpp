#include "integrity/report/tamper.hpp"

#include "base/strings.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace hydra::integrity {
namespace {

/// Cuts the text between characters to at most `most` bytes.
std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  auto end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

/// Reports files that the checks leave out. A merge includes them all the same: byte code of another source,
/// a hook.
void find_left_out(const TamperInput& input, Findings& findings) {
  std::unordered_map<Text, const ChangedFile*> by_path;
  for (const auto& file : input.files) by_path[file.change.path] = &file;
  for (const auto& entry : input.left_out) {
    auto reason = entry.reason + "; not applied";
    const auto protection = input.rules->of(entry.path);
    bool look = has(entry.reason, "ignored by") || has(entry.reason, "shared") ||
                (protection && protection->kind == ProtectedKind::runner_hook);
    if (entry.path.ends_with(".pyc") || entry.path.ends_with(".pyo")) {
      look = look || !has("/" + entry.path, "/__pycache__/");
      const auto found = by_path.find(entry.path);
      const auto* bytes =
          found != by_path.end() && found->second->candidate ? &*found->second->candidate : nullptr;
      // PEP 552: the second word of byte code; 1 means "never compared with the source".
      if (bytes && bytes->size() >= 8 && bytes->substr(4, 4) == Text("\1\0\0\0", 4)) {
        look = true;
        reason = "byte code that is never compared with its source; not applied";
      }
    }
    findings.add("generated_file", look ? Severity::warning : Severity::info, entry.path, 0, {},
                 std::move(reason));
  }
}

}  // namespace

void Findings::add(Text rule, Severity severity, Text path, std::int64_t line, Text text,
                   std::string reason) {
  // A report has at most kMostFindings, so this many findings of each severity suffice to choose from.
  constexpr std::size_t kMostKept = 20 * kMostFindings;
  auto& kept = kept_[severity];
  if (kept >= kMostKept ||
      ++counts_[{std::string(path), std::string(rule), severity}] > kMostFindingsOfAFile) {
    ++report_.not_shown;
    return;
  }
  ++kept;
  // Candidates' lines may be of any length: only their begin is shown.
  report_.findings.push_back({std::string(rule), severity, sanitize(path), line, sanitize(reason),
                              cut(sanitize(trim(text.substr(0, 4 * kMostExcerpt))), kMostExcerpt)});
}

TamperReport find_tampering(const TamperInput& input) {
  TamperReport report;
  Findings findings(report);
  find_left_out(input, findings);
  find_in_texts(input, findings, report.suppressions);
  std::stable_sort(report.findings.begin(), report.findings.end(), [](const auto& a, const auto& b) {
    return std::tuple(b.severity, Text(a.path), a.line) < std::tuple(a.severity, Text(b.path), b.line);
  });
  if (report.findings.size() > kMostFindings) {
    report.not_shown += static_cast<std::int64_t>(report.findings.size() - kMostFindings);
    report.findings.resize(kMostFindings);
  }
  return report;
}

}  // namespace hydra::integrity
