// Scoreboard after the sign-in of a browser: merges as they were shown, no paths, the code for the browser
// alone.
#include "door.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A19: what was looked at is merged once, or not at all.
TEST_F(Door, AMergeNeedsThePreviewThatWasLookedAt) {
  const Browser browser(world), other(world);
  const auto head = world.git({"rev-parse", "HEAD"});
  const Json call{{"race", race}, {"agent", "a"}};
  const auto with = [&](const char* member, const Json& value) {
    auto made = call;
    made[member] = value;
    return made;
  };
  EXPECT_EQ(browser.post("/v1/merge", call).status, 400) << "no preview";
  auto shown = browser.post("/v1/merge", with("dry_run", true));
  ASSERT_EQ(shown.status, 200) << shown.body;
  const std::string token = shown.json()["preview"];
  EXPECT_EQ(other.post("/v1/merge", with("preview", token)).status, 409) << "another session's";
  EXPECT_EQ(browser.post("/v1/merge", with("preview", "made up")).status, 409);
  world.write("other.txt", "meanwhile\n");
  world.commit("meanwhile");
  const auto moved = browser.post("/v1/merge", with("preview", token));
  EXPECT_EQ(moved.status, 409) << moved.body;
  EXPECT_THAT(moved.body, HasSubstr("moved"));
  const auto between = world.git({"rev-parse", "HEAD"});
  shown = browser.post("/v1/merge", with("dry_run", true));
  auto squash = with("preview", shown.json()["preview"]);
  squash["squash"] = true;
  EXPECT_EQ(browser.post("/v1/merge", squash).status, 409) << "another kind of merge";
  shown = browser.post("/v1/merge", with("dry_run", true));
  const auto once = with("preview", shown.json()["preview"]);
  // Twice at the same time: one of them.
  auto first = Line::to_port(browser.port()), second = Line::to_port(browser.port());
  const auto text = request_text(
      "POST", "/v1/merge", browser.headers() + kJson + Headers{{"Origin", browser.origin()}}, once.dump());
  first.send(text);
  second.send(text);
  const auto a = first.answer(), b = second.answer();
  EXPECT_EQ(std::min(a.status, b.status), 200) << a.body << b.body;
  EXPECT_EQ(std::max(a.status, b.status), 409) << a.body << b.body;
  EXPECT_NE(world.git({"rev-parse", "HEAD"}), between);
  EXPECT_THAT(world.read("src/app.txt"), HasSubstr("fine"));
  // The page knows the repository by its races alone.
  EXPECT_EQ(browser.post("/v1/merge", {{"undo", true}, {"directory", world.home().string()}}).status, 400);
  const auto undone = browser.post("/v1/merge", {{"undo", true}, {"directory", world.repo().string()}});
  EXPECT_EQ(undone.status, 200) << undone.body;
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), between);
  EXPECT_NE(between, head);
}

// Far away, over ssh, bytes count: answers are packed for whoever asks, and the same as without.
TEST_F(Door, AnswersArePackedForWhoAsks) {
  const Browser browser(world);
  const auto target = "/v1/races/" + race + "/results";
  const auto plain = browser.get(target);
  ASSERT_EQ(plain.status, 200);
  EXPECT_EQ(plain.header("content-encoding"), "");
  EXPECT_EQ(plain.header("vary"), "Accept-Encoding");
  const auto packed =
      browser.send("GET", target, browser.headers() + Headers{{"Accept-Encoding", "deflate, gzip, br"}});
  ASSERT_EQ(packed.status, 200);
  EXPECT_EQ(packed.header("content-encoding"), "gzip");
  EXPECT_LT(packed.body.size(), plain.body.size() / 2);
  const auto unpacked =
      Process({"/usr/bin/python3", "-c",
               "import sys,gzip;sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"},
              "/", {{"PATH", "/usr/bin:/bin"}}, packed.body)
          .wait();
  EXPECT_EQ(unpacked.out, plain.body) << unpacked.err;
  const auto refused = browser.send("GET", target, browser.headers() + Headers{{"Accept-Encoding", "br"}});
  EXPECT_EQ(refused.header("content-encoding"), "");
}

