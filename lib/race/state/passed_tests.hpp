// race/state: tests of one run that passed, and the comparison with a run of changed tests. Pure.
#pragma once

#include "model/check.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::race {

/// A run's tests by name; "" is the whole test command. Views of names are valid as long as the object.
struct PassedTests {
  std::optional<bool> whole;  ///< absent: a failed build, which has no tests either
  model::TestList tests;
  std::set<std::string, std::less<>> mended;  ///< tests that passed in a rerun alone

  [[nodiscard]] bool contains(std::string_view test) const;
  /// Returns whether every test of this name passes, or a rerun of it did.
  [[nodiscard]] bool passes(std::string_view test) const;
  /// Returns each name that passes once.
  [[nodiscard]] std::vector<std::string_view> passing() const;
  [[nodiscard]] bool nameless() const { return whole && tests.empty() && mended.empty(); }
};

/// Returns nullopt if the run gives no evidence.
std::optional<PassedTests> passed_of(const model::CheckSet* checks);

/// Returns the tests that pass in `run` and not in `other`, by name.
std::vector<std::string_view> passing_only_in(const PassedTests& run, const PassedTests& other);

/// Maps test names of a moved copy or twin to the names of the plain run.
std::optional<PassedTests> copied(std::optional<PassedTests> run, const PassedTests& plain,
                                  const std::string& seed);

}  // namespace hydra::race
