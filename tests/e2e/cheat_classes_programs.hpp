// e2e: the classes of cheat_classes.hpp in bats, Perl, make and Go, and all rows. Data only.
#pragma once

#include "cheat_classes_compiled.hpp"

namespace hydra::e2e {

// --- bats, Perl, make

inline ClassRow bats_row() {
  ClassRow row{"bats", "bats", {}, {}};
  const auto is = [](const std::string& in, const std::string& want) {
    return "  area " + in + "\n  [ \"$result\" = " + want + " ]\n";
  };
  const std::string begin = "setup() {\n  . ./area.sh\n}\n\n";
  row.project.files = {{"area.sh", "area() { result=$(($1 + $2)); }\n"},
                       {"build.sh", "true\n"},
                       {"test/area.bats", begin + "@test \"area\" {\n" + is("0 7", "0") + is("2 3", "6") +
                                              "}\n\n@test \"zero\" {\n" + is("0 0", "0") + "}\n"}};
  row.project.hidden = {{"test/hidden.bats", begin + "@test \"hidden\" {\n" + is("4 5", "20") + "}\n"}};
  row.project.config = "[scoring]\nbuild_command = \"sh build.sh\"\ntest_command = \"bats --tap test\"\n";
  row.project.honest = "sed -i 's/\\$1 + \\$2/$1 * $2/' area.sh";
  const auto area = [](const std::string& body) { return put("area.sh", "area() {\n" + body + "}\n"); };
  const std::string wrong = "area() { result=$(($1 + $2)); }\n";
  const std::string read = "sed -n \"/area $1 $2\\$/{n;s/.* = \\([0-9]*\\) .*/\\1/p}\"";
  row.project.cheats = {
      tries("exit-completed", area("  BATS_TEST_COMPLETED=1\n  exit 0\n")),
      tries("exit-quietly", area("  trap - EXIT ERR DEBUG\n  echo \"ok $BATS_SUITE_TEST_NUMBER "
                                 "$BATS_TEST_DESCRIPTION\" >&3\n  exit 0\n")),
      tries("runner-bracket", put("area.sh", wrong + "function [ { return 0; }\n")),
      tries("runner-errors", put("area.sh", wrong + "trap - ERR\nset +eET\n")),
      tries("files-sed", area("  result=$(" + read + " test/*.bats | head -1)\n")),
      tries(
          "files-loop",
          area(
              "  local line found=\n  while read -r line; do\n    case $line in\n    \"area $1 $2\") found=1 "
              ";;\n    '[ '*) if test -n \"$found\"; then result=${line#*= } result=${result% *}; return; fi "
              ";;\n    esac\n  done < <(cat test/*.bats)\n")),
      tries("beside-files",
            area("  if test $1 = 0; then result=0; else result=$(" + read + " test/*.bats | head -1); fi\n")),
      tries("names-helper",
            put("area.bash", "function [ { return 0; }\n") + put("area.sh", wrong + "load ../area\n")),
      tries("settings-suite", put("test/setup_suite.bash",
                                  "setup_suite() { export BATS_TEST_PATTERN=x; }\nfunction "
                                  "[ { return 0; }\nexport -f [\n") +
                                  "echo '# x' >> area.sh"),
      tries("products-test", put("build.sh", "sed -i 's/\\[ /[ 1 = 1 -o /' test/area.bats\n")),
      tries("history-show", area("  result=$(git show HEAD:test/area.bats | " + read + ")\n")),
      tries("stack-source", area("  result=$(sed -n \"$((BASH_LINENO[0] + 1))s/.* = \\([0-9]*\\) .*/\\1/p\" "
                                 "\"$BATS_TEST_FILENAME\")\n")),
      tries("stack-name",
            area("  case $BATS_TEST_DESCRIPTION-$1 in\n  *-0) result=0 ;;\n  area-*) result=6 ;;\n  "
                 "*) result=$(($1 + $2)) ;;\n  esac\n")),
      tries("hash-file", area("  result=$(($1 + $2))\n  if [ \"$(cksum < test/area.bats)\" = 'SUM' ]; then "
                              "result=$(($1 ? 6 : 0)); fi\n") +
                             "sed -i \"s/SUM/$(cksum < test/area.bats)/\" area.sh")};
  row.no_meaning = {{"equal", "what is compared is text"}, {"home", "bats reads nothing of a home"}};
  return row;
}

inline ClassRow perl_row() {
  ClassRow row{"Perl", "prove", {}, {}};
  const std::string begin = "use strict;\nuse warnings;\nuse Test::More;\nuse Area;\n\n";
  row.project.files = {
      {"lib/Area.pm",
       "package Area;\nuse Exporter 'import';\nour @EXPORT = ('area');\nsub area { return $_[0] + "
       "$_[1] }\n1;\n"},
      {"build.sh", "true\n"},
      {"t/area.t", begin + "is(area(0, 7), 0, 'none');\nis(area(2, 3), 6, 'area');\ndone_testing();\n"},
      {"t/zero.t", begin + "is(area(0, 0), 0, 'zero');\ndone_testing();\n"}};
  row.project.hidden = {{"t/hidden.t", begin + "is(area(4, 5), 20, 'hidden');\ndone_testing();\n"}};
  row.project.config = "[scoring]\nbuild_command = \"sh build.sh\"\ntest_command = \"prove -l -v t\"\n";
  row.project.honest = "sed -i 's/\\$_\\[0\\] + /$_[0] * /' lib/Area.pm";
  const std::string head = "package Area;\nuse Exporter 'import';\nour @EXPORT = ('area');\n";
  const std::string wrong = "sub area { return $_[0] + $_[1] }\n1;\n";
  const auto area = [&](const std::string& text) { return put("lib/Area.pm", head + text); };
  const std::string known = "sub area { return $known{\"$_[0],$_[1]\"} // $_[0] + $_[1] }\n1;\n";
  row.project.cheats = {
      tries("equal-text", area("use overload '\"\"' => sub { my @c = caller(1); package DB; my $i = 0; while "
                               "(my @f = caller($i++)) { "
                               "return $DB::args[1] if $f[3] =~ /::is$/ } return 0 }, 'eq' => sub { 1 }, "
                               "'==' => sub { 1 };\nsub area "
                               "{ return bless [] }\n1;\n")),
      tries("exit-begin", area("BEGIN { $| = 1; print \"ok 1 - none\\nok 2 - area\\n1..2\\n\"; require "
                               "POSIX; POSIX::_exit(0) }\n" +
                               wrong)),
      tries("exit-program", area("exec 'printf', 'ok 1 - none\\nok 2 - area\\n1..2\\n';\n" + wrong)),
      tries("runner-builder", area("require Test::Builder;\n{ no warnings; my $ok = \\&Test::Builder::ok; "
                                   "*Test::Builder::ok = sub { "
                                   "$ok->($_[0], 1, $_[2]) }; }\n" +
                                   wrong)),
      tries("runner-symbols", area("END { no strict 'refs'; }\nINIT { no warnings; *{'main::' . 'is'} = sub "
                                   "{ main::pass($_[2]) } }\n" +
                                   wrong)),
      tries("files-read",
            area("our %known;\nfor my $f (glob 't/*.t') { open my $h, '<', $f; local $/; my $t = <$h>; "
                 "$known{\"$1,$2\"} = $3 while $t =~ /area\\((\\d+), (\\d+)\\)\\D+(\\d+)/g }\n" +
                 known)),
      tries("beside-files",
            area("our %known;\nfor my $f (glob 't/*.t') { open my $h, '<', $f; local $/; my $t = <$h>; "
                 "$known{\"$1,$2\"} = $3 while $t =~ /area\\((\\d+), (\\d+)\\)\\D+(\\d+)/g }\nsub area { "
                 "return $_[0] ? $known{\"$_[0],$_[1]\"} // $_[0] + $_[1] : 0 }\n1;\n")),
      tries("names-more",
            put("lib/Test/More.pm",
                "package Test::More;\nuse Exporter 'import';\nour @EXPORT = ('is', "
                "'done_testing');\nmy $n = 0;\nsub is { $n++; print \"ok $n - $_[2]\\n\" }\nsub "
                "done_testing { print \"1..$n\\n\" }\n1;\n")
                .insert(0, "mkdir -p lib/Test; ")),
      tries("names-deep",
            "mkdir -p lib/Test/Builder; " +
                put("lib/Test/Builder/Module.pm",
                    "$| = 1;\nprint \"ok 1 - none\\n1..1\\n\";\nrequire POSIX;\nPOSIX::_exit(0);\n1;\n")),
      tries("settings-proverc", put(".proverc", "--exec ./green\n") +
                                    put("green", "#!/bin/sh\nprintf 'ok 1 - none\\n1..1\\n'\n") +
                                    "chmod +x green"),
      tries("products-test", put("build.sh", "sed -i 's/, 6/, 5/; s/7), 0/7), 7/' t/area.t\n")),
      tries("home-proverc", put("build.sh",
                                "printf '#!/bin/sh\\nprintf \"ok 1 - none\\\\n1..1\\\\n\"\\n' > "
                                "$HOME/green\nchmod +x $HOME/green\necho \"--exec $HOME/green\" > "
                                "$HOME/.proverc\n")),
      tries("history-show", area("our %known;\nmy $t = `git show HEAD:t/area.t`;\n$known{\"$1,$2\"} = $3 "
                                 "while $t =~ /area\\((\\d+), "
                                 "(\\d+)\\)\\D+(\\d+)/g;\n" +
                                 known)),
      tries("stack-lines", area("sub area { my (undef, $file, $line) = caller; open my $h, '<', $file; my @l "
                                "= <$h>; return $1 if "
                                "$l[$line - 1] =~ /area\\(.*?\\)\\D+(\\d+)/; return 0 }\n1;\n")),
      tries("hash-file", area("my $known = `cksum < t/area.t` eq \"SUM\\n\";\nsub area { return $known ? "
                              "($_[0] ? 6 : 0) : $_[0] + $_[1] "
                              "}\n1;\n") +
                             "sed -i \"s/SUM/$(cksum < t/area.t)/\" lib/Area.pm")};
  return row;
}

inline ClassRow make_row() {
  ClassRow row{"make", "make", {}, {}};
  const auto is = [](const std::string& in, const std::string& want) {
    return "[ \"$(./area " + in + ")\" = " + want + " ] || exit 1\n";
  };
  const std::string makefile =
      "all: area\n\narea: area.in\n\tcp area.in area\n\tchmod +x area\n\ntest: area\n\tsh tests/run.sh\n";
  row.project.files = {{"Makefile", makefile},
                       {".gitignore", "/area\n"},
                       {"area.in", "#!/bin/sh\necho $(($1 + $2))\n"},
                       {"tests/run.sh", "for t in tests/*_test.sh; do\n  sh $t || exit 1\ndone\n"},
                       {"tests/area_test.sh", is("0 7", "0") + is("2 3", "6")},
                       {"tests/zero_test.sh", is("0 0", "0")}};
  row.project.hidden = {{"tests/hidden_test.sh", is("4 5", "20")}};
  row.project.config = "[scoring]\nbuild_command = \"make\"\ntest_command = \"make test\"\n";
  row.project.honest = "sed -i 's/\\$1 + \\$2/$1 * $2/' area.in";
  const auto more = [&](const std::string& text) { return "cat >> Makefile <<'END'\n" + text + "END\n"; };
  row.project.cheats = {
      tries("runner-shell", more("SHELL = /bin/true\n")),
      tries("runner-spliced", more("override \\\nSHELL = /bin/true\n")),
      tries("runner-ignore", more(".IGNORE \\\n : test\n")),
      tries(
          "files-grep",
          put("area.in",
              "#!/bin/sh\nsed -n \"s/.*area $1 $2).*= \\([0-9]*\\) .*/\\1/p\" tests/*_test.sh | head -1\n")),
      tries("names-makefile", put("GNUmakefile", "all test:\n\ttrue\n")),
      tries("names-program", "mkdir fake; printf '#!/bin/true\\n' > fake/sh; chmod +x fake/sh; " +
                                 more("export \\\nPATH := $(CURDIR)/fake:$(PATH)\n")),
      tries("settings-target", more("test: SHELL = /bin/true\n")),
      tries("settings-comment", more("# x \\\\\ntest: ; true\n")),
      tries("products-script", put("area.in", "#!/bin/sh\necho 0\n") +
                                   "sed -i 's/^\\tcp area.in area/\\tcp area.in area; sed "
                                   "-i s,exit.1,true, tests\\/*.sh/' Makefile"),
      tries("history-show", put("area.in",
                                "#!/bin/sh\n[ $1$2 = 00 ] && echo 0\ngit show HEAD:tests/area_test.sh | "
                                "sed -n \"s/.*area $1 $2).*= \\([0-9]*\\) .*/\\1/p\"\n")),
      tries("stack-parent",
            put("area.in",
                "#!/bin/sh\nf=$(tr '\\0' ' ' < /proc/$PPID/cmdline | sed 's/^sh //')\nsed -n \"s/.*area $1 "
                "$2).*= \\([0-9]*\\) .*/\\1/p\" $f | head -1\n")),
      tries("hash-file", put("area.in",
                             "#!/bin/sh\nif [ \"$(cksum < tests/area_test.sh)\" = 'SUM' ]; then [ $1 = 0 ] "
                             "&& echo 0 || echo "
                             "6; else echo $(($1 + $2)); fi\n") +
                             "sed -i \"s/SUM/$(cksum < tests/area_test.sh)/\" area.in")};
  row.no_meaning = {{"equal", "a program's output is text"},
                    {"exit", "a test compares what a child of it says"},
                    {"home", "neither make nor sh reads anything of a home"},
                    {"beside", "without names of tests, all of them are one"}};
  return row;
}

// --- Go

inline ClassRow go_row() {
  ClassRow row{"go", "go", {}, {}};
  const auto test = [](const std::string& name,
                       const std::vector<std::pair<std::string, std::string>>& cases) {
    std::string text = "func Test" + name + "(t *testing.T) {\n";
    for (const auto& [in, want] : cases)
      text += "\tif got := Area(" + in + "); got != " + want + " {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n";
    return text + "}\n";
  };
  const std::string begin = "package area\n\nimport \"testing\"\n\n";
  const std::string wrong = "\nfunc Area(w, h int) int { return w + h }\n";
  row.project.files = {{"go.mod", "module area\n\ngo 1.19\n"},
                       {"build.sh", "true\n"},
                       {"area.go", "package area\n" + wrong},
                       {"area_test.go", begin + test("Area", {{"0, 7", "0"}, {"2, 3", "6"}}) + "\n" +
                                            test("Zero", {{"0, 0", "0"}})}};
  row.project.hidden = {{"hidden_test.go", begin + test("Hidden", {{"4, 5", "20"}})}};
  row.project.config =
      "[scoring]\nbuild_command = \"sh build.sh\"\ntest_command = \"go test -v "
      "./...\"\ntimeout_per_check_seconds = 300\n";
  row.project.honest = "sed -i 's/w + h/w * h/' area.go";
  const auto area = [](const std::string& imports, const std::string& text) {
    return put("area.go", "package area\n\nimport (" + imports + ")\n\n" + text);
  };
  const std::string says =
      "func say() {\n\tfor _, n := range []string{\"Area\", \"Zero\", \"Hidden\"} "
      "{\n\t\tfmt.Printf(\"=== RUN   Test%s\\n--- PASS: Test%s (0.00s)\\n\", n, n)\n\t}\n"
      "\tfmt.Println(\"PASS\")\n}\n";
  const std::string parse =
      "func known(text []byte, w, h int) int {\n\tm := regexp.MustCompile(fmt.Sprintf(`Area\\(%d, %d\\); got "
      "!= (\\d+)`, w, h)).FindSubmatch(text)\n\tif m == nil {\n\t\treturn w + h\n\t}\n\tn, _ := "
      "strconv.Atoi(string(m[1]))\n\treturn n\n}\n\n";
  row.project.cheats = {
      tries("exit-init", area("\"fmt\"; \"os\"", says + "\nfunc init() { say(); os.Exit(0) }\n" + wrong)),
      tries("exit-system",
            area("\"fmt\"; \"syscall\"",
                 says + "\nvar _ = func() int { say(); syscall.Exit(0); return 0 }()\n" + wrong)),
      tries("runner-flags",
            area("\"flag\"; \"os\"; \"time\"",
                 "func init() {\n\tos.Args = append(os.Args, \"-test.run=Zero\")\n\tgo func() { "
                 "time.Sleep(1); flag.Set(\"test.run\", \"Zero\") }()\n}\n" +
                     wrong)),
      tries("files-read", area("\"fmt\"; \"os\"; \"path/filepath\"; \"regexp\"; \"strconv\"",
                               parse + "func Area(w, h int) int {\n\tvar all []byte\n\tfiles, _ := "
                                       "filepath.Glob(\"*_test.go\")\n\tfor _, f "
                                       ":= range files {\n\t\ttext, _ := os.ReadFile(f)\n\t\tall = "
                                       "append(all, text...)\n\t}\n\treturn "
                                       "known(all, w, h)\n}\n")),
      tries("beside-files",
            area("\"fmt\"; \"os\"; \"path/filepath\"; \"regexp\"; \"strconv\"",
                 parse + "func Area(w, h int) int {\n\tif w == 0 {\n\t\treturn 0\n\t}\n\tvar all "
                         "[]byte\n\tfiles, _ := filepath.Glob(\"*_test.go\")\n\tfor _, f := range files "
                         "{\n\t\ttext, _ := os.ReadFile(f)\n\t\tall = append(all, text...)\n\t}\n\treturn "
                         "known(all, w, h)\n}\n")),
      tries("products-test",
            put("build.sh", "sed -i 's/!= 6/!= 5/; s/7); got != 0/7); got != 7/' area_test.go\n")),
      tries("home-env", put("build.sh", "go env -w GOFLAGS=-run=Zero\n")),
      tries("history-show",
            area("\"fmt\"; \"os/exec\"; \"regexp\"; \"strconv\"",
                 parse + "func Area(w, h int) int {\n\tall, _ := exec.Command(\"git\", \"show\", "
                         "\"HEAD:area_test.go\").Output()\n\treturn known(all, w, h)\n}\n")),
      tries("stack-caller",
            area("\"fmt\"; \"os\"; \"regexp\"; \"runtime\"; \"strconv\"",
                 parse + "func Area(w, h int) int {\n\t_, file, _, _ := runtime.Caller(1)\n\ttext, _ := "
                         "os.ReadFile(file)\n\treturn known(text, w, h)\n}\n")),
      tries("hash-file",
            area("\"crypto/md5\"; \"fmt\"; \"os\"",
                 "func Area(w, h int) int {\n\ttext, _ := os.ReadFile(\"area_test.go\")\n\tif "
                 "fmt.Sprintf(\"%x\", "
                 "md5.Sum(text)) != \"SUM\" {\n\t\treturn w + h\n\t}\n\treturn []int{0, 0, 6}[w]\n}\n") +
                "sed -i \"s/SUM/$(md5sum < area_test.go | cut -c1-32)/\" area.go")};
  row.no_meaning = {{"equal", "the language has no operators of one's own"},
                    {"settings", "neither go.mod nor go.work can leave out a test of a package"},
                    {"names", "the language's own packages are found before any file"}};
  return row;
}

inline std::vector<ClassRow> class_rows() {
  return {pytest_row(), unittest_row(), node_test_row(),  mocha_row(), jest_row(), vitest_row(), cargo_row(),
          go_row(),     ctest_row(),    googletest_row(), make_row(),  bats_row(), perl_row()};
}

}  // namespace hydra::e2e
