// What programs of the user's own are told of races: OTLP to a receiver on the loopback interface, numbers
// for Prometheus; and the daemon under a service manager that listens for it.
#include "support/http.hpp"

#include <gmock/gmock.h>

#include <arpa/inet.h>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <set>
#include <sys/socket.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kWork = "echo done >> src/app.txt";

/// A receiver whose callers wait in the kernel until the test takes them.
class Receiver {
 public:
  Receiver() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(fd_, plain, size) == 0 && ::listen(fd_, 16) == 0 && ::getsockname(fd_, plain, &size) == 0)
      port_ = ntohs(address.sin_port);
  }
  ~Receiver() { ::close(fd_); }
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] bool called(std::chrono::milliseconds patience) const {
    pollfd p{fd_, POLLIN, 0};
    return ::poll(&p, 1, static_cast<int>(patience.count())) == 1;
  }
  /// Head and body of the next request, answered with `status`. Empty: nobody came.
  [[nodiscard]] std::pair<std::string, Json> take(const std::string& status = "200 OK") const {
    if (!called(kDeadline)) return {};
    const int call = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
    std::string text;
    std::size_t wanted = std::string::npos, body = std::string::npos;
    char buffer[65536];
    for (ssize_t n = 1; n > 0 && text.size() < wanted;) {
      n = ::read(call, buffer, sizeof buffer);
      if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
      if (body == std::string::npos && (body = text.find("\r\n\r\n")) != std::string::npos) {
        body += 4;
        wanted = body + std::stoul(text.substr(text.find("Content-Length: ") + 16));
      }
    }
    const auto answer = "HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\n{}";
    EXPECT_GT(::write(call, answer.data(), answer.size()), 0);
    ::close(call);
    return {text.substr(0, body), Json::parse(text.substr(body), nullptr, false)};
  }

 private:
  int fd_, port_ = 0;
};

class Telemetry : public ::testing::Test {
 protected:
  void own_config(const std::string& text) const {
    fs::create_directories(world.config_home() / "hydra");
    std::ofstream(world.config_home() / "hydra" / "config.toml") << text;
  }
  void race(const std::string& task = "secret plan") const {
    EXPECT_EQ(world.race({"--agents", "a", task}).exit, 0);
  }
  [[nodiscard]] Json facts() const { return ask(world, "GET", "/v1/health").json()["telemetry"]; }
  /// Until so many races were sent or not.
  [[nodiscard]] Json facts_of(int races) const {
    Json now;
    for (const auto until = std::chrono::steady_clock::now() + kDeadline;
         std::chrono::steady_clock::now() < until;) {
      now = facts();
      if (now["sent"].get<int>() + now["failed"].get<int>() >= races) break;
    }
    return now;
  }
  World world;
};

/// Names that the protobufs of OTLP 1.x have, as their JSON encoding writes them; a misspelt one would be
/// passed over by every receiver.
void expect_known_names(const Json& value, const std::string& where = "$") {
  static const std::set<std::string> kKnown{"resourceSpans",
                                            "resourceMetrics",
                                            "resource",
                                            "attributes",
                                            "scopeSpans",
                                            "scopeMetrics",
                                            "scope",
                                            "name",
                                            "version",
                                            "spans",
                                            "metrics",
                                            "traceId",
                                            "spanId",
                                            "parentSpanId",
                                            "kind",
                                            "startTimeUnixNano",
                                            "endTimeUnixNano",
                                            "status",
                                            "code",
                                            "key",
                                            "value",
                                            "stringValue",
                                            "intValue",
                                            "doubleValue",
                                            "boolValue",
                                            "unit",
                                            "sum",
                                            "histogram",
                                            "dataPoints",
                                            "aggregationTemporality",
                                            "isMonotonic",
                                            "timeUnixNano",
                                            "asDouble",
                                            "count",
                                            "min",
                                            "max",
                                            "explicitBounds",
                                            "bucketCounts"};
  if (value.is_object())
    for (const auto& [key, inner] : value.items()) {
      EXPECT_TRUE(kKnown.contains(key)) << where << "." << key;
      expect_known_names(inner, where + "." + key);
    }
  if (value.is_array())
    for (const auto& inner : value) expect_known_names(inner, where + "[]");
}

