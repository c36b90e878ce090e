#include "checks/advice.hpp"

#include "base/redact.hpp"
#include "base/strings.hpp"
#include "checks/base_words.hpp"

#include <algorithm>
#include <array>

namespace hydra::checks {
namespace {

constexpr std::size_t kLineBytes = 4096;
constexpr std::size_t kShownBytes = 300;

/// Finds the piece where no letter, digit or '_' adjoins an end of the piece that is such a character.
bool has_piece(std::string_view line, std::string_view piece, std::size_t& from) {
  for (auto at = line.find(piece, from); at != std::string_view::npos; at = line.find(piece, at + 1)) {
    const auto end = at + piece.size();
    const bool left = at == 0 || !word_character(piece.front()) || !word_character(line[at - 1]);
    const bool right = end == line.size() || !word_character(piece.back()) || !word_character(line[end]);
    if (!left || !right) continue;
    from = end;
    return true;
  }
  return false;
}

/// Matches all pieces of a pattern, separated by "…", in order on one line.
bool matches(std::string_view line, std::string_view pattern) {
  constexpr std::string_view kGap = "…";
  if (pattern.starts_with('^')) {
    pattern.remove_prefix(1);
    if (!line.starts_with(pattern.substr(0, pattern.find(kGap)))) return false;
  }
  if (pattern.ends_with('$')) {
    pattern.remove_suffix(1);
    const auto gap = pattern.rfind(kGap);
    if (!line.ends_with(gap == std::string_view::npos ? pattern : pattern.substr(gap + kGap.size())))
      return false;
  }
  std::size_t from = 0;
  for (;;) {
    const auto gap = pattern.find(kGap);
    if (!has_piece(line, pattern.substr(0, gap), from)) return false;
    if (gap == std::string_view::npos) return true;
    pattern.remove_prefix(gap + kGap.size());
  }
}

bool matches_any(std::string_view line, const config::Texts& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view p) { return matches(line, p); });
}

/// Recognises the line of a passed test, as the usual runners print it.
bool is_passed_test(std::string_view line) {
  constexpr std::array<std::string_view, 8> kBegins{"✓ ",    "✔ ",       "√ ",           "ok ",
                                                    "PASS ", "--- PASS", "[       OK ]", "PASSED "};
  constexpr std::array<std::string_view, 4> kEnds{" ... ok", " PASSED", " ... PASSED", " (passed)"};
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [&](std::string_view w) { return line.starts_with(w); }) ||
         std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view w) { return line.ends_with(w); });
}

/// The last lines that are not empty: printable, trimmed.
std::vector<std::string> last_lines(std::string_view log) {
  std::vector<std::string> out;
  std::size_t end = log.size();
  std::size_t seen = 0;
  while (end > 0 && seen < kAdviceLines) {
    const auto newline = log.rfind('\n', end - 1);
    const auto begin = newline == std::string_view::npos ? 0 : newline + 1;
    if (begin < end || end < log.size()) ++seen;
    const auto line = log.substr(begin, std::min(end - begin, kLineBytes));
    const auto clean = sanitize(line);
    const auto text = trim(clean);
    if (!text.empty() && !is_passed_test(text)) out.emplace_back(text);
    end = newline == std::string_view::npos ? 0 : newline;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool has_tool(const config::EcosystemSet& tools, const config::Texts& names) {
  return names.empty() || std::any_of(tools.begin(), tools.end(), [&](const config::Ecosystem* tool) {
           return std::find(names.begin(), names.end(), tool->name) != names.end();
         });
}

bool is_preparation(Step step) { return step == Step::setup || step == Step::build || step == Step::warm; }

std::string advice_text(const config::Signature& row, Step step, const config::EcosystemSet& tools) {
  for (const auto& text : row.advice) {
    if (text.when == config::AdviceText::preparing && !is_preparation(step)) continue;
    if (text.when == config::AdviceText::testing && is_preparation(step)) continue;
    if (has_tool(tools, text.tools)) return std::string(text.text);
  }
  return {};
}

config::Texts lines_of(AdviceKind kind) {
  config::Texts out;
  for (const auto& row : config::toolchains().signatures)
    if (row.kind == kind) out.insert(out.end(), row.lines.begin(), row.lines.end());
  return out;
}

std::string shown(std::string_view line) {
  auto text = redact(line);
  if (text.size() <= kShownBytes) return text;
  text.resize(kShownBytes);
  // Cut between characters.
  while (!text.empty() && to_utf8(text) != text) text.pop_back();
  return text + "…";
}

}  // namespace

std::optional<Advice> advise(std::string_view log_tail, Step step, const config::EcosystemSet& tools,
                             bool network) {
  const auto lines = last_lines(log_tail);
  for (const auto& row : config::toolchains().signatures) {
    if (row.kind == AdviceKind::nothing_ran) continue;
    const auto hit = std::find_if(lines.begin(), lines.end(),
                                  [&](const std::string& line) { return matches_any(line, row.lines); });
    if (hit == lines.end()) continue;
    Advice advice;
    advice.kind = row.kind;
    advice.signature = row.name;
    advice.meaning = row.meaning;
    advice.advice = advice_text(row, step, tools);
    advice.candidate_advice = row.candidate;
    advice.line = shown(*hit);
    // The step already had network, so the row's usual advice is wrong.
    if (network && advice.advice.find("setup_network = true") != std::string::npos) {
      advice.meaning = "something could not be fetched, although the step has the network";
      advice.advice =
          "its registry or host can't be reached by name from here, or does not have it: try the "
          "command by hand, and look at the proxy variables and the lock file";
      advice.candidate_advice =
          "the candidate asks for something that its registry does not have, or that "
          "can't be reached";
    }
    return advice;
  }
  return std::nullopt;
}

bool must_reject(std::string_view log) {
  const auto& lines = lines_of(AdviceKind::reject_run);
  while (!log.empty()) {
    const auto newline = log.find('\n');
    const auto line = log.substr(0, std::min(newline, kLineBytes));
    // A cheap test first: almost no line passes it.
    const bool perhaps = std::any_of(lines.begin(), lines.end(), [&](std::string_view pattern) {
      return line.find(pattern.substr(0, pattern.find(' '))) != std::string_view::npos;
    });
    if (perhaps && matches_any(trim(sanitize(line)), lines)) return true;
    if (newline == std::string_view::npos) return false;
    log.remove_prefix(newline + 1);
  }
  return false;
}

bool needs_copy(std::string_view log_tail) {
  const auto lines = last_lines(log_tail);
  return std::any_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return matches_any(line, lines_of(AdviceKind::exdev)); });
}

