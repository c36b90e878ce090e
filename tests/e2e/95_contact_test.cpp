// The first contact with a daemon that stands still, or is of another version.
#include "support/http.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Contact, ADaemonThatStandsStillIsNamedAndCanBeStopped) {
  World world;
  world.project(script_agent("good", "true"));
  ASSERT_EQ(world.hydra({"list"}).exit, 0);
  const auto daemons = world.daemons();
  ASSERT_EQ(daemons.size(), 1u);
  ASSERT_EQ(::kill(daemons[0], SIGSTOP), 0);
  for (const Words& words : {Words{"list"}, Words{"status"}, Words{"race", "--agents", "good", "task"}}) {
    const auto run = world.hydra(words);
    EXPECT_EQ(run.exit, 3) << words.front() << run.out;
    EXPECT_THAT(run.err, HasSubstr("hydrad (pid " + std::to_string(daemons[0]) + ", for ")) << words.front();
    EXPECT_THAT(run.err, HasSubstr("`hydra daemon stop`")) << words.front();
  }
  const auto stop = world.hydra({"daemon", "stop"});
  EXPECT_EQ(stop.exit, 0) << stop.err;
  EXPECT_TRUE(world.daemons().empty());
  EXPECT_EQ(world.hydra({"list"}).exit, 0);
}

/// Answers at the daemon's socket as one of another version does, until it is asked to stop.
class OtherVersion {
 public:
  OtherVersion(const fs::path& socket, const std::string& version, int races) {
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 16), 0);
    const auto health =
        Json{{"version", version}, {"api", 1}, {"pid", 1}, {"races_running", races}, {"state_dir", ""}}
            .dump();
    thread_ = std::thread([this, socket, health] {
      for (;;) {
        const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd < 0) return;
        std::string head;
        for (char c = 0; !head.ends_with("\r\n\r\n") && ::read(fd, &c, 1) == 1;) head += c;
        const bool ends = head.starts_with("POST /v1/shutdown");
        const auto body = head.starts_with("GET /v1/health")  ? health
                          : head.starts_with("GET /v1/races") ? std::string(R"({"races":[],"total":0})")
                                                              : std::string("{}");
        const auto text = "HTTP/1.1 " + std::string(ends ? "202" : "200") +
                          " OK\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
                          "\r\n\r\n" + body;
        if (ends) {
          asked_to_stop = true;
          fs::remove(socket);
          ::shutdown(listener_, SHUT_RDWR);
        }
        (void)!::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
        ::close(fd);
      }
    });
  }
  ~OtherVersion() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  OtherVersion(const OtherVersion&) = delete;
  OtherVersion& operator=(const OtherVersion&) = delete;

  std::atomic<bool> asked_to_stop = false;

 private:
  int listener_ = -1;
  std::thread thread_;
};

TEST(Contact, AnOlderDaemonIsReplacedUnlessARaceRuns) {
  World world;
  world.project(script_agent("good", "true"));
  ASSERT_EQ(world.hydra({"list"}).exit, 0);
  const auto socket = world.socket();
  ASSERT_FALSE(socket.empty());
  const auto version = Json::parse(world.hydra({"daemon", "status", "--json"}).out)["health"]["version"];
  ASSERT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  {
    const OtherVersion newer(socket, "999.1", 0);
    const auto run = world.hydra({"list"});
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("hydrad 999.1 runs, and this is hydra " + version.get<std::string>()));
    EXPECT_FALSE(newer.asked_to_stop);
    fs::remove(socket);
  }
  {
    const OtherVersion older(socket, "0.0.1", 1);
    const auto run = world.hydra({"list"});
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("hydrad 0.0.1 runs, and this is hydra"));
    EXPECT_FALSE(older.asked_to_stop);
    fs::remove(socket);
  }
  EXPECT_TRUE(world.daemons().empty());
  const OtherVersion older(socket, "0.0.1", 0);
  const auto run = world.hydra({"list"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.err, Not(HasSubstr("0.0.1")));
  EXPECT_TRUE(older.asked_to_stop);
  EXPECT_EQ(world.daemons().size(), 1u);
  EXPECT_EQ(Json::parse(world.hydra({"daemon", "status", "--json"}).out)["health"]["version"], version);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