TEST_F(Telemetry, ARaceIsSentToTheReceiverOfTheUsersOwnFile) {
  const Receiver receiver;
  own_config("[telemetry]\notlp_endpoint = \"" + receiver.url() + "/\"\n");
  world.project("[scoring]\ntest_command = \"true secret\"\n" + script_agent("a", kWork));
  race();
  const auto [head, traces] = receiver.take();
  EXPECT_TRUE(head.starts_with("POST /v1/traces HTTP/1.1\r\n")) << head;
  EXPECT_THAT(head, HasSubstr("Content-Type: application/json\r\n"));
  expect_known_names(traces);
  std::multiset<std::string> names;
  for (const auto& span : traces["resourceSpans"][0]["scopeSpans"][0]["spans"]) names.insert(span["name"]);
  EXPECT_EQ(names.count("race"), 1u);
  EXPECT_EQ(names.count("invoke_agent a"), 1u);
  EXPECT_GE(names.count("check tests"), 1u);
  EXPECT_THAT(traces.dump(), Not(HasSubstr("secret")));
  EXPECT_THAT(traces.dump(), Not(HasSubstr(world.root().string())));
  const auto [second, metrics] = receiver.take();
  EXPECT_TRUE(second.starts_with("POST /v1/metrics HTTP/1.1\r\n")) << second;
  expect_known_names(metrics);
  EXPECT_THAT(metrics.dump(), Not(HasSubstr("secret")));
  EXPECT_EQ(facts_of(1)["sent"], 1);
  EXPECT_THAT(world.hydra({"daemon", "status"}).out, HasSubstr("telemetry: 1 race sent, 0 not sent"));
}

TEST_F(Telemetry, AReceiverThatRefusesIsANoteOfTheDaemonAndNothingElse) {
  const Receiver receiver;
  own_config("[telemetry]\notlp_endpoint = \"" + receiver.url() + "\"\n");
  world.project(script_agent("a", kWork));
  race();
  EXPECT_EQ(world.results()["state"], "done") << "nobody waits for it";
  (void)receiver.take("503 Service Unavailable");
  const auto told = facts_of(1);
  EXPECT_EQ(told["failed"], 1);
  EXPECT_EQ(told["problem"], "127.0.0.1: status 503");
  EXPECT_THAT(world.hydra({"daemon", "status"}).out,
              HasSubstr("telemetry failed last: 127.0.0.1: status 503"));
  EXPECT_THAT(slurp(world.state() / "hydrad.log"), HasSubstr("telemetry: 127.0.0.1: status 503"));
  EXPECT_EQ(world.results()["notes"].dump().find("telemetry"), std::string::npos);
}

TEST_F(Telemetry, ADaemonThatStopsLetsAReceiverGoThatSaysNothing) {
  const Receiver receiver;
  own_config("[telemetry]\notlp_endpoint = \"" + receiver.url() + "\"\n");
  world.project(script_agent("a", kWork));
  race();
  ASSERT_TRUE(receiver.called(kDeadline));
  const auto pid = world.daemons().at(0);
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  EXPECT_TRUE(wait_gone(pid));
}

