// Notification of a race's end: to a real command, and to a real server on the loopback interface.
#include "race/notify.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "support/machine.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

#include <stdlib.h>
#include <thread>

namespace hydra::race {
namespace {

namespace asio = boost::asio;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Notify : public ::testing::Test {
 protected:
  Notify() {
    std::string pattern = (fs::temp_directory_path() / "hydra-notify-XXXXXX").string();
    dir = fs::canonical(::mkdtemp(pattern.data()));
    context.env = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LANG", "C"}};
    context.cwd = dir;
  }
  ~Notify() override { (void)remove_tree(dir); }

  [[nodiscard]] std::string text(const char* name) const {
    return read_file(dir / name, 1u << 20).value_or("(none)");
  }
  /// The process whose number a program wrote to `pid`. It has its KILL; the kernel may take a moment to
  /// carry it out.
  void wait_until_gone() const {
    const auto pid = parse_int(trim(text("pid")));
    ASSERT_TRUE(pid.has_value()) << text("pid");
    const fs::path stat = "/proc/" + std::to_string(*pid) + "/stat";
    for (auto now = read_file(stat, 4096); now.ok() && now->find(") Z ") == std::string::npos;)
      now = read_file(stat, 4096);
  }
  void program(const std::string& name, const std::string& script) const {
    fs::create_directories(dir / "bin");
    ASSERT_TRUE(write_file_atomic(dir / "bin" / name,
                                  "#!/bin/sh\ncd '" + dir.string() + "'\n" + script + "\n", false, 0700)
                    .ok());
  }

  fs::path dir;
  NotifyContext context;
  Notification what{R"({"event":"race_ended","race":"r-1"})", "Hydra: race r-1 is done", "winner: <a> & b"};
};

/// Answers one request with `answer`, and keeps what it got.
class Server {
 public:
  explicit Server(std::string answer) : acceptor_(loop_, {asio::ip::address_v4::loopback(), 0}) {
    thread_ = std::thread([this, answer = std::move(answer)] {
      boost::system::error_code ec;
      asio::ip::tcp::socket socket(loop_);
      acceptor_.accept(socket, ec);
      if (ec) return;
      asio::streambuf buffer;
      asio::read_until(socket, buffer, "}", ec);  // the body's only one
      request.assign(asio::buffers_begin(buffer.data()), asio::buffers_end(buffer.data()));
      if (answer.empty())  // says nothing until the other side has had enough
        asio::read_until(socket, buffer, "\n\nnever", ec);
      else
        asio::write(socket, asio::buffer(answer), ec);
    });
  }
  ~Server() { join(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] std::string url(const std::string& target) const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + target;
  }
  [[nodiscard]] unsigned short port() const { return acceptor_.local_endpoint().port(); }
  std::string request;

