// An agent that gives its key away in every way that it has: nothing that Hydra shows or stores of the race
// holds it, plain or encoded, but for the agent's own log and its own files (docs/adapters.md, 'What it sees
// of your environment').
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kKey = "sk-Zz9/+?value:0123456789";
// `printf KEY | base64`, and as RFC 3986 has it.
const Words kForms{kKey, "c2stWno5Lys/dmFsdWU6MDEyMzQ1Njc4O", "sk-Zz9%2F%2B%3Fvalue%3A0123456789"};
// Token that an agent reads out of its sign-in file.
const std::string kToken = "at-4f1c0e7a99b2d3";

class SecretsOfARace : public ::testing::Test {
 protected:
  void SetUp() override {
    keyed.environment["ACME_API_KEY"] = kKey;
    std::ofstream(world.home() / ".leaky.json") << R"({"tokens":{"access_token":")" + kToken + R"("}})";
  }
  static std::string agent(const std::string& name, const std::string& script) {
    return script_agent(name, script,
                        "[agents." + name + ".auth]\nenv = [\"ACME_API_KEY\"]\nfiles = [\".leaky.json\"]\n" +
                            "[agents." + name + ".home]\nseed = [\".leaky.json\"]\n");
  }
  static void expect_clean(const std::string& text, const std::string& where) {
    for (const auto& form : kForms) EXPECT_EQ(text.find(form), std::string::npos) << where << ": " << form;
    EXPECT_EQ(text.find(kToken), std::string::npos) << where << ": the sign-in's token";
  }
  /// Everything that people and programs are shown.
  void expect_nothing_shown(const std::string& race, const HydraOptions& options) {
    const Words commands[] = {{"results"},
                              {"results", "--json"},
                              {"status"},
                              {"status", "--json"},
                              {"explain", "leaky"},
                              {"explain", "leaky", "--json"},
                              {"watch", race},
                              {"watch", race, "--json"},
                              {"list"},
                              {"list", "--json"},
                              {"logs", "leaky"},
                              {"logs", "leaky", "--raw"},
                              {"logs", "crashes"},
                              {"logs", race + "/leaky", "--stderr"}};
    for (const auto& words : commands) {
      const auto run = world.hydra(words, options);
      expect_clean(run.out + run.err, words[0] + " " + words.back());
      EXPECT_TRUE(run.exit == 0 || words[0] == "results" || words[0] == "watch")
          << words[0] << ": " << run.err << "\nwhere nothing is shown nothing can be found";
    }
  }
  World world;
  HydraOptions keyed;
};

TEST_F(SecretsOfARace, AreNeitherShownNorStored) {
  const auto gate_path = world.outside() / "gate";
  Gate gate(gate_path);
  world.project(
      "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n[scoring]\ntest_command = \"true\"\n" +
      agent("leaky",
            "echo \"out $ACME_API_KEY\"; echo \"err $ACME_API_KEY\" >&2; "
            "printf '{\"type\":\"tool\",\"command\":\"curl -H %s\"}\\n' \"$ACME_API_KEY\"; "
            "printf %s \"$ACME_API_KEY\" | head -c 9; sleep 0.3; printf '%s\\n' \"$ACME_API_KEY\" | tail -c "
            "+10; "
            "printf %s \"$ACME_API_KEY\" | base64; printf 'x?key=%s\\n' \"$ACME_API_KEY\" | sed "
            "'s,/,%2F,;s,+,%2B,;s,[?]v,%3Fv,;s,:,%3A,'; "
            "grep -o 'at-[0-9a-f]*' ~/.leaky.json; " +
                gate.script() +
                "; echo x >> src/app.txt; git add -A; git -c user.name=a -c user.email=a@b commit -qm "
                "\"key $ACME_API_KEY\"; echo \"done $ACME_API_KEY\"") +
      agent("crashes", "echo \"$ACME_API_KEY\" >&2; echo \"at $(cat ~/.leaky.json)\"; kill -SEGV $$") +
      agent("fails", "echo \"error: 401 for $ACME_API_KEY\" >&2; exit 3"));
  auto race = world.start({"race", "--agents", "leaky,crashes,fails", "task"}, keyed);
  ASSERT_TRUE(gate.arrived());
  // While it runs: live views, and the command lines of all processes.
  for (const Words& words : {Words{"status", "--json"}, Words{"logs", "leaky"}}) {
    const auto run = world.hydra(words, keyed);
    expect_clean(run.out, words[0] + " while it runs");
  }
  const auto processes = processes_with(world.root().string());
  EXPECT_FALSE(processes.empty());
  for (const auto pid : processes) {
    const auto line = slurp(fs::path("/proc") / std::to_string(pid) / "cmdline");
    // The shell that prints the encoded form has it as its own program.
    EXPECT_THAT(line, Not(HasSubstr(kKey))) << describe_process(pid);
  }
  gate.open();
  const auto run = race->wait();
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  expect_clean(run.out + run.err, "race");
  const std::string id = world.results()["race"];
  // The agent printed the secrets, so the test means something.
  EXPECT_THAT(slurp(world.attempt(id, "leaky", "agent") / "stdout.log"),
              AllOf(HasSubstr("out " + kKey), HasSubstr(kForms[1]), HasSubstr(kToken)));
  const auto shown = world.hydra({"logs", "leaky"}, keyed).out;
  EXPECT_THAT(shown, AllOf(HasSubstr("out [redacted ACME_API_KEY]"), HasSubstr("[redacted sign-in]")));
  expect_nothing_shown(id, keyed);
  for (const auto& entry : fs::directory_iterator(world.state()))
    if (entry.is_regular_file()) expect_clean(slurp(entry.path()), entry.path().string());
  for (const char* file : {"spec.json", "started.json", "heartbeat", "result.json"})
    expect_clean(slurp(world.attempt(id, "leaky", "agent") / file), file);
}

