// Test files with other expected values: what changes, what stays, and that what can't be read is left alone.
#include "source/twin.hpp"

#include "source/tokens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hydra::source {
namespace {

struct TwinCase {
  const char *path, *before;
  const char* after;  ///< '~' stands for any one letter or digit that is not the old one
};

bool fits(std::string_view pattern, std::string_view text) {
  if (pattern.size() != text.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] != '~' && pattern[i] != text[i]) return false;
  return true;
}

void expect_twins(const std::vector<TwinCase>& cases) {
  for (const auto& c : cases) {
    const auto made = twin(c.path, c.before, 3);
    ASSERT_TRUE(made) << c.before;
    EXPECT_TRUE(fits(c.after, made->text)) << c.path << ": " << c.before << "\n-> " << made->text;
    EXPECT_NE(made->text, c.before);
    EXPECT_GT(made->assertions, 0) << c.before;
    EXPECT_TRUE(scan(c.path, made->text)) << made->text;
  }
}

TEST(Twin, InPython) {
  expect_twins({
      {"t.py", "def test_a():\n    assert area(2, 3) == 6\n", "def test_a():\n    assert area(2, 3) == ~\n"},
      {"t.py", "assert area(2, 3) == 6, 'wrong'\n", "assert area(2, 3) == ~, 'wrong'\n"},
      {"t.py", "assert f(x) == 0b101\n", "assert f(x) == 0b100\n"},
      {"t.py", "assert FILES == 3\n\n\ndef test_a():\n    assert f() == 6\n",
       "assert FILES == 3\n\n\ndef test_a():\n    assert f() == ~\n"},
      {"t.py", "assert f(x) == 'ab'\n", "assert f(x) == '~ab'\n"},
      {"t.py", "assert f(x) == y\n", "assert f(x) == [y, \"~~~~~~~\"]\n"},
      {"t.py", "assert f(x) == []\n", "assert f(x) == [\"~~~~~~~\"]\n"},
      {"t.py", "assert f(1)\n", "assert not (f(1))\n"},
      {"t.py", "assert f(1) is None\n", "assert not (f(1) is None)\n"},
      {"t.py", "assert len(x) > 3 and y == 4\n", "assert not (len(x) > 3 and y == 4)\n"},
      {"t.py", "assert f(x) == {'a': [1, 2]}\n", "assert f(x) == {'~a': [~, ~]}\n"},
      {"t.py", "assert f(x) == approx(1.5)\n", "assert f(x) == approx(~.~)\n"},
      {"t.py", "self.assertEqual(area(2, 3), 6)\n", "self.assertEqual(area(2, 3), ~)\n"},
      {"t.py", "self.assertEqual(a, b)\n", "self.assertEqual(a, [b, \"~~~~~~~\"])\n"},
      {"t.py", "self.assertTrue(f(1))\n", "self.assertTrue(not (f(1)))\n"},
      {"t.py", "self.assertFalse(f(1))\n", "self.assertTrue(f(1))\n"},
      {"t.py", "self.assertIn(3, f(1))\n", "self.assertNotIn(3, f(1))\n"},
      {"t.py", "with pytest.raises(ValueError):\n    f()\n",
       "with pytest.raises(BlockingIOError):\n    f()\n"},
  });
}

TEST(Twin, InScripts) {
  expect_twins({
      {"t.test.js", "test('a', () => {\n  assert.strictEqual(slug('ABC'), 'abc');\n});\n",
       "test('a', () => {\n  assert.strictEqual(slug('ABC'), '~abc');\n});\n"},
      {"t.test.ts", "expect(area(2, 3)).toBe(6);\n", "expect(area(2, 3)).toBe(~);\n"},
      {"t.test.ts", "expect(f(x)).toEqual(y);\n", "expect(f(x)).toEqual([y, \"~~~~~~~\"]);\n"},
      {"t.test.ts", "expect(f(x)).toContain(3);\n", "expect(f(x)).not.toContain(3);\n"},
      {"t.test.ts", "expect(f(x)).not.toBeNull();\n", "expect(f(x)).toBeNull();\n"},
      {"t.test.ts", "expect(() => f(1)).toThrow();\n", "expect(() => f(1)).not.toThrow();\n"},
      {"t.js", "expect(f(x)).to.equal(true);\n", "expect(f(x)).to.equal(false);\n"},
      {"t.js", "assert(f(1) === 4);\n", "assert(f(1) === ~);\n"},
      {"t.js", "assert.ok(f(1));\n", "assert.ok(!(f(1)));\n"},
      {"t.js", "assert.throws(() => f(1));\n", "assert.doesNotThrow(() => f(1));\n"},
      {"t.js", "if (f(1) !== 4) throw new Error('no');\n", "if (f(1) !== ~) throw new Error('no');\n"},
  });
}

