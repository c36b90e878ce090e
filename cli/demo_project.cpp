#include "cli/demo_project.hpp"

#include "base/files.hpp"

namespace hydra::cli {
namespace {

constexpr const char* kGreet = R"sh(# greet NAME: a greeting for NAME.
greet() {
  echo "Hello, $1!"
}
)sh";

constexpr const char* kBuild = R"sh(#!/bin/sh
# "Builds" the project: every script must at least be valid shell.
for file in src/*.sh tests/*.sh; do
  sh -n "$file" || exit 1
done
echo "build ok"
)sh";

constexpr const char* kTest = R"sh(#!/bin/sh
# Prints TAP. The second test fails until greet knows what to do without a name.
. ./src/greet.sh
failed=0
check() { # NUMBER NAME WANTED GOT
  if [ "$3" = "$4" ]; then
    echo "ok $1 - $2"
  else
    echo "not ok $1 - $2"
    echo "# wanted: $3"
    echo "# got:    $4"
    failed=1
  fi
}
echo "1..4"
check 1 "greets by name" "Hello, Ada!" "$(greet Ada)"
check 2 "greets the world without a name" "Hello, world!" "$(greet)"
check 3 "keeps blanks in names" "Hello, Ada Lovelace!" "$(greet "Ada Lovelace")"
check 4 "keeps other alphabets" "Hello, Größe!" "$(greet Größe)"
exit $failed
)sh";

constexpr const char* kLint = R"sh(#!/bin/sh
# Warnings as a compiler prints them: lines that are too long, and blanks at the end of a line.
for file in src/*.sh; do
  awk -v file="$file" '
    length($0) > 80 { printf "%s:%d:81: warning: line is longer than 80 characters [-Wlong-line]\n", file, NR }
    /[ \t]$/ { printf "%s:%d:%d: warning: blank at the end of the line [-Wtrailing-blank]\n", file, NR, length($0) }
  ' "$file"
done
exit 0
)sh";

// The configuration contains the agents' scripts, so that a sandbox need not mount further files.
constexpr const char* kConfig = R"sh([scoring]
build_command = "sh build.sh"
test_command = "sh tests/test.sh"
lint_command = "sh lint.sh"

[sandbox]
mode = "auto"   # isolates agents and checks where this machine can

[race]
agents = ["neat", "hasty", "broken"]

[agents.neat]
display = "Neat Agent"
command = ["sh", "-c", '''
echo "reading src/greet.sh"
sleep 1
sed 's/\$1!/${1:-world}!/' src/greet.sh > src/greet.new && mv src/greet.new src/greet.sh
echo "greet falls back to world"
''', "neat", "{prompt}"]

[agents.hasty]
display = "Hasty Agent"
command = ["sh", "-c", '''
echo "rewriting everything"
sleep 1
cat > src/greet.sh <<'END'
# greet NAME: a greeting for NAME. 
greet() { 
  who="$1" 
  if [ -z "$who" ]; then who="world"; fi # when there is no name at all we greet the whole world instead 
  echo "Hello, $who!" 
}
END
i=0
while [ $i -lt 140 ]; do
  echo "# $i: a helper that somebody may need one day" >> src/helpers.sh
  i=$((i + 1))
done
echo "added helpers that may be useful"
''', "hasty", "{prompt}"]

[agents.broken]
display = "Broken Agent"
command = ["sh", "-c", '''
echo "editing src/greet.sh"
sleep 1
printf 'greet() {\n  if [ -z "$1" ]; then\n    echo "Hello, world!"\n' > src/greet.sh
echo "done, all tests pass"
''', "broken", "{prompt}"]
)sh";

}  // namespace

std::string demo_task() { return "greet the world when no name is given"; }

Result<void> write_demo_project(const std::filesystem::path& directory) {
  HYDRA_CHECK(make_dirs(directory / "src"));
  HYDRA_CHECK(make_dirs(directory / "tests"));
  HYDRA_CHECK(write_file(directory / "src/greet.sh", kGreet));
  HYDRA_CHECK(write_file(directory / "tests/test.sh", kTest, 0755));
  HYDRA_CHECK(write_file(directory / "build.sh", kBuild, 0755));
  HYDRA_CHECK(write_file(directory / "lint.sh", kLint, 0755));
  return write_file(directory / "hydra.toml", kConfig);
}

}  // namespace hydra::cli
