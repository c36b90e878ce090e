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
using model::TestReport;
using model::TestStatus;
using Names = std::set<std::string>;

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

Names names_of(const TestReport& report) {
  Names names;
  for (const auto& test : report.tests) names.insert(test.name);
  return names;
}

/// Renames the tests outside of `known`.
void rename(const Names& known, const std::vector<NameStem>& stems, TestReport& report) {
  std::map<std::string, std::vector<TestCase*>> cases;
  for (auto& test : report.tests)
    if (!known.contains(test.name))
      if (const auto* stem = stem_of(stems, test.name)) cases[text(*stem)].push_back(&test);
  for (auto& [name, tests] : cases) {
    // Passing cases first: with equal numbers of passes and failures two runs are equal.
    std::stable_sort(tests.begin(), tests.end(),
                     [](const auto* a, const auto* b) { return a->status < b->status; });
    for (std::size_t i = 0; i < tests.size(); ++i)
      tests[i]->name = i == 0 ? name : name + std::string(kCaseNumber) + std::to_string(i + 1);
  }
}

/// Returns the stems of names that differ between two runs of the base.
std::vector<NameStem> stems_between(const TestReport& a, const TestReport& b) {
  const auto in_a = names_of(a), in_b = names_of(b);
  std::vector<std::string> only_a, only_b, both;
  std::set_difference(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), std::back_inserter(only_a));
  std::set_difference(in_b.begin(), in_b.end(), in_a.begin(), in_a.end(), std::back_inserter(only_b));
  std::set_intersection(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), std::back_inserter(both));
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
  for (const auto& test : first.tests)
    if (const auto at = test.name.find(kAnyName);
        at != std::string::npos && test.name.find(kCaseNumber, at) == std::string::npos)
      fresh.push_back({test.name.substr(0, at), test.name.substr(at + kAnyName.size())});
  for (auto& again : base.repeats) {
    const bool comparable =
        again.status == base.tests->status && named(again) && again.tests->format == first.format;
    if (!comparable) continue;
    for (auto& stem : stems_between(first, *again.tests)) fresh.push_back(std::move(stem));
    Names both, missing;
    const auto in_first = names_of(first), there = names_of(*again.tests);
    std::set_intersection(in_first.begin(), in_first.end(), there.begin(), there.end(),
                          std::inserter(both, both.end()));
    auto stems = known;
    stems.insert(stems.end(), fresh.begin(), fresh.end());
    rename(both, stems, first);
    rename(both, stems, *again.tests);
    const auto folded = names_of(first), now = names_of(*again.tests);
    std::set_difference(folded.begin(), folded.end(), now.begin(), now.end(),
                        std::inserter(missing, missing.end()));
    drop_tests(base, missing);
  }
  std::erase_if(fresh, [&](const NameStem& stem) {
    return std::find(known.begin(), known.end(), stem) != known.end();
  });
  return fresh;
}

void fold_names(const model::CheckSet& base, const std::vector<NameStem>& stems, model::CheckEvidence& run) {
  if (stems.empty() || !run.tests || !base.tests || !base.tests->tests) return;
  rename(names_of(*base.tests->tests), stems, *run.tests);
}

std::set<std::string> take_unreached(const model::CheckSet& base, const std::vector<std::string>& hidden,
                                     model::CheckSet& gating) {
  std::set<std::string> unreached;
  if (!named(base.tests) || !named(gating.tests) || base.tests->status != CheckStatus::failed)
    return unreached;
  auto& report = *gating.tests->tests;
  if (report.format != base.tests->tests->format) return unreached;
  const auto known = names_of(*base.tests->tests);
  const auto here = names_of(report);
  std::map<std::string, TestStatus> files;  // failed files of the base, with the outcome of their tests
  for (const auto& test : report.tests) {
    if (known.contains(test.name) || trees::is_hidden_test(test.name, hidden)) continue;
    unreached.insert(test.name);
    for (const auto& file : base.tests->tests->tests)
      if (fails(file.status) && !here.contains(file.name) && test.name.size() > file.name.size() &&
          test.name.starts_with(file.name) && !word(test.name[file.name.size()])) {
        auto& outcome = files.emplace(file.name, TestStatus::skipped).first->second;
        if (fails(test.status) || outcome == TestStatus::skipped) outcome = test.status;
      }
  }
  drop_tests(gating, unreached);
  std::vector<TestCase> outcomes;
  for (const auto& [name, status] : files) outcomes.push_back({name, status});
  add_tests(report, std::move(outcomes));
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