 private:
  asio::io_context loop_;
  asio::ip::tcp::acceptor acceptor_;
  std::thread thread_;
};

TEST_F(Notify, TheCommandGetsTheJsonAndTheGivenEnvironment) {
  model::NotifyConfig config;
  config.command = {"sh", "-c", "cat > got; env > env; pwd > pwd; echo \"$0 $#\" > args", "zero",
                    "{x}; touch no"};
  EXPECT_THAT(notify(config, what, context), IsEmpty());
  EXPECT_EQ(text("got"), what.json + "\n");
  EXPECT_EQ(text("pwd"), dir.string() + "\n");
  EXPECT_EQ(text("args"), "zero 1\n");
  EXPECT_FALSE(fs::exists(dir / "no"));
  EXPECT_THAT(text("env"), HasSubstr("LANG=C\n"));
  EXPECT_THAT(text("env"), Not(HasSubstr("HOME=")));
}

TEST_F(Notify, ACommandThatFailsOrIsMissingIsSaid) {
  model::NotifyConfig config;
  config.command = {"sh", "-c", "printf 'no \\033[31mroute\\n' >&2; exit 7"};
  EXPECT_THAT(notify(config, what, context),
              ElementsAre(HasSubstr("notification by command failed: exit code 7")));
  EXPECT_THAT(notify(config, what, context).front(), Not(HasSubstr("\033")));
  config.command = {"no-such-program-here"};
  EXPECT_THAT(notify(config, what, context),
              ElementsAre(HasSubstr("program not found: no-such-program-here")));
}

TEST_F(Notify, ACommandThatHangsIsEndedWithItsChildren) {
  model::NotifyConfig config;
  config.command = {"sh", "-c", "sleep 600 & echo $! > pid; wait"};
  context.limit = std::chrono::milliseconds(300);
  EXPECT_EQ(notify(config, what, context).size(), 1U);
  wait_until_gone();
}

TEST_F(Notify, TheWebhookGetsOnePost) {
  HYDRA_NEEDS(machine::system_program("curl"));
  Server server("HTTP/1.1 204 No Content\r\n\r\n");
  model::NotifyConfig config;
  config.webhook = server.url("/hook/s3cret?a=b#part");
  EXPECT_THAT(notify(config, what, context), IsEmpty());
  server.join();
  EXPECT_TRUE(server.request.starts_with("POST /hook/s3cret?a=b HTTP/1.1\r\n")) << server.request;
  EXPECT_THAT(server.request, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(server.request, HasSubstr("Host: 127.0.0.1:"));
  EXPECT_THAT(server.request, HasSubstr("Content-Length: " + std::to_string(what.json.size()) + "\r\n"));
  EXPECT_TRUE(server.request.ends_with("\r\n\r\n" + what.json));
}

// The daemon's end does not wait for who does not listen. The limit is far away: without the stop this hangs.
TEST_F(Notify, WhoDoesNotListenIsLetGoWhenTheDaemonStops) {
  HYDRA_NEEDS(machine::system_program("curl"));
  Server server("");
  context.limit = std::chrono::minutes(10);
  std::stop_source source;
  context.stop = source.get_token();
  model::NotifyConfig config;
  config.webhook = server.url("/hook/s3cret");
  config.command = {"sh", "-c", "sleep 600"};
  std::thread stopper([&] { source.request_stop(); });
  const auto problems = notify(config, what, context);
  stopper.join();
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_THAT(problems[1], Not(HasSubstr("s3cret")));
  // The server was never called, or its caller was let go; a connection ends its thread either way.
  boost::asio::io_context loop;
  asio::ip::tcp::socket socket(loop);
  boost::system::error_code ignored;
  socket.connect({asio::ip::address_v4::loopback(), server.port()}, ignored);
}

TEST_F(Notify, AWebhookThatRefusesIsSaidWithoutItsSecretPath) {
  HYDRA_NEEDS(machine::system_program("curl"));
  for (const char* answer :
       {"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", "nonsense\r\n\r\n"}) {
    Server server(answer);
    model::NotifyConfig config;
    config.webhook = server.url("/hook/s3cret");
    const auto problems = notify(config, what, context);
    ASSERT_EQ(problems.size(), 1U) << answer;
    EXPECT_THAT(problems[0], HasSubstr("notification by webhook failed: 127.0.0.1"));
    EXPECT_THAT(problems[0], Not(HasSubstr("s3cret")));
  }
}

TEST_F(Notify, AWebhookThatIsSilentOrClosedIsSaid) {
  HYDRA_NEEDS(machine::system_program("curl"));
  Server server("");
  model::NotifyConfig config;
  config.webhook = server.url("/");
  context.limit = std::chrono::milliseconds(300);
  EXPECT_THAT(notify(config, what, context), ElementsAre(HasSubstr("no answer in time")));
  config.webhook = "http://127.0.0.1:1/";
  EXPECT_THAT(notify(config, what, context), ElementsAre(HasSubstr("refused")));
}

TEST_F(Notify, AddressesThatCantBeUsedAreToldWithoutTheirSecrets) {
  HYDRA_NEEDS(machine::system_program("curl"));
  for (const char* url : {"ftp://x/", "http://", "http://:80/", "http://user:pass@127.0.0.1:1/",
                          "http://127.0.0.1:0/", "http://x:y/", "http://[::1/"}) {
    model::NotifyConfig config;
    config.webhook = url;
    const auto problems = notify(config, what, context);
    ASSERT_EQ(problems.size(), 1U) << url;
    EXPECT_THAT(problems[0], Not(HasSubstr("pass"))) << url;
  }
}

TEST_F(Notify, CurlGetsTheAddressOnItsInputOnly) {
  program("curl", "echo \"$@\" > args; cat > config; echo 204");
  context.env = {{"PATH", (dir / "bin").string() + ":/usr/bin:/bin"}};
  model::NotifyConfig config;
  config.webhook = "https://example.org/hook/s\"3cret";
  EXPECT_THAT(notify(config, what, context), IsEmpty());
  EXPECT_EQ(text("args"), "--disable --config -\n");
  EXPECT_THAT(text("config"), HasSubstr("url = \"https://example.org/hook/s\\\"3cret\"\n"));
  EXPECT_THAT(text("config"), HasSubstr(R"(data-raw = "{\"event\":\"race_ended\",\"race\":\"r-1\"}")"));
  program("curl", "echo https://example.org/hook/s3cret >&2; exit 22");
  EXPECT_THAT(notify(config, what, context),
              ElementsAre("notification by webhook failed: example.org: curl ended with exit code 22"));
  context.env = {{"PATH", "/nowhere"}};
  EXPECT_THAT(notify(config, what, context), ElementsAre(HasSubstr("needs curl")));
}

TEST_F(Notify, OfAnAddressOnlyTheHostIsNamed) {
  program("curl", "exit 7");
  context.env = {{"PATH", (dir / "bin").string() + ":/usr/bin:/bin"}};
  for (const char* url :
       {"http://h:1/s3cret", "http://h:1?s3cret", "http://user:s3cret@h:1/", "https://h:1#s3cret"}) {
    model::NotifyConfig config;
    config.webhook = url;
    EXPECT_THAT(notify(config, what, context),
                ElementsAre("notification by webhook failed: h:1: the connection was refused"));
  }
}

TEST_F(Notify, TheDesktopIsToldOnlyWhereThereIsABus) {
  program("notify-send", "printf '%s\\n' \"$@\" > args; echo \"$DBUS_SESSION_BUS_ADDRESS\" > bus");
  context.env = {{"PATH", (dir / "bin").string() + ":/usr/bin:/bin"}};
  model::NotifyConfig config;
  EXPECT_THAT(notify(config, what, context), IsEmpty());
  EXPECT_FALSE(fs::exists(dir / "args"));
  context.session = {{"DBUS_SESSION_BUS_ADDRESS", "unix:path=/x"}};
  EXPECT_THAT(notify(config, what, context), IsEmpty());
  EXPECT_EQ(text("args"), "--app-name=hydra\n--\nHydra: race r-1 is done\nwinner: &lt;a&gt; &amp; b\n");
  EXPECT_EQ(text("bus"), "unix:path=/x\n");
  fs::remove(dir / "args");
  config.command = {"true"};
  EXPECT_THAT(notify(config, what, context), IsEmpty());
  EXPECT_FALSE(fs::exists(dir / "args")) << "who says how he is told is told so alone";
}

TEST_F(Notify, ADesktopThatHangsIsLetGoWithItsChildrenWhenTheDaemonStops) {
  program("notify-send", "sleep 600 & echo $! > pid; echo > here; wait");
  context.env = {{"PATH", (dir / "bin").string() + ":/usr/bin:/bin"}};
  context.session = {{"DBUS_SESSION_BUS_ADDRESS", "unix:path=/x"}};
  context.limit = std::chrono::minutes(10);
  std::stop_source source;
  context.stop = source.get_token();
  std::thread stopper([&] {
    machine::wait_until("the first line of notify-send", [&] { return fs::exists(dir / "here"); });
    source.request_stop();
  });
  EXPECT_THAT(notify({}, what, context), ElementsAre(HasSubstr("was stopped")));
  stopper.join();
  wait_until_gone();
}

}  // namespace
}  // namespace hydra::race
