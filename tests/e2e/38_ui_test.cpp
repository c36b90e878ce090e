// The scoreboard's listener, by raw sockets: who may come in (rows A01 to A28 of the reliability matrix), and
// what those who may not are told.
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

// The listeners of this machine that this daemon has, as the kernel lists them: "0100007F:1F90".
std::vector<std::string> listeners(pid_t daemon) {
  std::vector<std::string> found;
  std::vector<std::string> inodes;
  for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(daemon) + "/fd")) {
    std::error_code ec;
    const auto target = fs::read_symlink(entry.path(), ec).string();
    if (target.starts_with("socket:[")) inodes.push_back(target.substr(8, target.size() - 9));
  }
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::istringstream lines(slurp(table));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::vector<std::string> row{std::istream_iterator<std::string>(words), {}};
      if (row.size() > 9 && row[3] == "0A" && std::find(inodes.begin(), inodes.end(), row[9]) != inodes.end())
        found.push_back(row[1]);
    }
  }
  return found;
}

// A01, A02.
TEST_F(Door, OnlyItsOwnNamesAreAnswered) {
  const Browser browser(world);
  const auto port = ":" + std::to_string(browser.port());
  for (const auto& host :
       {"evil.test" + port, "localhost.evil.test" + port, "127.0.0.1.evil.test" + port, "LOCALHOST." + port,
        "localhost." + port, std::string("127.0.0.1"), std::string("127.0.0.1:1"), "0.0.0.0" + port,
        "127.1" + port, std::string("hydra")})
    for (const char* target : {"/v1/health", "/", "/ui/session"}) {
      const auto answer =
          browser.send("GET", target, without(browser.headers(), "Host") + Headers{{"Host", host}});
      EXPECT_EQ(answer.status, 421) << host << " " << target;
    }
  EXPECT_THAT(browser.send("GET", "/v1/health", without(browser.headers(), "Host")).status, AnyOf(400, 421));
  EXPECT_THAT(browser.send("GET", "/v1/health", browser.headers() + Headers{{"Host", browser.host()}}).status,
              AnyOf(400, 421));
  EXPECT_EQ(browser.get("/v1/health").status, 200);
  for (const auto& host : {"localhost" + port, "[::1]" + port})
    EXPECT_EQ(browser.send("GET", "/v1/health", without(browser.headers(), "Host") + Headers{{"Host", host}})
                  .status,
              200)
        << host;
}

// A03, A05, A06: what a page of a stranger can make a browser send.
TEST_F(Door, OtherPagesAreRefused) {
  const Browser browser(world);
  const auto body = Json{{"agent", ""}}.dump();
  const auto target = "/v1/races/" + race + "/cancel";
  for (const auto& origin : std::vector<std::string>{
           "http://evil.test", "null", "http://localhost:1", "http://127.0.0.1", "https://" + browser.host(),
           browser.origin() + ".evil.test", browser.origin() + "/", ""}) {
    const auto answer =
        browser.send("POST", target, browser.headers() + kJson + Headers{{"Origin", origin}}, body);
    EXPECT_EQ(answer.status, 403) << origin;
    EXPECT_EQ(answer.header("access-control-allow-origin"), "");
  }
  for (const char* site : {"cross-site", "same-site", "none"}) {
    const auto answer = browser.send(
        "GET", "/v1/races", without(browser.headers(), "Sec-Fetch-Site") + Headers{{"Sec-Fetch-Site", site}});
    EXPECT_EQ(answer.status, 403) << site;
  }
  for (const char* type :
       {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "text/plain; application/json", "application/json5"}) {
    const auto answer =
        browser.send("POST", target, browser.headers() + Headers{{"Content-Type", type}}, body);
    EXPECT_EQ(answer.status, 415) << type;
  }
  const auto preflight =
      browser.send("OPTIONS", target, browser.headers() + Headers{{"Access-Control-Request-Method", "POST"}});
  EXPECT_EQ(preflight.status, 405);
  for (const auto& [name, value] : preflight.headers) EXPECT_THAT(name, Not(HasSubstr("access-control")));
}

