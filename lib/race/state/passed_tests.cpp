#include "race/state/passed_tests.hpp"

#include "base/strings.hpp"
#include "race/state/gating.hpp"
#include "source/twin.hpp"

#include <algorithm>

namespace hydra::race {

using model::CheckStatus;
using model::TestStatus;

bool PassedTests::contains(std::string_view test) const {
  return test.empty() ? whole.has_value() : tests.contains(test) || mended.contains(test);
}

bool PassedTests::passes(std::string_view test) const {
  if (test.empty()) return whole.value_or(false);
  return tests.find(test) == TestStatus::passed || mended.contains(test);
}

std::vector<std::string_view> PassedTests::passing() const {
  std::vector<std::string_view> names;
  for (const auto& test : tests.numbered()) {
    const auto name = tests[test.at].name;
    if (test.status == TestStatus::passed && !mended.contains(name)) names.push_back(name);
  }
  names.insert(names.end(), mended.begin(), mended.end());
  if (whole.value_or(false)) names.emplace_back();
  return names;
}

std::optional<PassedTests> passed_of(const model::CheckSet* checks) {
  if (!checks) return std::nullopt;
  if (checks->build && checks->build->status == CheckStatus::failed) return PassedTests{};
  if (!finished(checks->tests)) return std::nullopt;
  PassedTests passed{checks->tests->status == CheckStatus::passed, {}, {}};
  if (checks->tests->tests) passed.tests = checks->tests->tests->tests;
  for (const auto& repeat : checks->repeats) {
    if (!finished(repeat)) continue;
    passed.whole = *passed.whole || repeat.status == CheckStatus::passed;
    if (!repeat.tests) continue;
    model::beside(passed.tests, repeat.tests->tests, [&](const auto& name, auto before, auto now) {
      if (now == TestStatus::passed && before != now) passed.mended.emplace(name);
    });
  }
  return passed;
}

std::vector<std::string_view> passing_only_in(const PassedTests& run, const PassedTests& other) {
  std::vector<std::string_view> names;
  if (run.passes("") && !other.passes("")) names.emplace_back();
  model::beside(run.tests, other.tests, [&](const auto& name, auto here, auto there) {
    if (here == TestStatus::passed && there != here && !other.mended.contains(std::string_view(name)))
      names.push_back(name);
  });
  for (const auto& name : run.mended)
    if (!other.passes(name)) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

/// Strips the class from a name. Report readers drop a class that the name begins with (parsers/junit.cpp),
/// but not for a renamed test: "test_a" of the plain run appears as "test_a.test_a".
std::string_view without_class(std::string_view name) {
  for (auto dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
    const auto of = name.substr(0, dot), rest = name.substr(dot + 1);
    if (rest.starts_with(of) && (rest.size() == dot || rest[dot] == '.' || rest[dot] == ' ')) return rest;
  }
  return name;
}

}  // namespace

std::optional<PassedTests> copied(std::optional<PassedTests> run, const PassedTests& plain,
                                  const std::string& seed) {
  if (!run) return run;
  const auto drawn = static_cast<std::uint64_t>(parse_int(seed).value_or(1));
  const auto named = [&](std::string_view test) {
    const auto name = source::plain_name(std::string(test), drawn);
    return std::string(plain.contains(name) ? name : without_class(name));
  };
  PassedTests out{run->whole, {}, {}};
  for (const auto& [test, status] : run->tests) out.tests.push_back({named(test), status});
  // A name that several tests have got passes if any of these does.
  if (out.tests.numbered().size() < out.tests.size())
    for (const auto& [test, status] : out.tests)
      if (status == TestStatus::passed) out.mended.emplace(test);
  for (const auto& test : run->mended) out.mended.insert(named(test));
  return out;
}

}  // namespace hydra::race
