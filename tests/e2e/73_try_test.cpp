// hydra try: results that a person runs: links, two beside each other, ends of all kinds, and what is left.
#include "support/http.hpp"
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <signal.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kServe = "exec /usr/bin/python3 -m http.server \"$PORT\" --bind 127.0.0.1";

class Try : public ::testing::Test {
 protected:
  void race(const std::string& run, const std::string& agents = "x,y") {
    world.project((run.empty() ? "" : "[workspace]\nrun = '" + run + "'\n") +
                  script_agent("x", "echo of x > src/app.txt") +
                  script_agent("y", "echo of y > src/app.txt") + script_agent("idle", "true"));
    const auto ended = world.race({"--agents", agents, "the task"});
    ASSERT_TRUE(ended.exit == 0 || ended.exit == 1) << ended.err;
  }
  void served() {
    if (!fs::exists("/usr/bin/python3")) GTEST_SKIP() << "no /usr/bin/python3";
    race(kServe);
  }
  /// Starts `hydra try … --json` and returns its links by agent.
  std::map<std::string, int> links(Words args) {
    args.insert(args.begin(), "try");
    args.emplace_back("--json");
    tried = world.start(args);
    EXPECT_TRUE(tried->wait_line("links")) << tried->err();
    std::map<std::string, int> ports;
    const auto said = Json::parse(tried->out(), nullptr, false);
    EXPECT_TRUE(said.is_object()) << tried->out();
    for (const auto& link : said.value("links", Json::array())) {
      const auto url = link.value("url", "");
      EXPECT_THAT(url, AllOf(HasSubstr("http://127.0.0.1:"), testing::EndsWith("/")));
      ports[link.value("agent", "")] = std::atoi(url.substr(url.rfind(':') + 1).c_str());
    }
    return ports;
  }
  static std::string content(int port) {
    auto line = Line::to_port(port);
    line.send(request_text("GET", "/src/app.txt", {{"Host", "localhost"}}));
    return line.answer().body;
  }
  static bool is_free(int port) { return !Line::to_port(port).ok(); }
  /// Leftovers of tries below the state directory, except their logs.
  [[nodiscard]] std::vector<std::string> left() const {
    std::vector<std::string> found;
    for (const auto& race : fs::directory_iterator(world.state() / "races"))
      for (const auto* place : {"checks", "home", "hidden"}) {
        std::error_code none;
        for (fs::directory_iterator at(race.path() / place, none), end; !none && at != end;
             at.increment(none))
          if (at->path().filename().string().find("@try") != std::string::npos)
            found.push_back(at->path().string());
      }
    return found;
  }
  void expect_nothing_left(const std::map<std::string, int>& ports) {
    machine::wait_until("the servers to end", [&] {
      return std::all_of(ports.begin(), ports.end(), [](const auto& each) { return is_free(each.second); });
    });
    machine::wait_until("the workspaces to go", [&] { return left().empty(); });
    machine::wait_until("the supervisors to end",
                        [&] { return processes_with((world.state() / "races").string()).empty(); });
  }
  World world;
  std::unique_ptr<Process> tried;
};

TEST_F(Try, ALinkAnswersWithTheResultUntilCtrlC) {
  served();
  const auto ports = links({"x"});
  ASSERT_TRUE(ports.contains("x"));
  EXPECT_EQ(content(ports.at("x")), "of x\n");
  const auto again = world.hydra({"try", "x"});
  EXPECT_EQ(again.exit, 1);
  EXPECT_THAT(again.err, HasSubstr("x is being tried already"));
  tried->signal(SIGINT);
  const auto run = tried->wait();
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("Which"))) << "no terminal, no question";
  expect_nothing_left(ports);
}

TEST_F(Try, AKilledClientEndsIt) {
  served();
  const auto ports = links({"x"});
  tried->signal(SIGKILL);
  tried->wait();
  expect_nothing_left(ports);
}

TEST_F(Try, TwoAnswerBesideEachOther) {
  served();
  const auto ports = links({"x", "y"});
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(content(ports.at("x")), "of x\n");
  EXPECT_EQ(content(ports.at("y")), "of y\n");
  tried->signal(SIGINT);
  EXPECT_EQ(tried->wait().exit, 0);
  expect_nothing_left(ports);
}

TEST_F(Try, ACommandThatEndsIsAnErrorWithItsLastLines) {
  race("echo no such wheel; exit 7");
  const auto run = world.hydra({"try", "x"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("x: the run command ended with exit code 7"),
                             HasSubstr("no such wheel"), HasSubstr("hydra logs"), HasSubstr("x --kind run")));
  EXPECT_THAT(world.hydra({"logs", "x", "--kind", "run"}).out, HasSubstr("no such wheel"));
  machine::wait_until("the workspace to go", [&] { return left().empty(); });
}

