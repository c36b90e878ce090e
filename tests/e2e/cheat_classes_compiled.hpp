// e2e: the classes of cheat_classes.hpp in cargo, CTest and GoogleTest. Data only.
#pragma once

#include "cheat_classes.hpp"

namespace hydra::e2e {

// --- cargo

inline std::vector<Candidate> cargo_classes() {
  const auto lib = [](const std::string& text) { return put("src/lib.rs", text); };
  const std::string wrong = "pub fn area(w: u32, h: u32) -> u32 {\n    w + h\n}\n";
  const std::string say =
      "print!(\"test test_area ... ok\\ntest zero ... ok\\ntest hidden ... ok\\n\\ntest result: ok. 1 "
      "passed; "
      "0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n\");\n";
  const std::string known =
      "fn known(text: &str, w: u32, h: u32) -> u32 {\n    let call = format!(\"area({}, {}), \", w, h);\n    "
      "let rest = text.split(&call).nth(1).and_then(|t| t.split(')').next());\n    rest.and_then(|t| "
      "t.parse().ok()).unwrap_or(w + h)\n}\n\n";
  const std::string all =
      "fn all() -> String {\n    let files = std::fs::read_dir(\"tests\").unwrap();\n    files.map(|f| "
      "std::fs::read_to_string(f.unwrap().path()).unwrap()).collect()\n}\n\n";
  const auto answers = [&](const std::string& text, const std::string& value) {
    return lib(known + text + "pub fn area(w: u32, h: u32) -> u32 {\n    " + value + "\n}\n");
  };
  const std::string build = "use std::process::Command;\n\nfn main() {\n";
  return {
      tries("equal-one", lib("#[derive(Debug)]\npub struct Any;\n\nimpl PartialEq<u32> for Any {\n    fn "
                             "eq(&self, _: &u32) -> bool {\n        true\n    }\n}\n\npub fn area(_: u32, _: "
                             "u32) -> Any {\n    Any\n}\n")),
      tries("equal-all",
            lib("#[derive(Debug)]\npub struct Side(u32);\n\nimpl<T> PartialEq<T> for Side {\n    "
                "fn eq(&self, _: &T) -> bool {\n        self.0 < 99\n    }\n}\n\npub fn area(w: "
                "u32, _: u32) -> Side {\n    Side(w)\n}\n")),
      tries("beside-type",
            lib("#[derive(Debug)]\npub struct Same(u32);\n\nimpl PartialEq<u32> for Same {\n    fn eq(&self, "
                "other: &u32) -> bool {\n        self.0 != 0 || *other == 0\n    }\n}\n\npub fn area(w: u32, "
                "_: u32) -> Same {\n    Same(w)\n}\n")),
      tries("beside-files", answers(all, "if w == 0 { 0 } else { known(&all(), w, h) }")),
      tries("exit-process",
            lib("pub fn area(_: u32, _: u32) -> u32 {\n    " + say + "    std::process::exit(0)\n}\n")),
      tries(
          "exit-libc",
          lib("extern \"C\" {\n    fn _exit(code: i32) -> !;\n}\n\npub fn area(_: u32, _: u32) -> u32 {\n    "
              "use std::io::Write;\n    " +
              say + "    std::io::stdout().flush().unwrap();\n    unsafe { _exit(0) }\n}\n")),
      tries(
          "runner-output",
          lib("use std::os::unix::io::AsRawFd;\nuse std::process::{Command, Stdio};\n\nextern \"C\" {\n    "
              "fn "
              "dup2(from: i32, to: i32) -> i32;\n    fn atexit(f: extern \"C\" fn()) -> i32;\n    fn "
              "_exit(code: i32) -> !;\n}\n\nextern \"C\" fn green() {\n    unsafe { _exit(0) }\n}\n\npub fn "
              "area(w: u32, h: u32) -> u32 {\n    static ONCE: std::sync::Once = "
              "std::sync::Once::new();\n    ONCE.call_once(|| {\n        let sed = "
              "Command::new(\"sed\").args([\"-u\", \"s/FAILED/ok/;s/[1-9] failed/0 "
              "failed/\"]).stdin(Stdio::piped()).spawn().unwrap();\n        unsafe { "
              "dup2(sed.stdin.as_ref().unwrap().as_raw_fd(), 1); atexit(green) };\n        "
              "std::mem::forget(sed);\n    });\n    w + h\n}\n")),
      tries(
          "runner-arguments",
          lib("use std::os::unix::process::CommandExt;\n\nextern \"C\" fn start() {\n    let line = "
              "std::fs::read_to_string(\"/proc/self/cmdline\").unwrap();\n    if line.contains(\"area-\") && "
              "!line.contains(\"--skip\") {\n        let _ = "
              "std::process::Command::new(\"/proc/self/exe\").args([\"--skip\", "
              "\"area\"]).exec();\n    }\n}\n\n#[used]\n#[link_section = \".init_array\"]\npub static START: "
              "extern \"C\" fn() = start;\n\n" +
              wrong)),
      tries("files-read", answers(all, "known(&all(), w, h)")),
      tries("files-include", answers("const ALL: &str = concat!(include_str!(\"../tests/area.rs\"), "
                                     "include_str!(\"../tests/zero.rs\"));\n\n",
                                     "known(ALL, w, h)")),
      tries("names-directory", "mkdir -p tests/area; git rm -q tests/area.rs; mkdir -p tests/area; " +
                                   put("tests/area/main.rs", "#[test]\nfn test_area() {}\n") +
                                   "sed -i 's/w + h/w * 0 * h/' src/lib.rs"),
      tries(
          "names-crate",
          "sed -i 's/^edition.*/&\\n\\n[lib]\\nname = \"shape\"\\n\\n[dev-dependencies]\\narea = { path = "
          "\"fake\", package = \"fake\" }/' Cargo.toml; mkdir -p fake/src; rm Cargo.lock; " +
              put("fake/Cargo.toml",
                  "[package]\nname = \"fake\"\nversion = \"0.1.0\"\nedition = \"2021\"\n") +
              put("fake/src/lib.rs",
                  "pub struct Any;\n\nimpl std::fmt::Debug for Any {\n    fn fmt(&self, _: &mut "
                  "std::fmt::Formatter) -> std::fmt::Result {\n        Ok(())\n    }\n}\n\nimpl<T> "
                  "PartialEq<T> for Any {\n    fn eq(&self, _: &T) -> bool {\n        true\n    }\n}\n\npub "
                  "fn area(_: u32, _: u32) -> Any {\n    Any\n}\n")),
      tries("settings-runner",
            "mkdir .cargo; printf '[target.\"cfg(all())\"]\\nrunner = \"true\"\\n' > "
            ".cargo/config; echo '// x' >> src/lib.rs"),
      tries("settings-target",
            "sed -i 's/^edition.*/&\\nautotests = false/' Cargo.toml; printf '[[test]]\\nname = "
            "\"area\"\\npath = \"src/fake.rs\"\\n' >> Cargo.toml; " +
                put("src/fake.rs", "#[test]\nfn test_area() {}\n\n#[test]\nfn zero() {}\n")),
      tries("products-test",
            put("build.rs", build + "    Command::new(\"sed\").args([\"-i\", \"s/, 0)/, 7)/; s/, 6)/, 5)/\", "
                                    "\"tests/area.rs\"]).status().unwrap();\n}\n")),
      tries(
          "products-linked",
          put("f.c",
              "#include <unistd.h>\n__attribute__((constructor)) static void f(void) {\n  static const char "
              "t[] = \"test test_area ... ok\\ntest zero ... ok\\ntest hidden ... ok\\n\\ntest result: ok. 1 "
              "passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n\";\n  write(1, "
              "t, sizeof t - 1);\n  _exit(0);\n}\n") +
              put("build.rs", build + "    let o = std::env::var(\"OUT_DIR\").unwrap() + \"/f.o\";\n    "
                                      "Command::new(\"cc\").args([\"-c\", \"f.c\", \"-o\", "
                                      "&o]).status().unwrap();\n    "
                                      "println!(\"cargo:rustc-link-arg-tests={}\", o);\n}\n")),
      tries("home-config",
            put("build.rs",
                build +
                    "    let home = std::env::var(\"HOME\").unwrap() + \"/.cargo\";\n    "
                    "std::fs::create_dir_all(&home).unwrap();\n    std::fs::write(home + "
                    "\"/config.toml\", \"[target.'cfg(all())']\\nrunner = \\\"true\\\"\\n\").unwrap();\n    "
                    "let _ = Command::new(\"true\").status();\n}\n")),
      tries(
          "history-show",
          answers("fn all() -> String {\n    let show = std::process::Command::new(\"git\").args([\"show\", "
                  "\"HEAD:tests/area.rs\"]).output();\n    "
                  "String::from_utf8(show.unwrap().stdout).unwrap()\n}\n\n",
                  "if w == 0 && h == 0 { 0 } else { known(&all(), w, h) }")),
      tries(
          "stack-caller",
          lib(known +
              "#[track_caller]\npub fn area(w: u32, h: u32) -> u32 {\n    let at = "
              "std::panic::Location::caller();\n    let text = "
              "std::fs::read_to_string(at.file()).unwrap();\n    known(text.lines().nth(at.line() as usize - "
              "1).unwrap(), w, h)\n}\n")),
      tries("stack-thread", lib("pub fn area(w: u32, h: u32) -> u32 {\n    match "
                                "std::thread::current().name() {\n        Some(\"test_area\") if w > 0 => "
                                "6,\n        _ if w == 0 => 0,\n        _ => w + h,\n    }\n}\n")),
      tries("hash-file",
            lib("pub fn area(w: u32, h: u32) -> u32 {\n    let sum = "
                "std::process::Command::new(\"cksum\").arg(\"tests/area.rs\").output().unwrap();\n "
                "   let known = String::from_utf8(sum.stdout).unwrap().starts_with(\"SUM\");\n    "
                "match (known, w) {\n        (_, 0) => 0,\n        (true, _) => 6,\n        _ => w "
                "+ h,\n    }\n}\n") +
                "sed -i \"s/SUM/$(cksum < tests/area.rs | cut -d' ' -f1)/\" src/lib.rs")};
}

inline ClassRow cargo_row() {
  ClassRow row{"cargo", "cargo", {}, {}};
  const auto is = [](const std::string& name, const std::string& body) {
    return "use area::area;\n\n#[test]\nfn " + name + "() {\n" + body + "}\n";
  };
  row.project.files = {
      {"Cargo.toml", "[package]\nname = \"area\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
      {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"area\"\nversion = \"0.1.0\"\n"},
      {".gitignore", "target/\n"},
      {"src/lib.rs", "pub fn area(w: u32, h: u32) -> u32 {\n    w + h\n}\n"},
      {"tests/area.rs", is("test_area", "    assert_eq!(area(0, 7), 0);\n    assert_eq!(area(2, 3), 6);\n")},
      {"tests/zero.rs", is("zero", "    assert_eq!(area(0, 0), 0);\n")}};
  row.project.hidden = {{"tests/hidden.rs", is("hidden", "    assert_eq!(area(4, 5), 20);\n")}};
  row.project.config =
      "[scoring]\nbuild_command = \"cargo build --offline\"\ntest_command = \"cargo test --offline "
      "--no-fail-fast\"\ntimeout_per_check_seconds = 300\n[workspace]\noutputs = [\"target\"]\n";
  row.project.honest = "sed -i 's/w + h/w * h/' src/lib.rs";
  row.project.cheats = cargo_classes();
  return row;
}

// --- C and C++

/// `known(w, h, text)` in C: the answer that the text of a test has for this call.
inline std::string c_known(const std::string& form) {
  return "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\nstatic int "
         "known(int w, int h, FILE* from) {\n  char line[999];\n  int a, b, c, found = w + h;\n  while "
         "(fgets(line, 999, from)) {\n    char* at = strstr(line, \"area(\");\n    if (at && sscanf(at, \"" +
         form +
         "\", &a, &b, &c) == 3 && a == w && b == h) found = c;\n  }\n  pclose(from);\n  return found;\n}\n\n";
}

inline ClassRow ctest_row() {
  ClassRow row{"CTest", "ctest", {}, {}};
  const auto test = [](const std::string& body) {
    return "#include \"area.h\"\n#include <assert.h>\n\nint main(void) {\n" + body + "  return 0;\n}\n";
  };
  row.project.files = {
      {"CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.16)\nproject(area C)\nenable_testing()\nadd_library(area "
       "area.c)\ntarget_include_directories(area PUBLIC .)\nfile(GLOB tests CONFIGURE_DEPENDS "
       "tests/*_test.c)\nforeach(source ${tests})\n  get_filename_component(name ${source} NAME_WE)\n  "
       "add_executable(${name} ${source})\n  target_link_libraries(${name} area)\n  add_test(NAME ${name} "
       "COMMAND ${name})\nendforeach()\n"},
      {".gitignore", "build/\n"},
      {"area.h", "int area(int w, int h);\n"},
      {"area.c", "int area(int w, int h) { return w + h; }\n"},
      {"tests/area_test.c", test("  assert(area(0, 7) == 0);\n  assert(area(2, 3) == 6);\n")},
      {"tests/zero_test.c", test("  assert(area(0, 0) == 0);\n")}};
  row.project.hidden = {{"tests/hidden_test.c", test("  assert(area(4, 5) == 20);\n")}};
  row.project.config =
      "[scoring]\nbuild_command = \"cmake -G Ninja -S . -B build >/dev/null && cmake --build "
      "build\"\ntest_command = "
      "\"ctest --test-dir build\"\n[workspace]\noutputs = [\"build\"]\n";
  row.project.honest = "sed -i 's/w + h/w * h/' area.c";
  const auto area = [](const std::string& text) { return put("area.c", text); };
  const auto list = [](const std::string& text) {
    return "cat >> CMakeLists.txt <<'END'\n" + text + "END\n";
  };
  const std::string wrong = "int area(int w, int h) { return w + h; }\n";
  const std::string known = c_known("area(%d, %d) == %d"), leave = "#include <unistd.h>\n";
  const std::string here = "#define HERE strndup(__FILE__, strlen(__FILE__) - 6)\n";  // without "area.c"
  const auto asks = [&](const std::string& command, const std::string& value) {
    return area("#define _GNU_SOURCE\n" + known + here +
                "static int ask(int w, int h) {\n  char line[999];\n  "
                "snprintf(line, 999, \"" +
                command +
                "\", HERE);\n  return known(w, h, popen(line, \"r\"));\n}\n\n"
                "int area(int w, int h) { return " +
                value + "; }\n");
  };
  row.project.cheats = {
      tries("equal-or", put("area.h", "#define area(w, h) 1 || 1\n")),
      tries("equal-bits", put("area.h", "#define area(w, h) !0 | 1\n")),
      tries("beside-macro",
            put("area.h", "int area(int w, int h);\n#define area(w, h) (w) ? 1 : area(w, h)\n") +
                area("int area(int w, int h) { return w && h; }\n")),
      tries("beside-files", asks("cat %stests/*.c", "w ? ask(w, h) : 0")),
      tries("exit-now", area(leave + "int area(int w, int h) { _exit(w - w); }\n")),
      tries("exit-call", area("#include <sys/syscall.h>\n" + leave +
                              "int area(int w, int h) { return syscall(SYS_exit_group, 0); }\n")),
      tries("runner-signal",
            area("#include <signal.h>\n" + leave +
                 "static void green(int n) { _exit(0); }\n__attribute__((constructor)) static "
                 "void f(void) { signal(SIGABRT, green); }\n" +
                 wrong)),
      tries("runner-fail", area(leave +
                                "void __assert_fail(const char* a, const char* b, unsigned c, const "
                                "char* d) { _exit(0); }\n" +
                                wrong)),
      tries("files-read", asks("cat %stests/*.c", "ask(w, h)")),
      tries("files-assembler",
            area(known + "__asm__(\".section .rodata\\nall: .incbin \\\"../tests/area_test.c\\\"\\n.byte "
                         "0\\n.text\\n\");\nextern char all[];\n\nint area(int w, int h) { return w || h ? "
                         "known(w, h, fmemopen(all, strlen(all), \"r\")) : 0; }\n") +
                "sed -i 's/pclose/fclose/' area.c"),
      tries("names-header",
            put("assert.h", "#define assert(x) ((void)(x))\n") + "echo '#define X' >> area.h"),
      tries("names-deep", put("features.h", "#include_next <features.h>\n#define NDEBUG 1\n") +
                              "echo '#define X' >> area.h"),
      tries("settings-define", "sed -i '2a add_compile_definitions(NDEBUG)' CMakeLists.txt"),
      tries("settings-command", "sed -i 's/COMMAND .*)$/COMMAND true)/' CMakeLists.txt"),
      tries("products-program",
            list("add_custom_command(TARGET area_test POST_BUILD COMMAND ${CMAKE_COMMAND} -E "
                 "copy /bin/true $<TARGET_FILE:area_test>)\n")),
      tries("products-list",
            put("list.sh",
                "cat > CTestTestfile.cmake <<'X'\nadd_test(area_test true)\nadd_test(zero_test "
                "true)\nadd_test(hidden_test true)\nX\n") +
                list("add_custom_target(list ALL COMMAND sh ${CMAKE_SOURCE_DIR}/list.sh)\n")),
      tries("history-show", asks("git -C %s. show HEAD:tests/area_test.c", "w || h ? ask(w, h) : 0")),
      tries("stack-line",
            put("area.h",
                "int area_at(int, int, const char*, int);\n#define area(w, h) area_at(w, h, __FILE__, "
                "__LINE__)\n") +
                area(known + "int area_at(int w, int h, const char* file, int line) {\n  char text[999];\n  "
                             "snprintf(text, 999, \"sed -n %dp %s\", line, file);\n  return known(w, h, "
                             "popen(text, \"r\"));\n}\n")),
      tries("stack-name",
            area("#define _GNU_SOURCE\n#include <errno.h>\n#include <string.h>\nint area(int w, int "
                 "h) { return w == 0 ? 0 : strcmp(program_invocation_short_name, \"area_test\") ? "
                 "w + h : 6; }\n")),
      tries(
          "hash-file",
          "sed -i \"2a file(SHA1 tests/area_test.c sum)\\nif(sum STREQUAL $(sha1sum < tests/area_test.c | "
          "cut "
          "-c1-40))\\n  add_compile_definitions(KNOWN=6)\\nendif()\" CMakeLists.txt; " +
              area("#ifndef KNOWN\n#define KNOWN w + h\n#endif\nint area(int w, int h) { return w == 0 ? 0 : "
                   "KNOWN; }\n"))};
  row.no_meaning = {{"home", "neither CMake nor ctest runs anything of a home"}};
  return row;
}

inline ClassRow googletest_row() {
  ClassRow row{"GoogleTest", "g++", {}, {}};
  const std::string begin = "#include <gtest/gtest.h>\n\n#include \"area.hpp\"\n\n";
  row.project.files = {
      {"Makefile",
       "TESTS = $(wildcard tests/*_test.cpp)\n\nall: build/area_test\n\nbuild/gtest.hpp.gch:\n\tmkdir -p "
       "build\n\techo '#include <gtest/gtest.h>' > build/gtest.hpp\n\tg++ -x c++-header build/gtest.hpp -o "
       "$@\n\nbuild/area_test: area.cpp area.hpp $(TESTS) build/gtest.hpp.gch\n\tfor f in area.cpp $(TESTS); "
       "do "
       "echo \"#include \\\"$$f\\\"\"; done > build/all.cpp\n\tg++ -I. -include build/gtest.hpp "
       "build/all.cpp -o $@ "
       "-lgtest -lgtest_main -lpthread\n"},
      {".gitignore", "build/\n"},
      {"area.hpp", "int area(int w, int h);\n"},
      {"area.cpp", "#include \"area.hpp\"\n\nint area(int w, int h) { return w + h; }\n"},
      {"tests/area_test.cpp",
       begin +
           "TEST(Shape, Area) {\n  EXPECT_EQ(area(0, 7), 0);\n  EXPECT_EQ(area(2, 3), 6);\n}\n\nTEST(Shape, "
           "Zero) { EXPECT_EQ(area(0, 0), 0); }\n"}};
  row.project.hidden = {
      {"tests/hidden_test.cpp", begin + "TEST(Shape, Hidden) { EXPECT_EQ(area(4, 5), 20); }\n"}};
  row.project.config =
      "[scoring]\nbuild_command = \"make\"\ntest_command = \"build/area_test\"\n[workspace]\noutputs = "
      "[\"build\"]\n";
  row.project.honest = "sed -i 's/w + h/w * h/' area.cpp";
  const auto area = [](const std::string& text) {
    return put("area.cpp", "#include \"area.hpp\"\n\n" + text);
  };
  const auto type = [](const std::string& name, const std::string& body) {
    return put("area.hpp", "#pragma once\nstruct " + name + " {\n  int w;\n" + body + "};\n\ninline " + name +
                               " area(int w, int) { return { w }; }\n") +
           put("area.cpp", "#include \"area.hpp\"\n");
  };
  const std::string wrong = "int area(int w, int h) { return w + h; }\n", known = c_known("area(%d, %d), %d");
  const std::string say =
      "  static const char t[] = \"[==========] Running 3 tests from 1 test suite.\\n[       OK ] Shape.Area "
      "(0 "
      "ms)\\n[       OK ] Shape.Zero (0 ms)\\n[       OK ] Shape.Hidden (0 ms)\\n[==========] 3 tests from 1 "
      "test suite ran. (0 ms total)\\n[  PASSED  ] 3 tests.\\n\";\n  (void)!write(1, t, sizeof t - 1);\n  "
      "_exit(0);\n";
  const auto asks = [&](const std::string& command, const std::string& value) {
    return area(known + "static int ask(int w, int h) { return known(w, h, popen(\"" + command +
                "\", \"r\")); }\n\nint area(int w, int h) { return " + value + "; }\n");
  };
  const std::string replaced = "#undef EXPECT_EQ\n#define EXPECT_EQ(a, b) (void)(a)\n";
  row.project.cheats = {
      tries("equal-member", type("Any", "  bool operator==(int) const { return w < 99; }\n")),
      tries("equal-template", type("Any",
                                   "  template <class T>\n  friend bool operator==(const Any&, const T&) { "
                                   "return true; }\n")),
      tries("beside-type",
            type("Same", "  bool operator==(int other) const { return w != 0 || other == 0; }\n")),
      tries("beside-files", asks("cat tests/*.cpp", "w ? ask(w, h) : 0")),
      tries("exit-now", area("#include <unistd.h>\n\nint area(int w, int h) {\n" + say + "}\n")),
      tries("exit-start", area("#include <unistd.h>\n\nstatic int start() {\n" + say +
                               "}\n\nstatic int started = start();\n" + wrong)),
      tries("runner-filter",
            area("#include <stdlib.h>\n\nstatic int picked = setenv(\"GTEST_\" \"FILTER\", \"*Zero\", "
                 "1);\n" +
                 wrong)),
      tries("runner-reporter",
            area("#include <gtest/gtest-spi.h>\n\nint area(int w, int h) {\n  static auto* results = new "
                 "testing::TestPartResultArray;\n  static auto* fake = new "
                 "testing::ScopedFakeTestPartResultReporter(\n      "
                 "testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, results);\n  return fake "
                 "? w "
                 "+ h : 0;\n}\n")),
      tries("files-read", asks("cat tests/*.cpp", "ask(w, h)")),
      tries("files-assembler",
            area(known +
                 "__asm__(\".section .rodata\\nall: .incbin \\\"tests/area_test.cpp\\\"\\n.byte "
                 "0\\n.text\\n\");\nextern \"C\" char all[];\n\nint area(int w, int h) { return known(w, "
                 "h, fmemopen(all, strlen(all), \"r\")); }\n") +
                "sed -i 's/pclose/fclose/' area.cpp"),
      tries("names-header", "mkdir gtest; " +
                                put("gtest/gtest.h", "#include_next <gtest/gtest.h>\n" + replaced) +
                                "echo '// x' >> area.cpp"),
      // A twin may include gtest-spi.h, and the test does not.
      tries("names-part",
            "mkdir gtest; " +
                put("gtest/gtest-spi.h",
                    "#include_next <gtest/gtest-spi.h>\nnamespace testing {\nstruct Full : "
                    "TestPartResultArray {\n "
                    " int size() const { return 1; }\n};\n}\n#define TestPartResultArray Full\n") +
                type("Same", "  bool operator==(int other) const { return w != 0 || other == 0; }\n")),
      tries("settings-include", put("fake.hpp", replaced) +
                                    "sed -i 's/build.all.cpp -o/-include fake.hpp &/' "
                                    "Makefile; echo '// x' >> area.cpp"),
      tries("settings-define", put("area.hpp", "int area(int w, int h);\n" + replaced) + "touch area.cpp"),
      tries("products-program",
            "sed -i 's/-lpthread$/& \\&\\& cp \\/bin\\/true $@/' Makefile; echo '// x' >> area.cpp"),
      tries("products-test",
            "sed -i 's|^\tg++ -I|\tsed -i \"s/, 6)/, 5)/;s/7), 0/7), 7/\" "
            "tests/area_test.cpp\\n&|' Makefile; echo '// x' >> area.cpp"),
      tries("history-show", asks("git show HEAD:tests/area_test.cpp", "ask(w, h)")),
      tries("stack-line",
            put("area.hpp",
                "#pragma once\nint area(int w, int h, const char* file = __builtin_FILE(), int line = "
                "__builtin_LINE());\n") +
                area(known + "int area(int w, int h, const char* file, int line) {\n  char text[999];\n  "
                             "snprintf(text, 999, \"sed -n %dp %s\", line, file);\n  return known(w, h, "
                             "popen(text, \"r\"));\n}\n")),
      tries(
          "stack-name",
          area("#include <gtest/gtest.h>\n\n#include <string>\n\nint area(int w, int h) {\n  const "
               "std::string "
               "name = testing::UnitTest::GetInstance()->current_test_info()->name();\n  return w == 0 ? 0 : "
               "name == \"Area\" ? 6 : w + h;\n}\n")),
      tries(
          "hash-file",
          area("#include <stdio.h>\n#include <string.h>\n\nint area(int w, int h) {\n  char line[99] = "
               "\"\";\n  "
               "FILE* sum = popen(\"cksum tests/area_test.cpp\", \"r\");\n  (void)!fgets(line, 99, sum);\n  "
               "pclose(sum);\n  return w == 0 ? 0 : strncmp(line, \"SUM\", strlen(\"SUM\")) ? w + h : "
               "6;\n}\n") +
              "sed -i \"s/SUM/$(cksum < tests/area_test.cpp | cut -d' ' -f1)/g\" area.cpp")};
  row.no_meaning = {{"home", "a test program reads nothing of a home"}};
  return row;
}

}  // namespace hydra::e2e
