// The daemon's answers against docs/openapi.json: every route, with a real race; and what a caller is told
// who asks for something that is none (docs/api.md).
#include "support/contract.hpp"
#include "support/http.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <signal.h>
#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Contract, WhatNobodyNamesIsAMisfit) {
  const Json row{{"race", "x"}, {"agent", "y"}};
  EXPECT_EQ(misfits_of("Cancelled", row), "");
  auto more = row;
  more["other"] = 1;
  EXPECT_THAT(misfits_of("Cancelled", more), HasSubstr("unknown member other"));
  EXPECT_THAT(misfits_of("Cancelled", {{"race", "x"}}), HasSubstr("lacks agent"));
  EXPECT_THAT(misfits_of("Cancelled", {{"race", 1}, {"agent", "y"}}), HasSubstr("is no"));
  EXPECT_FALSE(misfits({{"type", "string"}, {"pattern", "x"}}, "x").empty())
      << "a keyword that nobody checks";
}

/// Three results of one project: a fixes a test, b breaks one, c fails to build.
class Api : public ::testing::Test {
 protected:
  Api() {
    world.write(
        "tests.sh",
        "#!/bin/sh\necho 1..3\necho 'ok 1 - one'\ngrep -q two src/app.txt && echo 'ok 2 - two' || echo 'not "
        "ok 2 - "
        "two'\ngrep -q fixed src/app.txt && echo 'ok 3 - three' || echo 'not ok 3 - three'\ngrep -q fixed "
        "src/app.txt\n",
        true);
    world.project(script_agent("a", "echo fixed >> src/app.txt; echo said by a") +
                  script_agent("b", "echo one > src/app.txt") + script_agent("c", "touch broken; exit 1") +
                  "[scoring]\nbuild_command = \"test ! -e broken\"\ntest_command = \"./tests.sh\"\n"
                  "lint_command = \"echo 'src/app.txt:1:2: error: bad [E1]'; exit 1\"\n");
    race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a,b,c", "the task of it"}));
    EXPECT_THAT(world.hydra({"watch", race}).exit, AnyOf(0, 1));
    of_race = "/v1/races/" + race;
  }
  Answer get(const std::string& target) { return ask(world, "GET", target); }
  World world;
  std::string race, of_race;
};

// ask() and Browser hold each answer against the document.
TEST_F(Api, EveryRouteAnswersAsDocumented) {
  for (const std::string& what : {std::string(),
                                  std::string("/results"),
                                  std::string("/tests"),
                                  std::string("/tests?show=all"),
                                  std::string("/tests/a?name=two"),
                                  std::string("/lint/a"),
                                  std::string("/lint/a?new=1"),
                                  std::string("/attempts"),
                                  std::string("/explain/a"),
                                  std::string("/explain/b"),
                                  std::string("/explain/"),
                                  std::string("/logs/a"),
                                  std::string("/logs/a?kind=tests"),
                                  std::string("/logs/@baseline?kind=tests"),
                                  std::string("/logs/%40baseline?kind=tests"),
                                  std::string("/logs/a/lines?kind=tests"),
                                  std::string("/diff/a"),
                                  std::string("/diff/a?format=json"),
                                  std::string("/diff/a?format=json&against=b"),
                                  std::string("/diff/a?path=src/app.txt&space=ignore")}) {
    const auto answer = get(of_race + what);
    EXPECT_EQ(answer.status, 200) << what << ": " << answer.body;
  }
  for (const char* target : {"/v1/health", "/v1/races", "/v1/templates", "/v1/ui", "/v1/openapi.json"})
    EXPECT_EQ(get(target).status, 200) << target;
  EXPECT_EQ(get(of_race + "/verification").status, 400);
  EXPECT_EQ(get("/v1/openapi.json").json(), openapi());
  const auto post = [&](const std::string& target, const Json& body) {
    return ask(world, "POST", target, body);
  };
  EXPECT_EQ(post(of_race + "/rescore", {{"weights", {{"tests", 1}}}}).status, 200);
  EXPECT_EQ(post(of_race + "/rescore", Json::object()).status, 200);
  EXPECT_EQ(post(of_race + "/restore", {{"wait", true}}).status, 200);
  EXPECT_EQ(post(of_race + "/cancel", {{"agent", ""}}).status, 409);
  EXPECT_EQ(post("/v1/clean", Json::object()).status, 200);
  const Json environment{{"PATH", "/usr/bin:/bin"}, {"HOME", world.home().string()}};
  EXPECT_EQ(post("/v1/agents", {{"environment", environment}, {"probe", false}}).status, 200);
  EXPECT_EQ(post("/v1/doctor", {{"environment", environment}, {"directory", world.repo().string()}}).status,
            200);
  const auto dry = post("/v1/merge", {{"race", race}, {"agent", "a"}, {"dry_run", true}});
  EXPECT_EQ(dry.status, 200) << dry.body;
  EXPECT_EQ(post("/v1/merge", {{"target", race + "/a"}, {"directory", world.repo().string()}}).status, 200);
  EXPECT_EQ(post("/v1/merge", {{"undo", true}, {"directory", world.repo().string()}}).status, 200);
  EXPECT_EQ(post("/v1/merge",
                 {{"target", race + "/a"}, {"directory", world.repo().string()}, {"repair_only", true}})
                .status,
            200);
  const auto verified = post(of_race + "/verify", Json::object());
  ASSERT_EQ(verified.status, 201) << verified.body;
  const std::string again = verified.json()["race"];
  EXPECT_THAT(world.hydra({"watch", again}).exit, AnyOf(0, 1));
  EXPECT_EQ(get("/v1/races/" + again + "/verification").status, 200);
  EXPECT_EQ(post("/v1/combine", {{"parts", {"a:src"}}, {"directory", world.repo().string()}}).status, 201);
  EXPECT_THAT(world.hydra({"watch", race}).exit, AnyOf(0, 1));
  const auto retried =
      post(of_race + "/retry", {{"agents", {"b"}}, {"message", "again"}, {"environment", environment}});
  EXPECT_EQ(retried.status, 200) << retried.body;
  EXPECT_THAT(world.hydra({"watch", race}).exit, AnyOf(0, 1));
  EXPECT_EQ(get(of_race + "/results").status, 200);
}