TEST_F(Telemetry, VariablesAloneSwitchNothingOn) {
  const Receiver receiver;
  world.set_environment("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url());
  world.project(script_agent("a", kWork));
  race();
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  EXPECT_FALSE(receiver.called(std::chrono::milliseconds(0)));
}

TEST_F(Telemetry, AddressAndHeadersComeFromTheEnvironmentWhereTheFileSaysSo) {
  const Receiver receiver;
  own_config("[telemetry]\notlp_endpoint = \"environment\"\notlp_task = true\n");
  world.set_environment("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url() + "/otlp");
  world.set_environment("OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=s3cret%20value");
  world.project(script_agent("a", kWork));
  race("the plan");
  const auto [head, traces] = receiver.take();
  EXPECT_TRUE(head.starts_with("POST /otlp/v1/traces HTTP/1.1\r\n")) << head;
  EXPECT_THAT(head, HasSubstr("x-api-key: s3cret value\r\n"));
  EXPECT_THAT(traces.dump(), HasSubstr("the plan"));
  (void)receiver.take();
  EXPECT_EQ(facts_of(1)["sent"], 1);
  EXPECT_THAT(slurp(world.state() / "hydrad.log"), Not(HasSubstr("s3cret")));
}

TEST_F(Telemetry, AProjectsFileSendsNothingAnywhere) {
  const Receiver receiver;
  world.project("[telemetry]\notlp_endpoint = \"" + receiver.url() + "\"\n" + script_agent("a", kWork));
  const auto run = world.hydra({"race", "--agents", "a", "task"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("'telemetry.otlp_endpoint' is read from your own file only"));
  EXPECT_FALSE(receiver.called(std::chrono::milliseconds(0)));
}

/// A port that was free a moment ago.
int free_port() { return Receiver().port(); }

TEST_F(Telemetry, PrometheusReadsSumsFromThePortOfTheUsersOwnFile) {
  const int port = free_port();
  own_config("[telemetry]\nmetrics_port = " + std::to_string(port) + "\n");
  world.project(script_agent("a", kWork));
  race();
  EXPECT_EQ(facts()["metrics_port"], port);
  EXPECT_THAT(world.hydra({"daemon", "status"}).out, HasSubstr("/metrics"));
  const auto get = [&](const std::string& target, const std::string& host,
                       const std::string& method = "GET") {
    auto line = Line::to_port(port);
    EXPECT_TRUE(line.send(request_text(method, target, {{"Host", host}})));
    return line.answer();
  };
  const auto here = "127.0.0.1:" + std::to_string(port);
  const auto page = get("/metrics", here);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("hydra_races{state=\"done\"} 1\n"));
  EXPECT_THAT(page.body, HasSubstr("hydra_attempts{agent=\"a\",outcome=\"completed\"} 1\n"));
  EXPECT_THAT(page.body, HasSubstr("hydra_races_running 0\n"));
  for (const auto& word :
       {std::string("secret"), world.root().string(), std::string(world.results()["race"])})
    EXPECT_THAT(page.body, Not(HasSubstr(word)));
  EXPECT_EQ(get("/metrics", "localhost:" + std::to_string(port)).status, 200);
  // A name that a page in a browser has given to this address; and nothing else is here.
  EXPECT_EQ(get("/metrics", "evil.example:" + std::to_string(port)).status, 421);
  for (const auto* target : {"/v1/health", "/v1/history", "/"})
    EXPECT_EQ(get(target, here).status, 404) << target;
  EXPECT_EQ(get("/metrics", here, "POST").status, 405);
  // The same on the unix socket, where filters are for the owner.
  EXPECT_THAT(ask(world, "GET", "/metrics?kind=none").body, Not(HasSubstr("hydra_races{")));
  EXPECT_EQ(world.hydra({"export", "--format", "prometheus"}).out, ask(world, "GET", "/metrics").body);
}

TEST_F(Telemetry, APortThatIsTakenIsAWarningAndNoFailure) {
  const Receiver other;
  own_config("[telemetry]\nmetrics_port = " + std::to_string(other.port()) + "\n");
  world.project(script_agent("a", kWork));
  race();
  EXPECT_EQ(facts()["metrics_port"], 0);
  EXPECT_THAT(facts()["problem"].get<std::string>(), HasSubstr("cannot listen on port"));
}

/// Listens at $1 as a service manager does, and becomes $2, the daemon, when somebody knocks.
constexpr const char* kManager = R"py(
import os, select, socket, sys
listener = socket.socket(socket.AF_UNIX)
os.makedirs(os.path.dirname(sys.argv[1]), 0o700, exist_ok=True)
listener.bind(sys.argv[1])
listener.listen(8)
print("listening", flush=True)
select.select([listener], [], [])
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)  # dup2 leaves it as it is where it is 3 already
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], ["hydrad", "--foreground"])
)py";

TEST_F(Telemetry, AServiceManagerStartsTheDaemonWhenSomebodyKnocks) {
  world.project(script_agent("a", "[ -z \"$LISTEN_FDS\" ] && " + std::string(kWork)));
  std::ofstream(world.root() / "manager.py") << kManager;
  const auto start = world.runtime() / "start.sock";
  Process manager(
      {"/usr/bin/python3", (world.root() / "manager.py").string(), start.string(), path_of_binary("hydrad")},
      world.root(), world.environment());
  ASSERT_TRUE(manager.wait_line("listening"));
  race("task");
  ASSERT_EQ(world.daemons().size(), 1u);
  EXPECT_EQ(world.daemons()[0], manager.pid()) << "it was not started a second time beside it";
  EXPECT_EQ(world.results()["winner"], "a");
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  EXPECT_EQ(manager.wait().exit, 0);
  EXPECT_TRUE(fs::exists(start)) << "it belongs to the manager";
  // Nobody listens there any more: the daemon starts as ever.
  EXPECT_EQ(world.hydra({"results"}).exit, 0);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
