#include "race/state/test_names.hpp"

#include "race/state/gating.hpp"
#include "scoring/engine.hpp"
#include "trees/hidden_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string_view>

namespace hydra::race {
namespace {

using model::CheckStatus;
using model::TestCase;
using model::TestList;
using model::TestReport;
using model::TestStatus;

constexpr std::string_view kCaseNumber = " #";
constexpr std::string_view kAnyName = "\u204e";  // no runner prints this character in a name

bool named(const std::optional<model::CheckEvidence>& run) {
  return finished(run) && run->tests && run->tests->complete && scoring::names_all(*run->tests);
}

bool word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Returns what two names have in common around their difference, in whole words.
NameStem common(std::string_view a, std::string_view b) {
  const auto front =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const auto shorter = std::min(a.size(), b.size());
  std::size_t head = front, tail = 0;
  while (tail < shorter - front && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  while (head > 0 && word(a[head - 1])) --head;
  while (tail > 0 && word(a[a.size() - tail])) --tail;
  return {std::string(a.substr(0, head)), std::string(a.substr(a.size() - tail))};
}

bool fits(const NameStem& stem, std::string_view name) {
  return name.size() > stem.prefix.size() + stem.suffix.size() && name.starts_with(stem.prefix) &&
         name.ends_with(stem.suffix);
}

std::string text(const NameStem& stem) { return stem.prefix + std::string(kAnyName) + stem.suffix; }

const NameStem* stem_of(const std::vector<NameStem>& stems, std::string_view name) {
  const NameStem* longest = nullptr;
  for (const auto& stem : stems)
    if (fits(stem, name) && (!longest || stem.prefix.size() > longest->prefix.size())) longest = &stem;
  return longest;
}

/// Renames the tests that `known` does not have.
void rename(const TestList& known, const std::vector<NameStem>& stems, TestReport& report) {
  if (stems.empty() || report.tests.without(known).empty()) return;
  std::vector<TestCase> renamed;
  for (const auto& test : report.tests) renamed.push_back({std::string(test.name), test.status});
  std::map<std::string, std::vector<TestCase*>> cases;
  for (auto& test : renamed)
    if (!known.contains(test.name))
      if (const auto* stem = stem_of(stems, test.name)) cases[text(*stem)].push_back(&test);
  for (auto& [name, tests] : cases) {
    // Passing cases first: with equal numbers of passes and failures two runs are equal.
    std::stable_sort(tests.begin(), tests.end(),
                     [](const auto* a, const auto* b) { return a->status < b->status; });
    for (std::size_t i = 0; i < tests.size(); ++i)
      tests[i]->name = i == 0 ? name : name + std::string(kCaseNumber) + std::to_string(i + 1);
  }
  report.tests = renamed;
}

/// Returns the stems of names that differ between two runs of the base.
std::vector<NameStem> stems_between(const TestReport& a, const TestReport& b) {
  std::vector<std::string_view> only_a, only_b, both;
  model::beside(a.tests, b.tests, [&](const auto& name, auto in_a, auto in_b) {
    (in_a && in_b ? both : in_a ? only_a : only_b).push_back(name);
  });
  std::sort(only_a.begin(), only_a.end());
  std::sort(only_b.begin(), only_b.end());
  std::vector<NameStem> stems;
  for (const auto& name : only_a) {
    if (stem_of(stems, name)) continue;
    // The nearest name of the other run in sorted order has the longest common beginning.
    const auto at = std::lower_bound(only_b.begin(), only_b.end(), name);
    NameStem best;
    for (auto other : {at == only_b.begin() ? at : std::prev(at), at})
      if (other != only_b.end())
        if (auto found = common(name, *other); found.prefix.size() > best.prefix.size())
          best = std::move(found);
    const bool stable =
        std::any_of(both.begin(), both.end(), [&](const auto& each) { return fits(best, each); });
    if (!best.prefix.empty() && !stable) stems.push_back(std::move(best));
  }
  return stems;
}

}  // namespace

std::vector<NameStem> fold_base(model::CheckSet& base, const std::vector<NameStem>& known) {
  std::vector<NameStem> fresh;
  if (!named(base.tests)) return fresh;
  auto& first = *base.tests->tests;
  // A cached run of the base is folded already.
  const bool folded = first.tests.text().find(kAnyName) != std::string_view::npos;
  for (const auto& test : folded ? first.tests : TestList())
    if (const auto at = test.name.find(kAnyName);
        at != std::string::npos && test.name.find(kCaseNumber, at) == std::string::npos)
      fresh.push_back(
          {std::string(test.name.substr(0, at)), std::string(test.name.substr(at + kAnyName.size()))});
  for (auto& again : base.repeats) {
    const bool comparable =
        again.status == base.tests->status && named(again) && again.tests->format == first.format;
    if (!comparable) continue;
    for (auto& stem : stems_between(first, *again.tests)) fresh.push_back(std::move(stem));
    auto stems = known;
    stems.insert(stems.end(), fresh.begin(), fresh.end());
    const auto in_first = first.tests, there = again.tests->tests;
    rename(there, stems, first);
    rename(in_first, stems, *again.tests);
    std::set<std::string> missing;
    for (const auto& test : first.tests.without(again.tests->tests)) missing.emplace(test.name);
    drop_tests(base, missing);
  }
  std::erase_if(fresh, [&](const NameStem& stem) {
    return std::find(known.begin(), known.end(), stem) != known.end();
  });
  return fresh;
}

void fold_names(const model::CheckSet& base, const std::vector<NameStem>& stems, model::CheckEvidence& run) {
  if (stems.empty() || !run.tests || !base.tests || !base.tests->tests) return;
  rename(base.tests->tests->tests, stems, *run.tests);
}

std::set<std::string> take_unreached(const model::CheckSet& base, const std::vector<std::string>& hidden,
                                     model::CheckSet& gating) {
  std::set<std::string> unreached;
  if (!named(base.tests) || !named(gating.tests) || base.tests->status != CheckStatus::failed)
    return unreached;
  auto& report = *gating.tests->tests;
  if (report.format != base.tests->tests->format) return unreached;
  const auto &known = base.tests->tests->tests, gone = known.without(report.tests);
  std::map<std::string, TestStatus> files;  // failed files of the base, with the outcome of their tests
  for (const auto& test : report.tests.without(known)) {
    if (trees::is_hidden_test(std::string(test.name), hidden)) continue;
    unreached.emplace(test.name);
    for (const auto& file : gone)
      if (fails(file.status) && test.name.size() > file.name.size() && test.name.starts_with(file.name) &&
          !word(test.name[file.name.size()])) {
        auto& outcome = files.emplace(file.name, TestStatus::skipped).first->second;
        if (fails(test.status) || outcome == TestStatus::skipped) outcome = test.status;
      }
  }
  drop_tests(gating, unreached);
  TestList outcomes;
  for (const auto& [name, status] : files) outcomes.push_back({name, status});
  add_tests(report, outcomes);
  return unreached;
}

void judge_by_names(model::CheckSet& checks, const model::CheckSet* own) {
  auto& tests = checks.tests;
  if (!tests || tests->status != CheckStatus::failed || !tests->tests) return;
  auto& report = *tests->tests;
  if (!report.exit_disagrees || report.suspicious.size() != 1 || report.counts.passed.value_or(0) == 0)
    return;
  report.suspicious.clear();
  report.exit_disagrees = false;
  const auto* with_own = own && finished(own->tests) ? &*own->tests : nullptr;
  if (with_own && with_own->status == CheckStatus::passed) {
    tests->status = CheckStatus::passed;
    tests->exit_code = with_own->exit_code;
    return;
  }
  constexpr const char* kSays = "every test passes, and the command fails";
  tests->message = tests->message.empty() ? kSays : fmt::format("{}: {}", kSays, tests->message);
}

}  // namespace hydra::race