// A link from another page may lead to the page itself, and to nothing else.
TEST_F(Door, ALinkMayLeadToThePageOnly) {
  const Browser browser(world);
  const Headers link{{"Host", browser.host()},
                     {"Accept-Encoding", "gzip"},
                     {"Sec-Fetch-Site", "cross-site"},
                     {"Sec-Fetch-Mode", "navigate"},
                     {"Sec-Fetch-Dest", "document"}};
  EXPECT_NE(browser.send("GET", "/", link).status, 403);
  EXPECT_EQ(browser.send("GET", "/v1/races", link).status, 403);
  auto framed = link;
  framed.back().second = "iframe";
  EXPECT_EQ(browser.send("GET", "/", framed).status, 403);
}

// A04, A08: neither half is enough, and none of them is taken from the query.
TEST_F(Door, BothHalvesOfASessionAreNeeded) {
  const Browser browser(world), other(world);
  const auto all = browser.headers();
  for (const auto& target : {std::string("/v1/health"), "/v1/races/" + race + "/events",
                             "/v1/races/" + race + "/report", std::string("/v1/openapi.json")}) {
    EXPECT_EQ(browser.send("GET", target, without(all, "Cookie")).status, 401) << target;
    EXPECT_EQ(browser.send("GET", target, without(all, "X-Hydra-Tab")).status, 401) << target;
    EXPECT_EQ(browser.send("GET", target, {{"Host", browser.host()}}).status, 401) << target;
    EXPECT_EQ(browser
                  .send("GET", target + "?tab=" + browser.tab() + "&token=" + browser.tab(),
                        without(all, "X-Hydra-Tab"))
                  .status,
              401);
  }
  EXPECT_EQ(
      browser.send("GET", "/v1/health", without(all, "X-Hydra-Tab") + Headers{{"X-Hydra-Tab", other.tab()}})
          .status,
      401)
      << "halves of two sessions";
  EXPECT_EQ(browser
                .send("POST", "/v1/races/" + race + "/cancel", Headers{{"Host", browser.host()}} + kJson,
                      Json{{"agent", ""}}.dump())
                .status,
            401);
  const auto bearer = browser.cookie().substr(browser.cookie().find('=') + 1) + "." + browser.tab();
  EXPECT_EQ(
      browser.send("GET", "/v1/health", {{"Host", browser.host()}, {"Authorization", "Bearer " + bearer}})
          .status,
      200);
  EXPECT_EQ(
      browser
          .send("GET", "/v1/health", {{"Host", browser.host()}, {"Authorization", "Bearer " + browser.tab()}})
          .status,
      401);
}

TEST_F(Door, ACodeIsUsedOnce) {
  const auto [port, code] = open_scoreboard(world);
  const auto host = "127.0.0.1:" + std::to_string(port);
  const auto sign_in = [&, at = port](const std::string& with) {
    auto line = Line::to_port(at);
    line.send(
        request_text("POST", "/ui/session", Headers{{"Host", host}} + kJson, Json{{"code", with}}.dump()));
    return line.answer();
  };
  EXPECT_EQ(sign_in(std::string(64, '0')).status, 401);
  const auto first = sign_in(code);
  EXPECT_EQ(first.status, 200);
  EXPECT_THAT(first.header("set-cookie"), HasSubstr("hydra-" + std::to_string(port) + "="));
  for (const char* word : {"HttpOnly", "SameSite=Strict", "Path=/"})
    EXPECT_THAT(first.header("set-cookie"), HasSubstr(word));
  EXPECT_EQ(sign_in(code).status, 401) << "replayed";
  EXPECT_EQ(sign_in("").status, 401);
}

