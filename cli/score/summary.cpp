#include "cli/score/summary.hpp"

#include "base/strings.hpp"
#include "parsers/parsers.hpp"

#include <algorithm>
#include <array>

namespace hydra::cli::score {
namespace {

struct Sums {
  std::int64_t passed = 0, failed = 0, skipped = 0, errors = 0, total = 0;
  bool found = false;
};

constexpr std::int64_t kMostTests = 1'000'000'000'000;

/// Parses "8 passed" into 8 and "passed"; false otherwise.
bool pair_of(std::string_view part, std::int64_t& n, std::string_view& word) {
  part = trim(part);
  const auto blank = part.find(' ');
  if (blank == std::string_view::npos) return false;
  const auto number = parse_int(part.substr(0, blank));
  if (!number || *number > kMostTests) return false;
  n = *number;
  word = trim(part.substr(blank));
  return true;
}

/// Adds one count; false for a word that is in no summary.
bool add(Sums& line, std::int64_t n, std::string_view word) {
  constexpr std::array kSkipped{"skipped", "ignored", "todo", "pending", "xfailed"};
  constexpr std::array kApart{"measured", "filtered out", "deselected", "warning", "warnings", "rerun"};
  if (word == "passed" || word == "xpassed") {
    line.passed += n;
    line.found = true;
  } else if (word == "failed") {
    line.failed += n;
    line.found = true;
  } else if (word == "error" || word == "errors") {
    line.errors += n;
    line.found = true;
  } else if (word == "total") {
    line.total = n;
  } else if (std::find(kSkipped.begin(), kSkipped.end(), word) != kSkipped.end()) {
    line.skipped += n;
  } else {
    return std::find(kApart.begin(), kApart.end(), word) != kApart.end();
  }
  return true;
}

/// Parses a text that is only a list of counts.
std::optional<Sums> counts_of(std::string_view list, char separator) {
  Sums sums;
  for (const auto part : split(list, separator)) {
    std::int64_t n = 0;
    std::string_view word;
    if (!pair_of(part, n, word) || !add(sums, n, word)) return std::nullopt;
  }
  if (!sums.found) return std::nullopt;
  sums.total = std::max(sums.total, sums.passed + sums.failed + sums.skipped + sums.errors);
  return sums;
}

bool eat(std::string_view& line, std::string_view start) {
  if (!line.starts_with(start)) return false;
  line.remove_prefix(start.size());
  return true;
}

std::string_view without_end(std::string_view line, std::string_view mark) {
  return line.substr(0, line.rfind(mark));
}

std::optional<Sums> cargo_line(std::string_view line) {
  if (!eat(line, "test result: ") || (!eat(line, "ok. ") && !eat(line, "FAILED. "))) return std::nullopt;
  return counts_of(without_end(line, "; finished in "), ';');
}

std::optional<Sums> jest_line(std::string_view line) {
  if (!eat(line, "Tests:")) return std::nullopt;
  return counts_of(line, ',');
}

std::optional<Sums> pytest_line(std::string_view line) {
  while (eat(line, "=")) {
  }
  while (line.ends_with('=')) line.remove_suffix(1);
  return counts_of(without_end(line, " in "), ',');
}

struct Reader {
  std::string_view format;
  std::array<std::string_view, 2> names;
  std::optional<Sums> (*line)(std::string_view line);
};
constexpr std::array kReaders{Reader{"cargo-test", {"cargo", "rust"}, cargo_line},
                              Reader{"jest", {"jest", "npm"}, jest_line},
                              Reader{"pytest", {"pytest", "py.test"}, pytest_line}};

model::ParsedTests report_of(std::string_view format, const Sums& sums, std::optional<int> exit_code) {
  model::ParsedTests r;
  r.format = format;
  r.complete = true;
  r.counts.passed = sums.passed;
  r.counts.failed = sums.failed;
  r.counts.skipped = sums.skipped;
  r.counts.errors = sums.errors;
  r.counts.total = sums.total;
  const bool bad = sums.failed + sums.errors > 0;
  if (exit_code == 0 && bad) r.suspicious.emplace_back("exit code 0 with failed tests");
  if (exit_code && *exit_code != 0 && !bad)
    r.suspicious.emplace_back("a failing exit code without a failed test");
  return r;
}

}  // namespace

std::optional<model::ParsedTests> read_summary(std::string_view runner, std::string_view output,
                                               std::optional<int> exit_code) {
  const auto text = parsers::plain_text(output);
  for (const auto& reader : kReaders) {
    const bool asked = std::any_of(reader.names.begin(), reader.names.end(), [&](std::string_view name) {
      return runner.find(name) != std::string_view::npos;
    });
    if (!runner.empty() && !asked) continue;
    Sums all;
    for (const auto line : lines(text)) {
      const auto sums = reader.line(trim(line));
      if (!sums) continue;
      all.passed += sums->passed;
      all.failed += sums->failed;
      all.skipped += sums->skipped;
      all.errors += sums->errors;
      all.total += sums->total;
      all.found = true;
    }
    if (all.found) return report_of(reader.format, all, exit_code);
  }
  return std::nullopt;
}

}  // namespace hydra::cli::score