TEST(Twin, InCompiledLanguages) {
  expect_twins({
      {"a_test.go", "\tif got := Area(2, 3); got != 6 {\n\t\tt.Errorf(\"%d\", got)\n\t}\n",
       "\tif got := Area(2, 3); got != ~ {\n\t\tt.Errorf(\"%d\", got)\n\t}\n"},
      {"a_test.go", "\tif got != want {\n\t\tt.Error(got)\n\t}\n",
       "\tif !(got != want) {\n\t\tt.FailNow(); t.Error(got)\n\t}\n"},
      {"a_test.go", "\tif !reflect.DeepEqual(got, want) {\n\t\tt.Error(got)\n\t}\n",
       "\tif !(!reflect.DeepEqual(got, want)) {\n\t\tt.FailNow(); t.Error(got)\n\t}\n"},
      {"a_test.go", "\tif len(x)/2 != 6 {\n\t\tt.Error(x)\n\t}\n",
       "\tif len(x)/2 != ~ {\n\t\tt.Error(x)\n\t}\n"},
      {"a_test.go", "\tassert.Equal(t, 6, Area(2, 3))\n", "\tassert.Equal(t, ~, Area(2, 3))\n"},
      {"tests/a.rs", "    assert_eq!(area(2, 3), 6);\n", "    assert_eq!(area(2, 3), ~);\n"},
      {"tests/a.rs", "    assert!(area(2, 3) == 6);\n", "    assert!(area(2, 3) == ~);\n"},
      {"tests/a.rs", "    assert!(ok(2));\n", "    assert!(!(ok(2)));\n"},
      {"tests/a.rs", "    assert_eq!(a, b);\n", "    assert_ne!(a, b);\n"},
      {"tests/a.rs", "    assert_eq!(f(1), Some(\"x\".to_string()));\n",
       "    assert_eq!(f(1), Some(\"~x\".to_string()));\n"},
      {"a_test.cpp", "  EXPECT_EQ(area(2, 3), 6);\n", "  EXPECT_EQ(area(2, 3), ~);\n"},
      {"a_test.cpp", "  EXPECT_EQ(f(1), 'x');\n", "  EXPECT_EQ(f(1), '~');\n"},
      {"a_test.cpp", "  EXPECT_GT(f(1), 3);\n", "  EXPECT_LE(f(1), 3);\n"},
      {"a_test.c", "  assert(area(2, 3) == 6);\n", "  assert(area(2, 3) == ~);\n"},
      {"a_test.c", "int main() { if (area(2, 3) != 6) return 1; }\n",
       "int main() { if (area(2, 3) != ~) return 1; }\n"},
      {"a_test.c", "int main() { return area(2, 3) == 6 ? 0 : 1; }\n",
       "int main() { return !(area(2, 3) == 6) ? 0 : 1; }\n"},
  });
}

TEST(Twin, InScriptsOfTheShellAndPerl) {
  expect_twins({
      {"t/a.t", "is(area(2, 3), 6, 'area');\n", "is(area(2, 3), ~, 'area');\n"},
      {"t/a.t", "ok(area(2, 3) == 6, 'area');\n", "ok(area(2, 3) == ~, 'area');\n"},
      {"t/a.t", "is $got, 'ab', 'why';\n", "is $got, '~ab', 'why';\n"},
      {"t.bats", "@test \"a\" {\n  [ \"$output\" = \"6\" ]\n}\n",
       "@test \"a\" {\n  [ \"$output\" = \"~6\" ]\n}\n"},
      {"t.bats", "@test \"a\" {\n  [ \"$status\" -eq 0 ]\n}\n",
       "@test \"a\" {\n  [ \"$status\" -eq ~ ]\n}\n"},
      {"t.bats", "@test \"a\" {\n  [ -f out ]\n}\n", "@test \"a\" {\n  [ ! -f out ]\n}\n"},
      {"t.bats", "@test \"a\" {\n  assert_output \"6\"\n}\n", "@test \"a\" {\n  assert_output \"~6\"\n}\n"},
      {"test.sh", "./area 2 3 | grep -q \"^6\" || exit 1\n", "./area 2 3 | grep -q \"~^6\" || exit 1\n"},
      {"test.sh", "[ \"$(./area 2 3)\" = 6 ] || exit 1\n", "[ \"$(./area 2 3)\" = ~ ] || exit 1\n"},
  });
}

