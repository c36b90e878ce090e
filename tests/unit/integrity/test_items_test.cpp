#include "integrity/protect/test_items.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::integrity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kBase =
    "pub fn area(w: u32, h: u32) -> u32 { w + h }\n\n"
    "#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
    "    fn sides() -> (u32, u32) { (2, 3) }\n\n"
    "    #[test]\n    fn rectangle() {\n        let (w, h) = sides();\n        assert_eq!(area(w, h), 6);\n  "
    "  }\n}\n";

std::string changed(const std::string& from, const std::string& to, std::string text = kBase) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string mended() { return changed("w + h", "w * h"); }

TestItems restored(const std::string& candidate, const std::string& base = kBase) {
  const auto items = restore_test_items(base, candidate);
  EXPECT_TRUE(items.has_value());
  return items.value_or(TestItems{});
}

TEST(TestItems, HonestChangesKeepTheirText) {
  const std::string new_test = "    #[test]\n    fn square() { assert_eq!(area(4, 4), 16); }\n";
  for (const auto& candidate :
       {mended(), changed("    #[test]\n", new_test + "    #[test]\n", mended()),
        changed("assert_eq!(area(w, h), 6)", "// sides\n  assert_eq!( area(w, h),\n 6)", mended()),
        mended() + "\n#[cfg(test)]\nmod more {\n    use super::area;\n" + new_test + "}\n"})
    EXPECT_THAT(restored(candidate).heads, IsEmpty()) << candidate;
}

struct ItemsRow {
  std::string name, candidate;
};

TEST(TestItems, CheatsGetTheBasesTests) {
  const std::vector<ItemsRow> rows{
      {"edited", changed(", 6)", ", 5)")},
      {"panics", changed("    #[test]\n", "    #[test]\n    #[should_panic]\n")},
      {"ignored", changed("    #[test]\n", "    #[test]\n    #[ignore]\n")},
      {"own function", changed("use super::*;", "use super::*;\n    fn area(_: u32, _: u32) -> u32 { 6 }")},
      {"own macro",
       changed("use super::*;", "use super::*;\n    macro_rules! assert_eq { ($($x:tt)*) => {} }")},
      {"other helper", changed("(2, 3)", "(3, 3)")},
      {"other import", changed("use super::*;", "use crate::fake::*;")},
      {"deleted", kBase.substr(0, kBase.find("#[cfg"))},
      {"moved to a file", kBase.substr(0, kBase.find("#[cfg")) + "#[cfg(test)]\nmod tests;\n"}};
  const auto tests = kBase.substr(kBase.find("#[cfg"));
  for (const auto& row : rows) {
    const auto items = restored(row.candidate);
    EXPECT_THAT(items.heads, ElementsAre("mod tests")) << row.name;
    EXPECT_THAT(items.text, HasSubstr(tests.substr(0, tests.size() - 1))) << row.name;
    EXPECT_THAT(items.text, HasSubstr("{ w + h }")) << row.name;
    EXPECT_THAT(restored(items.text).heads, IsEmpty()) << row.name;
  }
}

TEST(TestItems, ItemsForTestsAloneThatReachOthersAreLeftOut) {
  const std::string plain = "pub struct Area(pub u32);\n";
  const auto items = restored(
      plain + "#[cfg(test)]\nimpl PartialEq for Area { fn eq(&self, _: &Area) -> bool { true } }\n", plain);
  EXPECT_THAT(items.heads, ElementsAre("impl PartialEq for Area"));
  EXPECT_THAT(items.text, Not(HasSubstr("PartialEq")));
}

TEST(TestItems, SomeTextIsNotRead) { EXPECT_FALSE(restore_test_items(kBase, "fn a() { \"open }")); }

TEST(TestItems, TestsAndProductAreSplit) {
  const auto parts =
      without_test_items("#[cfg(test)]\nmod support;\npub mod area;\n#[cfg(not(test))]\nmod log;\n");
  EXPECT_EQ(parts.tests, "#[cfg(test)]\nmod support;\n");
  EXPECT_THAT(parts.product, HasSubstr("pub mod area;\n#[cfg(not(test))]\nmod log;"));
}

}  // namespace