TEST_F(Api, TestsByName) {
  const auto table = get(of_race + "/tests").json();
  EXPECT_EQ(table["columns"], (Json{"@baseline", "a", "b", "c"}));
  EXPECT_EQ(table["rows"], (Json{{{"name", "three"}, {"cells", "fpf."}, {"class", "fixed"}},
                                 {{"name", "two"}, {"cells", "ppf."}, {"class", "broken"}}}))
      << table.dump(1);
  EXPECT_EQ(table["counts"]["all"], 3);
  EXPECT_EQ(table["counts"]["changed"], 2);
  EXPECT_EQ(get(of_race + "/tests?show=all").json()["rows"].size(), 3u);
  EXPECT_EQ(get(of_race + "/tests?show=failed&q=TW").json()["rows"].size(), 1u);
  const auto first = get(of_race + "/tests?show=all&limit=2").json();
  EXPECT_EQ(first["rows"].size(), 2u);
  const auto rest =
      get(of_race + "/tests?show=all&limit=2&cursor=" + first["next"].get<std::string>()).json();
  EXPECT_EQ(rest["rows"].size(), 1u);
  EXPECT_EQ(rest["next"], nullptr);
  EXPECT_EQ(get(of_race + "/tests/b?name=two").json()["status"], "failed");
  EXPECT_EQ(get(of_race + "/tests/b?name=nothing").status, 404);
  EXPECT_EQ(get(of_race + "/tests?show=some").status, 400);
}

TEST_F(Api, SlicesOfLogs) {
  const auto log = world.attempt(race, "a", "agent") / "stdout.log";
  std::string text;
  for (int i = 1; i <= 2500; ++i) text += "line " + std::to_string(i) + "\n";
  std::ofstream(log, std::ios::binary) << text;
  const auto lines = get(of_race + "/logs/a/lines").json();
  EXPECT_EQ(lines["lines"], 2500);
  EXPECT_EQ(lines["bytes"], text.size());
  EXPECT_EQ(lines["offsets"], (Json{0, text.find("line 1001\n"), text.find("line 2001\n")}));
  const auto from = get(of_race + "/logs/a?line=1200&max=1024");
  EXPECT_TRUE(from.body.starts_with("line 1200\n")) << from.body.substr(0, 40);
  EXPECT_EQ(from.header("x-hydra-ended"), "0");
  const auto tail = get(of_race + "/logs/a?tail=25");
  EXPECT_EQ(tail.body, "line 2499\nline 2500\n");
  EXPECT_EQ(tail.header("x-hydra-ended"), "1");
  EXPECT_EQ(tail.header("x-hydra-next-offset"), std::to_string(text.size()));
  const auto whole = get(of_race + "/logs/a");
  EXPECT_EQ(whole.body, text);
  EXPECT_EQ(whole.header("x-hydra-ended"), "1") << "said with the last bytes, not a call later";
  const std::string key = get(of_race + "/explain/a").json()["dimensions"][1]["runs"][0]["attempt"];
  EXPECT_THAT(get(of_race + "/logs/a?attempt=" + key).body, HasSubstr("ok 2 - two"));
  EXPECT_EQ(get(of_race + "/logs/a?kind=tests&attempt=99").status, 404);
  EXPECT_EQ(get(of_race + "/logs/a?attempt=x").status, 400);
}