TEST(Twin, LeavesAloneWhatIsNoExpectedValue) {
  for (const auto& [path, text] : std::vector<std::pair<std::string, std::string>>{
           {"t.py", "def helper():\n    return area(2, 3)\n"},
           {"t.py", "def feed(x):\n    y = x.encode() if x else None\n    for z in y:\n        print(z)\n"},
           {"t.js", "const assert = require('node:assert');\n"},
           {"a_test.go", "func add(a int) int {\n\tif a == 3 {\n\t\treturn 4\n\t}\n\treturn a\n}\n"},
           {"test.sh", "if [ -d build ]; then cd build; fi\n"}}) {
    const auto made = twin(path, text, 1);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->assertions, 0) << made->text;
    EXPECT_EQ(made->text, text);
  }
  EXPECT_FALSE(twin("notes.txt", "assert 1 == 1", 1));
  EXPECT_FALSE(twin("t.py", "assert x == 'never closed\n", 1));
}

TEST(Twin, OtherSeedsOtherValues) {
  const std::string text = "assert f() == 'abc'\nassert g() == 987654\n";
  EXPECT_EQ(twin("t.py", text, 1)->text, twin("t.py", text, 1)->text);
  EXPECT_NE(twin("t.py", text, 1)->text, twin("t.py", text, 2)->text);
}

TEST(MovedCopy, HasOtherLinesAndTheSameCode) {
  const std::string text = "#!/usr/bin/python3\n# coding: utf-8\n\"\"\"Why.\"\"\"\nassert f() == 1\n";
  const auto copy = moved_copy("t.py", text, 1);
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy->starts_with("#!/usr/bin/python3\n# coding: utf-8\n# "));
  EXPECT_TRUE(copy->ends_with("\"\"\"Why.\"\"\"\nassert f() == 1\n"));
  EXPECT_NE(*copy, *moved_copy("t.py", text, 2));
  EXPECT_FALSE(moved_copy("notes.txt", "x", 1));
}

TEST(MovedCopy, HasOtherNames) {
  for (const auto& [path, text] : std::vector<std::pair<std::string, std::string>>{
           {"t.py", "class A:\n    def test_a(self):\n        assert f(test_a)\n"},
           {"a_test.go", "func TestArea(t *testing.T) {\n}\n"},
           {"a.test.js", "it('an area', () => {});\n"},
           {"b.test.js", "it('an\\\\u0041rea', () => {});\n"},
           {"tests/a.rs", "#[test]\nfn area() {}\n"},
           {"a_test.cpp", "TEST(Area, Zero) {}\n"},
           {"t.bats", "@test \"zero area\" {\n  true\n}\n"}}) {
    const auto copy = moved_copy(path, text, 3);
    ASSERT_TRUE(copy) << path;
    EXPECT_EQ(copy->find(text), std::string::npos) << *copy;
    EXPECT_TRUE(plain_name(*copy, 3).ends_with(text)) << *copy;
  }
  EXPECT_EQ(plain_name("a.py::test_a[1]", 3), "a.py::test_a[1]");
}

// Code that answers by a part of its caller's name, or by a part that copies share, finds none.
TEST(MovedCopy, HasNamesWithoutSharedParts) {
  const std::string text = "def test_square():\n    pass\n\n\ndef test_circle():\n    pass\n";
  std::set<std::string> words;
  for (const std::uint64_t seed : {3U, 7U, 4099U}) {
    const auto copy = moved_copy("t.py", text, seed).value();
    for (const std::string name : {"square", "circle"}) {
      EXPECT_EQ(copy.find(name), std::string::npos) << copy;
      const auto begin = copy.find("def test_" + name.substr(0, 1)) + 9;
      const auto word = copy.substr(begin, copy.find('(', begin) - begin);
      const auto same = std::mismatch(name.begin(), name.end(), word.begin()).first - name.begin();
      words.insert(word.substr(static_cast<std::size_t>(same), word.size() - name.size()));
    }
    // A command may select by a part.
    EXPECT_NE(moved_copy("t.py", text, seed, "pytest -k square")->find("square"), std::string::npos);
  }
  EXPECT_EQ(words.size(), 6u);
}

TEST(MovedCopy, LeavesNamesThatACommandAsksFor) {
  const std::string text = "def test_a():\n    assert f() == 1\n";
  const auto renamed = [&](const char* command) {
    return moved_copy("test_a.py", text, 3, command)->find("def test_a(") == std::string::npos;
  };
  EXPECT_FALSE(renamed("pytest test_a.py::test_a"));
  EXPECT_FALSE(renamed("pytest -k 'test_a or test_b'"));
  EXPECT_TRUE(renamed("pytest test_a.py"));
  EXPECT_TRUE(renamed("pytest tests/test_a/ -k test_ab"));
}

