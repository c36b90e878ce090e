#include "integrity/report/tamper.hpp"

#include "base/strings.hpp"
#include "config/file_class.hpp"
#include "integrity/report/tamper_impl.hpp"

#include <algorithm>
#include <array>
#include <set>
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
    bool look = entry.unwatched || (protection && protection->kind == ProtectedKind::runner_hook);
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

bool is_settings(Text path) {
  constexpr Text kEnds[] = {".toml", ".ini",   ".cfg",   ".json",  ".jsonc",      ".yaml",  ".yml",
                            ".xml",  ".npmrc", ".rspec", "go.mod", ".coveragerc", "go.work"};
  return std::any_of(std::begin(kEnds), std::end(kEnds), [&](Text end) { return path.ends_with(end); });
}

using Counts = std::unordered_map<Text, std::int64_t>;

std::vector<TextLine> text_lines(const std::optional<std::string>& text) {
  std::vector<TextLine> out;
  std::int64_t number = 0;
  if (text)
    for (const auto line : lines(Text(*text).substr(0, kMostFileBytes))) {
      ++number;
      const auto shown = trim(line);
      if (!shown.empty())
        out.push_back({number, shown, static_cast<std::size_t>(shown.data() - line.data())});
    }
  return out;
}

/// Keeps only lines that occur less often on the other side.
void take_away(std::vector<TextLine>& from, Counts& other) {
  std::erase_if(from, [&](const TextLine& line) {
    const auto found = other.find(line.text);
    return found != other.end() && found->second-- > 0;
  });
}

/// Removes lines that occur on both sides of these files: moved lines. Linear.
void cancel_moves(const std::vector<TextDiff*>& diffs) {
  Counts gone, came;
  for (const auto* diff : diffs) {
    for (const auto& line : diff->removed) ++gone[line.text];
    for (const auto& line : diff->added) ++came[line.text];
  }
  for (auto* diff : diffs) {
    take_away(diff->added, gone);
    take_away(diff->removed, came);
  }
}

/// Lines of the base, from 1, in which an example in documentation of Rust or Python states its expectation.
std::set<std::int64_t> expecting_lines(const ChangedFile& file) {
  std::set<std::int64_t> out;
  const bool rust = file.change.path.ends_with(".rs");
  if (!file.base || (!rust && !file.change.path.ends_with(".py"))) return out;
  std::int64_t number = 0;
  bool behind_prompt = false, was_prompt = false;
  for (const auto whole : lines(Text(*file.base).substr(0, kMostFileBytes))) {
    ++number;
    const auto line = trim(whole);
    if (rust) {
      const bool documented = line.starts_with("///") || line.starts_with("//!");
      if (documented && has(line, "assert")) out.insert(number);
      continue;
    }
    const bool prompt = line.starts_with(">>>") || (was_prompt && line.starts_with("..."));
    was_prompt = prompt;
    const bool ends = line.empty() || line.starts_with("\"\"\"") || line.starts_with("'''");
    if (behind_prompt && !prompt && !ends) out.insert(number);
    behind_prompt = prompt || (behind_prompt && !ends);
  }
  return out;
}

/// Examples in documentation are the candidate's in the gating run, so changes to them are reported.
void find_inline_assertions(const TextDiff& diff, Findings& findings) {
  if (diff.test) return;
  const auto expecting = expecting_lines(*diff.file);
  const auto found = std::find_if(diff.removed.begin(), diff.removed.end(),
                                  [&](const TextLine& line) { return expecting.contains(line.number); });
  if (found != diff.removed.end())
    findings.add("weakened_assertion", Severity::warning, diff.file->change.path, found->number, found->text,
                 "a test of the base in the sources expects something else now, or is gone");
}

/// Marks that switch lint rules off, in comments and attributes; those of the second list for a whole file.
constexpr Text kSuppressions =
    "noqa|eslint-disable|//nolint|// nolint|NOLINT|type: ignore|pyright: ignore|pylint: disable|"
    "pylint: skip-file|@ts-ignore|@ts-expect-error|@ts-nocheck|#[allow(|#![allow(|#[expect(|"
    "prettier-ignore|stylelint-disable|biome-ignore|oxlint-disable|rubocop:disable|phpcs:ignore|"
    "phpcs:disable|@phpstan-ignore|@psalm-suppress|@SuppressWarnings|@Suppress(|NOSONAR|"
    "#pragma warning disable|#pragma warning(disable|diagnostic ignored|clang-format off|"
    "fmt: off|fmt: skip|shellcheck disable|swiftlint:disable|# nosec|mypy: ignore-errors|"
    "istanbul ignore|c8 ignore|pragma: no cover|LCOV_EXCL|cppcheck-suppress|luacheck: ignore|"
    "credo:disable|yamllint disable|hadolint ignore|checkstyle:off|deno-lint-ignore|rustfmt::skip";
constexpr Text kSuppressionsOfAFile =
    "@ts-nocheck|flake8: noqa|ruff: noqa|pylint: skip-file|mypy: ignore-errors|#![allow(|"
    "eslint-disable */|phpcs:disable|deno-lint-ignore-file|rubocop:disable all|nolint:all|"
    "checkstyle:off";

/// Counts inline suppressions added, minus those removed.
std::int64_t find_suppressions(const TextDiff& diff, Findings& findings) {
  static const auto marks = split(kSuppressions, '|'), of_files = split(kSuppressionsOfAFile, '|');
  std::int64_t count = 0;
  for (const auto& line : diff.removed)
    if (has_any(line.text, marks)) --count;
  const auto& path = diff.file->change.path;
  for (const auto& line : diff.added) {
    if (!has_any(line.text, marks)) continue;
    ++count;
    // An indented "#![allow(…)]" applies to a module of the file.
    const bool whole = (has_any(line.text, of_files) && (!path.ends_with(".rs") || line.indent == 0)) ||
                       (line.number == 1 && line.text == "# type: ignore");
    findings.add("lint_suppression", whole ? Severity::warning : Severity::info, path, line.number, line.text,
                 whole ? "switches rules off for the whole file" : "switches a rule off");
  }
  return count;
}

/// Finds tampering in added and removed text; counts inline suppressions.
void find_in_texts(const TamperInput& input, Findings& findings, std::int64_t& suppressions) {
  const config::FileClasses classes;
  std::vector<TextDiff> diffs;
  for (const auto& file : input.files) {
    const auto& path = file.change.path;
    if (classes.of(path) == config::FileClass::lock) {
      find_other_hosts(file, findings);
    } else if (is_source(path) || is_settings(path) || is_requirements(path)) {
      const bool test = input.rules->of(path).has_value() || input.rules->is_test(path);
      diffs.push_back({&file, test, text_lines(file.candidate), text_lines(file.base)});
    }
  }
  // Moves are cancelled within each file, then between files of one role: a moved test is neither new nor
  // removed.
  std::array<std::vector<TextDiff*>, 2> roles;
  for (auto& diff : diffs) {
    cancel_moves({&diff});
    roles.at(diff.test ? 1 : 0).push_back(&diff);
  }
  for (const auto& role : roles) cancel_moves(role);
  for (const auto& diff : diffs) {
    suppressions += find_suppressions(diff, findings);
    if (diff.file->change.kind == trees::ChangeKind::deleted) continue;
    find_inline_assertions(diff, findings);
    find_dependencies(diff, findings);
  }
  suppressions = std::max<std::int64_t>(suppressions, 0);
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
