// `hydra race` and `hydra watch` on the whole terminal: what is on the screen, at every size, whatever agents
// print, and that the terminal is as it was afterwards.
#include "support/screen.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <array>
#include <signal.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ScreenModel, DrawsAsATerminalDoes) {
  Screen screen(4, 10);
  screen.feed("one\r\ntwo\x1b[1;5Hx\x1b[31mred\x1b[0m\x1b[2;2H\x1b[K\x1b[4;1Hend\n");
  EXPECT_EQ(screen.text(), "t\n\nend\n\n");
  EXPECT_EQ(screen.ordinary(), "one xred\nt\n\nend\n\n");
  EXPECT_TRUE(screen.coloured());
  screen.feed("\x1b[?1049h\x1b[?25l\x1b[H\xE2\x94");
  screen.feed("\x82z\x1b[3b");
  EXPECT_EQ(screen.text(), "\xE2\x94\x82zzzz\n\n\n\n");
  EXPECT_FALSE(screen.cursor_shown());
  EXPECT_EQ(screen.unexpected(), "");
  screen.feed("\x1b[?1049l\x1b[?25h");
  EXPECT_EQ(screen.text(), "t\n\nend\n\n");
  for (const char* text : {"\x1b]0;title\x07", "\xC2\x9B", "\x1b[6n", "\x0E"}) {
    Screen other(4, 10);
    other.feed(text);
    EXPECT_NE(other.unexpected(), "") << text;
  }
}

/// A program on a terminal, and what that shows.
class Shown {
 public:
  Shown(const World& world, const Words& args, Process::OnTerminal size = {})
      : process_(world.start_on_terminal(args, size)), screen_(size.rows, size.columns) {}

  bool until(const std::function<bool(const std::string&)>& holds) {
    return process_->wait_for([&] {
      feed();
      return holds(screen_.text());
    });
  }
  ::testing::AssertionResult shows(const std::string& text) {
    if (until([&](const std::string& all) { return all.find(text) != std::string::npos; }))
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "never shown: " << text << "\n" << screen_.text();
  }
  bool loses(const std::string& text) {
    return until([&](const std::string& all) { return all.find(text) == std::string::npos; });
  }
  void type(const std::string& keys) const { process_->type(keys); }
  void resize(unsigned short rows, unsigned short columns) {
    feed();
    screen_.resize(rows, columns);
    process_->resize(rows, columns);
  }
  void signal(int number) const { process_->signal(number); }
  /// The exit code; the terminal must be as it was.
  int end() {
    const auto run = process_->wait();
    feed();
    EXPECT_FALSE(screen_.full_screen());
    EXPECT_TRUE(screen_.cursor_shown());
    EXPECT_FALSE(screen_.mouse_taken());
    EXPECT_EQ(screen_.unexpected(), "");
    return run.exit;
  }
  const Screen& screen() const { return screen_; }

 private:
  void feed() {
    screen_.feed(process_->out().substr(fed_));
    fed_ = process_->out().size();
  }
  std::unique_ptr<Process> process_;
  Screen screen_;
  std::size_t fed_ = 0;
};

const std::string kTests =
    "[scoring]\ntest_command = \"echo 1..2; echo ok 1 - stays; grep -q fine src/app.txt && echo ok 2 - "
    "repaired "
    "|| echo not ok 2 - repaired; grep -q fine src/app.txt\"\n";

class FullScreen : public ::testing::Test {
 protected:
  FullScreen() : gate(world.outside() / "gate") {}
  /// `good` repairs, prints and waits at the gate; `other` changes something else.
  void project(const std::string& printed = "echo hello from the agent") {
    world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" + kTests +
                  script_agent("good", printed + "; echo fine >> src/app.txt; " + gate.script()) +
                  script_agent("other", "echo 'something else' >> src/app.txt"));
  }
  void raced() {
    project();
    gate.open();
    ASSERT_EQ(world.race({"--agents", "good,other", "a task"}).exit, 0);
  }
  World world;
  Gate gate;
};

TEST_F(FullScreen, ARaceIsATableAndLeavesItsResults) {
  project();
  Shown race(world, {"race", "--agents", "good,other", "a task"});
  ASSERT_TRUE(gate.arrived());
  EXPECT_TRUE(race.shows("a task"));
  EXPECT_TRUE(race.shows("hello from the agent"));
  EXPECT_TRUE(race.screen().full_screen());
  EXPECT_FALSE(race.screen().cursor_shown());
  gate.open();
  EXPECT_EQ(race.end(), 0);
  EXPECT_THAT(race.screen().ordinary(), HasSubstr("#1"));
  EXPECT_THAT(race.screen().ordinary(), HasSubstr("Race "));
  EXPECT_TRUE(race.screen().coloured());
}