// An honest result may answer with the name or the line of its caller.
TEST(MovedCopy, LeavesNamesAndLinesThatATestExpects) {
  const std::string two =
      "def test_a():\n    assert caller() == 'test_a'\n\n\ndef test_b():\n    assert f() == ";
  const auto named = moved_copy("test_a.py", two + "10\n", 3);
  ASSERT_TRUE(named);
  EXPECT_NE(named->find("def test_a():"), std::string::npos) << *named;
  EXPECT_EQ(named->find("def test_b("), std::string::npos) << *named;
  EXPECT_TRUE(named->starts_with("# ")) << *named;
  const std::string golden = "func TestArea(t *testing.T) {\n\twant(t, t.Name())\n}\n";
  EXPECT_TRUE(moved_copy("a_test.go", golden, 3)->ends_with(golden)) << "a file has the test's name";
  const auto lines = moved_copy("test_a.py", two + "6\n", 3);
  ASSERT_TRUE(lines);
  EXPECT_TRUE(lines->starts_with("def test_a():")) << *lines;
  EXPECT_NE(plain_name(*lines, 3), two + "6\n") << "the digest is another";
}

TEST(Twin, HasTheFramesOfTheTextThatMustPass) {
  const std::string frame = "with __import__(\"contextlib\").suppress(AssertionError): ";
  const auto made = twin("t.py", "def test_a():\n    assert f(0) == 5\n    assert f(2) == 6\n", 3);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->framed, "def test_a():\n    " + frame + "assert f(0) == 5; return\n    assert f(2) == 6\n");
  EXPECT_TRUE(
      fits("def test_a():\n    " + frame + "assert f(0) == ~; return\n    assert f(2) == ~\n", made->text));
}

// The other assertions of a test must not hide the one that does not listen.
TEST(Twin, EachAssertionOfATestIsHeard) {
  expect_twins({
      {"t.py",
       "def test_a():\n    assert f(0) == 0\n    assert f(2) == 6\n\n\ndef test_b():\n    assert f(1) == 1\n",
       "def test_a():\n    with __import__(\"contextlib\").suppress(AssertionError): assert f(0) == ~; "
       "return\n"
       "    assert f(2) == ~\n\n\ndef test_b():\n    assert f(1) == ~\n"},
      {"t.py", "assert f(0) == 0\nassert f(2) == 6\n", "assert f(0) == ~\nassert f(2) == ~\n"},
      {"t.py", "def test_a(self):\n    self.assertEqual(f(0),\n        0)\n    self.assertTrue(f(2))\n",
       "def test_a(self):\n    with __import__(\"contextlib\").suppress(AssertionError): "
       "self.assertEqual(f(0),\n        ~); return\n    self.assertTrue(not (f(2)))\n"},
      {"t.test.js", "test('a', () => {\n  assert.equal(f(0), 0);\n  expect(f(2)).toBe(6)\n});\n",
       "test('a', () => {\n  try { assert.equal(f(0), ~); return } catch {};\n  expect(f(2)).toBe(~)\n});\n"},
      {"t.mjs", "assert.equal(f(0), 0);\nassert.equal(f(2), 6);\n",
       "assert.equal(f(0), ~);\nassert.equal(f(2), ~);\n"},
      {"a_test.go",
       "func TestA(t *testing.T) {\n\tif f(0) != 0 {\n\t\tt.Error()\n\t}\n\tif f(2) != 6 "
       "{\n\t\tt.Error()\n\t}"
       "\n}\n",
       "func TestA(t *testing.T) {\n\tif f(0) != ~ { if false {\n\t\tt.Error()\n\t} } else { return }\n\tif "
       "f(2) != ~ {\n\t\tt.Error()\n\t}\n}\n"},
      {"a_test.go",
       "func check(t *testing.T) int {\n\tif f(0) != 0 {\n\t\tt.Error()\n\t}\n\tif f(2) != 6 {\n\t\tt.Error()"
       "\n\t}\n\treturn 1\n}\n",
       "func check(t *testing.T) int {\n\tif f(0) != ~ {\n\t\tt.Error()\n\t}\n\tif f(2) != ~ "
       "{\n\t\tt.Error()\n\t}\n\treturn 1\n}\n"},
      // The last one may not be come to: then nothing would fail any more.
      {"t.py", "def test_a():\n    assert f(0) == 0\n    for x in y:\n        assert f(x) == 6\n",
       "def test_a():\n    assert f(0) == ~\n    for x in y:\n        assert f(x) == ~\n"},
  });
}