TEST_F(Api, TwoResultsCompared) {
  const auto files = get(of_race + "/diff/a?format=json&against=b").json();
  ASSERT_EQ(files["files"].size(), 1u) << files.dump(1);
  EXPECT_EQ(files["files"][0]["path"], "src/app.txt");
  EXPECT_EQ(files["lines_added"], 3);
  EXPECT_THAT(get(of_race + "/diff/a?against=b&path=src/app.txt").body, HasSubstr("+fixed"));
  EXPECT_EQ(get(of_race + "/diff/a?path=no/such").body, "");
  EXPECT_EQ(get(of_race + "/diff/a?path=*").body, "") << "a path is no pattern";
  EXPECT_EQ(get(of_race + "/diff/a?against=nobody").status, 404);
  const auto patch = get(of_race + "/diff/a");
  const auto etag = patch.header("etag");
  ASSERT_FALSE(etag.empty());
  auto line = Line::to_socket(world);
  line.send(request_text("GET", of_race + "/diff/a", {{"Host", "hydra"}, {"If-None-Match", etag}}));
  const auto same = line.answer();
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  line.send(request_text("HEAD", of_race + "/diff/a", {{"Host", "hydra"}}));
  const auto head = line.answer(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), std::to_string(patch.body.size()));
}

TEST_F(Api, TheListInPages) {
  for (const char* task : {"second task", "third task"}) {
    const auto next = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", task}));
    EXPECT_THAT(world.hydra({"watch", next}).exit, AnyOf(0, 1));
  }
  const auto first = get("/v1/races?limit=2").json();
  ASSERT_EQ(first["races"].size(), 2u);
  EXPECT_EQ(first["races"][0]["task"], "third task");
  EXPECT_EQ(first["total"], 3);
  const auto rest = get("/v1/races?limit=2&cursor=" + first["next"].get<std::string>()).json();
  ASSERT_EQ(rest["races"].size(), 1u);
  EXPECT_EQ(rest["next"], nullptr);
  const auto& oldest = rest["races"][0];
  EXPECT_EQ(oldest["race"], race);
  EXPECT_EQ(oldest["displays"], (Json{{"a", "a"}, {"b", "b"}, {"c", "c"}}));
  EXPECT_TRUE(oldest["ended_ms"].is_number());
  EXPECT_EQ(oldest["best"], agent_of(world.results(race), "a")["composite"]);
  EXPECT_EQ(oldest["merged"], nullptr);
  EXPECT_EQ(get("/v1/races?q=SECOND").json()["races"].size(), 1u);
  EXPECT_EQ(get("/v1/races?q=" + race.substr(0, 9)).json()["races"].size(), 1u);
  EXPECT_EQ(get("/v1/races?state=running").json()["races"].size(), 0u);
  EXPECT_EQ(get("/v1/races?repository=" + world.home().string()).json()["races"].size(), 0u);
  EXPECT_EQ(get("/v1/races?repository=" + world.repo().string() + "/src").json()["races"].size(), 3u);
  // A merge shows in the list of a race that has long ended.
  EXPECT_EQ(world.hydra({"merge", race + "/a"}).exit, 0);
  EXPECT_EQ(get("/v1/races?q=" + race).json()["races"][0]["merged"], "a");
}

// A wrong method or route is refused; the answer to a wrong method names the allowed ones.
TEST_F(Api, WrongMethodsAndRoutes) {
  const auto put = [&](const std::string& method, const std::string& target) {
    auto line = Line::to_socket(world);
    line.send(request_text(method, target, {{"Host", "hydra"}}));
    return line.answer();
  };
  EXPECT_EQ(put("POST", of_race + "/results").status, 405);
  EXPECT_EQ(put("POST", of_race + "/results").header("allow"), "GET, HEAD");
  EXPECT_EQ(put("GET", of_race + "/cancel").header("allow"), "POST");
  EXPECT_EQ(put("GET", "/v1/nothing").status, 404);
  EXPECT_EQ(put("GET", "/v2/health").status, 404);
  EXPECT_EQ(put("GET", of_race + "/logs/%2e%2e").status, 400);
}