TEST_F(Door, SignedOutAndClosed) {
  const Browser browser(world), second(world);
  EXPECT_EQ(browser.post("/ui/sign-out", Json::object()).status, 200);
  EXPECT_EQ(browser.get("/v1/health").status, 401);
  EXPECT_EQ(second.get("/v1/health").status, 200);
  const auto sessions = ask(world, "GET", "/v1/ui").json()["sessions"];
  ASSERT_EQ(sessions.size(), 1u);
  EXPECT_EQ(ask(world, "DELETE", "/v1/ui/" + sessions[0].get<std::string>()).status, 200);
  EXPECT_EQ(second.get("/v1/health").status, 401);
  // A client that watches is not left hanging.
  const Browser third(world);
  auto stream = Line::to_port(third.port());
  stream.send(request_text("GET", "/v1/events", third.headers()));
  ASSERT_TRUE(stream.wait_for("text/event-stream"));
  const auto stopped = world.hydra({"ui", "--stop", "--json"});
  EXPECT_EQ(Json::parse(stopped.out), (Json{{"schema", 1}, {"closed", true}}));
  EXPECT_TRUE(stream.closed());
  EXPECT_FALSE(Line::to_port(third.port()).ok());
  EXPECT_EQ(ask(world, "GET", "/v1/health").json()["ui"], nullptr);
}

// A07: everything that changes something is a POST, and says so.
TEST_F(Door, AGetChangesNothing) {
  const Browser browser(world);
  const auto before = world.results(race);
  int asked = 0;
  for (const auto& [pattern, operations] : openapi()["paths"].items()) {
    if (!operations.contains("post") || operations.contains("get") || pattern.starts_with("/ui")) continue;
    auto path = pattern;
    if (const auto at = path.find("{race}"); at != std::string::npos) path.replace(at, 6, race);
    const auto answer = browser.send("GET", path, browser.headers());
    const bool closed = operations["post"]["summary"].get<std::string>().starts_with("Unix socket only");
    EXPECT_EQ(answer.status, closed ? 404 : 405) << path;
    EXPECT_EQ(answer.header("allow"), closed ? "" : "POST") << path;
    ++asked;
  }
  EXPECT_GT(asked, 8);
  EXPECT_EQ(world.results(race), before);
}

// A10, A28, and the row of the idle daemon: nothing listens before it is asked for, and nothing else ever.
TEST_F(Door, ListensOnLoopbackOnlyAndWhenAsked) {
  const auto daemon = world.daemons().at(0);
  EXPECT_TRUE(listeners(daemon).empty());
  const auto [port, code] = open_scoreboard(world);
  const auto open = listeners(daemon);
  ASSERT_EQ(open.size(), 1u);
  EXPECT_TRUE(open[0].starts_with("0100007F:")) << open[0];
  EXPECT_EQ(std::stoi(open[0].substr(9), nullptr, 16), port);
  EXPECT_EQ(open_scoreboard(world).first, port) << "it is open already";
  const auto other = ask(world, "POST", "/v1/ui", {{"port", port == 65535 ? 1024 : port + 1}});
  EXPECT_EQ(other.status, 409) << other.body;
  EXPECT_EQ(ask(world, "DELETE", "/v1/ui").json()["closed"], true);
  EXPECT_TRUE(listeners(daemon).empty());
  // Another daemon has the port.
  World second;
  second.project(script_agent("a", "true"));
  EXPECT_EQ(second.hydra({"list"}).exit, 0);
  const auto [taken, unused] = open_scoreboard(second);
  const auto refused = world.hydra({"ui", "--no-open", "--port", std::to_string(taken)});
  EXPECT_EQ(refused.exit, 3) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("port " + std::to_string(taken)));
  EXPECT_THAT(refused.err, HasSubstr("without --port"));
}

TEST_F(Door, AForwardedPortIsAllowedByName) {
  const auto [port, code] = open_scoreboard(world, {{"allow_ports", {9000}}});
  for (const auto& [host, status] : {std::pair{"localhost:9000", 401}, {"localhost:9001", 421}}) {
    auto line = Line::to_port(port);
    line.send(request_text("GET", "/v1/health", {{"Host", host}}));
    EXPECT_EQ(line.answer().status, status) << host;
  }
}

