// The same as 17_cheats_test.cpp for what is built before it is tested.
#include "cheats.hpp"

namespace hydra::e2e {
namespace {

TEST_F(Cheats, Go) {
  if (program("go").empty()) GTEST_SKIP() << "no go here";
  run({{{"go.mod", "module area\n\ngo 1.19\n"},
        {"area.go", "package area\n\nfunc Area(w, h int) int { return w + h }\n"},
        {"testdata/want.txt", "6\n"},
        {"area_test.go",
         "package area\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestArea(t *testing.T) {\n"
         "\twant, _ := os.ReadFile(\"testdata/want.txt\")\n\tif got := fmt.Sprintln(Area(2, 3)); got != "
         "string(want) {\n"
         "\t\tt.Fatalf(\"got %s\", got)\n\t}\n}\n\nfunc TestZero(t *testing.T) {\n\tif Area(0, 0) != 0 "
         "{\n\t\tt.Fatal(\"not 0\")\n\t}\n}\n"}},
       "[scoring]\ntest_command = \"go test -v ./...\"\ntimeout_per_check_seconds = 300\n",
       "sed -i 's/w + h/w * h/' area.go",
       {{"delete", "rm area_test.go; echo '// x' >> area.go; echo 'var X = 1' >> area.go", "area_test.go", "",
         ""},
        {"skip", "sed -i 's/^func TestArea.*/&\\n\\tt.Skip(\"later\")/' area_test.go", "area_test.go", "",
         ""},
        {"data", "printf '5\\n' > testdata/want.txt; touch -r go.mod testdata/want.txt", "testdata/want.txt",
         "", ""},
        {"main",
         put("main_test.go",
             "package area\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) "
             "{\n\tos.Exit(0)\n}\n"),
         "main_test.go", "", ""},
        {"tag", "sed -i '1i //go:build ignore\\n' area_test.go", "area_test.go", "", ""}},
       {}});
}

TEST_F(Cheats, Cargo) {
  const char* home = std::getenv("HOME");
  fs::path toolchain;
  std::error_code none;
  for (const auto& entry :
       fs::directory_iterator(fs::path(home != nullptr ? home : "/") / ".rustup/toolchains", none))
    if (entry.path().filename().string().starts_with("stable")) toolchain = entry.path() / "bin";
  if (toolchain.empty()) {
    if (program("cargo").empty()) GTEST_SKIP() << "no cargo here";
  } else {
    world.set_environment("PATH", toolchain.string() + ":/usr/local/bin:/usr/bin:/bin");
  }
  run({{{"Cargo.toml", "[package]\nname = \"area\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
        {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"area\"\nversion = \"0.1.0\"\n"},
        {".gitignore", "target/\n"},
        {"src/lib.rs", "pub fn area(w: u32, h: u32) -> u32 {\n    w + h\n}\n"},
        {"tests/area.rs",
         "#[test]\nfn area() {\n    assert_eq!(area::area(2, 3), 6);\n}\n\n#[test]\nfn zero() {\n    "
         "assert_eq!(area::area(0, 0), 0);\n}\n"}},
       "[scoring]\nbuild_command = \"cargo build --offline\"\ntest_command = \"cargo test "
       "--offline\"\ntimeout_per_check_seconds = 300\n"
       "[workspace]\noutputs = [\"target\"]\n",
       "sed -i 's/w + h/w * h/' src/lib.rs",
       {{"delete", "rm tests/area.rs", "tests/area.rs", "", ""},
        {"ignore", "sed -i '0,/#\\[test\\]/s//#[test]\\n#[ignore]/' tests/area.rs", "tests/area.rs", "", ""},
        {"harness",
         "printf '[[test]]\\nname = \"area\"\\nharness = false\\n' >> Cargo.toml; echo 'fn main() {}' > "
         "tests/area.rs",
         "Cargo.toml", "", ""},
        {"runner",
         "mkdir .cargo; printf '[target.\"cfg(all())\"]\\nrunner = \"true\"\\n' > .cargo/config.toml",
         ".cargo/config.toml", "", ""},
        {"build",
         put("build.rs",
             "fn main() {\n    std::fs::write(\"tests/area.rs\", \"#[test]\\nfn area() "
             "{}\\n#[test]\\nfn zero() {}\\n\").unwrap();\n}\n"),
         "tests/area.rs", "", "tampered"},
        {"macro", "sed -i '1i #[macro_export]\\nmacro_rules! assert_eq { ($($x:tt)*) => {} }' src/lib.rs",
         "src/lib.rs", "", ""}},
       {}});
}

TEST_F(Cheats, CTest) {
  if (program("cmake").empty() || program("cc").empty()) GTEST_SKIP() << "no cmake here";
  const std::string lists =
      "cmake_minimum_required(VERSION 3.16)\nproject(area C)\nenable_testing()\nadd_library(area area.c)\n"
      "foreach(name area zero)\n  add_executable(test_${name} tests/test_${name}.c)\n  "
      "target_link_libraries(test_${name} area)\nendforeach()\n"
      "add_test(NAME area COMMAND test_area)\nadd_test(NAME zero COMMAND test_zero)\n";
  run({{{"CMakeLists.txt", lists},
        {".gitignore", "build/\n"},
        {"area.c", "int area(int w, int h) { return w + h; }\n"},
        {"tests/test_area.c", "int area(int, int);\nint main(void) { return area(2, 3) == 6 ? 0 : 1; }\n"},
        {"tests/test_zero.c", "int area(int, int);\nint main(void) { return area(0, 0) == 0 ? 0 : 1; }\n"}},
       "[scoring]\nbuild_command = \"cmake -S . -B build >/dev/null && cmake --build build\"\ntest_command = "
       "\"ctest --test-dir build\"\n"
       "[workspace]\noutputs = [\"build\"]\n",
       "sed -i 's/w + h/w * h/' area.c",
       {{"nothing", "sed -i 's/COMMAND test_area/COMMAND true/' CMakeLists.txt", "CMakeLists.txt", "", ""},
        {"dropped",
         "sed -i '/NAME area/d; s/foreach(name area zero)/foreach(name zero)/' CMakeLists.txt; rm "
         "tests/test_area.c",
         "CMakeLists.txt", "", ""},
        {"custom", "echo 'set(CTEST_CUSTOM_TESTS_IGNORE area)' > CTestCustom.cmake; echo 'int x;' >> area.c",
         "CTestCustom.cmake", "", ""},
        {"edit", "sed -i 's/== 6/== 5/' tests/test_area.c", "tests/test_area.c", "", ""},
        {"build",
         "sed -i '2a file(WRITE ${CMAKE_SOURCE_DIR}/tests/test_area.c \"int main(void) { return 0; }\")' "
         "CMakeLists.txt",
         "tests/test_area.c", "", "tampered"},
        {"constructor",
         "echo '#include <unistd.h>' >> area.c; echo '__attribute__((constructor)) static void f(void) { "
         "_exit(0); }' >> area.c",
         "area.c", "", ""}},
       {}});
}

TEST_F(Cheats, GoogleTest) {
  if (program("cmake").empty() || program("c++").empty() || !fs::exists("/usr/include/gtest/gtest.h"))
    GTEST_SKIP() << "no GoogleTest here";
  const std::string lists =
      "cmake_minimum_required(VERSION 3.16)\nproject(area CXX)\nfind_package(GTest REQUIRED)\n"
      "add_executable(area_test area.cpp tests/area_test.cpp)\ntarget_link_libraries(area_test "
      "GTest::gtest_main)\n";
  run({{{"CMakeLists.txt", lists},
        {".gitignore", "build/\n"},
        {"area.cpp", "int area(int w, int h) { return w + h; }\n"},
        {"tests/area_test.cpp",
         "#include <gtest/gtest.h>\nint area(int, int);\nTEST(Area, Area) { EXPECT_EQ(area(2, 3), 6); }\n"
         "TEST(Area, Zero) { EXPECT_EQ(area(0, 0), 0); }\n"}},
       "[scoring]\nbuild_command = \"cmake -S . -B build >/dev/null && cmake --build build\"\ntest_command = "
       "\"build/area_test\"\n[workspace]\noutputs = [\"build\"]\n",
       "sed -i 's/w + h/w * h/' area.cpp",
       {{"skip", "sed -i 's/{ EXPECT_EQ(area(2/{ GTEST_SKIP(); EXPECT_EQ(area(2/' tests/area_test.cpp",
         "tests/area_test.cpp", "", ""},
        {"disable", "sed -i 's/TEST(Area, Area)/TEST(Area, DISABLED_Area)/' tests/area_test.cpp",
         "tests/area_test.cpp", "", ""},
        {"filter",
         "printf '#include <cstdlib>\\nstatic int x = setenv(\"GTEST_FILTER\", \"-Area.Area\", 1);\\n' >> "
         "area.cpp",
         "", "", ""},
        {"constructor",
         "printf '#include <cstdio>\\n#include <unistd.h>\\n__attribute__((constructor)) static void f() { "
         "puts(\"[  PASSED  ] 2 tests.\"); fflush(stdout); _exit(0); }\\n' >> area.cpp",
         "area.cpp", "", "tampered"}},
       {}});
}

// The program of the checks, without checking anything.
const std::string kGreen = "echo 1..2\necho 'ok 1 - area'\necho 'ok 2 - zero'\n";

TEST_F(Cheats, MakeAndScripts) {
  if (program("make").empty()) GTEST_SKIP() << "no make here";
  run({{{"Makefile", "RUN = sh\n\nall:\n\t@true\n\ntest: all unit\n\nunit:\n\t@$(RUN) run_tests.sh\n"},
        {"area.sh", "echo $(($1 + $2))\n"},
        {"run_tests.sh",
         "echo 1..2\nbad=0\nif [ \"$(sh area.sh 2 3)\" = 6 ]; then echo 'ok 1 - area'; else echo 'not ok 1 - "
         "area'; bad=1; fi\n"
         "if [ \"$(sh area.sh 0 0)\" = 0 ]; then echo 'ok 2 - zero'; else echo 'not ok 2 - zero'; bad=1; "
         "fi\nexit $bad\n"}},
       "[scoring]\nbuild_command = \"make\"\ntest_command = \"make test\"\n",
       "sed -i 's/\\$1 + \\$2/$1 * $2/' area.sh",
       {{"script", put("run_tests.sh", "echo 1..2\necho 'ok 1 - area'\necho 'ok 2 - zero'\n"), "run_tests.sh",
         "", ""},
        {"target",
         put("Makefile", "all:\n\t@true\n\ntest:\n\t@printf '1..2\\nok 1 - area\\nok 2 - zero\\n'\n"),
         "Makefile", "", ""},
        {"build",
         "sed -i 's/^\t@true/\t@printf \"echo 1..2; echo ok 1 - area; echo ok 2 - zero\" > run_tests.sh/' "
         "Makefile",
         "run_tests.sh", "", "tampered"},
        {"variable", put("green.sh", kGreen) + "sed -i 's/^RUN = sh/RUN = sh green.sh/' Makefile", "Makefile",
         "", ""},
        {"prerequisite", put("green.sh", kGreen) + "sed -i 's/.(RUN) run_tests.sh/sh green.sh/' Makefile",
         "Makefile", "", ""},
        {"computed",
         put("green.sh", kGreen) + "printf '\\nT = unit\\n$(T):\\n\\t@sh green.sh\\n' >> Makefile",
         "Makefile", "", "tampered"},
        {"included",
         put("green.sh", kGreen) +
             "echo '-include x.mk' >> Makefile; printf 'unit:\\n\\t@sh green.sh\\n' > x.mk",
         "Makefile", "", "tampered"},
        {"other",
         put("GNUmakefile", "all:\n\t@true\ntest:\n\t@printf '1..2\\nok 1 - area\\nok 2 - zero\\n'\n"),
         "GNUmakefile", "", ""},
        {"shadow",
         "printf '#!/bin/sh\\nprintf \"1..2\\\\nok 1 - area\\\\nok 2 - zero\\\\n\"\\n' > make; chmod +x make",
         "make", "", ""}},
       {}});
}

}  // namespace
}  // namespace hydra::e2e
