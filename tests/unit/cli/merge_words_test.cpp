// The kinds of --allow: code, help and document go by one list.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/app.hpp"
#include "model/consent.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hydra::cli {
namespace {

std::string help_of(const std::string& verb, const std::string& name) {
  Options taken;
  find_verb(verb)->options(taken);
  for (const auto& option : taken.rows())
    if (option.names == name) return option.help;
  return {};
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const auto& kind : model::kConsentKinds) names.emplace_back(kind.name);
  return names;
}

TEST(MergeWords, TheHelpNamesEveryKind) {
  const auto help = help_of("merge", "--allow");
  EXPECT_EQ(help.substr(0, help.find(':')), join(kinds(), ", "));
}

TEST(MergeWords, TheDocumentsTableIsTheCodesList) {
  const auto text = read_file(places::source("/docs/merging.md"));
  ASSERT_TRUE(text.ok());
  std::vector<std::string> rows, expected;
  for (const auto line : lines(*text))
    if (line.starts_with("| `")) rows.emplace_back(line);
  for (const auto& kind : model::kConsentKinds)
    expected.push_back("| `" + std::string(kind.name) + "` | " + std::string(kind.what) + " |");
  EXPECT_EQ(rows, expected);
}

TEST(MergeWords, TheKindsAreSorted) {
  const auto names = kinds();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

}  // namespace
}  // namespace hydra::cli
