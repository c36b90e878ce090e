// Comments, white space and documentation say nothing to a machine; everything else does (ruling H25).
#include "checks/effect.hpp"

#include <gtest/gtest.h>

namespace hydra::checks {
namespace {

struct TokenCase {
  const char *path, *before, *after;
  bool same;
};

void expect(const TokenCase& c) {
  EXPECT_EQ(same_tokens(c.path, c.before, c.after), c.same) << c.path << "\n"
                                                            << c.before << "\n---\n"
                                                            << c.after;
  EXPECT_EQ(same_tokens(c.path, c.after, c.before), c.same) << "the other way: " << c.path << "\n"
                                                            << c.before;
}

TEST(Tokens, CommentsAreNone) {
  for (const auto& c : {
           TokenCase{"a.py", "x = 1\n", "# hi\nx = 1  # there\n", true},
           {"a.py", "", "# only a comment\n", true},
           {"a.py", "def f():\n    return 1\n", "def f():\n    \"\"\"Doc.\"\"\"\n    return 1\n", true},
           {"a.py", "def f():\n    x = 1\n\n    # why\n    return x\n", "def f():\n    x = 1\n    return x\n",
            true},
           {"a.js", "/** doc */\nfunction f() { return 1; }", "function f() { return 1; }", true},
           {"a.ts", "a = b / c; // x\nd = e / f", "a = b / c;\nd = e / f", true},
           {"a.c", "int a = 1'000; /* x */", "int a = 1'000;", true},
           {"a.java", "int a; // x\nint b;", "int a;\nint b;", true},
           {"a.go", "// doc\npackage a\n", "package a\n", true},
           {"a.rs", "fn f<'a>(x: &'a str) {} // c", "fn f<'a>(x: &'a str) {}", true},
           {"a.rs", "/* a /* nested */ b */ fn f() {}", "fn f() {}", true},
           {"a.rb", "a = 1 # x\n", "a = 1\n", true},
           {"a.sh", "a # x\n", "a\n", true},
           {"a.php", "<?php a(); # x\n", "<?php a(); // y\n", true},
           {"a.css", ".a .b{}", "/* x */.a .b{}", true},
           {"Makefile", "a:\n\tb\n", "# x\na:\n\tb\n", true},
           {"a.rb", "a = 1 # x\nb = <<X\nX\n", "a = 1\nb = <<X\nX\n", true},
           {"a.pl", "$a = 1; # x\n$b = qq{c};\n", "$a = 1;\n$b = qq{c};\n", true},
       })
    expect(c);
}

TEST(Tokens, WhiteSpaceThatMeansNothingIsNone) {
  for (const auto& c : {
           TokenCase{"a.c", "int a\n = 1;", "int a = 1;", true},
           {"a.c", "a+b", "a + b", true},
           {"a.py", "f(1,\n  2)\n", "f(1, 2)\n", true},
           {"a.js", "a\n// c\nb", "a\nb", true},
       })
    expect(c);
}

TEST(Tokens, CodeIsOne) {
  for (const auto& c : {
           TokenCase{"a.py", "f(a) # x\n", "f(b) # x\n", false},
           {"a.rb", "a = 1\nb = <<X\nX\n", "a = 2\nb = <<X\nX\n", false},
           {"a.rb", "b = <<X\n# 1\nX\n", "b = <<X\n# 2\nX\n", false},
           {"a.py", "if x:\n    y()\n    z()\n", "if x:\n    y()\nz()\n", false},
           {"a.py", "x = '# a'\n", "x = '# b'\n", false},
           {"a.py", "x = \"\"\"a\"\"\"\n", "x = \"\"\"b\"\"\"\n", false},
           {"a.js", "x = /[//]/.test(a)", "x = /[//]/.test(b)", false},
           {"a.js", "x = `a ${ `b ${c}` } // d`", "x = `a ${ `b ${c}` } // e`", false},
           {"a.js", "return\nx", "return x", false},
           {"a.c", "a - -b", "a--b", false},
           {"a.c", "#define A 1\nint x;", "#define A 1 int x;", false},
           {"a.cpp", "auto s = R\"x(// a)x\";", "auto s = R\"x(// b)x\";", false},
           {"a.rs", "let c = '\"'; x()", "let c = '\"'; y()", false},
           {"a.rs", "let c = r#\"// a\"#;", "let c = r#\"// b\"#;", false},
           {"a.go", "x := `// a`", "x := `// b`", false},
           {"a.rb", "a = \"#{b}\"", "a = \"#{c}\"", false},
           {"a.sh", "a=$#; b\n", "a=$#; c\n", false},
           {"a.css", ".a .b{}", ".a.b{}", false},
           {"Makefile", "a:\n\tb #1\n", "a:\n\tb #2\n", false},
       })
    expect(c);
}

TEST(Tokens, CommentsThatToolsObeyAreCode) {
  for (const auto& c : {
           TokenCase{"a.py", "x = 1\n", "x = 1  # noqa\n", false},
           {"a.py", "x = 1\n", "x = 1  # type: ignore\n", false},
           {"a.py", "def f():\n    return 1\n", "def f():\n    \"\"\">>> f()\"\"\"\n    return 1\n", false},
           {"a.go", "//go:build linux\npackage a", "package a", false},
           {"a.sh", "#!/bin/sh\na\n", "#!/bin/bash\na\n", false},
           {"a.ts", "a()", "// @ts-ignore\na()", false},
           {"a.c", "int a;", "int a; // NOLINT", false},
       })
    expect(c);
}

TEST(Tokens, WhatIsNotKnownIsNeverHarmless) {
  EXPECT_FALSE(same_tokens("a.zz", "a", "a"));
  EXPECT_FALSE(same_tokens("noextension", "", ""));
  EXPECT_FALSE(same_tokens("a.py", "x = \"a\n", "x = \"a\n")) << "a string without an end";
  EXPECT_FALSE(same_tokens("a.c", "/* a", "/* a"));
  EXPECT_FALSE(same_tokens("a.sh", "cat <<E\n# a\nE\n", "cat <<E\n# b\nE\n")) << "here-documents";
  EXPECT_FALSE(same_tokens("a.go", "import \"C\"\n// a", "import \"C\"\n// b")) << "its comments are C";
  EXPECT_FALSE(same_tokens("a.c", std::string_view("a\0b", 3), std::string_view("a\0b", 3)));
}

TEST(Tokens, Documentation) {
  for (const auto* path : {"README.md", "docs/guide.rst", "LICENSE", "changelog.txt", "docs/note.txt",
                           "doc/shot.PNG", "a/b/CONTRIBUTING", "web/history.adoc"})
    EXPECT_TRUE(is_documentation(path)) << path;
  for (const auto* path : {"useless.txt", "requirements.txt", "CMakeLists.txt", "docs/conf.py",
                           "src/readme.py", "robots.txt", "history.c", "docs/index.html"})
    EXPECT_FALSE(is_documentation(path)) << path;
}

}  // namespace
}  // namespace hydra::checks