// A11.
TEST_F(Door, NoNameIsAPath) {
  const Browser browser(world);
  const auto races = "/v1/races/" + race;
  for (const auto& target :
       {races + "/logs/..%2f..%2f..%2fhydra.db", races + "/logs/%00", races + "/logs/a%00",
        races + "/logs/../a", races + "/logs/..", races + "/diff/..%2F", std::string("/..%2f..%2fetc/passwd"),
        std::string("/../etc/passwd"), std::string("/%2e%2e/etc/passwd"), std::string("//etc/passwd"),
        std::string("/index.html/../../x"), races + "/logs/%2fetc%2fpasswd",
        races + "/logs/a?kind=../../hydra.db", races + "/logs/a?attempt=../../../x",
        races + "/logs/a?attempt=" + race + "/../agent/1", races + "/logs/a?attempt=" + race + "/a/agent/..",
        std::string("/v1/races/..%2f..%2fx/results")}) {
    const auto answer = browser.send("GET", target, browser.headers() + Headers{{"Accept-Encoding", "gzip"}});
    EXPECT_THAT(answer.status, AnyOf(400, 404)) << target;
    EXPECT_THAT(answer.body, Not(HasSubstr("root:"))) << target;
  }
  // A link in the place of a log leads nowhere.
  const auto log = world.attempt(race, "a", "agent") / "stdout.log";
  fs::remove(log);
  fs::create_symlink("/etc/passwd", log);
  EXPECT_EQ(browser.get(races + "/logs/a").status, 404);
}

