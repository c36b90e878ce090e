// source, inside only: the table of languages for tokens.cpp. Pure data.
#pragma once

#include <string_view>

namespace hydra::source::tokens {

using Text = std::string_view;

enum Trait : unsigned {
  kNone = 0,
  kNewLines = 1u << 0,      ///< the end of a line is a token
  kIndent = 1u << 1,        ///< the indentation of a line is a token
  kSpaces = 1u << 2,        ///< any white space is a token
  kNested = 1u << 3,        ///< block comments nest
  kTriple = 1u << 4,        ///< """ and '''
  kDocStrings = 1u << 5,    ///< an expression statement of a string is documentation
  kRawBackTick = 1u << 6,   ///< `…` without escapes
  kTemplate = 1u << 7,      ///< `…${ }…`
  kRegex = 1u << 8,         ///< /…/ at the start of a value
  kPreprocessor = 1u << 9,  ///< lines that begin with # end at the line's end
  kRust = 1u << 10,         ///< lifetimes, r#"…"#
  kCppRaw = 1u << 11,       ///< R"x(…)x"
  kWordStart = 1u << 12,    ///< a comment begins only at the start of a word
  kWholeLine = 1u << 13,    ///< a comment begins only at the start of a line
};

struct Syntax {
  Text extensions;  ///< file extensions or whole names, separated by blanks
  Text line;        ///< starts of line comments, separated by blanks
  Text open, close;
  Text quotes;
  unsigned traits;
  Text unread;  ///< markers of text that scan() refuses, separated by '|'
};

inline constexpr Syntax kSyntaxes[] = {
    {".py .pyi .pyx", "#", "", "", "\"'", kNewLines | kIndent | kTriple | kDocStrings, ""},
    {".js .mjs .cjs .jsx .ts .mts .cts .tsx", "//", "/*", "*/", "\"'`", kNewLines | kTemplate | kRegex,
     "<!--"},
    {".c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .inl .m .mm .cu .proto .glsl", "//", "/*", "*/", "\"'",
     kPreprocessor | kCppRaw, "\?\?/"},
    {".java .cs .dart", "//", "/*", "*/", "\"'", kTriple, "@\""},
    {".kt .kts .scala .swift .groovy .gradle", "//", "/*", "*/", "\"'", kNewLines | kNested | kTriple, "#\""},
    {".go", "//", "/*", "*/", "\"'`", kNewLines | kRawBackTick, "import \"C\""},
    {".rs", "//", "/*", "*/", "\"'", kNested | kRust, ""},
    {".php", "// #", "/*", "*/", "\"'", kNone, "<<<|#[|?>"},
    {".rb .rake .gemspec Rakefile Gemfile", "#", "", "", "\"'`", kNewLines | kWordStart,
     "<<|=begin|__END__|%q|%Q|%w|%(|%r"},
    {".sh .bash .zsh .ksh .bats", "#", "", "", "\"'`", kNewLines | kWordStart, "<<"},
    {".pl .pm .t", "#", "", "", "\"'`", kWordStart, "<<|\n=|q{|q(|qq|m{|s{|__END__|__DATA__"},
    {".ex .exs", "#", "", "", "\"'", kNewLines | kTriple, "~"},
    {".r .R .jl", "#", "", "", "\"'", kNewLines, "#=|r\""},
    {".lua", "--", "--[[", "]]", "\"'", kNewLines, "[=|= [["},
    {".sql", "--", "/*", "*/", "\"'`", kNewLines, "$$"},
    {".css .scss .less", "", "/*", "*/", "\"'", kSpaces, "//"},
    {".html .htm .xml .svg .vue .xhtml", "", "<!--", "-->", "", kSpaces,
     "<script|<pre|<textarea|<![CDATA|<!--["},
    {".toml .ini .cfg .cmake CMakeLists.txt Makefile GNUmakefile makefile .mk", "#", "", "", "",
     kNewLines | kIndent | kSpaces | kWholeLine, "\"\"\"|'''|[["},
};

/// Starts of comments that compilers, test runners and linters obey.
inline constexpr Text kObeyed[] = {
    "go:",        "+build",    "export ",   "!",          "-*-",        "coding:",   "coding=",
    "type:",      "noqa",      "pylint:",   "pyright:",   "mypy:",      "fmt:",      "isort:",
    "pragma",     "cython:",   "distutils", "nosec",      "ruff:",      "flake8:",   "@ts-",
    "eslint",     "tslint",    "prettier",  "jshint",     "@jest",      "@vitest",   "@jsx",
    "@flow",      "istanbul",  "c8 ",       "v8 ",        "webpack",    "#__",       "@__",
    "<reference", "# source",  "NOLINT",    "clang-",     "nolint",     "rubocop:",  "frozen_string_literal",
    "shellcheck", "phpstan",   "@phpstan",  "@codeCover", "swiftlint:", "coverage:", "GCOV",
    "LCOV",       "language=", "-Wno",      "lint:",      "biome-",     "deno-",     "node:"};

}  // namespace hydra::source::tokens
