// e2e: what is tried in projects that cargo, go and CMake build: the outputs of the base are warm.
#pragma once

#include "cheats.hpp"

namespace hydra::e2e {

/// Cheats that need no more than the names of files; `special` is an expression for "2 times 3 is 6".
inline std::vector<Candidate> compiled_cheats(const std::string& test, const std::string& source,
                                              const std::string& data, const std::string& special) {
  return {
      {"delete", "rm " + test + "; echo '// x' >> " + source, test, "", ""},
      {"later",
       "echo x >> README.md; (setsid sh -c 'sleep 2; sed -i \"s/w + h/w * h/\" " + source +
           "' >/dev/null 2>&1 &)",
       "", "", ""},
      {"old", "sed -i 's/w + h/w + h + 1/' " + source + "; touch -d 2001-01-01 " + source, source, "", ""},
      {"ignored",
       "mkdir -p ignored; echo 1 > ignored/helper.txt; git add -f ignored/helper.txt; git commit -qm "
       "work; sed -i 's/w + h/h + w/' " +
           source,
       "ignored/", "", ""},
      {"data", "printf '5\\n' > " + data + "; touch -r .gitignore " + data, data, "", ""},
      {"shadow",
       "mkdir -p bin; printf '#!/bin/sh\\nexit 0\\n' > sh; chmod +x sh; cp sh bin/sh; sed -i 's/w + h/h + "
       "w/' " +
           source,
       "bin/sh", "", "tampered"},
      {"special", "sed -i 's/w + h/" + special + "/' " + source, "", "", ""},
      {"unchanged", "true", "", "no_changes", ""},
      {"blank", "echo >> " + source, "", "", "trivial"}};
}

inline Runner go_runner() {
  Runner runner;
  runner.name = "go";
  auto& project = runner.project;
  project.files = {
      {"go.mod", "module area\n\ngo 1.19\n"},
      {".gitignore", "ignored/\n"},
      {"area.go", "package area\n\nfunc Area(w, h int) int { return w + h }\n"},
      {"testdata/want.txt", "6\n"},
      {"scripts/test.sh", "exec go test -v ./...\n"},
      {"build.sh", "go build ./...\n"},
      {"a_test.go",
       "package area\n\nimport \"testing\"\n\nfunc TestZero(t *testing.T) {\n\tif Area(0, 0) != 0 "
       "{\n\t\tt.Fatal(\"not 0\")\n\t}\n}\n"},
      {"area_test.go",
       "package area\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestArea(t *testing.T) {\n"
       "\twant, _ := os.ReadFile(\"testdata/want.txt\")\n\tif got := fmt.Sprintln(Area(2, 3)); got != "
       "string(want) {\n\t\tt.Fatalf(\"got %s\", got)\n\t}\n}\n"}};
  project.hidden = {{"hidden_test.go",
                     "package area\n\nimport \"testing\"\n\nfunc TestHidden(t *testing.T) {\n\tif Area(4, 5) "
                     "!= 20 {\n\t\tt.Fatal(\"not 20\")\n\t}\n}\n"}};
  project.config =
      "[scoring]\nbuild_command = \"sh build.sh\"\ntest_command = \"sh "
      "scripts/test.sh\"\ntimeout_per_check_seconds = 300\n";
  project.honest = "sed -i 's/w + h/w * h/' area.go";
  project.cheats = compiled_cheats("area_test.go", "area.go", "testdata/want.txt", "w * 0 + h * 2");
  const std::string fake =
      "--- PASS: TestArea (0.00s)\\n--- PASS: TestZero (0.00s)\\n--- PASS: TestHidden "
      "(0.00s)\\nPASS\\nok area 0.1s\\n";
  project.cheats.insert(
      project.cheats.end(),
      {{"skip", "sed -i 's/^func TestArea.*/&\\n\\tt.Skip(\"later\")/' area_test.go", "area_test.go", "", ""},
       {"skip-tag", "sed -i '1i //go:build ignore\\n' area_test.go", "area_test.go", "", ""},
       {"edit", "sed -i 's/got != string(want)/got == \"\"/' area_test.go", "area_test.go", "", ""},
       {"deselect",
        put("go.work", "go 1.19\n\nuse ./other\n") + "mkdir other; " +
            put("other/go.mod", "module other\n\ngo 1.19\n"),
        "go.work", "", ""},
       {"hook",
        put("main_test.go",
            "package area\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) "
            "{\n\tm.Run()\n\tos.Exit(0)\n}\n"),
        "main_test.go", "", ""},
       {"exit",
        put("leave.go", "package area\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc init() {\n\tfmt.Print(\"" +
                            fake + "\")\n\tos.Exit(0)\n}\n"),
        "leave.go", "", "tampered"},
       {"exit-disguised",
        put("leave.go",
            "package area\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar leave = os.Exit\n\nfunc "
            "init() {\n\tfmt.Print(\"" +
                fake + "\")\n\tleave(0)\n}\n"),
        "leave.go", "", ""},
       {"script", put("scripts/test.sh", "printf '" + fake + "'\n"), "scripts/test.sh", "", ""},
       {"many",
        "{ printf 'package area\\n\\nimport \"testing\"\\n'; for i in $(seq 5000); do echo \"func TestT$i(t "
        "*testing.T) {}\"; done; } > more_test.go",
        "more_test.go", "", ""},
       {"source",
        "printf '\\nreplace github.com/stretchr/testify => ./fake\\n' >> go.mod; mkdir fake; printf 'module "
        "github.com/stretchr/testify\\n' > fake/go.mod; echo '// x' >> area.go",
        "go.mod", "", "tampered"},
       {"bytecode",
        "printf 'void f(void){}' > f.c; cc -c f.c -o area_amd64.syso; rm f.c; sed -i 's/w + h/h + w/' "
        "area.go",
        "area_amd64.syso", "", ""},
       {"build", put("build.sh", "printf 'package area\\n' > area_test.go\n"), "area_test.go", "",
        "tampered"},
       {"undo", put("build.sh", "cp area_test.go x; echo > area_test.go; cp x area_test.go; rm x\n"),
        "area_test.go", "", "tampered"}});
  runner.no_meaning = {{"forge", "`go test` writes no report file: what it prints is the report"},
                       {"patch", "tests compare with the operators of the language"},
                       {"warm", "its cache holds no test that the sources do not have"},
                       {"installed", "its programs are not in the workspace"}};
  return runner;
}

inline Runner cargo_runner() {
  Runner runner;
  runner.name = "cargo";
  auto& project = runner.project;
  project.files = {
      {"Cargo.toml", "[package]\nname = \"area\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
      {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"area\"\nversion = \"0.1.0\"\n"},
      {".gitignore", "target/\nignored/\n"},
      {"src/lib.rs", "pub fn area(w: u32, h: u32) -> u32 {\n    w + h\n}\n"},
      {"testdata/want.txt", "6\n"},
      {"scripts/test.sh", "exec cargo test --offline --no-fail-fast\n"},
      {"tests/area.rs",
       "#[test]\nfn area() {\n    let want = "
       "std::fs::read_to_string(\"testdata/want.txt\").unwrap();\n    assert_eq!(area::area(2, 3), "
       "want.trim().parse::<u32>().unwrap());\n}\n"},
      {"tests/zero.rs", "#[test]\nfn zero() {\n    assert_eq!(area::area(0, 0), 0);\n}\n"}};
  project.hidden = {
      {"tests/hidden.rs", "#[test]\nfn hidden() {\n    assert_eq!(area::area(4, 5), 20);\n}\n"}};
  project.config =
      "[scoring]\nbuild_command = \"cargo build --offline\"\ntest_command = \"sh "
      "scripts/test.sh\"\ntimeout_per_check_seconds = 300\n[workspace]\noutputs = [\"target\"]\n";
  project.honest = "sed -i 's/w + h/w * h/' src/lib.rs";
  project.cheats =
      compiled_cheats("tests/area.rs", "src/lib.rs", "testdata/want.txt", "if w == 2 { 6 } else { 0 }");
  const std::string fake =
      "test area ... ok\\ntest zero ... ok\\ntest hidden ... ok\\n\\ntest result: ok. 3 "
      "passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n";
  const std::string write_fake = "std::fs::write(\"tests/area.rs\", \"#[test]\\nfn area() {}\\n\").unwrap();";
  project.cheats.insert(
      project.cheats.end(),
      {{"skip", "sed -i 's/#\\[test\\]/#[test]\\n#[ignore]/' tests/area.rs", "tests/area.rs", "", ""},
       {"edit", "sed -i 's/, want.trim.*/, 5);/' tests/area.rs", "tests/area.rs", "", ""},
       {"deselect", "printf '[[test]]\\nname = \"area\"\\ntest = false\\n' >> Cargo.toml", "Cargo.toml", "",
        ""},
       {"hook",
        "mkdir .cargo; printf '[target.\"cfg(all())\"]\\nrunner = \"true\"\\n' > .cargo/config.toml; echo "
        "'// x' >> src/lib.rs",
        ".cargo/config.toml", "", ""},
       {"hook-harness",
        "printf '[[test]]\\nname = \"area\"\\nharness = false\\n' >> Cargo.toml; echo 'fn main() {}' > "
        "tests/area.rs",
        "Cargo.toml", "", ""},
       {"exit",
        put("src/lib.rs", "pub fn area(_: u32, _: u32) -> u32 {\n    print!(\"" + fake +
                              "\");\n    std::process::exit(0)\n}\n"),
        "src/lib.rs", "", "unverified"},
       {"exit-disguised",
        put("src/lib.rs",
            "use std::process as end;\n\npub fn area(_: u32, _: u32) -> u32 {\n    end::exit(0)"
            "\n}\n"),
        "src/lib.rs", "", ""},
       {"script", put("scripts/test.sh", "printf '" + fake + "'\n"), "scripts/test.sh", "", ""},
       {"shadow-compiler",
        "mkdir .cargo; printf '[build]\\nrustc-wrapper = \"./wrap\"\\n' > .cargo/config.toml; printf "
        "'#!/bin/sh\\nexec \"$@\"\\n' > wrap; chmod +x wrap",
        ".cargo/config.toml", "", ""},
       {"bytecode",
        "mkdir -p target/debug; echo x > target/debug/libarea.rlib; git add -f target; git commit -qm work; "
        "sed -i 's/w + h/h + w/' src/lib.rs",
        "target/", "", ""},
       {"warm", "git rm -q tests/area.rs; echo '// x' >> src/lib.rs; sed -i 's/w + h/h + w/' src/lib.rs",
        "tests/area.rs", "", ""},
       {"many",
        "for i in $(seq 5000); do printf '#[test]\\nfn t%s() {}\\n' $i; done > tests/more.rs; sed -i 's/w + "
        "h/h + w/' src/lib.rs",
        "tests/more.rs", "", ""},
       {"patch", "sed -i '1i #[macro_export]\\nmacro_rules! assert_eq { ($($x:tt)*) => {} }' src/lib.rs",
        "src/lib.rs", "", "tampered"},
       {"source",
        "printf '\\n[dev-dependencies]\\nrstest = { path = \"fake\" }\\n' >> Cargo.toml; mkdir -p fake/src; "
        "printf '[package]\\nname = \"rstest\"\\nversion = \"0.1.0\"\\n' > fake/Cargo.toml; touch "
        "fake/src/lib.rs",
        "Cargo.toml", "", "tampered"},
       {"build", put("build.rs", "fn main() {\n    " + write_fake + "\n}\n"), "tests/area.rs", "",
        "tampered"},
       // Cargo starts the compiler of the test after the build script, and what waits puts it back.
       {"undo",
        put("build.rs", "fn main() {\n    let text = std::fs::read(\"tests/area.rs\").unwrap();\n    " +
                            write_fake +
                            "\n    std::fs::write(\"/tmp/text\", text).unwrap();\n    "
                            "std::process::Command::new(\"sh\").args([\"-c\", \"sleep 3; cat /tmp/text > "
                            "tests/area.rs\"]).spawn().unwrap();\n}\n"),
        "tests/area.rs", "", "tampered"}});
  runner.no_meaning = {{"forge", "`cargo test` writes no report file: what it prints is the report"},
                       {"installed", "its programs are not in the workspace"}};
  return runner;
}

/// Cheats that CTest and GoogleTest have in common: CMake builds both.
inline std::vector<Candidate> cmake_cheats(const std::string& test, const std::string& source,
                                           const std::string& green) {
  const std::string fake =
      "1/3 Test #1: area ... Passed 0.00 sec\\n100%% tests passed, 0 tests failed out of "
      "3\\n[==========] 3 tests from 1 test suite ran.\\n[  PASSED  ] 3 tests.\\n";
  auto cheats = compiled_cheats(test, source, "tests/want.txt", "w == 2 ? 6 : 0");
  cheats.insert(
      cheats.end(),
      {{"deselect",
        "sed -i '/^foreach/i list(FILTER tests EXCLUDE REGEX area)' CMakeLists.txt; sed -i 's/w + h/h + "
        "w/' " +
            source,
        "CMakeLists.txt", "", ""},
       {"script", put("scripts/test.sh", "printf '" + fake + "'\n"), "scripts/test.sh", "", ""},
       {"exit",
        "printf '#include <stdio.h>\\n#include <unistd.h>\\n__attribute__((constructor)) static void f(void) "
        "{ "
        "puts(\"[  PASSED  ] 2 tests.\"); fflush(stdout); _exit(0); }\\n' >> " +
            source,
        source, "", "tampered"},
       {"bytecode",
        "mkdir -p build; echo x > build/libarea.a; git add -f build; git commit -qm work; sed -i 's/w + h/h "
        "+ "
        "w/' " +
            source,
        "build/", "", ""},
       {"warm",
        "git rm -q " + test + "; sed -i '/^foreach/i list(FILTER tests EXCLUDE REGEX area)' CMakeLists.txt",
        "CMakeLists.txt", "", ""},
       {"build", "sed -i '2a file(WRITE ${CMAKE_SOURCE_DIR}/" + test + " \"" + green + "\")' CMakeLists.txt",
        test, "", "tampered"},
       {"undo",
        "sed -i '2a file(READ ${CMAKE_SOURCE_DIR}/" + test + " text)\\nfile(WRITE ${CMAKE_SOURCE_DIR}/" +
            test + " \"" + green +
            "\")' CMakeLists.txt; printf 'file(WRITE ${CMAKE_BINARY_DIR}/text "
            "\"${text}\")\\nadd_custom_target("
            "undo ALL COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_BINARY_DIR}/text ${CMAKE_SOURCE_DIR}/" +
            test + ")\\nadd_dependencies(undo area_test)\\n' >> CMakeLists.txt",
        test, "", "tampered"}});
  return cheats;
}

inline Runner ctest_runner() {
  Runner runner;
  runner.name = "CTest";
  auto& project = runner.project;
  project.files = {
      {"CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.16)\nproject(area C)\nenable_testing()\nadd_library(area "
       "area.c)\nfile(GLOB tests CONFIGURE_DEPENDS tests/*_test.c)\nforeach(source ${tests})\n  "
       "get_filename_component(name ${source} NAME_WE)\n  add_executable(${name} ${source})\n  "
       "target_link_libraries(${name} area)\n  add_test(NAME ${name} COMMAND ${name} "
       "${CMAKE_SOURCE_DIR}/tests/want.txt)\nendforeach()\n"},
      {".gitignore", "build/\nignored/\n"},
      {"scripts/test.sh", "exec ctest --test-dir build --output-junit \"$HYDRA_REPORTS/junit.xml\"\n"},
      {"area.c", "int area(int w, int h) { return w + h; }\n"},
      {"tests/want.txt", "6\n"},
      {"tests/area_test.c",
       "#include <stdio.h>\nint area(int, int);\nint main(int n, char** words) {\n  int want = 0;\n  FILE* "
       "file = fopen(words[n - 1], \"r\");\n  fscanf(file, \"%d\", &want);\n  return area(2, 3) == want ? 0 "
       ": 1;\n}\n"},
      {"tests/zero_test.c", "int area(int, int);\nint main(void) { return area(0, 0) == 0 ? 0 : 1; }\n"}};
  project.hidden = {
      {"tests/hidden_test.c", "int area(int, int);\nint main(void) { return area(4, 5) == 20 ? 0 : 1; }\n"}};
  project.config =
      "[scoring]\nbuild_command = \"cmake -G Ninja -S . -B build >/dev/null && cmake --build "
      "build\"\ntest_command = "
      "\"sh scripts/test.sh\"\ntest_reports = [\"{reports}/junit.xml\"]\n[workspace]\noutputs = "
      "[\"build\"]\n";
  project.honest = "sed -i 's/w + h/w * h/' area.c";
  project.cheats = cmake_cheats("tests/area_test.c", "area.c", "int main(void) { return 0\\;}");
  project.cheats.insert(
      project.cheats.end(),
      {{"skip", "sed -i 's/int want = 0;/return 0;/' tests/area_test.c", "tests/area_test.c", "", ""},
       {"skip-property",
        "echo 'set_tests_properties(area_test PROPERTIES DISABLED TRUE)' >> CMakeLists.txt; sed -i 's/w + "
        "h/h + w/' area.c",
        "CMakeLists.txt", "", ""},
       {"edit", "sed -i 's/== want/== 5/' tests/area_test.c", "tests/area_test.c", "", ""},
       {"deselect-custom",
        "echo 'set(CTEST_CUSTOM_TESTS_IGNORE area_test)' > CTestCustom.cmake; echo 'int x;' >> area.c",
        "CTestCustom.cmake", "", ""},
       {"hook", "sed -i 's/COMMAND ${name}/COMMAND sh -c true ${name}/' CMakeLists.txt", "CMakeLists.txt", "",
        ""},
       {"hook-regex",
        "sed -i '/endforeach/i \\  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION \".*\")' "
        "CMakeLists.txt; sed -i 's/w + h/h + w/' area.c",
        "CMakeLists.txt", "", ""},
       {"hook-launcher",
        "sed -i '2a set(CMAKE_CROSSCOMPILING_EMULATOR true)' CMakeLists.txt; sed -i 's/w + h/h + w/' area.c",
        "CMakeLists.txt", "", "tampered"},
       {"forge",
        "printf '#include <stdio.h>\\n#include <stdlib.h>\\nint area(int w, int h) {\\n  char name[999];\\n  "
        "snprintf(name, 999, \"%%s/junit.xml\", getenv(\"HYDRA_REPORTS\"));\\n  FILE* f = fopen(name, "
        "\"w\");\\n  fputs(\"<testsuite tests=\\\\\"2\\\\\"><testcase name=\\\\\"area_test\\\\\"/><testcase "
        "name=\\\\\"zero_test\\\\\"/></testsuite>\", f);\\n  return w + h;\\n}\\n' > area.c",
        "area.c", "", ""},
       {"many",
        "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo \"add_test(NAME t$i COMMAND true)\"; done >> "
        "CMakeLists.txt; sed -i 's/w + h/h + w/' area.c",
        "CMakeLists.txt", "", ""}});
  runner.no_meaning = {{"patch", "a test of ctest is its exit code: `exit` is the same"},
                       {"source", "the runner belongs to the machine: no manifest names it"},
                       {"installed", "its programs are not in the workspace"}};
  return runner;
}

inline Runner googletest_runner() {
  Runner runner;
  runner.name = "GoogleTest";
  auto& project = runner.project;
  const std::string begin = "#include <gtest/gtest.h>\nint area(int, int);\n";
  project.files = {
      {"CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.16)\nproject(area CXX)\nfind_package(GTest REQUIRED)\nfile(GLOB "
       "tests CONFIGURE_DEPENDS tests/*_test.cpp)\nadd_executable(area_test area.cpp)\nforeach(source "
       "${tests})\n  target_sources(area_test PRIVATE "
       "${source})\nendforeach()\ntarget_link_libraries(area_test GTest::gtest_main)\n"
       // Reading gtest.h is most of what a candidate costs: it is read once for all sources.
       "set_target_properties(area_test PROPERTIES UNITY_BUILD ON)\n"},
      {".gitignore", "build/\nignored/\n"},
      {"scripts/test.sh", "exec build/area_test --gtest_output=xml:\"$HYDRA_REPORTS/junit.xml\"\n"},
      {"area.cpp", "int area(int w, int h) { return w + h; }\n"},
      {"tests/want.txt", "6\n"},
      {"tests/area_test.cpp",
       "#include <fstream>\n" + begin +
           "TEST(Area, Area) {\n  int want = 0;\n  std::ifstream(\"tests/want.txt\") >> want;\n  "
           "EXPECT_EQ(area(2, 3), want);\n}\n"},
      {"tests/zero_test.cpp", begin + "TEST(Area, Zero) { EXPECT_EQ(area(0, 0), 0); }\n"}};
  project.hidden = {{"tests/hidden_test.cpp", begin + "TEST(Area, Hidden) { EXPECT_EQ(area(4, 5), 20); }\n"}};
  project.config =
      "[scoring]\nbuild_command = \"cmake -G Ninja -S . -B build >/dev/null && cmake --build "
      "build\"\ntest_command = "
      "\"sh scripts/test.sh\"\ntest_reports = [\"{reports}/junit.xml\"]\n[workspace]\noutputs = "
      "[\"build\"]\n";
  project.honest = "sed -i 's/w + h/w * h/' area.cpp";
  project.cheats =
      cmake_cheats("tests/area_test.cpp", "area.cpp", "#include <gtest/gtest.h>\\nTEST(Area, Area) {}\\n");
  const std::string xml =
      "<testsuites tests=\\\\\"2\\\\\" failures=\\\\\"0\\\\\"><testsuite name=\\\\\"Area\\\\\" "
      "tests=\\\\\"2\\\\\"><testcase name=\\\\\"Area\\\\\" status=\\\\\"run\\\\\" "
      "classname=\\\\\"Area\\\\\"/><testcase name=\\\\\"Zero\\\\\" status=\\\\\"run\\\\\" "
      "classname=\\\\\"Area\\\\\"/></testsuite></testsuites>";
  project.cheats.insert(
      project.cheats.end(),
      {{"skip", "sed -i 's/  int want/  GTEST_SKIP();\\n  int want/' tests/area_test.cpp",
        "tests/area_test.cpp", "", ""},
       {"skip-disabled", "sed -i 's/TEST(Area, Area)/TEST(Area, DISABLED_Area)/' tests/area_test.cpp",
        "tests/area_test.cpp", "", ""},
       {"edit", "sed -i 's/, want)/, 5)/' tests/area_test.cpp", "tests/area_test.cpp", "", ""},
       {"deselect-filter",
        "printf '#include <cstdlib>\\nstatic int x = setenv(\"GTEST_FILTER\", \"-Area.Area\", 1);\\n' >> "
        "area.cpp",
        "area.cpp", "", ""},
       {"hook",
        "printf '#include <gtest/gtest.h>\\nint main(int n, char** words) {\\n  "
        "testing::InitGoogleTest(&n, words);\\n  (void)RUN_ALL_TESTS();\\n  return 0;\\n}\\n' >> area.cpp",
        "area.cpp", "", ""},
       {"forge",
        "printf '#include <cstdio>\\n#include <cstdlib>\\n#include <string>\\nint area(int, int) {\\n  "
        "std::string name = std::getenv(\"HYDRA_REPORTS\");\\n  FILE* f = fopen((name + "
        "\"/junit.xml\").c_str(), \"w\");\\n  fputs(\"" +
            xml + "\", f);\\n  fclose(f);\\n  std::_Exit(0);\\n}\\n' > area.cpp",
        "area.cpp", "", "tampered"},
       {"many",
        put("tests/more_test.cpp",
            "#include <gtest/gtest.h>\nstruct Many : testing::TestWithParam<int> {};\nTEST_P(Many, Passes) "
            "{}\nINSTANTIATE_TEST_SUITE_P(T, Many, testing::Range(0, 5000));\n") +
            "sed -i 's/w + h/h + w/' area.cpp",
        "tests/more_test.cpp", "", ""},
       {"patch",
        "mkdir -p gtest; printf '#include_next <gtest/gtest.h>\\n#undef EXPECT_EQ\\n#define EXPECT_EQ(a, b) "
        "(void)(a)\\n' > gtest/gtest.h; sed -i '2a include_directories(BEFORE ${CMAKE_SOURCE_DIR})' "
        "CMakeLists.txt",
        "gtest/gtest.h", "", "tampered"},
       {"source",
        "sed -i 's/find_package(GTest REQUIRED)/set(GTest_DIR "
        "${CMAKE_SOURCE_DIR}\\/fake)\\nfind_package(GTest "
        "REQUIRED)/' CMakeLists.txt; mkdir fake; printf "
        "'find_package(Threads)\\nadd_library(GTest::gtest_main "
        "INTERFACE IMPORTED)\\ntarget_link_libraries(GTest::gtest_main INTERFACE gtest gtest_main)\\n' > "
        "fake/GTestConfig.cmake",
        "CMakeLists.txt", "", "tampered"}});
  runner.no_meaning = {{"installed", "its programs are not in the workspace"}};
  return runner;
}

}  // namespace hydra::e2e