// Whom to cancel is said in full, once, and known.
TEST(Bodies, ACancelThatIsUnclearCancelsNobody) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("slow", gate.script() + "; echo done >> src/app.txt"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "slow", "task"}));
  ASSERT_TRUE(gate.arrived());
  const auto cancel = [&](const std::string& body,
                          const Headers& more = {{"Content-Type", "application/json"}}) {
    auto line = Line::to_socket(world);
    Headers headers{{"Host", "hydra"}};
    headers.insert(headers.end(), more.begin(), more.end());
    line.send(request_text("POST", "/v1/races/" + race + "/cancel", headers, body));
    return line.answer();
  };
  for (const std::string& body :
       {std::string(), std::string("{}"), std::string("{\"agent\":\"nosuch\",\"agent\":\"slow\"}"),
        std::string("{\"agent\":null}"), std::string("{\"agent\":3}"), std::string("{\"agnt\":\"slow\"}"),
        std::string("{\"agent\":\"slow\",\"agent\":\"slow\"}"), std::string("[\"slow\"]"),
        std::string("nonsense")}) {
    const auto answer = cancel(body);
    EXPECT_EQ(answer.status, 400) << body << ": " << answer.body;
    EXPECT_THAT(answer.body, Not(HasSubstr("json.exception"))) << body;
  }
  EXPECT_EQ(cancel("{\"agent\":\"nosuch\"}").status, 404);
  EXPECT_EQ(world.status(race)["state"], "running");
  gate.open();
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  EXPECT_EQ(agent_of(world.results(race), "slow")["state"], "completed");
  for (const auto& [target, body] : {std::pair<std::string, Json>{"/v1/races", Json::object()},
                                     {"/v1/races", {{"directory", 3}}},
                                     {"/v1/merge", {{"directory", Json::array()}}},
                                     {"/v1/combine", {{"parts", "x"}, {"directory", ""}}},
                                     {"/v1/clean", {{"apply", "yes"}}},
                                     {"/v1/races/" + race + "/approve", {{"tests", {"a", 5}}}},
                                     {"/v1/races/" + race + "/retry", Json::object()}}) {
    const auto answer = ask(world, "POST", target, body);
    EXPECT_EQ(answer.status, 400) << target;
    EXPECT_THAT(answer.body, Not(HasSubstr("json.exception"))) << target;
  }
}

// Connections that only idle make room for clients that ask.
TEST(Bodies, IdleConnectionsLockNobodyOut) {
  World world;
  world.project(script_agent("a", "true"));
  ASSERT_EQ(world.hydra({"list"}).exit, 0);
  std::vector<Line> idle;
  for (int i = 0; i < 400; ++i) {
    idle.push_back(Line::to_socket(world));
    if (i % 2 == 1) idle.back().send("GET /v1/health HT");
  }
  EXPECT_EQ(world.hydra({"list"}).exit, 0);
  EXPECT_TRUE(idle.front().closed());
  EXPECT_EQ(world.daemons().size(), 1u);
}

TEST(Bodies, MalformedRequestsAreAnswered) {
  World world;
  world.project(script_agent("a", "true"));
  ASSERT_EQ(world.hydra({"list"}).exit, 0);
  const auto asked = [&](const std::string& text) {
    auto line = Line::to_socket(world);
    line.send(text);
    line.end_sending();
    return line.answer();
  };
  EXPECT_EQ(asked("nonsense\r\n\r\n").status, 400);
  EXPECT_EQ(asked("GET /v1/health HTTP/1.1\r\nHost: hydra\r\nContent-Length: x\r\n\r\n").status, 400);
  EXPECT_EQ(asked("POST /v1/clean HTTP/1.1\r\nHost: hydra\r\nContent-Length: 99999999999\r\n\r\n").status,
            413);
  EXPECT_EQ(
      asked("GET /v1/health HTTP/1.1\r\nHost: hydra\r\nX: " + std::string(20000, 'x') + "\r\n\r\n").status,
      431);
  EXPECT_EQ(asked("POST /v1/clean HTTP/1.1\r\nHost: hydra\r\nContent-Length: 10\r\n\r\n{}").status, 400);
  const auto answer = asked("nonsense\r\n\r\n");
  EXPECT_EQ(misfits_of("Error", answer.json()), "") << answer.body;
  EXPECT_EQ(answer.header("connection"), "close");
  // Two on one connection, the second one behind the first.
  auto line = Line::to_socket(world);
  const auto one = request_text("GET", "/v1/health", {{"Host", "hydra"}});
  line.send(one + one);
  EXPECT_EQ(line.answer().status, 200);
  EXPECT_EQ(line.answer().status, 200);
}

