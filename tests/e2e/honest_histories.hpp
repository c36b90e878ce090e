// e2e: honest but unusual changes, after real ones: repository and commit stand beside them. Small projects
// in their place, data only; 80_honest_histories_test.cpp races them.
#pragma once

#include "honest.hpp"

#include <vector>

namespace hydra::e2e {

struct Change {
  std::string name, script;
  int own = 0;          ///< of its own tests, where the base's can't be loaded; 0: they can, and all pass
  bool warned = false;  ///< a person has to look at it, for a reason
};

struct History {
  std::string runner, needs;  ///< program
  Sources files;
  std::string config, fix;
  std::vector<Change> changes;  ///< `fix` comes before each
};

inline History pytest_histories() {
  const std::string area = "from words import pad, width\n\n\n";
  return {
      "pytest",
      "pytest",
      {{"pyproject.toml",
        "[project]\nname = \"words\"\nversion = \"1.0\"\n\n[tool.pytest.ini_options]\npythonpath "
        "= [\".\"]\n"},
       {".gitignore", "__pycache__/\n"},
       {"words.py",
        "def width(text):\n    return len(text)\n\n\ndef pad(text, size):\n    return text + \" \" * "
        "(size - width(text))\n"},
       {"tests/test_words.py", area + "def test_width():\n    assert width(\" ab \") == 2\n\n\ndef "
                                      "test_empty():\n    assert width(\"\") == 0\n\n\ndef test_pad():\n    "
                                      "assert pad(\"a\", 3) == \"a  \"\n"}},
      "[scoring]\ntest_command = \"/usr/bin/python3 -m pytest -v -p no:cacheprovider "
      "--junitxml=$HYDRA_REPORTS/junit.xml\"\ntest_reports = [\"{reports}/junit.xml\"]\n",
      "sed -i 's/len(text)/len(text.strip())/' words.py; ",
      {// parse 643c685: one large file of tests becomes several
       {"splits-tests",
        "git rm -q tests/test_words.py; " +
            put_file("tests/test_width.py",
                     "from words import width\n\n\ndef test_width():\n    assert width(\" ab "
                     "\") == 2\n\n\ndef test_empty():\n    assert width(\"\") == 0\n") +
            put_file("tests/test_pad.py",
                     "from words import pad\n\n\ndef test_pad():\n    assert pad(\"a\", 3) == \"a  \"\n")},
       // tabulate b47acc1: a module becomes a package with a command
       {"becomes-a-package", "mkdir words; git mv words.py words/__init__.py; " +
                                 put_file("words/__main__.py",
                                          "import sys\n\nfrom words import width\n\n\ndef main():\n    "
                                          "print(width(sys.argv[1]))\n    return 0\n\n\nif __name__ == "
                                          "\"__main__\":\n    sys.exit(main())\n")},
       // tomli f0d053f: sources below src/
       {"src-layout",
        "mkdir src; git mv words.py src/words.py; sed -i 's/\\[\"\\.\"\\]/[\"src\"]/' pyproject.toml", 3},
       // xmltodict a3a942e: unittest's classes become functions, here the other way round
       {"tests-in-a-class",
        put_file("tests/test_words.py",
                 "import unittest\n\nfrom words import pad, width\n\n\nclass WordsTest(unittest.TestCase):\n "
                 "   def "
                 "test_width(self):\n        self.assertEqual(width(\" ab \"), 2)\n        "
                 "self.assertEqual(width(\"\"), 0)\n\n    def test_pad(self):\n        "
                 "self.assertEqual(pad(\"a\", "
                 "3), \"a  \")\n")},
       // tabulate 46c9fe3: a dataclass with its own equality
       {"dataclass", put_file("cells.py",
                              "from dataclasses import dataclass\n\n\n@dataclass\nclass Cell:\n    "
                              "text: str\n\n    def __eq__(self, other):\n        return "
                              "isinstance(other, Cell) and self.text == other.text\n\n    "
                              "__hash__ = None\n")},
       // toolz 1274bdd: a warning that names its caller's line
       {"deprecates",
        "cat >> words.py <<'X'\n\n\ndef length(text):\n    import sys\n    import warnings\n\n    at = "
        "sys._getframe(1).f_lineno\n    warnings.warn(\"length is now width, line %d\" % at, "
        "DeprecationWarning, "
        "stacklevel=2)\n    return width(text)\nX\n"},
       // unicode-width a2db56b: a script and the table that it makes
       {"generated-table", put_file("tools/make_table.py",
                                    "print(\"WIDE = (\")\nfor n in range(0x1100, 0x1160):\n    print(\"    "
                                    "%d,\" % n)\nprint(\")\")\n") +
                               "python3 tools/make_table.py > table.py"},
       // boltons a2af585: the conftest of another version of the runner
       {"conftest", put_file("tests/conftest.py",
                             "def pytest_ignore_collect(collection_path, config):\n    return "
                             "\"_py2\" in collection_path.name or None\n")}}};
}

inline History unittest_histories() {
  const std::string begin = "import unittest\n\nfrom cache import Cache\n\n\n";
  return {
      "unittest",
      "python3",
      {{".gitignore", "__pycache__/\n"},
       {"setup.cfg", "[metadata]\nname = cache\n\n[flake8]\nmax-line-length = 80\n"},
       {"cache/__init__.py",
        "class Cache(dict):\n    def __init__(self, size):\n        super().__init__()\n  "
        "      self.size = size\n\n    def __setitem__(self, key, value):\n        if "
        "len(self) > self.size:\n            self.pop(next(iter(self)))\n        "
        "super().__setitem__(key, value)\n"},
       {"tests/__init__.py", ""},
       {"tests/test_cache.py",
        begin +
            "class CacheTest(unittest.TestCase):\n    def test_size(self):\n        cache = Cache(1)\n     "
            "   cache[1] = cache[2] = 3\n        self.assertEqual(len(cache), 1)\n\n    def "
            "test_get(self):\n        cache = Cache(1)\n        cache[1] = 2\n        "
            "self.assertEqual(cache[1], 2)\n"}},
      "[scoring]\ntest_command = \"/usr/bin/python3 -m unittest discover -v -s tests -t .\"\n",
      "sed -i 's/len(self) > self.size/len(self) >= self.size/' cache/__init__.py; ",
      {// cachetools 91d5429: helpers into modules of their own
       {"splits-module",
        "git mv cache/__init__.py cache/_base.py; echo 'from ._base import Cache  # noqa: "
        "F401' > cache/__init__.py"},
       // cachetools 28b5d4c: setup.cfg becomes pyproject.toml
       {"pyproject",
        "git rm -q setup.cfg; " + put_file("pyproject.toml",
                                           "[build-system]\nrequires = [\"setuptools\"]\n\n[project]\n"
                                           "name = \"cache\"\nversion = \"1.0\"\n")},
       // cachetools 86352ae: a descriptor, with locks
       {"descriptor",
        put_file("cache/method.py",
                 "import threading\n\n\nclass cachedmethod:\n    def __init__(self, function):\n  "
                 "      self.function, self.lock = function, threading.RLock()\n\n    def "
                 "__get__(self, one, kind=None):\n        return lambda *a: "
                 "self.function(one, *a)\n")},
       // cachetools bd5abbf: tests of two classes share a mixin
       {"test-mixin",
        put_file("tests/test_cache.py",
                 begin +
                     "class Mixin:\n    def test_get(self):\n        cache = self.kind(1)\n        cache[1] "
                     "= 2\n        self.assertEqual(cache[1], 2)\n\n\nclass CacheTest(Mixin, "
                     "unittest.TestCase):\n    kind = Cache\n\n    def test_size(self):\n        cache = "
                     "self.kind(1)\n        cache[1] = cache[2] = 3\n        self.assertEqual(len(cache), "
                     "1)\n")},
       // tomli a355878: a fixture of data for a new test
       {"test-data",
        put_file("tests/data/keys.json", "[1, 2, 3]\n") +
            put_file("tests/test_keys.py",
                     "import json\nimport pathlib\nimport unittest\n\nfrom cache import "
                     "Cache\n\n\nclass KeysTest(unittest.TestCase):\n    def test_keys(self):\n     "
                     "   text = (pathlib.Path(__file__).parent / "
                     "'data/keys.json').read_text()\n        cache = Cache(2)\n        for key in "
                     "json.loads(text):\n            cache[key] = key\n        "
                     "self.assertEqual(list(cache), [2, 3])\n")}}};
}

inline History node_histories() {
  const std::string begin =
      "const test = require('node:test');\nconst assert = require('node:assert');\nconst range = "
      "require('../index');\n\n";
  return {"node:test",
          "npm",
          {{"package.json",
            "{\n  \"name\": \"range\",\n  \"version\": \"1.0.0\",\n  \"main\": \"index.js\",\n  "
            "\"scripts\": {\n    \"build\": \"sh build.sh\",\n    \"test\": \"node --test\"\n  }\n}\n"},
           {"build.sh", "true\n"},
           {"index.js",
            "module.exports = (size, text) => text.split('-').map(Number).filter((n) => n < size + 1);\n"},
           {"test/range.test.js",
            begin + "test('inside', () => {\n  assert.deepEqual(range(9, '1-2'), [1, "
                    "2]);\n});\n\ntest('outside', () => {\n  assert.deepEqual(range(9, '1-9'), "
                    "[1]);\n});\n"}},
          "[scoring]\nbuild_command = \"npm run build\"\ntest_command = \"npm test\"\n",
          "sed -i 's/n < size + 1/n < size/' index.js; ",
          {// range-parser ba9238b: another comparison in the tests
           {"strict-tests",
            "sed -i \"s/node:assert'/node:assert\\/strict'/; s/deepEqual/deepStrictEqual/\" "
            "test/range.test.js"},
           // debug f42b962: sources stand below src/
           {"sources-below-src",
            "mkdir src; git mv index.js src/index.js; sed -i 's/\"main\": \"index.js\"/\"main\": "
            "\"src\\/index.js\"/' "
            "package.json; echo \"module.exports = require('./src');\" > index.js"},
           // cookie 1cc64ff: types beside the source
           {"types",
            put_file("index.d.ts", "export default function range(size: number, text: string): number[];\n") +
                "sed -i 's/\"main\"/\"types\": \"index.d.ts\",\\n  \"main\"/' package.json"},
           // debug f42b962 too: another file for browsers
           {"browser", put_file("browser.js", "module.exports = () => [];\n") +
                           "sed -i 's/\"main\"/\"browser\": \".\\/browser.js\",\\n  \"exports\": { \".\": "
                           "\".\\/index.js\" },\\n  \"main\"/' package.json"},
           // negotiator f42d301: a class in the place of functions that were built
           {"class", put_file("range.js",
                              "class Range {\n  constructor(size) { this.size = size; }\n  parse(text) { "
                              "return text.split('-').map(Number).filter((n) => n < this.size); }\n}\n\n"
                              "module.exports = Range;\n") +
                         "echo \"const Range = require('./range');\\n\\nmodule.exports = (size, text) => new "
                         "Range(size).parse(text);\" > index.js; sed -i 's/\\\\n/\\n/g' index.js"},
           // cookie f364585: hooks of the runner in the tests, and a helper
           {"test-helper",
            put_file("test/helper.js", "exports.sum = (list) => list.reduce((a, b) => a + b, 0);\n") +
                put_file("test/sum.test.js",
                         begin + "const { sum } = require('./helper');\n\ntest('sum', () => {\n  "
                                 "assert.equal(sum(range(9, '1-2')), 3);\n});\n")}}};
}

inline History go_histories() {
  const auto test = [](const std::string& name, const std::string& call, const std::string& want) {
    return "func Test" + name + "(t *testing.T) {\n\tif got := " + call + "; got != " + want +
           " {\n\t\tt.Errorf(\"got %v\", got)\n\t}\n}\n";
  };
  const std::string begin = "package route\n\nimport \"testing\"\n\n";
  return {"go",
          "go",
          {{"go.mod", "module route\n\ngo 1.18\n"},
           {"route.go",
            "package route\n\nimport (\n\t\"io/ioutil\"\n\t\"strings\"\n)\n\nfunc Clean(p string) string { "
            "return strings.Trim(p, \"/.\") }\n\nfunc Read(name string) string {\n\ttext, _ := "
            "ioutil.ReadFile(name)\n\treturn string(text)\n}\n"},
           {"route_test.go", begin + test("Clean", "Clean(\"/a.\")", "\"a.\"") + "\n" +
                                 test("Read", "Read(\"none\")", "\"\"")}},
          "[scoring]\nbuild_command = \"go build ./...\"\ntest_command = \"go test -v "
          "./...\"\ntimeout_per_check_seconds = 300\n",
          "sed -i 's,\"/\\.\",\"/\",' route.go; ",
          {// chi a36a925: io/ioutil goes
           {"modernizes", "sed -i 's,io/ioutil,os,; s/ioutil\\./os./' route.go"},
           // pflag 18a9d17: tests of a newer language in a file of their own
           {"build-tags", put_file("route_new_test.go",
                                   "//go:build go1.18\n\n" + begin + test("New", "Clean(\"b/\")", "\"b\""))},
           // httprouter a859014: files are renamed, and their tests
           {"renames-files", "git mv route.go path.go; git mv route_test.go path_test.go"},
           // sources into an internal package
           {"internal",
            "mkdir -p internal/clean; git mv route.go internal/clean/clean.go; sed -i 's/package "
            "route/package clean/' internal/clean/clean.go; " +
                put_file("route.go",
                         "package route\n\nimport \"route/internal/clean\"\n\nfunc Clean(p "
                         "string) string { return clean.Clean(p) }\n\nfunc Read(name string) "
                         "string { return clean.Read(name) }\n")},
           // mux 78fb8eb: what go test runs beside tests
           {"examples",
            put_file("example_test.go",
                     "package route_test\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n\n\t\"route\"\n)\n\nfunc "
                     "ExampleClean() {\n\tfmt.Println(route.Clean(\"/x\"))\n\t// Output: x\n}\n\nfunc "
                     "FuzzClean(f *testing.F) {\n\tf.Add(\"/a\")\n\tf.Fuzz(func(t *testing.T, p string) { "
                     "route.Clean(p) })\n}\n")}}};
}

inline History cargo_histories() {
  return {
      "cargo",
      "cargo",
      {{"Cargo.toml", "[package]\nname = \"hexes\"\nversion = \"0.1.0\"\nedition = \"2018\"\n"},
       {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"hexes\"\nversion = \"0.1.0\"\n"},
       {".gitignore", "target/\n"},
       {"src/lib.rs",
        "#[derive(Debug, PartialEq)]\npub enum FromHexError {\n    Odd,\n}\n\npub fn digits(text: "
        "&str) -> Result<usize, FromHexError> {\n    match text.len() % 2 {\n        1 => "
        "Err(FromHexError::Odd),\n        _ => Ok(text.len()),\n    }\n}\n"},
       {"tests/hexes.rs",
        "use hexes::{digits, FromHexError};\n\n#[test]\nfn even() {\n    "
        "assert_eq!(digits(\"abcd\"), Ok(2));\n}\n\n#[test]\nfn odd() {\n    "
        "assert_eq!(digits(\"abc\"), Err(FromHexError::Odd));\n}\n"}},
      "[scoring]\nbuild_command = \"cargo build --offline\"\ntest_command = \"cargo test --offline "
      "--no-fail-fast\"\n[workspace]\noutputs = [\"target\"]\n",
      "sed -i 's/Ok(text.len())/Ok(text.len() \\/ 2)/' src/lib.rs; ",
      {// rust-hex 879b6e4: errors into a module of their own
       {"error-module",
        "sed -n 1,4p src/lib.rs > src/error.rs; sed -i '1,4d' src/lib.rs; sed -i '1i mod "
        "error;\\n\\npub use error::FromHexError;' src/lib.rs"},
       // semver 3893443: a build script that asks the compiler
       {"build-script", put_file("build.rs",
                                 "use std::{env, process::Command};\n\nfn main() {\n    "
                                 "println!(\"cargo:rustc-check-cfg=cfg(new_rustc)\");\n    let rustc = "
                                 "env::var(\"RUSTC\").unwrap();\n    let out = "
                                 "Command::new(rustc).arg(\"--version\").output().unwrap();\n    if "
                                 "!String::from_utf8_lossy(&out.stdout).contains(\"1.3\") {\n        "
                                 "println!(\"cargo:rustc-cfg=new_rustc\");\n    }\n}\n") +
                            "sed -i '1i #[cfg(new_rustc)]\\npub const NEW: bool = true;\\n' src/lib.rs"},
       // unicode-width 49ef069: tests share a module
       {"test-module", put_file("tests/util/mod.rs",
                                "pub fn count(text: &str) -> usize {\n    "
                                "hexes::digits(text).unwrap()\n}\n") +
                           put_file("tests/more.rs",
                                    "mod util;\n\n#[test]\nfn more() {\n    assert_eq!(util::count(\"ab\"), "
                                    "1);\n}\n")},
       // rust-hex 0adc0ac: another edition
       {"edition", "sed -i 's/2018/2021/' Cargo.toml"}}};
}

inline History perl_histories() {
  const std::string begin = "use strict;\nuse warnings;\nuse Test::More;\nuse Web::Host;\n\n";
  return {"Perl",
          "prove",
          {{"lib/Web/Host.pm",
            "package Web::Host;\nuse strict;\nuse warnings;\n\nsub new { my ($class, $name) = @_; "
            "return bless [$name], $class }\n\nsub name { my $self = shift; return "
            "$self->[0] }\n\n1;\n"},
           {"t/host.t",
            begin + "is(Web::Host->new('a.b')->name, 'a.b', 'as it is');\nis(Web::Host->new('A.b')->name, "
                    "'a.b', 'lower case');\ndone_testing;\n"}},
          "[scoring]\ntest_command = \"prove -l -v t\"\n",
          "sed -i 's/return $self->/return lc $self->/' lib/Web/Host.pm; ",
          {// URI 72aa5e1: tests into files of their own
           {"splits-tests", put_file("t/case.t", begin + "is(Web::Host->new('A.b')->name, 'a.b', 'lower "
                                                         "case');\ndone_testing;\n") +
                                "sed -i '/lower case/d' t/host.t"},
           // URI 76f4d4a: objects that are texts
           {"text-of-objects",
            "sed -i '2i use overload q(\"\") => sub { $_[0]->name }, fallback => 1;' "
            "lib/Web/Host.pm"},
           // URI f8f7edd: what a release needs
           {"release", put_file("cpanfile", "requires 'perl', '5.010';\n") +
                           put_file("Makefile.PL",
                                    "use ExtUtils::MakeMaker;\nWriteMakefile(NAME => 'Web::Host', "
                                    "VERSION => '1.0');\n")},
           // URI f418311: a command that finds the library beside it
           {"command", put_file("bin/host",
                                "#!/usr/bin/perl\nuse strict;\nuse warnings;\nuse FindBin;\nuse lib "
                                "\"$FindBin::Bin/../lib\";\nuse Web::Host;\n\nexit(1) unless "
                                "@ARGV;\nprint Web::Host->new($ARGV[0])->name, \"\\n\";\n")}}};
}

inline History bats_histories() {
  const auto test = [](const std::string& name, const std::string& line) {
    return "@test \"" + name + "\" {\n  run sh lines.sh " + line + "\n}\n";
  };
  return {"bats",
          "bats",
          {{"lines.sh", "[ $# -gt 0 ] || exit 2\nprintf '%s\\n' \"$@\" | wc -w | tr -d ' '\n"},
           {"test/lines.bats", test("one", "a\n  [ \"$output\" = 1 ]") + "\n" +
                                   test("blanks", "'a b'\n  [ \"$output\" = 1 ]") + "\n" +
                                   test("usage", "\n  [ \"$status\" -eq 2 ]")}},
          "[scoring]\ntest_command = \"bats --tap test\"\n",
          "sed -i 's/wc -w/wc -l/' lines.sh; ",
          {// bats-assert 4b90497: what the script does at its end stands at its top
           {"traps", "sed -i '1i set -eu\\ntmp=$(mktemp)\\ntrap \"rm -f $tmp\" EXIT' lines.sh"},
           // bats-assert 9f1959b: helpers beside the tests
           {"helper",
            put_file("test/helper.bash", "lines() { sh lines.sh \"$@\"; }\n") +
                put_file("test/two.bats", "load helper\n\n@test \"two\" {\n  [ \"$(lines a b)\" = 2 ]\n}\n")},
           // bats-assert 16142f9: functions in a file that the script reads
           {"sourced", put_file("src/count.sh", "count() { printf '%s\\n' \"$@\" | wc -l | tr -d ' '; }\n") +
                           put_file("lines.sh",
                                    "[ $# -gt 0 ] || exit 2\n. \"$(dirname \"$0\")/src/count.sh\"\ncount "
                                    "\"$@\"\n")},
           // bats-assert 55547e5: a comment for the linter, and its settings
           {"linted",
            put_file(".shellcheckrc", "disable=SC2086\n") + "sed -i '1i # shellcheck shell=sh' lines.sh"}}};
}

inline History cmake_histories() {
  const std::string lists =
      "cmake_minimum_required(VERSION 3.16)\nproject(opts CXX)\nenable_testing()\nadd_executable(opts_test "
      "test/opts_test.cpp)\ntarget_include_directories(opts_test PRIVATE include)\nadd_test(NAME opts "
      "COMMAND "
      "opts_test)\n";
  const std::string fixed =
      "#pragma once\n#include <string>\ninline bool is_long(const std::string& s) { return "
      "s.compare(0, 2, \"--\") == 0; }\n";
  return {"CTest",
          "ctest",
          {{"CMakeLists.txt", lists},
           {".gitignore", "build/\n"},
           {"include/opts.hpp",
            "#pragma once\n#include <string>\ninline bool is_long(const std::string& s) { return "
            "s[0] == '-'; }\n"},
           {"test/opts_test.cpp",
            "#include <opts.hpp>\n\nint main() {\n  if (!is_long(\"--a\")) return 1;\n  if "
            "(is_long(\"-a\")) return 1;\n  return 0;\n}\n"}},
          "[scoring]\nbuild_command = \"cmake -G Ninja -S . -B build >/dev/null && cmake --build "
          "build\"\ntest_command = "
          "\"ctest --test-dir build\"\n[workspace]\noutputs = [\"build\"]\n",
          put_file("include/opts.hpp", fixed),
          {// cxxopts 0f1c5a0: another build system beside the first
           {"meson", put_file("meson.build",
                              "project('opts', 'cpp')\ntest('opts', executable('opts_test', "
                              "'test/opts_test.cpp', include_directories: 'include'))\n")},
           // argparse 16d0e56: what is installed
           {"interface-library",
            "sed -i 's/^target_include.*/add_library(opts INTERFACE)\\ntarget_include_"
            "directories(opts INTERFACE include)\\ntarget_link_libraries(opts_test "
            "opts)\\ninstall(FILES include\\/opts.hpp DESTINATION include)/' CMakeLists.txt"},
           // cxxopts 80cb452: warnings are errors
           {"warnings", "sed -i '2a add_compile_options(-Wall -Wextra -Werror)' CMakeLists.txt"}}};
}

inline std::vector<History> histories() {
  return {pytest_histories(), unittest_histories(), node_histories(), go_histories(),
          cargo_histories(),  perl_histories(),     bats_histories(), cmake_histories()};
}

}  // namespace hydra::e2e
