// Sources without text for people: what goes, what tools and programs read, and lines that stay.
#include "source/neutral.hpp"

#include "source/tokens.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hydra::source {
namespace {

struct NeutralCase {
  const char *path, *before;
  const char* after;  ///< empty: nothing differs, or the text is not read
};

void expect_copies(const std::vector<NeutralCase>& cases, bool documentation = true) {
  for (const auto& c : cases) {
    const auto made = neutral_copy(c.path, c.before, documentation);
    EXPECT_EQ(made.value_or(NeutralCopy{}).text, c.after) << c.path << ": " << c.before;
    if (!made) continue;
    const std::string_view before = c.before;
    EXPECT_EQ(std::count(made->text.begin(), made->text.end(), '\n'),
              std::count(before.begin(), before.end(), '\n'));
    EXPECT_EQ(scan(c.path, made->text)->normal, scan(c.path, before)->normal);
  }
}

TEST(NeutralCopy, HasNoComments) {
  expect_copies({
      {"a.py", "# why\nx=1  # here\n", "\nx=1\n"},
      {"a.py", "x='# no comment'\n", ""},
      {"a.js", "f(); // here\n/* and\n   here */ g();\n", "f();\n \n g();\n"},
      {"a.js", "a=b /* c */+d", "a=b  +d"},
      {"a.go", "// Area is.\nfunc f() {}\n", "\nfunc  f()  {}\n"},
      {"a.rb", "a = 1 # x\n", "a = 1\n"},
      {"a.sh", "# x\necho a # b\n", "\necho a\n"},
      {"a.java", "/** Area. */\nint a;\n", "\nint a;\n"},
  });
}

TEST(NeutralCopy, KeepsWhatToolsObey) {
  for (const auto& [path, text] : std::vector<std::pair<const char*, const char*>>{
           {"a.py", "#!/usr/bin/python3\n# -*- coding: latin-1 -*-\nx=[]  # type: list[int]\n"},
           {"a.py", "import os  # noqa: F401\n"},
           {"a.go", "//go:build linux\n\npackage a\n"},
           {"a.go", "//go:embed a.txt\nvar a string\n"},
           {"a.js", "/* eslint-disable no-undef */\nf();\n"},
           {"a.ts", "// @ts-expect-error\nf();\n"},
           {"a.c", "#pragma once\n#define A(x) x\n"},
           {"a.sh", "#!/bin/sh\n# shellcheck disable=SC2034\na=1\n"},
           {"a.rb", "# frozen_string_literal: true\na = 1\n"}}) {
    const auto made = neutral_copy(path, text, true).value_or(NeutralCopy{text}).text;
    EXPECT_EQ(scan(path, made)->normal, scan(path, text)->normal);
    for (const auto* kept :
         {"#!", "coding", "type:", "noqa", "go:", "eslint", "@ts", "pragma", "shellcheck", "frozen"})
      EXPECT_EQ(std::string_view(made).find(kept) == std::string_view::npos,
                std::string_view(text).find(kept) == std::string_view::npos)
          << kept << "\n"
          << made;
  }
}

TEST(NeutralCopy, HasNoDocumentationAndStaysValid) {
  expect_copies({
      {"a.py", "def f():\n    \"\"\"Doc.\"\"\"\n", "def  f():\n    \"\"\"\"\"\"\n"},
      {"a.py", "class A:\n    '''One.\n\n    Two.\n    '''\n    x=1\n",
       "class  A:\n    '''\\\n\\\n\\\n'''\n    x=1\n"},
      {"a.py", "'Doc.'\nx=1\n", "''\nx=1\n"},
  });
}

TEST(NeutralCopy, KeepsDocumentationThatProgramsRead) {
  expect_copies({
      // Examples are tests.
      {"a.py", "def f():\n    \"\"\"Doc.\n\n    >>> f()\n    \"\"\"\n",
       "def  f():\n    \"\"\"Doc.\n\n    >>> f()\n    \"\"\"\n"},
      // A decorator may show it to the user.
      {"a.py", "@command\ndef f(\n  a\n):\n    \"\"\"Doc.\"\"\"\n",
       "@command\ndef  f(\n  a\n):\n    \"\"\"Doc.\"\"\"\n"},
      {"a.py", "@command(\n  'f',\n)\nasync def f():\n    'Doc.'\n",
       "@command(\n  'f',\n)\nasync  def  f():\n    'Doc.'\n"},
      {"a.rs", "/// Prints less.\nquiet:bool, // why\n", "/// Prints less.\nquiet:bool,\n"},
      {"a.php", "<?php /** @Route(\"/\") */ f(); // x\n", "<?php /** @Route(\"/\") */ f();\n"},
  });
  expect_copies({{"a.py", "def f():\n    \"\"\"Doc.\"\"\"\n    return 1  # one\n",
                  "def  f():\n    \"\"\"Doc.\"\"\"\n    return  1\n"}},
                false);
}

TEST(NeutralCopy, HasOtherBlanksOnlyBetweenWords) {
  expect_copies({
      {"a.py", "if  a:\n    return 'b c' + d\n", "if   a:\n    return  'b c'  +  d\n"},
      {"a.ts", "const a = `b ${c} d`;\n", "const  a  =  `b ${c} d`;\n"},
      {"a.js", "a = /b c/.test(d);\n", "a  =  /b c/.test(d);\n"},
      // The blanks of a page are text.
      {"a.jsx", "a = <p>b c</p>;\n", ""},
      {"a.sh", "echo a\\ b\n", ""},
      {"a.rb", "a =~ /b c/\n", ""},
      {"a.html", "<p>a b</p>\n", ""},
  });
}

TEST(NeutralCopy, TellsTextFromBlanks) {
  EXPECT_TRUE(neutral_copy("a.py", "x = 1  # one\n", true)->prose);
  EXPECT_FALSE(neutral_copy("a.py", "x = 1\n", true)->prose);
}

TEST(NeutralCopy, LeavesAloneWhatIsNotRead) {
  expect_copies({
      {"a.py", "x = '''open\n", ""},
      {"a.sh", "cat <<X\n# a\nX\n", ""},
      {"a.txt", "# a\n", ""},
      {"a.c", "// a \\\n  b\nint a;\n", "// a \\\n  b\nint  a;\n"},
  });
}

}  // namespace
}  // namespace hydra::source