TEST_F(Try, APortThatNeverAnswersIsAnErrorWithAnEnd) {
  race("echo elsewhere; exec sleep 1000");
  const auto run = world.hydra({"try", "x", "--patience", "1"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("x does not answer on port "), HasSubstr("after 1 s"),
                    HasSubstr("must listen on $PORT"), HasSubstr("elsewhere"), HasSubstr("--kind run")));
  machine::wait_until("the workspace to go", [&] { return left().empty(); });
}

TEST_F(Try, WhatCannotBeTriedIsSaid) {
  race("", "x,idle");
  auto run = world.hydra({"try", "x"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("nothing to run: set [workspace] run"), HasSubstr("hydra try x --run")));
  run = world.hydra({"try", "idle", "--run", "true"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, HasSubstr("idle has no captured change to try"));
  EXPECT_THAT(world.hydra({"try", "nobody"}).err, HasSubstr("nobody"));
  EXPECT_THAT(world.hydra({"try", "x", "x"}).err, HasSubstr("x is named twice"));
  EXPECT_THAT(world.hydra({"try", "x", "--blind"}).err, HasSubstr("--blind compares two results"));
  // A key of today runs a result of before.
  world.write("hydra.toml", world.read("hydra.toml") + "\n[workspace]\nrun = 'echo today; exit 3'\n");
  EXPECT_THAT(world.hydra({"try", "x"}).err, AllOf(HasSubstr("exit code 3"), HasSubstr("today")));
}

TEST_F(Try, ARaceThatRunsIsNotTried) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nread = [\"" + world.outside().string() + "\"]\n" +
                script_agent("x", gate.script()));
  const auto begun = world.hydra({"race", "--agents", "x", "--detach", "--json", "the task"});
  ASSERT_TRUE(gate.arrived());
  const auto run = world.hydra({"try", "x", "--run", "true"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, HasSubstr("the race still runs"));
  gate.open();
  world.hydra({"watch", race_id(begun)});
}

TEST_F(Try, NothingOutlivesAKilledDaemon) {
  served();
  const auto ports = links({"x", "y"});
  world.kill_daemon();
  const auto run = tried->wait();
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the daemon has ended, and with it what it ran"));
  machine::wait_until("the servers to end", [&] {
    return std::all_of(ports.begin(), ports.end(), [](const auto& each) { return is_free(each.second); });
  });
  EXPECT_THAT(left(), Not(testing::IsEmpty())) << "nobody was there to remove them";
  EXPECT_EQ(world.status()["state"], "done");
  expect_nothing_left(ports);
}

TEST_F(Try, AStoppedDaemonAndACleanEndIt) {
  served();
  auto ports = links({"x"});
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  EXPECT_EQ(tried->wait().exit, 3);
  EXPECT_EQ(world.status()["state"], "done");
  expect_nothing_left(ports);
  ports = links({"x"});
  EXPECT_THAT(world.hydra({"clean", "--yes"}).out, HasSubstr("a result of it is being tried"));
  EXPECT_EQ(content(ports.at("x")), "of x\n");
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0", world.results()["race"].get<std::string>()}).exit,
            0);
  const auto run = tried->wait();
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, HasSubstr("x: the race is being cleaned"));
  expect_nothing_left(ports);
  EXPECT_THAT(world.hydra({"try", "x"}).err, HasSubstr("not kept any more"));
}

TEST_F(Try, ABlindChoiceIsARating) {
  served();
  tried = world.start_on_terminal({"try", "x", "y", "--blind"});
  ASSERT_TRUE(tried->wait_text("ends both")) << tried->out();
  EXPECT_THAT(tried->out(), AllOf(HasSubstr("left: http://127.0.0.1:"), HasSubstr("right: http://127.0.0.1:"),
                                  Not(HasSubstr("x: http"))));
  tried->type("\x03");
  ASSERT_TRUE(tried->wait_text("Which is better? [1/2/tie/skip]")) << tried->out();
  tried->type("1\n");
  const auto run = tried->wait();
  EXPECT_EQ(run.exit, 0);
  const bool x = run.out.find("left was x.") != std::string::npos;
  EXPECT_THAT(run.out, HasSubstr(x ? "right was y." : "right was x."));
  const auto results = world.results();
  const auto rating = [&](const char* name) {
    return agent_of(results, name)["judges"]["votes"].at(0)["rating"].get<int>();
  };
  EXPECT_EQ(rating(x ? "x" : "y"), 4);
  EXPECT_EQ(rating(x ? "y" : "x"), 3);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