TEST_F(FullScreen, EarlierRacesSayHowLongThisOneTakes) {
  raced();
  Shown race(world, {"race", "--agents", "good", "another task"});
  ASSERT_TRUE(gate.arrived(2));
  EXPECT_TRUE(race.shows("(1 earlier), 1 running"));
  gate.open();
  EXPECT_EQ(race.end(), 0);
}

// A user who has pressed a key stays, and merges where they are.
TEST_F(FullScreen, AfterAKeyTheScreenStaysAndMerges) {
  project();
  Shown race(world, {"race", "--agents", "good,other", "a task"});
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(race.shows("hello from the agent"));
  race.type("j");
  gate.open();
  ASSERT_TRUE(race.shows("good wins"));
  race.type("gm");
  ASSERT_TRUE(race.shows("Merge good into main? [y/N]"));
  race.type("n");
  ASSERT_TRUE(race.shows("Nothing was merged."));
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\n");
  race.type("m");
  ASSERT_TRUE(race.shows("[y/N]"));
  race.type("y");
  ASSERT_TRUE(race.shows("Merged good into main"));
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\nfine\n");
  race.type("q");
  EXPECT_EQ(race.end(), 0);
  EXPECT_THAT(race.screen().ordinary(), HasSubstr("#1"));
}

TEST_F(FullScreen, EveryPageAtEverySize) {
  raced();
  for (const auto columns : std::array<unsigned short, 3>{40, 80, 200}) {
    Shown watch(world, {"watch"}, {24, columns});
    ASSERT_TRUE(watch.shows("> ")) << columns;
    ASSERT_TRUE(watch.shows("good wins"));
    watch.type("g");
    const std::vector<std::pair<std::string, std::string>> pages{{"l", "hello from the agent"},
                                                                 {"\t\t\t", "log of its tests"},
                                                                 {"q", "good wins"},
                                                                 {"d", "+fine"},
                                                                 {"\t", "by words"},
                                                                 {"\x1b", "good wins"},
                                                                 {"t", "repaired"},
                                                                 {"\t\t", "stays"},
                                                                 {"q", "good wins"},
                                                                 {"e", "why it got its"},
                                                                 {"q", "good wins"},
                                                                 {"r", "Results"},
                                                                 {"q", "good wins"},
                                                                 {"jc", "good and other"},
                                                                 {"G", "something else"},
                                                                 {"q", "good wins"},
                                                                 {"m", "Merge other into main? [y/N]"},
                                                                 {"n", "good wins"},
                                                                 {"?", "compare"},
                                                                 {"q", "good wins"}};
    for (const auto& [key, text] : pages) {
      watch.type(key);
      ASSERT_TRUE(watch.shows(text)) << columns << " columns, key " << key;
    }
    watch.type("q");
    EXPECT_EQ(watch.end(), 0);
  }
}

TEST_F(FullScreen, ALogIsFollowedSearchedAndResized) {
  Gate more(world.outside() / "more");
  project("seq -f 'row %.0f' 1 200; echo the needle; " + more.script() + "; seq -f 'late %.0f' 1 50");
  Shown race(world, {"race", "--agents", "good", "a task"});
  ASSERT_TRUE(more.arrived());
  ASSERT_TRUE(race.shows("the needle"));
  race.type("l");
  ASSERT_TRUE(race.shows("row 200"));
  race.type("/row 7\r");
  ASSERT_TRUE(race.shows("row 7\n"));
  race.type("n");
  ASSERT_TRUE(race.shows("row 70\n"));
  race.type("N");
  ASSERT_TRUE(race.shows("row 7\n"));
  race.type("/no such word\r");
  ASSERT_TRUE(race.shows("Not found: no such word"));
  race.type("G");
  ASSERT_TRUE(race.shows("following"));
  more.open();
  // The window changes while lines come.
  for (const auto columns : std::array<unsigned short, 5>{60, 200, 40, 300, 100}) {
    race.resize(12, columns);
    race.resize(30, columns);
  }
  race.type("M");
  ASSERT_TRUE(race.until([&](const auto&) { return race.screen().mouse_taken(); }));
  ASSERT_TRUE(race.shows("late 50\n"));
  race.type("q");
  ASSERT_TRUE(race.shows("AGENT"));
  gate.open();
  ASSERT_TRUE(race.shows("good wins"));
  race.type("q");
  EXPECT_EQ(race.end(), 0);
}

