#include "parsers/words.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hydra::parsers {
namespace {

constexpr std::size_t kLongestWord = 40;

constexpr auto kMeanings = std::to_array<std::pair<std::string_view, Meaning>>({
    {"passed", Meaning::passed},
    {"pass", Meaning::passed},
    {"passes", Meaning::passed},
    {"passing", Meaning::passed},
    {"succeeded", Meaning::passed},
    {"successful", Meaning::passed},
    {"success", Meaning::passed},
    {"successes", Meaning::passed},
    {"ok", Meaning::passed},
    {"xpassed", Meaning::passed},
    {"flaky", Meaning::passed},
    {"tests passed", Meaning::passed},
    {"test passed", Meaning::passed},
    {"failed", Meaning::failed},
    {"fail", Meaning::failed},
    {"fails", Meaning::failed},
    {"failing", Meaning::failed},
    {"failure", Meaning::failed},
    {"failures", Meaning::failed},
    {"not ok", Meaning::failed},
    {"timed out", Meaning::failed},
    {"timeout", Meaning::failed},
    {"timeouts", Meaning::failed},
    {"tests failed", Meaning::failed},
    {"test failed", Meaning::failed},
    {"unexpected", Meaning::failed},
    {"unexpected passes", Meaning::failed},
    {"unexpected successes", Meaning::failed},
    {"skipped", Meaning::skipped},
    {"skip", Meaning::skipped},
    {"skips", Meaning::skipped},
    {"ignored", Meaning::skipped},
    {"pending", Meaning::skipped},
    {"pendings", Meaning::skipped},
    {"todo", Meaning::skipped},
    {"todos", Meaning::skipped},
    {"disabled", Meaning::skipped},
    {"omitted", Meaning::skipped},
    {"omissions", Meaning::skipped},
    {"incomplete", Meaning::skipped},
    {"inconclusive", Meaning::skipped},
    {"xfailed", Meaning::skipped},
    {"xfail", Meaning::skipped},
    {"expected failures", Meaning::skipped},
    {"tests skipped", Meaning::skipped},
    {"test skipped", Meaning::skipped},
    {"undefined", Meaning::errors},
    {"ambiguous", Meaning::errors},
    {"error", Meaning::errors},
    {"errors", Meaning::errors},
    {"errored", Meaning::errors},
    {"crashed", Meaning::errors},
    {"exception", Meaning::errors},
    {"exceptions", Meaning::errors},
    {"total", Meaning::total},
    {"tests", Meaning::total},
    {"test", Meaning::total},
    {"test cases", Meaning::total},
    {"testcases", Meaning::total},
    {"specs", Meaning::total},
    {"spec", Meaning::total},
    {"examples", Meaning::total},
    {"example", Meaning::total},
    {"scenarios", Meaning::total},
    {"scenario", Meaning::total},
    {"cases", Meaning::total},
    {"tests run", Meaning::total},
    {"run", Meaning::total},
    {"runs", Meaning::total},
    {"total tests", Meaning::total},
    {"assertion", Meaning::nothing},
    {"assertions", Meaning::nothing},
    {"asserts", Meaning::nothing},
    {"expect() calls", Meaning::nothing},
    {"checks", Meaning::nothing},
    {"warning", Meaning::nothing},
    {"warnings", Meaning::nothing},
    {"notices", Meaning::nothing},
    {"notifications", Meaning::nothing},
    {"risky", Meaning::nothing},
    {"deprecated", Meaning::nothing},
    {"deselected", Meaning::nothing},
    {"filtered out", Meaning::nothing},
    {"filtered", Meaning::nothing},
    {"excluded", Meaning::nothing},
    {"not run", Meaning::nothing},
});

}  // namespace

std::optional<Meaning> meaning_of(std::string_view word) {
  if (word.size() > kLongestWord) return std::nullopt;
  const auto lower = to_lower(trim(word));
  const auto it =
      std::find_if(kMeanings.begin(), kMeanings.end(), [&](const auto& w) { return w.first == lower; });
  return it == kMeanings.end() ? std::nullopt : std::optional(it->second);
}

void add(Figures& f, Meaning meaning, std::int64_t n) {
  std::optional<std::int64_t>* to = nullptr;
  switch (meaning) {
    case Meaning::passed:
      to = &f.passed;
      break;
    case Meaning::failed:
      to = &f.failed;
      break;
    case Meaning::skipped:
      to = &f.skipped;
      break;
    case Meaning::errors:
      to = &f.errors;
      break;
    case Meaning::total:
      to = &f.total;
      break;
    case Meaning::nothing:
      return;
  }
  *to = to->value_or(0) + n;
}

std::optional<Figures> figures_of(const std::vector<Count>& counts) {
  Figures f;
  for (const auto& c : counts) {
    const auto meaning = meaning_of(c.what);
    if (!meaning) return std::nullopt;
    add(f, *meaning, c.n);
  }
  return f;
}

}  // namespace hydra::parsers
