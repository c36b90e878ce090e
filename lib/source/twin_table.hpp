// source, inside only: words of assertions. Pure data.
#pragma once

#include <string_view>

namespace hydra::source::tokens {

/// Two calls with opposite meaning, in both directions; names without the part before '.'.
struct Opposite {
  std::string_view one, other;
};
inline constexpr Opposite kOpposites[] = {
    {"assertTrue", "assertFalse"},
    {"assertEqual", "assertNotEqual"},
    {"assertEquals", "assertNotEquals"},
    {"assertIn", "assertNotIn"},
    {"assertIs", "assertIsNot"},
    {"assertIsNone", "assertIsNotNone"},
    {"assertIsInstance", "assertNotIsInstance"},
    {"assertGreater", "assertLessEqual"},
    {"assertLess", "assertGreaterEqual"},
    {"assertRegex", "assertNotRegex"},
    {"assertAlmostEqual", "assertNotAlmostEqual"},
    {"assertNull", "assertNotNull"},
    {"assertSame", "assertNotSame"},
    {"assertContains", "assertNotContains"},
    {"EXPECT_TRUE", "EXPECT_FALSE"},
    {"ASSERT_TRUE", "ASSERT_FALSE"},
    {"EXPECT_EQ", "EXPECT_NE"},
    {"ASSERT_EQ", "ASSERT_NE"},
    {"EXPECT_LT", "EXPECT_GE"},
    {"ASSERT_LT", "ASSERT_GE"},
    {"EXPECT_LE", "EXPECT_GT"},
    {"ASSERT_LE", "ASSERT_GT"},
    {"EXPECT_STREQ", "EXPECT_STRNE"},
    {"ASSERT_STREQ", "ASSERT_STRNE"},
    {"CHECK", "CHECK_FALSE"},
    {"REQUIRE", "REQUIRE_FALSE"},
    {"assert_eq", "assert_ne"},
    {"assert_equal", "refute_equal"},
    {"assert_nil", "refute_nil"},
    {"assert_includes", "refute_includes"},
    {"assert_output", "refute_output"},
    {"assert_line", "refute_line"},
    {"assert_success", "assert_failure"},
    {"Equal", "NotEqual"},
    {"True", "False"},
    {"Nil", "NotNil"},
    {"Contains", "NotContains"},
    {"NoError", "Error"},
    {"equal", "notEqual"},
    {"strictEqual", "notStrictEqual"},
    {"deepEqual", "notDeepEqual"},
    {"deepStrictEqual", "notDeepStrictEqual"},
    {"throws", "doesNotThrow"},
    {"rejects", "doesNotReject"},
    {"match", "doesNotMatch"},
    {"is", "isnt"},
    {"like", "unlike"},
};

/// Calls that only build a value from their arguments, besides capitalised ones: their literals are expected
/// values.
inline constexpr std::string_view kMakers =
    " approx is eq equalTo equals set list tuple dict frozenset bytes vec Some Ok Err from string vector "
    "to_string ";
/// Methods that do not change the value of a literal.
inline constexpr std::string_view kKeepers = " to_string to_owned into as_bytes encode ";
/// First words of a failing branch in languages whose tests are `if` and a complaint.
inline constexpr std::string_view kComplaints =
    " throw raise exit _exit abort die panic fail FAIL t b log os process std fprintf printf puts cerr "
    "console "
    "sys print errors failures failed failed++ ";

}  // namespace hydra::source::tokens
