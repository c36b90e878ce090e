// race: chooses the test files that twins and moved copies change and run (docs/integrity.md, "Twins"). Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::race {

struct TestFile {
  std::string path, text;
};

/// Least number of tests in a sample.
inline constexpr std::size_t kSampledTests = 20;

/// Returns the paths of the files that hold the tests `needed`, and of random files until all of these hold
/// kSampledTests. `token`: seed of the choice. `tests_in`: number of a file's tests. Nullopt: all files,
/// since a needed test stands in no file that is known, or a sample would leave out none.
std::optional<std::set<std::string>> sample_of(const std::vector<TestFile>& files,
                                               const std::vector<std::string>& needed, std::string_view token,
                                               const std::function<std::size_t(const TestFile&)>& tests_in);

}  // namespace hydra::race
