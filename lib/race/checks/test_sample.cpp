#include "race/checks/test_sample.hpp"

#include "base/strings.hpp"
#include "race/state/gating.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

constexpr std::size_t kLeastWord = 4;  // bytes: a shorter part of a name stands in every file

/// Returns the parts of a test's name that may stand in its file, the last one first:
/// "a/test_b.py::test_c[1]" has "test_c", "test_b.py", …
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : test_of_case(name)) {
    if (std::string_view("/:.>").find(c) == std::string_view::npos) {
      part += c;
      continue;
    }
    parts.emplace_back(trim(part));
    part.clear();
  }
  parts.emplace_back(trim(part));
  std::reverse(parts.begin(), parts.end());
  std::erase_if(parts, [](const auto& each) { return each.size() < kLeastWord; });
  return parts;
}

/// Returns the files that hold the last known part of this test's name, and of these the ones with most other
/// parts in their path or text; empty: unknown.
std::vector<const TestFile*> files_with(const std::vector<TestFile>& files, std::string_view test) {
  std::vector<const TestFile*> found;
  const auto parts = parts_of(test);
  std::size_t most = 0;
  for (auto part = parts.begin(); part != parts.end() && found.empty(); ++part) {
    for (const auto& file : files) {
      if (file.text.find(*part) == std::string::npos) continue;
      const auto others =
          static_cast<std::size_t>(std::count_if(part + 1, parts.end(), [&](const auto& other) {
            return file.path.find(other) != std::string::npos || file.text.find(other) != std::string::npos;
          }));
      if (others > most) found.clear(), most = others;
      if (others == most) found.push_back(&file);
    }
  }
  return found;
}

}  // namespace

std::optional<std::set<std::string>> sample_of(const std::vector<TestFile>& files,
                                               const std::vector<std::string>& needed, std::string_view token,
                                               const std::function<std::size_t(const TestFile&)>& tests_in) {
  std::set<std::string> chosen;
  for (const auto& test : needed) {
    const auto found = files_with(files, test);
    if (found.empty()) return std::nullopt;
    for (const auto* file : found) chosen.insert(file->path);
  }
  std::vector<std::pair<std::string, const TestFile*>> drawn;
  for (const auto& file : files)
    drawn.emplace_back(fingerprint(std::string(token) + "\n" + file.path), &file);
  std::sort(drawn.begin(), drawn.end());
  std::size_t tests = 0;
  for (const auto& [order, file] : drawn) {
    if (tests >= kSampledTests) break;
    if (chosen.contains(file->path)) continue;
    const auto count = tests_in(*file);
    tests += count;
    if (count > 0) chosen.insert(file->path);
  }
  return chosen.size() < files.size() ? std::optional(chosen) : std::nullopt;
}

}  // namespace hydra::race
