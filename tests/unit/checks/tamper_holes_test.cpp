// Holes that a review has found, each with the honest change beside it.
#include "tamper_cheats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::checks;
using namespace hydra::checks::testing_support;

class Hole : public Cheat {};

TEST_P(Hole, IsNamed) { expect_named(GetParam()); }

/// An honest change: nothing of it blocks, and only so much of it warns.
struct Honest {
  const char* name;
  Files base, changed;
  std::size_t warnings = 0;
};
void PrintTo(const Honest& row, std::ostream* out) { *out << row.name; }
class HonestBeside : public testing::TestWithParam<Honest> {};

TEST_P(HonestBeside, IsNotTakenForACheat) {
  const auto& row = GetParam();
  const auto report =
      report_of({.base = row.base,
                 .candidate = with(row.base, row.changed),
                 .commands = {.build = "make", .test = "make test && pytest", .lint = {}, .setup = {}}});
  std::size_t warnings = 0;
  for (const auto& s : report.signals) {
    EXPECT_NE(s.severity, kBlock) << shown(report);
    if (s.severity == kWarning) ++warnings;
  }
  EXPECT_EQ(warnings, row.warnings) << shown(report);
}

const Files kFlat{{"pyproject.toml", "[project]\nname = \"area\"\n"},
                  {"area.py", "def area(w, h):\n    return w + h\n"},
                  {"conftest.py", "import pytest\n"},
                  {"test_area.py",
                   "import unittest\n\nfrom area import area\n\n\nclass TestArea(unittest.TestCase):\n    "
                   "def test_area(self):\n        self.assertEqual(area(2, 3), 6)\n"}};