// A14, A16: nothing that two readers could take for different requests.
TEST_F(Door, WhatIsNoRequestIsTold) {
  const Browser browser(world);
  const auto head = "Host: " + browser.host() + "\r\nCookie: " + browser.cookie() +
                    "\r\nX-Hydra-Tab: " + browser.tab() + "\r\n";
  const auto asked = [&](const std::string& text) {
    auto line = Line::to_port(browser.port());
    line.send(text);
    return line.answer().status;
  };
  EXPECT_EQ(asked("GET /v1/health HTTP/1.1\r\n" + head + "\r\n"), 200) << "the rest differs from this one";
  EXPECT_EQ(asked("GET /v1/health HTTP/1.1\n" + head + "\r\n"), 400) << "a bare LF";
  EXPECT_EQ(asked("GET /v1/health HTTP/1.1\r\n" + head + "X-A: b\r\n folded\r\n\r\n"), 400);
  EXPECT_EQ(asked("GET http://" + browser.host() + "/v1/health HTTP/1.1\r\n" + head + "\r\n"), 400);
  EXPECT_EQ(asked("GET v1/health HTTP/1.1\r\n" + head + "\r\n"), 400);
  EXPECT_EQ(asked("POST /v1/agents HTTP/1.1\r\n" + head +
                  "Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "2\r\n{}\r\n0\r\n\r\n"),
            400);
  EXPECT_EQ(asked("POST /v1/agents HTTP/1.1\r\n" + head +
                  "Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
            400);
  // Bytes behind such a header are no request.
  for (const char* encoding : {"Transfer-Encoding: x\r\n", "Transfer-Encoding: gzip, chunked\r\n",
                               "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"}) {
    auto line = Line::to_port(browser.port());
    line.send("GET /v1/health HTTP/1.1\r\n" + head + encoding + "\r\n0\r\n\r\nGET /v1/health HTTP/1.1\r\n" +
              head + "\r\n");
    EXPECT_EQ(line.answer().status, 400) << encoding;
    EXPECT_EQ(line.answer().status, 0) << encoding;
  }
  EXPECT_EQ(asked("\x16\x03\x01\n nothing\r\n\r\n"), 400);
  EXPECT_EQ(
      asked("GET /v1/health HTTP/1.1\r\n" + head + "X-Long: " + std::string(20 << 10, 'x') + "\r\n\r\n"),
      431);
  EXPECT_EQ(asked("GET /v1/health HTTP/1.1\r\n" + head + "X-Long: " + std::string(1 << 20, 'x')), 431);
  EXPECT_EQ(asked("POST /v1/agents HTTP/1.1\r\n" + head +
                  "Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n"),
            413);
  auto endless = Line::to_port(browser.port());
  endless.send("POST /v1/agents HTTP/1.1\r\n" + head +
               "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  const auto chunk = "10000\r\n" + std::string(0x10000, ' ') + "\r\n";
  for (int sent = 0; sent < 64 && endless.send(chunk); ++sent) {
  }
  EXPECT_EQ(endless.answer().status, 413);
  auto half = Line::to_port(browser.port());
  half.send("GET /v1/health HTT");
  half.end_sending();
  EXPECT_EQ(half.answer().status, 400);
}

// A15: whoever only holds connections makes room for those who ask.
TEST_F(Door, ManyHalfRequestsKeepNobodyOut) {
  const Browser browser(world);
  std::vector<Line> half;
  for (int i = 0; i < 300; ++i) {
    half.push_back(Line::to_port(browser.port()));
    half.back().send("GET /v1/health HTTP/1.1\r\nHost: ");
  }
  EXPECT_EQ(browser.get("/v1/health").status, 200);
  EXPECT_EQ(world.hydra({"list"}).exit, 0);
  EXPECT_TRUE(half.front().closed());
}

// A17.
TEST_F(Door, BodiesAreReadStrictly) {
  const Browser browser(world);
  const auto post = [&](const std::string& body) {
    return browser.send("POST", "/v1/races/" + race + "/rescore",
                        browser.headers() + kJson + Headers{{"Origin", browser.origin()}}, body);
  };
  for (const auto& body :
       {std::string("[]"), std::string("{"), std::string("{\"weights\":{\"build\":1,\"build\":2}}"),
        std::string("{\"weights\":{},\"weights\":{}}"), std::string("{\"weights\":{\"build\":1e999}}"),
        std::string("{\"weights\":{\"bui\xff\":1}}"), std::string("{\"weights\":3}"),
        std::string("{\"other\":1}"), std::string(100'000, '['), "{\"weights\":" + std::string(100'000, '{'),
        std::string("{\"weights\":{\"build\":\"1\"}}"), std::string("{\"weights\":{\"build\":-1}}")}) {
    const auto answer = post(body);
    EXPECT_EQ(answer.status, 400) << body.substr(0, 60);
    EXPECT_THAT(answer.body, Not(HasSubstr("json.exception"))) << body.substr(0, 60);
  }
  EXPECT_EQ(post("{\"weights\":{\"build\":1}}").status, 200);
}

// A18: who never reads is bounded, and costs the others nothing.
TEST_F(Door, StreamsThatNobodyReads) {
  const Browser browser(world);
  std::vector<Line> streams;
  for (int i = 0; i < 100; ++i) {
    streams.push_back(Line::to_port(browser.port()));
    streams.back().send(request_text("GET", "/v1/events?races=open&live=1", browser.headers()));
  }
  EXPECT_EQ(world.hydra({"list"}).exit, 0) << "the unix socket has a bound of its own";
  streams.clear();
  EXPECT_EQ(browser.get("/v1/health").status, 200);
}

// EventSource and WebSocket of another page.
TEST_F(Door, NoStreamForStrangersAndNoWebSocket) {
  const Browser browser(world);
  const auto from = [&](const std::string& target, const Headers& more) {
    return browser.send("GET", target, Headers{{"Host", browser.host()}, {"Cookie", browser.cookie()}} + more)
        .status;
  };
  EXPECT_EQ(from("/v1/events", {{"Origin", "http://evil.test"}, {"Accept", "text/event-stream"}}), 403);
  EXPECT_EQ(from("/v1/events", {{"Accept", "text/event-stream"}}), 401);
  const Headers socket{{"Connection", "Upgrade"},
                       {"Upgrade", "websocket"},
                       {"Sec-WebSocket-Version", "13"},
                       {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
  EXPECT_EQ(from("/v1/events", socket + Headers{{"Origin", "http://evil.test"}}), 403);
  EXPECT_EQ(from("/v1/health", socket + Headers{{"Origin", browser.origin()}}), 401);
  const auto answer = browser.send("GET", "/v1/health", browser.headers() + socket);
  EXPECT_EQ(answer.status, 200) << "an upgrade is not known here";
}

// A12, A24: nothing of an agent's text becomes more than text, and nothing frames the page.
TEST_F(Door, EveryAnswerHasTheHeadersThatHoldThePage) {
  const Browser browser(world);
  const auto races = "/v1/races/" + race;
  for (const auto& target : {std::string("/"), std::string("/v1/health"), std::string("/nothing"),
                             std::string("/v1/nothing"), races + "/logs/a", races + "/diff/a"}) {
    const auto answer = browser.send("GET", target, browser.headers() + Headers{{"Accept-Encoding", "gzip"}});
    const auto policy = answer.header("content-security-policy");
    for (const char* word :
         {"default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"})
      EXPECT_THAT(policy, HasSubstr(word)) << target;
    EXPECT_EQ(answer.header("x-content-type-options"), "nosniff") << target;
    EXPECT_EQ(answer.header("referrer-policy"), "no-referrer") << target;
    EXPECT_EQ(answer.header("x-frame-options"), "DENY") << target;
    EXPECT_EQ(answer.header("cross-origin-resource-policy"), "same-origin") << target;
    EXPECT_EQ(answer.header("access-control-allow-origin"), "") << target;
  }
  const auto log = browser.get(races + "/logs/a");
  EXPECT_EQ(log.header("content-type"), "application/octet-stream");
  EXPECT_EQ(log.header("content-disposition"), "attachment");
  EXPECT_EQ(log.header("cache-control"), "no-store");
  auto stream = Line::to_port(browser.port());
  stream.send(request_text("GET", "/v1/events", browser.headers()));
  ASSERT_TRUE(stream.wait_for("\r\n\r\n"));
  EXPECT_THAT(stream.text(), HasSubstr("default-src 'none'"));
}

// A12, A13: agents' text in every field, as JSON has it.
TEST(DoorText, HostileTextStaysText) {
  World world;
  const std::string evil =
      "<script>alert(1)</script>\\033]52;c;YQ==\\007\\342\\200\\256<img src=x onerror=alert(1)>";
  world.project(script_agent("a", "printf '" + evil +
                                      "\\n'; head -c 1000000 /dev/zero | tr '\\0' x; echo; "
                                      "printf '<script>' > 'src/<img src=x onerror=alert(1)>.txt'"));
  const auto race =
      race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "<script>alert('task')</script>"}));
  ASSERT_EQ(world.hydra({"watch", race}).exit, 0);
  const Browser browser(world);
  for (const char* what : {"", "/results", "/explain/a", "/diff/a?format=json", "/attempts"}) {
    const auto answer = browser.get("/v1/races/" + race + what);
    EXPECT_EQ(answer.status, 200) << what;
    EXPECT_EQ(answer.header("content-type"), "application/json") << what;
    EXPECT_TRUE(answer.json().is_object()) << what;
    EXPECT_THAT(answer.body, Not(HasSubstr("\x1b"))) << what;
  }
  EXPECT_EQ(browser.get("/v1/races/" + race + "/diff/a").header("content-type"), "text/plain; charset=utf-8");
  const auto log = browser.get("/v1/races/" + race + "/logs/a?raw=1");
  EXPECT_THAT(log.body, HasSubstr("<script>alert(1)</script>\x1b]52"));
  EXPECT_EQ(log.header("content-disposition"), "attachment");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
