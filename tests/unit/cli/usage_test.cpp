// Messages about a command line that nothing can be made of, each in a separate process.
#include "cli/app.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Said {
  int exit = -1;
  std::string out;  ///< of both streams
};

Said said_of(std::vector<const char*> words) {
  words.insert(words.begin(), "hydra");
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {};
  std::fflush(nullptr);  // or the child writes what is held here, too
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    const int code = run(static_cast<int>(words.size()), words.data());
    std::fflush(nullptr);
    ::_exit(code);
  }
  ::close(ends[1]);
  Said said;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; (n = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    said.out.append(buffer.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  said.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

TEST(Usage, AnUnknownOptionIsNamedWithTheNearest) {
  const auto said = said_of({"race", "--agent", "good", "task"});
  EXPECT_EQ(said.exit, kUsage);
  EXPECT_THAT(said.out, HasSubstr("unknown option: --agent\n"));
  EXPECT_THAT(said.out, HasSubstr("did you mean `--agents`?"));
  EXPECT_THAT(said.out, Not(HasSubstr("into quotes"))) << "the task is one word";
  EXPECT_THAT(said_of({"list", "--jsn"}).out, HasSubstr("did you mean `--json`?"));
  EXPECT_THAT(said_of({"race", "fix", "it"}).out, HasSubstr("put the task into quotes"));
}

TEST(Usage, WordsTooManyStandInTheirOrder) {
  EXPECT_THAT(said_of({"list", "one", "two"}).out, HasSubstr("not expected: one two\n"));
  const auto said = said_of({"agents", "tests", "good"});
  EXPECT_EQ(said.exit, kUsage);
  EXPECT_THAT(said.out, HasSubstr("did you mean `hydra agents test`?"));
}

TEST(Usage, AVerbOfVerbsSaysWhichThereAre) {
  const auto wrong = said_of({"daemon", "stopp"});
  EXPECT_EQ(wrong.exit, kUsage);
  EXPECT_THAT(wrong.out, HasSubstr("`hydra daemon` takes one of: run, start, stop, status; found 'stopp'"));
  EXPECT_THAT(wrong.out, HasSubstr("did you mean `hydra daemon stop`?"));
  EXPECT_THAT(said_of({"config", "chek"}).out, HasSubstr("did you mean `hydra config check`?"));
  EXPECT_THAT(said_of({"daemon"}).out, HasSubstr("takes one of: run, start, stop, status\n"));
  EXPECT_THAT(said_of({"statsu"}).out,
              HasSubstr("no such command: statsu\n  hint: did you mean `hydra status`?"));
  EXPECT_THAT(said_of({"rase", "fix it"}).out, HasSubstr("did you mean `hydra race` or `hydra rate`?"));
}

TEST(Usage, TheColourOptionHasItsName) {
  EXPECT_THAT(said_of({"list", "--color", "sometimes"}).out, HasSubstr("error: --color: sometimes not in"));
}

TEST(Usage, APartWithoutANameIsNotTheWholeResult) {
  const auto said = said_of({"merge", "codex", "--parts", ""});
  EXPECT_EQ(said.exit, kUsage);
  EXPECT_THAT(said.out, HasSubstr("--parts: a name is empty"));
}

TEST(Usage, TheHelpNamesEveryVerbAndHelpIsOneWithoutDashes) {
  const auto help = said_of({"--help"}).out;
  for (const auto& verb : all_verbs()) EXPECT_THAT(help, HasSubstr("\n  " + verb.name + " "));
  EXPECT_EQ(said_of({"help"}).out, help);
  const auto race = said_of({"help", "race"});
  EXPECT_EQ(race.out, said_of({"race", "--help"}).out);
  EXPECT_EQ(race.exit, kDone);
}

TEST(Usage, TheHelpSaysOnceWhatAnOptionTakes) {
  const auto race = said_of({"race", "--help"}).out;
  EXPECT_THAT(race, HasSubstr("--sandbox required|auto|off "));
  EXPECT_THAT(race, HasSubstr("(1 to 100)"));
  EXPECT_THAT(race, Not(HasSubstr("INT in")));
  EXPECT_THAT(said_of({"race", "x", "--sandbox", "maybe"}).out,
              HasSubstr("maybe not in {required,auto,off}"));
  EXPECT_THAT(said_of({"race", "x", "--attempts", "0"}).out, HasSubstr("0 not in range 1 to 100"));
}

}  // namespace
}  // namespace hydra::cli
