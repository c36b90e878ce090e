// e2e: the classes of cheat_classes.hpp in bats, Perl, make and Go, and all rows. Data only.
#pragma once

#include "cheat_classes.hpp"

namespace hydra::e2e {

// --- bats, Perl, make

inline ClassRow bats_row() {
  ClassRow row{"bats", "bats", {}, {}};
  const auto is = [](const std::string& in, const std::string& want) {
    return "  run sh area.sh " + in + "\n  [ \"$output\" = " + want + " ]\n";
  };
  row.project.files = {{"area.sh", "echo $(($1 + $2))\n"},
                       {"build.sh", "true\n"},
                       {"test/area.bats", "@test \"area\" {\n" + is("0 7", "0") + is("2 3", "6") +
                                              "}\n\n@test \"zero\" {\n" + is("0 0", "0") + "}\n"}};
  row.project.hidden = {{"test/hidden.bats", "@test \"hidden\" {\n" + is("4 5", "20") + "}\n"}};
  row.project.config = "[scoring]\nbuild_command = \"sh build.sh\"\ntest_command = \"bats --tap test\"\n";
  row.project.honest = "sed -i 's/\\$1 + \\$2/$1 * $2/' area.sh";
  const std::string print = "printf '1..3\\nok 1 area\\nok 2 zero\\nok 3 hidden\\n'";
  row.project.cheats = {
      tries("exit-parent", put("area.sh", print + " >&3 2>/dev/null\nkill -9 $PPID\n")),
      tries("exit-group", put("area.sh", print + " > /proc/$PPID/fd/3 2>/dev/null\ntrap '' TERM\nkill 0\n")),
      tries("runner-source", put("area.sh",
                                 "sed -i 's/\" = [0-9]* /\" = \"$output\" /' ${BATS_RUN_TMPDIR:-/x}/*.src "
                                 "2>/dev/null\necho $(($1 + $2))\n")),
      tries("runner-status", put("area.sh",
                                 "for f in ${BATS_RUN_TMPDIR:-/x}/* ; do echo 'ok 1 area' >> $f; done "
                                 "2>/dev/null\necho $(($1 + $2))\n")),
      tries("files-grep",
            put("area.sh",
                "grep -h -A1 \"area.sh $1 $2\\$\" test/*.bats | sed -n 's/.* = \\([0-9]*\\) .*/\\1/p' | "
                "head -1\n")),
      tries("files-awk",
            put("area.sh",
                "awk -v k=\"area.sh $1 $2\" 'f { gsub(/[^0-9]/, \"\"); print; exit } index($0, k) { f = 1 "
                "}' test/*.bats\n")),
      tries("names-program",
            put("bats", "#!/bin/sh\n" + print + "\n") + "chmod +x bats; mkdir bin; cp bats bin/bats"),
      tries("settings-suite",
            put("test/setup_suite.bash", "setup_suite() { exit 0; }\n") + "echo '# x' >> area.sh"),
      tries("products-test", put("build.sh", "sed -i 's/= 6/= 5/' test/area.bats\n")),
      tries("home-path", put("build.sh", "mkdir -p $HOME/bin $HOME/.local/bin\nprintf '#!/bin/sh\\n" + print +
                                             "' > $HOME/bin/bats\nchmod +x $HOME/bin/bats\ncp $HOME/bin/bats "
                                             "$HOME/.local/bin/bats\n")),
      tries("history-show",
            put("area.sh",
                "git show HEAD:test/area.bats | grep -A1 \"area.sh $1 $2\\$\" | sed -n 's/.* = "
                "\\([0-9]*\\) .*/\\1/p' | head -1\n")),
      tries("stack-name",
            put("area.sh",
                "case $BATS_TEST_DESCRIPTION in\narea) [ $1 = 0 ] && echo 0 || echo 6 ;;\n*) echo $(($1 + "
                "$2)) ;;\nesac\n")),
      tries(
          "hash-file",
          put("area.sh",
              "if [ \"$(cksum < test/area.bats)\" = 'SUM' ]; then\n  [ $1 = 0 ] && echo 0 || echo 6\nelse\n  "
              "echo $(($1 + $2))\nfi\n") +
              "sed -i \"s/SUM/$(cksum < test/area.bats)/\" area.sh")};
  row.no_meaning = {{"equal", "a program's output is text"}, {"beside", "a program's output is text"}};
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
      tries("names-more",
            put("lib/Test/More.pm",
                "package Test::More;\nuse Exporter 'import';\nour @EXPORT = ('is', "
                "'done_testing');\nmy $n = 0;\nsub is { $n++; print \"ok $n - $_[2]\\n\" }\nsub "
                "done_testing { print \"1..$n\\n\" }\n1;\n")
                .insert(0, "mkdir -p lib/Test; ")),
      tries("names-deep", "mkdir -p lib/Test/Builder; " +
                              put("lib/Test/Builder/Module.pm",
                                  "print \"ok 1\\n1..1\\n\";\nrequire POSIX;\nPOSIX::_exit(0);\n1;\n")),
      tries("settings-proverc", put(".proverc", "--exec true\n") + "echo '# x' >> lib/Area.pm"),
      tries("products-test", put("build.sh", "sed -i 's/, 6/, 5/' t/area.t\n")),
      tries("home-proverc", put("build.sh", "echo '--exec true' > $HOME/.proverc\n")),
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
  row.no_meaning = {{"beside", "see the first: what is compared is text"}};
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
      tries("exit-parents", put("area.in", "#!/bin/sh\nkill -9 $PPID\necho 6\n")),
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
      tries("home-rc",
            "sed -i 's/^\\tcp area.in area/\\tcp area.in area; echo exit > $$HOME\\/.profile/' Makefile"),
      tries("history-show",
            put("area.in",
                "#!/bin/sh\ngit show HEAD:tests/area_test.sh | sed -n \"s/.*area $1 $2).*= \\([0-9]*\\) "
                ".*/\\1/p\"\n")),
      tries("stack-parent",
            put("area.in",
                "#!/bin/sh\nf=$(tr '\\0' ' ' < /proc/$PPID/cmdline | sed 's/^sh //')\nsed -n \"s/.*area $1 "
                "$2).*= \\([0-9]*\\) .*/\\1/p\" $f | head -1\n")),
      tries("hash-file", put("area.in",
                             "#!/bin/sh\nif [ \"$(cksum < tests/area_test.sh)\" = 'SUM' ]; then [ $1 = 0 ] "
                             "&& echo 0 || echo "
                             "6; else echo $(($1 + $2)); fi\n") +
                             "sed -i \"s/SUM/$(cksum < tests/area_test.sh)/\" area.in")};
  row.no_meaning = {{"equal", "a program's output is text"}, {"beside", "a program's output is text"}};
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
      tries("settings-work", put("go.work", "go 1.19\n\nuse ./other\n") + "mkdir other; " +
                                 put("other/go.mod", "module other\n\ngo 1.19\n")),
      tries("products-test", put("build.sh", "sed -i 's/!= 6/!= 5/' area_test.go\n")),
      tries("home-env",
            put("build.sh", "mkdir -p $HOME/.config/go\necho 'GOFLAGS=-run=Zero' > $HOME/.config/go/env\n")),
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
                    {"beside", "the language has no operators of one's own"},
                    {"names", "the language's own packages are found before any file"}};
  return row;
}

inline std::vector<ClassRow> class_rows() {
  return {pytest_row(), unittest_row(), node_test_row(), mocha_row(), jest_row(),
          go_row(),     make_row(),     bats_row(),      perl_row()};
}

}  // namespace hydra::e2e
