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

class HelpOf : public Options {
 public:
  HelpOf(const std::string& verb, std::string option) : option_(std::move(option)) {
    for (const auto& known : all_verbs())
      if (known.name == verb) known.options(*this);
  }
  void flag(const std::string& name, bool&, const std::string& help) override { add(name, help); }
  void value(const std::string& name, std::string&, const std::string&, const std::string& help) override {
    add(name, help);
  }
  void number(const std::string& name, int&, int, int, const std::string& help) override { add(name, help); }
  void choice(const std::string& name, std::string&, const std::vector<std::string>&,
              const std::string& help) override {
    add(name, help);
  }
  void positional(const std::string& name, std::string&, bool, const std::string& help) override {
    add(name, help);
  }
  void repeated(const std::string& name, std::vector<std::string>&, const std::string&,
                const std::string& help) override {
    add(name, help);
  }
  void words(const std::string& name, std::vector<std::string>&, const std::string&,
             const std::string& help) override {
    add(name, help);
  }
  void command(const std::string& name, std::vector<std::string>&, const std::string& help) override {
    add(name, help);
  }
  std::string found;

 private:
  void add(const std::string& name, const std::string& text) {
    if (name == option_) found = text;
  }
  std::string option_;
};

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const auto& kind : model::kConsentKinds) names.emplace_back(kind.name);
  return names;
}

TEST(MergeWords, TheHelpNamesEveryKind) {
  const auto help = HelpOf("merge", "--allow").found;
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