/// An event stream, frame by frame.
class Frames {
 public:
  Frames(const World& world, const std::string& target, const std::string& last = {})
      : line_(Line::to_socket(world)) {
    Headers headers{{"Host", "hydra"}};
    if (!last.empty()) headers.emplace_back("Last-Event-ID", last);
    line_.send(request_text("GET", target, headers));
    EXPECT_EQ(line_.answer().status, 200) << target;
  }
  bool wait_for(const std::string& text) { return line_.wait_for(text); }
  [[nodiscard]] std::string text() const { return line_.text(); }
  [[nodiscard]] std::vector<int> ids() const {
    std::vector<int> found;
    std::istringstream lines(line_.text());
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("id: ")) found.push_back(std::stoi(line.substr(4)));
    return found;
  }

 private:
  Line line_;
};

TEST(Streams, OneForManyRaces) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("slow", gate.script() + "; echo done >> src/app.txt"));
  ASSERT_EQ(world.hydra({"list"}).exit, 0);
  Frames frames(world, "/v1/events?races=open&live=1&brief=1&after=now");
  const auto first = race_id(world.hydra({"race", "--detach", "--json", "--agents", "slow", "one"}));
  const auto second = race_id(world.hydra({"race", "--detach", "--json", "--agents", "slow", "two"}));
  ASSERT_TRUE(frames.wait_for("\"created\":[\"" + first + "\"]"));
  ASSERT_TRUE(frames.wait_for("\"created\":[\"" + second + "\"]"));
  ASSERT_TRUE(gate.arrived(2));
  ASSERT_TRUE(frames.wait_for("event: live"));
  gate.open(2);
  ASSERT_TRUE(frames.wait_for("\"ended\":[\"" + first + "\"]"));
  ASSERT_TRUE(frames.wait_for("\"ended\":[\"" + second + "\"]"));
  const auto ids = frames.ids();
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_EQ(std::set<int>(ids.begin(), ids.end()).size(), ids.size()) << "none twice";
  EXPECT_THAT(frames.text(), Not(HasSubstr("event: end"))) << "other races may begin";
  // Taken up in the middle, over a crash of the daemon: what is missing, once, in its order.
  const auto middle = ids[ids.size() / 2];
  world.kill_daemon(SIGKILL);
  ASSERT_EQ(world.hydra({"list"}).exit, 0);
  Frames again(world, "/v1/events?races=" + first + "," + second + "&brief=1", std::to_string(middle));
  ASSERT_TRUE(again.wait_for("id: " + std::to_string(ids.back())));
  auto rest = again.ids();
  const std::vector<int> missing(ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2) + 1, ids.end());
  rest.resize(std::min(rest.size(), missing.size()));  // one more may have been stored before the crash
  EXPECT_EQ(rest, missing);
}

TEST(Streams, ALastPictureComesBeforeTheEnd) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("slow", gate.script() + "; echo done >> src/app.txt"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "slow", "one"}));
  ASSERT_TRUE(gate.arrived());
  Frames frames(world, "/v1/races/" + race + "/events?live=1&after=now");
  ASSERT_TRUE(frames.wait_for("event: live"));
  gate.open();
  ASSERT_TRUE(frames.wait_for("event: end"));
  const auto text = frames.text();
  const auto at = text.rfind("event: live\ndata: ");
  ASSERT_NE(at, std::string::npos);
  const auto picture = Json::parse(text.substr(at + 18, text.find('\n', at + 18) - at - 18));
  EXPECT_EQ(picture["state"], "done");
  EXPECT_EQ(misfits_of("Status", picture), "");
  EXPECT_THAT(text, Not(HasSubstr("event: race_created"))) << "from now on only";
}

TEST(Streams, BriefEventsHaveNoLists) {
  World world;
  world.project(script_agent("a", "echo x >> src/app.txt") +
                "[scoring]\ntest_command = \"printf 'ok 1 - one\\nok 2 - two\\n1..2\\n'\"\n");
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "one"}));
  ASSERT_EQ(world.hydra({"watch", race}).exit, 0);
  Frames whole(world, "/v1/races/" + race + "/events"), brief(world, "/v1/races/" + race + "/events?brief=1");
  ASSERT_TRUE(whole.wait_for("event: end"));
  ASSERT_TRUE(brief.wait_for("event: end"));
  EXPECT_EQ(whole.ids(), brief.ids());
  EXPECT_THAT(whole.text(), HasSubstr("\"evidence\":[{"));
  EXPECT_THAT(whole.text(), Not(HasSubstr("\"coded\""))) << "the route `tests` has the names";
  EXPECT_THAT(brief.text(), Not(HasSubstr("[")));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
