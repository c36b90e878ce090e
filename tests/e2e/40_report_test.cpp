// `hydra report`: one page with a race in it.
#include "support/contract.hpp"
#include "support/http.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Returns what the page unpacks, by another program's reading of base64 and deflate.
std::string unpacked(const std::string& page) {
  const std::string mark = "id=\"hydra-data\">";
  const auto at = page.find(mark);
  if (at == std::string::npos) return {};
  const auto end = page.find('<', at);
  const auto data = page.substr(at + mark.size(), end - at - mark.size());
  return Process({"/usr/bin/python3", "-c",
                  "import sys,base64,zlib;"
                  "sys.stdout.buffer.write(zlib.decompress(base64.b64decode(sys.stdin.read()),-15))"},
                 "/", {{"PATH", "/usr/bin:/bin"}}, data)
      .wait()
      .out;
}

class Report : public ::testing::Test {
 protected:
  Report() {
    if (!fs::exists("/usr/bin/python3")) return;
    world.project(
        script_agent("a", "echo '</script><script>alert(1)</script>' >> src/app.txt; echo \"key $A_TOKEN\"",
                     "[agents.a.auth]\nenv = [\"A_TOKEN\"]\n") +
        script_agent("b", "echo b >> src/app.txt", "display = \"Famous CLI\"\n") +
        script_agent("c", "exit 3", "display = \"Famous CLI\"\n") +
        "[scoring]\ntest_command = \"cat src/app.txt; for i in $(seq 3000); do echo line $i; done; exit "
        "1\"\n");
    HydraOptions options;
    options.environment = {{"A_TOKEN", "very-secret-value-123"}};
    race =
        race_id(world.hydra({"race", "--detach", "--json", "--agents", "a,b,c", "a secret plan"}, options));
    EXPECT_THAT(world.hydra({"watch", race}).exit, AnyOf(0, 1));
    built = ask(world, "GET", "/v1/ui").json()["page"] == true;
  }
  std::string page(const Words& more = {}) {
    Words words{"report", race};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = world.hydra(words);
    EXPECT_EQ(run.exit, 0) << run.err;
    return run.out;
  }
  Json data(const Words& more = {}) { return Json::parse(unpacked(page(more)), nullptr, false); }
  World world;
  std::string race;
  bool built = false;
};

TEST_F(Report, HoldsTheRaceAndNoSecret) {
  if (!built) {
    EXPECT_EQ(world.hydra({"report", race}).exit, 1);
    GTEST_SKIP() << "no esbuild when hydrad was built";
  }
  const auto text = page({"--logs", "all"});
  EXPECT_EQ(text, page({"--logs", "all"})) << "the same race, the same bytes";
  const auto plain = unpacked(text);
  const auto json = Json::parse(plain, nullptr, false);
  ASSERT_TRUE(json.is_object());
  auto results = json["results"];
  EXPECT_EQ(misfits_of("Results", results), "");
  EXPECT_EQ(misfits_of("TestTable", json["tests"]), "");
  for (const char* name : {"a", "b"}) {
    EXPECT_EQ(misfits_of("Explain", json["explain"][name]), "");
    EXPECT_THAT(json["diffs"][name].get<std::string>(), HasSubstr("src/app.txt"));
  }
  EXPECT_EQ(misfits_of("Attempts", {{"attempts", json["runs"]}}), "");
  EXPECT_THAT(json["runs"].dump(), HasSubstr("a/agent/1")) << "the times of the lanes";
  EXPECT_THAT(plain, Not(HasSubstr("very-secret-value-123")));
  EXPECT_THAT(json["logs"]["a/agent/out"]["text"].get<std::string>(), HasSubstr("key [redacted"));
  EXPECT_THAT(plain, Not(HasSubstr(world.repo().string()))) << "no path of this machine";
  EXPECT_THAT(text, Not(HasSubstr("alert(1)"))) << "agents' text is packed, and is no part of the page";
  EXPECT_THAT(text, HasSubstr("Content-Security-Policy"));
  EXPECT_THAT(text, Not(HasSubstr("@HYDRA_DATA@")));
}

TEST_F(Report, HoldsWhatWasAskedFor) {
  if (!built) GTEST_SKIP() << "no esbuild when hydrad was built";
  const auto usual = data();
  EXPECT_FALSE(usual["logs"].contains("a/agent/out")) << "only of what failed";
  const auto& log = usual["logs"]["a/tests/out"];
  EXPECT_EQ(log["cut"], true);
  EXPECT_THAT(log["text"].get<std::string>(), HasSubstr("line 3000\n"));
  EXPECT_THAT(log["text"].get<std::string>(), Not(HasSubstr("line 1000\n")));
  const auto bare = data({"--logs", "none"});
  EXPECT_TRUE(bare["logs"].empty());
  EXPECT_EQ(bare["runs"], usual["runs"]);
  EXPECT_TRUE(data({"--no-diffs"})["diffs"].empty());
  const auto small = data({"--max", "1k"});
  EXPECT_FALSE(small["left_out"].empty());
  const auto hidden = data({"--anonymous", "--logs", "all"});
  EXPECT_EQ(hidden["results"]["task"], "");
  EXPECT_EQ(hidden["results"]["agents"][0]["agent"].get<std::string>().substr(0, 6), "agent-");
  EXPECT_FALSE(hidden["explain"].contains("b"));
  EXPECT_THAT(hidden.dump(), Not(HasSubstr("secret plan")));
  // Sentences name agents too: each by its own letter, whatever else they have in common.
  EXPECT_THAT(usual.dump(), HasSubstr("Famous CLI exited"));
  EXPECT_THAT(hidden.dump(), Not(HasSubstr("Famous")));
  for (const auto& agent : hidden["results"]["agents"]) EXPECT_EQ(agent["display"], agent["agent"]);
  for (const auto& run : hidden["runs"])
    EXPECT_THAT(run["subject"].get<std::string>(),
                AnyOf(StartsWith("agent-"), StartsWith("@"), StartsWith("+")));
  EXPECT_EQ(world.hydra({"report", "--max", "some"}).exit, 2);
  const auto file = world.root() / "race.html";
  EXPECT_EQ(world.hydra({"report", "-o", file.string()}).exit, 0);
  EXPECT_EQ(slurp(file), page());
  // The scoreboard serves the same page as an attachment.
  const Browser browser(world);
  const auto answer = browser.get("/v1/races/" + race + "/report");
  EXPECT_THAT(answer.header("content-disposition"), HasSubstr("attachment"));
  EXPECT_EQ(answer.body, page());
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