std::optional<model::Advice> ran_nothing(std::string_view log_tail) {
  const auto lines = last_lines(log_tail);
  for (const auto& row : config::toolchains().signatures)
    if (row.kind == AdviceKind::nothing_ran && !lines.empty() && matches_any(lines.back(), row.lines))
      return model::Advice{std::string(row.name), advice_text(row, Step::tests, {}), false};
  return std::nullopt;
}

std::string complaint_of(std::string_view log_tail) {
  // Lines by which wrappers repeat the exit code, and headlines of tests that all pass.
  constexpr std::array<std::string_view, 10> kEchoes{
      "npm err",   "npm error",   "make: ***", "make[",          "elifecycle",
      "exit code", "exit status", "passed",    "command failed", "error: script"};
  constexpr std::array<std::string_view, 14> kWords{
      "fail",    "error",    "not met", "not reached", "not meet",  "below",  "threshold",
      "minimum", "obsolete", "exceed",  "unhandled",   "less than", "denied", "not allowed"};
  const auto has = [](std::string_view line, const auto& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
  };
  auto lines = last_lines(log_tail);
  std::erase_if(lines, [&](const auto& line) { return has(to_lower(line), kEchoes); });
  const auto hit = std::find_if(lines.rbegin(), lines.rend(),
                                [&](const auto& line) { return has(to_lower(line), kWords); });
  return hit == lines.rend() ? std::string() : shown(*hit);
}

namespace {

constexpr std::size_t kShortestName = 3;

bool is_name_character(char c) {
  return word_character(c) || c == '.' || c == '/' || c == '-' || c == '@' || c == '+';
}

/// Returns words between quotes; without any, all words of the line.
std::vector<std::string_view> names_in(std::string_view line) {
  std::vector<std::string_view> quoted, plain;
  for (std::size_t i = 0; i < line.size();) {
    if (!is_name_character(line[i])) {
      ++i;
      continue;
    }
    const auto begin = i;
    while (i < line.size() && is_name_character(line[i])) ++i;
    auto word = line.substr(begin, i - begin);
    while (word.ends_with('.')) word.remove_suffix(1);
    const auto quote = [&](std::size_t at) {
      return at < line.size() && std::string_view("'\"`").find(line[at]) != std::string_view::npos;
    };
    (begin > 0 && quote(begin - 1) && quote(i) ? quoted : plain).push_back(word);
  }
  return quoted.empty() ? plain : quoted;
}

bool adds(std::string_view patch, std::string_view name) {
  for (const auto line : lines(patch)) {
    std::size_t from = 0;
    if ((line.starts_with('+') || line.starts_with("rename to ")) && has_piece(line, name, from)) return true;
  }
  return false;
}

}  // namespace

bool adds_missing_name(const Advice& advice, std::string_view patch) {
  const auto& rows = config::toolchains().signatures;
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.name == advice.signature; });
  for (auto name : names_in(advice.line)) {
    name = name.substr(name.rfind('/') + 1);
    const bool of_signature =
        row != rows.end() && std::any_of(row->lines.begin(), row->lines.end(), [&](std::string_view pattern) {
          return pattern.find(name) != std::string_view::npos;
        });
    if (name.size() < kShortestName || of_signature) continue;
    if (adds(patch, name) || adds(patch, name.substr(0, name.find('.')))) return true;
  }
  return false;
}

bool stops_race(const Advice& advice, const model::CheckEvidence& baseline) {
  if (advice.kind == AdviceKind::exdev) return false;
  if (advice.kind == AdviceKind::reject_run) return true;
  using model::CheckStatus;
  if (baseline.status == CheckStatus::passed || baseline.status == CheckStatus::skipped) return false;
  if (baseline.tests && baseline.tests->counts.passed.value_or(0) > 0) return false;
  if (baseline.lint && (baseline.lint->errors || baseline.lint->warnings)) return false;
  return true;
}

}  // namespace hydra::checks