// The values went with the daemon; the environment of the next one and the sign-in files have them again.
TEST_F(SecretsOfARace, AreKnownAgainAfterARestart) {
  Gate gate(world.outside() / "gate");
  world.project(
      "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
      agent("leaky", "echo \"before $ACME_API_KEY\"; " + gate.script() +
                         "; echo \"after $ACME_API_KEY $(cat ~/.leaky.json)\"; echo x >> src/app.txt; "
                         "exit 3") +
      agent("crashes", "echo x >> src/app.txt"));
  const auto started =
      world.hydra({"race", "--agents", "leaky,crashes", "--detach", "--json", "task"}, keyed);
  const auto id = race_id(started);
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon();
  world.hydra({"status"}, keyed);  // starts the next one
  gate.open();
  world.hydra({"watch", id}, keyed);
  EXPECT_THAT(slurp(world.attempt(id, "leaky", "agent") / "stdout.log"),
              AllOf(HasSubstr("after " + kKey), HasSubstr(kToken)));
  expect_nothing_shown(id, keyed);
  for (const auto& entry : fs::directory_iterator(world.state()))
    if (entry.is_regular_file()) expect_clean(slurp(entry.path()), entry.path().string());
  // Long after the race, by one that never saw it run.
  world.kill_daemon();
  expect_nothing_shown(id, keyed);
}

// A capture keeps its bytes; so it is told, and nothing lands by threshold.
TEST_F(SecretsOfARace, AFileThatHoldsOneIsToldAndHeld) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.project("[scoring]\ntest_command = \"true\"\n" +
                agent("leaky",
                      "echo \"key = $ACME_API_KEY\" > src/conf.txt; printf %s \"$ACME_API_KEY\" | base64 > "
                      "src/b64.txt; echo fine >> src/app.txt") +
                agent("crashes", "sleep 0; echo fine >> README.md"));
  const auto run = world.race({"--agents", "leaky", "--auto-merge", "task"}, keyed);
  const auto results = world.results();
  const auto leaky = agent_of(results, "leaky");
  EXPECT_EQ(leaky["flags"], Json::array({"holds_secret:src/b64.txt", "holds_secret:src/conf.txt"}));
  EXPECT_EQ(world.show(leaky["branch"], "src/conf.txt"), "key = " + kKey + "\n");
  EXPECT_THAT(run.out, AllOf(HasSubstr("holds the value of ACME_API_KEY: src/b64.txt, src/conf.txt")));
  EXPECT_EQ(results["auto_merged"], false);
  EXPECT_THAT(results["auto_merge_refused"].get<std::string>(), HasSubstr("value of a key"));
  expect_clean(results.dump(), "results");
}

// The kernel gives the files of a process that leaves no core to root.
TEST(DaemonMemory, IsOpenToNobodyUnlessAsked) {
  if (::geteuid() == 0) GTEST_SKIP() << "all files of root's processes are root's";
  for (const char* asked : {"0", "1"}) {
    World world;
    world.set_environment("HYDRA_DUMPABLE", asked);
    ASSERT_EQ(world.hydra({"daemon", "start"}).exit, 0);
    // A World finds no daemon whose files are root's.
    const auto health = Json::parse(world.hydra({"daemon", "status", "--json"}).out)["health"];
    struct stat st {};
    EXPECT_EQ(::stat(("/proc/" + health["pid"].dump() + "/environ").c_str(), &st), 0);
    EXPECT_EQ(st.st_uid, std::string(asked) == "0" ? 0u : ::geteuid());
    EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  }
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