TEST_F(FullScreen, TheMouseScrollsAndChooses) {
  raced();
  const auto button = [](int number, int row) {  // as xterm reports one in SGR: counted from 1
    return "\x1b[<" + std::to_string(number) + ";3;" + std::to_string(row) + "M\x1b[<" +
           std::to_string(number) + ";3;" + std::to_string(row) + "m";
  };
  Shown watch(world, {"watch"});
  ASSERT_TRUE(watch.shows("> good"));
  watch.type("M");
  ASSERT_TRUE(watch.until([&](const auto&) { return watch.screen().mouse_taken(); }));
  watch.type(button(0, 6));  // the second agent
  ASSERT_TRUE(watch.shows("> other"));
  watch.type(button(64, 6));  // the wheel, up
  ASSERT_TRUE(watch.shows("> good"));
  watch.type(button(65, 6));
  ASSERT_TRUE(watch.shows("> other"));
  watch.type(button(0, 6));
  ASSERT_TRUE(watch.shows("other: log"));
  watch.type("q");
  ASSERT_TRUE(watch.shows("good wins"));
  watch.type("q");
  EXPECT_EQ(watch.end(), 0);
}

TEST_F(FullScreen, OneAgentIsStoppedAndRunsAgain) {
  project();
  Shown race(world, {"race", "--agents", "good", "a task"});
  ASSERT_TRUE(gate.arrived());
  race.type("x");
  ASSERT_TRUE(race.shows("Stop good? [y/N]"));
  race.type("y");
  ASSERT_TRUE(race.until([](const auto& all) { return all.find("cancelled") != std::string::npos; }));
  ASSERT_TRUE(race.shows("No winner"));
  race.type("R");
  ASSERT_TRUE(race.shows("Tell it"));
  race.type("try again\r");
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(race.shows("#2"));
  gate.open();
  ASSERT_TRUE(race.shows("good wins"));
  race.type("q");
  EXPECT_EQ(race.end(), 0);
  EXPECT_EQ(world.status()["agents"][0]["attempt"], 2);
}

TEST_F(FullScreen, LeavesAsBeforeHoweverItEnds) {
  project();
  const auto id = race_id(world.hydra({"race", "--detach", "--json", "--agents", "good", "a task"}));
  ASSERT_TRUE(gate.arrived());
  for (const std::string how : {"q", "\x03", "TERM", "HUP"}) {
    Shown watch(world, {"watch"});
    ASSERT_TRUE(watch.shows("hello from the agent")) << how;
    if (how.size() == 1)
      watch.type(how);
    else
      watch.signal(how == "TERM" ? SIGTERM : SIGHUP);
    EXPECT_EQ(watch.end(), 130) << how;
    EXPECT_THAT(watch.screen().ordinary(), HasSubstr("The race continues"));
    EXPECT_EQ(world.status()["state"], "running");
  }
  Shown twice(world, {"watch"});
  ASSERT_TRUE(twice.shows("hello from the agent"));
  twice.type("\x03");
  ASSERT_TRUE(twice.shows(" again now."));
  twice.type("\x03");
  EXPECT_EQ(twice.end(), 130);
  world.hydra({"watch"});
  EXPECT_EQ(world.results()["state"], "cancelled");
}

// A shell says what the terminal's own settings are after the program.
TEST_F(FullScreen, TheTerminalsSettingsAreAsBefore) {
  raced();
  auto environment = world.environment();
  environment["TERM"] = "xterm-256color";
  Process shell(Process::OnTerminal{},
                {"/bin/sh", "-c", word_of_binary("hydra") + " watch; stty -a; echo done"}, world.repo(),
                environment);
  ASSERT_TRUE(shell.wait_text(" wins"));
  shell.type("q");
  ASSERT_TRUE(shell.wait_text("done"));
  const auto out = shell.wait().out;
  const auto settings = out.substr(out.rfind("speed "));
  for (const char* word : {"icanon", "echo ", "icrnl", "opost", "onlcr", "isig"}) {
    EXPECT_THAT(settings, HasSubstr(word));
    EXPECT_THAT(settings, Not(HasSubstr(std::string("-") + word)));
  }
}