// A browser or a proxy may take no gzip: the page's files are the same without.
TEST_F(Door, ThePageIsSentPlainToWhoTakesNoGzip) {
  const Browser browser(world);
  const auto asked = [&](const std::string& target, const char* accepted) {
    return browser.send("GET", target, browser.headers() + Headers{{"Accept-Encoding", accepted}});
  };
  const auto plain = asked("/", "identity"), packed = asked("/", "identity, gzip");
  if (packed.status == 404) GTEST_SKIP() << "no esbuild when hydrad was built";
  ASSERT_EQ(plain.status, 200) << plain.body;
  EXPECT_EQ(plain.header("content-encoding"), "");
  EXPECT_EQ(packed.header("content-encoding"), "gzip");
  EXPECT_NE(plain.header("etag"), packed.header("etag")) << "other bytes, another name";
  const auto script = plain.body.find("/main-");
  ASSERT_NE(script, std::string::npos) << plain.body;
  for (const auto& target :
       {std::string("/"), plain.body.substr(plain.body.find("/main-", script + 1), 17)}) {
    const auto unpacked =
        Process({"/usr/bin/python3", "-c",
                 "import sys,gzip;sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"},
                "/", {{"PATH", "/usr/bin:/bin"}}, asked(target, "gzip").body)
            .wait();
    const auto same = asked(target, "gzip;q=0, br");
    EXPECT_TRUE(unpacked.out == same.body) << target << unpacked.err;
    EXPECT_GT(same.body.size(), 100u);
  }
  EXPECT_EQ(browser
                .send("GET", "/",
                      browser.headers() +
                          Headers{{"Accept-Encoding", "identity"}, {"If-None-Match", plain.header("etag")}})
                .status,
            304);
}

// The page shows what a merge would leave between its marks.
TEST_F(Door, AConflictIsShownWithItsText) {
  const Browser browser(world);
  world.write("src/app.txt", "mine\n");
  world.commit("meanwhile");
  const auto shown = browser.post("/v1/merge", {{"race", race}, {"agent", "a"}, {"dry_run", true}});
  ASSERT_EQ(shown.status, 200) << shown.body;
  EXPECT_EQ(shown.json()["conflicts"], (Json{"src/app.txt"}));
  const auto text = shown.json()["conflict_text"][0];
  EXPECT_EQ(text["path"], "src/app.txt");
  EXPECT_THAT(text["text"].get<std::string>(), HasSubstr("<<<<<<< main\nmine\n"));
  EXPECT_THAT(text["text"].get<std::string>(), HasSubstr("fine\n>>>>>>> hydra/a-"));
}

// A25, A26, A27: nobody who looks at the page names a path, a program or a configuration.
TEST_F(Door, NoPathAndNoConfigurationFromABrowser) {
  const Browser browser(world);
  const Json race_call{{"directory", world.repo().string()},
                       {"task", "x"},
                       {"agents", Json::array()},
                       {"config", Json::object()},
                       {"environment", Json::object()}};
  for (const auto& [target, body] :
       {std::pair<std::string, Json>{"/v1/races", race_call},
        {"/v1/combine", {{"parts", {"a:src"}}, {"directory", world.repo().string()}}},
        {"/v1/shutdown", Json::object()},
        {"/v1/ui", Json::object()}}) {
    const auto answer = browser.send(
        "POST", target, browser.headers() + kJson + Headers{{"Origin", browser.origin()}}, body.dump());
    EXPECT_THAT(answer.status, AnyOf(404, 405)) << target;
  }
  EXPECT_EQ(world.list()["races"].size(), 1u);
  EXPECT_EQ(world.daemons().size(), 1u);
  // A program of the browser's choice would be started by its configuration and its PATH.
  const auto trap = world.root() / "trap";
  fs::create_directories(trap);
  std::ofstream(trap / "mine") << "#!/bin/sh\ntouch '" << trap.string() << "/ran'\necho 1.0\n";
  fs::permissions(trap / "mine", fs::perms::owner_all);
  const auto agents =
      browser.post("/v1/agents", {{"probe", true},
                                  {"environment", {{"PATH", trap.string()}}},
                                  {"config", {{"agents", {{"mine", {{"command", {"mine"}}}}}}}}});
  EXPECT_EQ(agents.status, 200) << agents.body;
  EXPECT_THAT(agents.body, Not(HasSubstr(trap.string())));
  EXPECT_FALSE(fs::exists(trap / "ran"));
  EXPECT_EQ(browser.post("/v1/doctor", {{"directory", "/etc"}}).status, 200);
}