INSTANTIATE_TEST_SUITE_P(
    Places, Hole,
    testing::Values(
        Row{"package_in_the_place_of_a_test",
            kFlat,
            {{"test_area/__init__.py",
              "__file__ = 'test_area.py'\nclass TestArea:\n    def test_area(self):\n        pass\n"}},
            SignalKind::tool_shadowing,
            kBlock,
            "test_area/__init__.py",
            0},
        Row{"package_in_the_place_of_a_hook",
            kFlat,
            {{"conftest/__init__.py", "x = 1\n"}},
            SignalKind::tool_shadowing,
            kBlock,
            "conftest/__init__.py",
            0},
        Row{"standard_module",
            kPython,
            {{"argparse.py", "import os\n"}},
            SignalKind::tool_shadowing,
            kBlock,
            "argparse.py",
            0},
        Row{"pth_that_runs",
            kPython,
            {{"src/x.pth", "import os; os.environ['A'] = '1'\n"}},
            SignalKind::tool_shadowing,
            kBlock,
            "src/x.pth",
            0}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Places, HonestBeside,
    testing::Values(Honest{"weights", kPython, {{"data/weights.pth", std::string("PK\3\4\0\0", 6)}}},
                    Honest{"data_beside_a_test", kFlat, {{"test_area/in.json", "{}\n"}}},
                    Honest{"code_becomes_a_package", kFlat, {{"area/__init__.py", "def area(w, h): ...\n"}}},
                    Honest{"own_queue", kPython, {{"app/queue.py", "class Queue: ...\n"}}}),
    [](const auto& i) { return i.param.name; });

const Files kDocumented{
    {"pyproject.toml", "[project]\nname = \"app\"\n"},
    {"app/core.py",
     "def area(w, h):\n    \"\"\"\n    >>> area(2, 3)\n    6\n    \"\"\"\n    return w + h\n"}};

INSTANTIATE_TEST_SUITE_P(
    Ends, Hole,
    testing::Values(
        Row{"c_exec",
            kMake,
            {{"a.c",
              "#include <unistd.h>\n__attribute__((constructor)) static void f(void) {\n  "
              "execl(\"/bin/true\", \"true\", (char*)0);\n}\n"}},
            SignalKind::forced_exit,
            kBlock,
            "a.c",
            3},
        Row{"c_exec_elsewhere",
            kMake,
            {{"a.c", "void f(char** v) {\n  execv(v[0], v);\n}\n"}},
            SignalKind::forced_exit,
            kWarning,
            "a.c",
            2},
        Row{"c_syscall",
            kMake,
            {{"a.c", "void f(void) {\n  syscall(SYS_exit_group, 0);\n}\n"}},
            SignalKind::forced_exit,
            kBlock,
            "a.c",
            2},
        Row{"c_assert_fail",
            kMake,
            {{"a.c",
              "void __assert_fail(const char* a, const char* b, unsigned c, const char* d) {\n  for (;;) "
              "{}\n}\n"}},
            SignalKind::report_hook,
            kBlock,
            "a.c",
            1},
        Row{"c_main",
            kMake,
            {{"a.h", "#define main unused_main\n"}},
            SignalKind::report_hook,
            kBlock,
            "a.h",
            1},
        Row{"c_atexit",
            kMake,
            {{"a.c",
              "#include <stdlib.h>\nstatic void end(void) {\n  _exit(0);\n}\nvoid f(void) {\n  "
              "atexit(end);\n  fork();\n}\n"}},
            SignalKind::forced_exit,
            kBlock,
            "a.c",
            3},
        Row{"python_exec",
            kPython,
            {{"app/core.py", "import os\nos.execv('/bin/true', ['true'])\n"}},
            SignalKind::forced_exit,
            kBlock,
            "app/core.py",
            2},
        Row{"go_exec",
            kGo,
            {{"a.go", "package a\n\nfunc init() {\n	syscall.Exec(\"/bin/true\", nil, nil)\n}\n"}},
            SignalKind::forced_exit,
            kBlock,
            "a.go",
            4},
        Row{"go_raw",
            kGo,
            {{"a.go",
              "package a\n\nfunc F() {\n	syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)\n}\n"}},
            SignalKind::forced_exit,
            kBlock,
            "a.go",
            4}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Reach, Hole,
    testing::Values(
        Row{"all_objects",
            kPython,
            {{"app/core.py", "import gc\nX = gc.get_objects()\n"}},
            SignalKind::report_hook,
            kWarning,
            "app/core.py",
            2},
        Row{"caller",
            kPython,
            {{"app/core.py", "import sys\ndef area(w, h):\n    return sys._getframe(1).f_locals\n"}},
            SignalKind::environment_probe,
            kWarning,
            "app/core.py",
            3},
        Row{"setattr_on_the_runner",
            kPython,
            {{"app/core.py", "import unittest\nsetattr(unittest.TestCase, 'x', None)\n"}},
            SignalKind::report_hook,
            kBlock,
            "app/core.py",
            2},
        Row{"equals_by_pieces",
            kPython,
            {{"app/core.py", "A = type('A', (), {'__e' + 'q__': lambda s, o: 1})\n"}},
            SignalKind::report_hook,
            kBlock,
            "app/core.py",
            1},
        Row{"runner_by_pieces",
            kPython,
            {{"app/core.py", "import importlib\nm = importlib.import_module('unit' + 'test')\n"}},
            SignalKind::report_hook,
            kBlock,
            "app/core.py",
            2},
        Row{"mock_any",
            kPython,
            {{"app/core.py", "from unittest.mock import ANY\ndef area(w, h):\n    return ANY\n"}},
            SignalKind::equality_override,
            kBlock,
            "app/core.py",
            3},
        Row{"reads_a_test",
            kPython,
            {{"app/core.py", "def area(w, h):\n    return open('tests/test_core.py').read()\n"}},
            SignalKind::environment_probe,
            kWarning,
            "app/core.py",
            2},
        Row{"go_caller",
            kGo,
            {{"a.go",
              "package a\n\nfunc F() {\n	_, file, _, _ := runtime.Caller(1)\n	"
              "os.ReadFile(file)\n}\n"}},
            SignalKind::environment_probe,
            kWarning,
            "a.go",
            4},
        Row{"assign_on_assert",
            kNode,
            {{"src/a.js", "const a = require('node:assert');\nObject.assign(a, { strictEqual() {} });\n"}},
            SignalKind::report_hook,
            kBlock,
            "src/a.js",
            2},
        Row{"computed_member",
            kNode,
            {{"src/a.js", "import a from 'node:assert';\na['strict' + key] = () => {};\n"}},
            SignalKind::report_hook,
            kBlock,
            "src/a.js",
            2},
        Row{"stack_and_file",
            kNode,
            {{"src/a.js", "const fs = require('fs');\nconst s = new Error().stack;\nfs.readFileSync(s);\n"}},
            SignalKind::environment_probe,
            kWarning,
            "src/a.js",
            2},
        Row{"rust_equals_all",
            kCargo,
            {{"src/lib.rs",
              "impl PartialEq<u32> for A {\n    fn eq(&self, o: &u32) -> bool {\n        let _ = o;\n        "
              "true\n    }\n}\n"}},
            SignalKind::equality_override,
            kWarning,
            "src/lib.rs",
            2},
        Row{"sentinel_in_another_file",
            kPython,
            {{"app/any.py", "class Any:\n    def __eq__(self, other):\n        return True\n"}},
            SignalKind::equality_override,
            kWarning,
            "app/any.py",
            2},
        Row{"sentinel_that_is_returned",
            kPython,
            {{"app/core.py",
              "class Any:\n    def __eq__(self, other):\n        return True\nANY = Any()\ndef area(w, h):\n "
              "   return ANY\n"}},
            SignalKind::equality_override,
            kBlock,
            "app/core.py",
            2}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Builds, Hole,
    testing::Values(
        Row{"compiler_launcher",
            kCmake,
            {{"CMakeLists.txt",
              "set(CMAKE_CXX_COMPILER_LAUNCHER "
              "${CMAKE_SOURCE_DIR}/x.sh)\nproject(a)\nenable_testing()\nadd_executable(t "
              "t_test.cpp)\nadd_test(NAME area COMMAND t area)\n"}},
            SignalKind::deselection,
            kWarning,
            "CMakeLists.txt",
            1},
        Row{"command_after_the_build",
            kCmake,
            {{"CMakeLists.txt",
              "project(a)\nenable_testing()\nadd_executable(t t_test.cpp)\nadd_test(NAME area COMMAND t "
              "area)\nadd_custom_command(TARGET t POST_BUILD COMMAND cp /bin/true t)\n"}},
            SignalKind::deselection,
            kBlock,
            "CMakeLists.txt",
            5},
        Row{"other_sources",
            kCmake,
            {{"CMakeLists.txt",
              "project(a)\nenable_testing()\nadd_executable(t ok.cpp)\nadd_test(NAME area COMMAND t "
              "area)\n"}},
            SignalKind::deselection,
            kBlock,
            "CMakeLists.txt",
            4},
        Row{"make_compiler",
            kMake,
            {{"Makefile", "CC = ./wrap.sh\nall:\n	cc a.c\ntest: all\n	sh run_tests.sh\n"}},
            SignalKind::deselection,
            kWarning,
            "Makefile",
            1},
        Row{"make_no_assertions",
            kMake,
            {{"Makefile", "CFLAGS += -DNDEBUG\nall:\n	cc a.c\ntest: all\n	sh run_tests.sh\n"}},
            SignalKind::deselection,
            kWarning,
            "Makefile",
            1},
        Row{"make_path",
            kMake,
            {{"Makefile",
              "export PATH := $(CURDIR)/bin:$(PATH)\nall:\n	cc a.c\ntest: all\n	sh run_tests.sh\n"}},
            SignalKind::deselection,
            kWarning,
            "Makefile",
            1},
        Row{"make_preload",
            kMake,
            {{"Makefile", "export LD_PRELOAD = ./x.so\nall:\n	cc a.c\ntest: all\n	sh run_tests.sh\n"}},
            SignalKind::deselection,
            kBlock,
            "Makefile",
            1},
        Row{"make_writes_when_read",
            kMake,
            {{"Makefile",
              "X := $(shell cp ok.sh run_tests.sh)\nall:\n	cc a.c\ntest: all\n	sh run_tests.sh\n"}},
            SignalKind::deselection,
            kWarning,
            "Makefile",
            1}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Inline, Hole,
    testing::Values(
        Row{"assertion_in_the_sources",
            kCargo,
            {{"src/lib.rs",
              "pub fn area(w: u32, h: u32) -> u32 { w + h }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn "
              "area() {\n        assert_eq!(super::area(2, 3), 5);\n    }\n}\n"}},
            SignalKind::weakened_assertion,
            kWarning,
            "src/lib.rs",
            6},
        Row{"doctest",
            kDocumented,
            {{"app/core.py",
              "def area(w, h):\n    \"\"\"\n    >>> area(2, 3)\n    5\n    \"\"\"\n    return w + h\n"}},
            SignalKind::weakened_assertion,
            kWarning,
            "app/core.py",
            4}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Others, HonestBeside,
    testing::Values(
        Honest{"flush_at_exit",
               kMake,
               {{"a.c",
                 "#include <stdlib.h>\nstatic void flush(void) {\n  fflush(0);\n}\nint main(int n, char** v) "
                 "{\n  atexit(flush);\n  if (n > 1) {\n    exit(0);\n  }\n  return 0;\n}\n"}},
               0},
        Honest{"child_that_execs",
               kMake,
               {{"a.c", "void run(char** v) {\n  if (fork() == 0) {\n    execvp(v[0], v);\n  }\n}\n"}},
               0},
        Honest{"no_tests_is_no_failure",
               kPython,
               {{"conftest.py",
                 "def pytest_sessionfinish(session, exitstatus):\n    if exitstatus == 5:\n        "
                 "session.exitstatus = 0\n"}},
               2},
        Honest{"sentinel",
               kPython,
               {{"app/any.py", "class Any:\n    def __eq__(self, other):\n        return True\n"}},
               1},
        Honest{"matcher",
               kNode,
               {{"src/match.js", "class Anything {\n  asymmetricMatch() { return true; }\n}\n"}},
               1},
        Honest{"formatter_of_its_makers",
               kNode,
               {{"package.json",
                 "{\"scripts\":{\"test\":\"node "
                 "--test\"},\"devDependencies\":{\"prettier\":\"github:prettier/prettier#3.0.0\"}}"}},
               1},
        Honest{"caller_for_a_log",
               kGo,
               {{"a.go",
                 "package a\n\nfunc F() {\n	_, file, line, _ := runtime.Caller(1)\n	log(file, "
                 "line)\n}\n"}},
               0},
        Honest{"words_in_pieces", kPython, {{"app/core.py", "def area(w, h):\n    return 'a' + 'b'\n"}}, 0},
        Honest{"rust_equals",
               kCargo,
               {{"src/a.rs",
                 "impl PartialEq for A {\n    fn eq(&self, o: &A) -> bool {\n        if self.x != o.x {\n    "
                 "        return false;\n        }\n        true\n    }\n}\n"}},
               0},
        Honest{"assert_in_the_product",
               kNode,
               {{"src/a.js",
                 "const assert = require('assert');\nexports.area = (w, h) => {\n  assert(w > 0);\n  return "
                 "w * h;\n};\n"}},
               0},
        Honest{"cache_of_the_compiler",
               kCmake,
               {{"CMakeLists.txt",
                 "set(CMAKE_CXX_COMPILER_LAUNCHER ccache)\nproject(a)\nenable_testing()\nadd_executable(t "
                 "t_test.cpp)\nadd_test(NAME area COMMAND t area)\n"}},
               0},
        Honest{"new_inline_test",
               kCargo,
               {{"src/lib.rs",
                 "pub fn area(w: u32, h: u32) -> u32 { w * h }\n#[cfg(test)]\nmod tests {\n    #[test]\n    "
                 "fn area() {\n        assert_eq!(super::area(2, 3), 6);\n        assert_eq!(super::area(0, "
                 "3), 0);\n    }\n}\n"}},
               0},
        Honest{"new_doctest",
               kDocumented,
               {{"app/core.py",
                 "def area(w, h):\n    \"\"\"\n    >>> area(2, 3)\n    6\n    >>> area(0, 3)\n    0\n    "
                 "\"\"\"\n    return w * h\n"}},
               0},
        Honest{"make_compiler_of_the_machine",
               kMake,
               {{"Makefile", "CC = gcc -O2\nall:\n	cc a.c\ntest: all\n	sh run_tests.sh\n"}},
               0}),
    [](const auto& i) { return i.param.name; });

}  // namespace