TEST_F(FullScreen, ADaemonThatIsKilledIsFoundAgain) {
  project();
  Shown race(world, {"race", "--agents", "good", "a task"});
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(race.shows("hello from the agent"));
  race.type("l");
  ASSERT_TRUE(race.shows("good: log"));
  world.kill_daemon(SIGKILL);
  ASSERT_TRUE(race.shows("Reconnected to the daemon."));
  race.type("q");
  ASSERT_TRUE(race.shows("AGENT"));
  gate.open();
  ASSERT_TRUE(race.shows("good wins"));
  race.type("q");
  EXPECT_EQ(race.end(), 0);
}

TEST_F(FullScreen, NothingOfAnAgentIsObeyed) {
  world.write("payload",
              "a\x1b]0;owned\x07"
              "b\x1b[2Jc\xC2\x9B"
              "31md\xC2\x85"
              "e\xE2\x80\xAE"
              "f\xE2\x81\xA6"
              "g\x08h\x7Fi\x0E\x1b[?1049l");
  world.project(
      "[sandbox]\nwrite = [\"" + world.outside().string() +
      "\"]\n[scoring]\ntest_command = \"echo 1..1; "
      "echo \\\"ok 1 - $(cat payload | tr -d '\\\\n')\\\"\"\n" +
      script_agent("bad",
                   "cat payload; echo; cat payload >> src/app.txt; printf x > \"src/$(cat payload)\"; " +
                       gate.script()));
  Shown race(world, {"race", "--agents", "bad", "a task"});
  ASSERT_TRUE(gate.arrived());
  race.type("l");
  ASSERT_TRUE(race.shows("31md"));
  gate.open();
  race.type("q");
  ASSERT_TRUE(race.shows("bad wins"));
  for (const char* key : {"d", "t", "e", "r", "m"}) {
    race.type(key);
    ASSERT_TRUE(race.loses("bad wins") || *key == 'r') << key;
    race.type(*key == 'm' ? "n" : "q");
    ASSERT_TRUE(race.shows("bad wins")) << key;
  }
  race.type("q");
  EXPECT_EQ(race.end(), 0);
}

TEST_F(FullScreen, OtherTerminals) {
  raced();
  for (const char* term : {"linux", "vt100", "screen"}) {
    world.set_environment("TERM", term);
    Shown watch(world, {"watch"});
    ASSERT_TRUE(watch.shows("good wins")) << term;
    watch.type("d");
    ASSERT_TRUE(watch.shows("+fine")) << term;
    watch.type("qq");
    watch.until([](const auto&) { return false; });
  }
}

TEST_F(FullScreen, WithoutColoursAndWithoutUtf8) {
  raced();
  world.set_environment("NO_COLOR", "1");
  world.set_environment("LANG", "C");
  Shown watch(world, {"watch"});
  ASSERT_TRUE(watch.shows("good wins"));
  ASSERT_TRUE(watch.shows(".+."));  // its tests passed
  watch.type("jc");
  ASSERT_TRUE(watch.shows("good and other"));
  for (const char byte : watch.screen().text()) ASSERT_GE(byte, 0);
  watch.type("qq");
  EXPECT_EQ(watch.end(), 0);
  EXPECT_FALSE(watch.screen().coloured());
}

TEST_F(FullScreen, PlainWhereItIsWantedOrNothingElseFits) {
  raced();
  const auto plain = [&](const Words& args, Process::OnTerminal size = {}) {
    Shown watch(world, args, size);
    watch.until([](const auto&) { return false; });
    EXPECT_THAT(watch.screen().ordinary(), HasSubstr("good"));
    EXPECT_FALSE(watch.screen().was_full());
    return watch.end() == 0;
  };
  EXPECT_TRUE(plain({"watch", "--plain"}));
  EXPECT_TRUE(plain({"watch"}, {24, 39}));
  world.set_environment("HYDRA_PLAIN", "1");
  EXPECT_TRUE(plain({"watch"}));
  world.set_environment("HYDRA_PLAIN", "");
  world.set_environment("TERM", "dumb");
  EXPECT_TRUE(plain({"watch"}));
  world.set_environment("TERM", "no-such-terminal");
  EXPECT_TRUE(plain({"watch"}));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