// A20, A21, A22, A23: a code is in no argument, no log and no file of others.
TEST_F(Door, TheCodeReachesTheBrowserAlone) {
  const auto seen = world.root() / "seen";
  fs::create_directories(seen);
  // A browser that writes down how it was called, and follows the file that it was given.
  std::ofstream(world.root() / "browser")
      << "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" << seen.string()
      << "/argv'\nfile=${1#file://}\nstat -c '%a %F' \"$file\" > '" << seen.string()
      << "/mode'\ncp \"$file\" '" << seen.string() << "/page.part'\nmv '" << seen.string() << "/page.part' '"
      << seen.string() << "/page'\n";
  fs::permissions(world.root() / "browser", fs::perms::owner_all);
  if (ask(world, "GET", "/v1/ui").json()["page"] == false) GTEST_SKIP() << "no esbuild when hydrad was built";
  HydraOptions options;
  options.environment = {{"BROWSER", (world.root() / "browser").string()}};
  const auto run = world.hydra({"ui", race}, options);  // nobody signs in: it prints the link in the end
  EXPECT_EQ(run.exit, 0) << run.err;
  const auto at = run.out.find("#code=");
  ASSERT_NE(at, std::string::npos) << run.out;
  const auto code = run.out.substr(at + 6, 64);
  EXPECT_THAT(run.out.substr(at), HasSubstr("&to=/race/" + race));
  EXPECT_THAT(world.hydra({"ui", "--no-open", "--suite-run", "tb1"}).out, HasSubstr("&to=/suite/tb1"));
  EXPECT_THAT(slurp(seen / "page"), HasSubstr(code));
  EXPECT_THAT(slurp(seen / "argv"), Not(HasSubstr(code)));
  EXPECT_EQ(slurp(seen / "mode"), "600 regular file\n");
  for (const auto& entry : fs::directory_iterator(world.runtime()))
    EXPECT_NE(entry.path().extension(), ".html") << "it does not stay";
  EXPECT_THAT(slurp(world.state() / "hydrad.log"), Not(HasSubstr(code)));
  EXPECT_THAT(slurp(world.state() / "hydrad.log"), Not(HasSubstr(code.substr(0, 16))));
}

TEST_F(Door, WithoutADisplayTheLinkIsPrinted) {
  if (ask(world, "GET", "/v1/ui").json()["page"] == false) GTEST_SKIP() << "no esbuild when hydrad was built";
  const auto run = world.hydra({"ui"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("http://127.0.0.1:"));
  const auto json = Json::parse(world.hydra({"ui", "--json"}).out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_THAT(json["url"].get<std::string>(),
              HasSubstr(":" + std::to_string(json["port"].get<int>()) + "/#code="));
  EXPECT_TRUE(json["expires_ms"].is_number_integer());
  EXPECT_EQ(world.hydra({"ui", "--allow-port", "none"}).exit, 2);
  // From now on a race says where it can be looked at.
  const auto race_run = world.race({"--agents", "a", "again"});
  EXPECT_THAT(race_run.out,
              HasSubstr("http://127.0.0.1:" + std::to_string(json["port"].get<int>()) + "/#/race/"));
}

// The socket is no web server, wherever somebody forwards it to.
TEST_F(Door, TheUnixSocketIsNotForBrowsers) {
  const auto asked = [&](const Headers& headers, const std::string& method = "GET",
                         const std::string& body = {}) {
    auto line = Line::to_socket(world);
    line.send(request_text(method, "/v1/health", headers, body));
    return line.answer().status;
  };
  EXPECT_EQ(asked({{"Host", "hydra"}}), 200);
  EXPECT_EQ(asked({{"Host", "localhost:7777"}}), 421);
  EXPECT_EQ(asked({}), 421);
  EXPECT_EQ(asked({{"Host", "hydra"}, {"Host", "hydra"}}), 421);
  EXPECT_EQ(asked({{"Host", "hydra"}, {"Origin", "http://evil.test"}}), 421);
  EXPECT_EQ(asked({{"Host", "hydra"}, {"Sec-Fetch-Site", "cross-site"}}), 421);
  EXPECT_EQ(asked({{"Host", "hydra"}, {"Referer", "http://evil.test/"}}), 421);
  EXPECT_EQ(asked({{"Host", "hydra"}, {"Content-Type", "text/plain"}}, "POST", "{}"), 415);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