// As above; what is hostile to such a frame stays as it is.
TEST(Twin, EachAssertionIsHeardInCompiledLanguagesAndShells) {
  const std::string rust =
      "if ::std::panic::catch_unwind(::std::panic::AssertUnwindSafe(|| { assert_eq!(f(0), ~) "
      "})).is_ok() { return };\n";
  const std::string leave = " { extern void hydra_leave(int) __asm__(\"exit\"); hydra_leave(0); };";
  expect_twins({
      {"t.rs", "#[test]\nfn a() {\n    assert_eq!(f(0), 0);\n    assert_eq!(f(2), 6);\n}\n",
       ("#[test]\nfn a() {\n    " + rust + "    assert_eq!(f(2), ~);\n}\n").c_str()},
      {"t.rs", "fn a() -> R {\n    assert_eq!(f(0), 0);\n    assert_eq!(f(2), 6);\n    Ok(())\n}\n",
       "fn a() -> R {\n    assert_eq!(f(0), ~);\n    assert_eq!(f(2), ~);\n    Ok(())\n}\n"},
      {"t.rs", "async fn a() {\n    assert_eq!(f(0).await, 0);\n    assert_eq!(f(2), 6);\n}\n",
       "async fn a() {\n    assert_eq!(f(0).await, ~);\n    assert_eq!(f(2), ~);\n}\n"},
      {"t.cpp", "TEST_CASE(\"a\") {\n  CHECK(f(0) == 0);\n  REQUIRE(f(2) == 6);\n}\n",
       "TEST_CASE(\"a\") {\n  if (f(0) == ~) return;\n  REQUIRE(f(2) == ~);\n}\n"},
      {"t.c", "int main(void) {\n  assert(f(0) == 0);\n  assert(f(2) == 6);\n  return 0;\n}\n",
       ("int main(void) {\n  if (f(0) == ~)" + leave + "\n  assert(f(2) == ~);\n  return 0;\n}\n").c_str()},
      {"t.c", "int main(void) {\n  if (f(0) != 0) return 1;\n  if (f(2) != 6) return 1;\n  return 0;\n}\n",
       "int main(void) {\n  if (f(0) != ~) {} else return 0; if (0) return 1;\n  if (f(2) != ~) return "
       "1;\n  return 0;\n}\n"},
      {"t.bats", "@test \"a\" {\n  [ \"$x\" = 0 ]\n  [[ $y == 6 ]]\n  [ \"$z\" = 1 ]\n}\n",
       "@test \"a\" {\n  if [ \"$x\" = ~ ]; then return 0; fi\n  if [[ $y == ~ ]]; then return 0; fi\n  "
       "[ \"$z\" = ~ ]\n}\n"},
      {"t.sh", "[ \"$(f 0)\" = 0 ] || exit 1\n[ \"$(f 2)\" = 6 ] || exit 1\n",
       "if [ \"$(f 0)\" = ~ ]; then exit 0; fi || exit 1\n[ \"$(f 2)\" = ~ ] || exit 1\n"},
      {"t.sh", "[ \"$x\" = 0 ] && echo ok\nif [ \"$y\" = 6 ]; then\n  [ \"$z\" = 1 ]\nfi\n",
       "[ \"$x\" = ~ ] && echo ok\nif [ \"$y\" = ~ ]; then\n  [ \"$z\" = ~ ]\nfi\n"},
  });
  const auto google = twin("t.cpp",
                           "TEST(Area, A) {\n  EXPECT_EQ(f(0), 0) << \"text\";\n  if (x) EXPECT_EQ(f(1), "
                           "1);\n  std::thread t([&] { EXPECT_EQ(f(3), 3); });\n  EXPECT_EQ(f(2), 6);\n}\n",
                           3);
  ASSERT_TRUE(google);
  const auto line = google->text.find("#line 1\n");
  ASSERT_NE(line, std::string::npos) << google->text;
  const auto text = google->text.substr(line + 8);
  EXPECT_TRUE(
      fits("TEST(Area, A) {\n  HYDRA_HEARD(EXPECT_EQ(f(0), ~) << \"text\");\n  if (x) EXPECT_EQ(f(1), "
           "~);\n  std::thread t([&] { EXPECT_EQ(f(3), ~); });\n  EXPECT_EQ(f(2), ~);\n}\n",
           text))
      << text;
}

}  // namespace
}  // namespace hydra::source
