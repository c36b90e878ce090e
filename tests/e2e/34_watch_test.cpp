// `hydra watch --since` and the stream behind it: whatever is large, slow, cancelled or restarted, every
// event comes once and in order.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <signal.h>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

std::vector<std::int64_t> ids_of(const std::string& out) {
  std::vector<std::int64_t> ids;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    const auto event = Json::parse(line, nullptr, false);
    if (event.is_object() && event.contains("id")) ids.push_back(event["id"].get<std::int64_t>());
  }
  return ids;
}

bool each_once(const std::vector<std::int64_t>& ids) {
  return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end();
}

/// The stream as it comes, read only when the test says so.
class RawStream {
 public:
  RawStream(const World& world, const std::string& target) : fd_(world.connect()) {
    const auto request = "GET " + target + " HTTP/1.1\r\nHost: hydra\r\n\r\n";
    EXPECT_EQ(::send(fd_, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  }
  ~RawStream() { ::close(fd_); }
  RawStream(const RawStream&) = delete;
  RawStream& operator=(const RawStream&) = delete;

  /// Up to the end of the stream.
  std::string rest() const {
    std::string text;
    char buffer[4096];
    for (ssize_t n = 1; (n = ::read(fd_, buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(n));
    return text;
  }

 private:
  int fd_;
};

std::vector<std::int64_t> ids_of_frames(const std::string& text) {
  std::vector<std::int64_t> ids;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("id: ")) ids.push_back(std::stoll(line.substr(4)));
  return ids;
}

class WatchedRace : public ::testing::Test {
 protected:
  /// Each run of the tests names so many that its event is larger than what may wait for a slow peer.
  void large_race() {
    world.project("[scoring]\ntest_command = \"echo 1..12000; seq -f 'ok %.0f - " + std::string(100, 'n') +
                  "' 12000\"\n" + script_agent("a", "echo a >> src/app.txt") +
                  script_agent("b", "echo b >> src/app.txt"));
    EXPECT_EQ(world.race({"--agents", "a,b", "task"}).exit, 0);
    race = world.results()["race"];
    EXPECT_GT(world.results()["baseline"]["tests"]["passed"], 10'000);
  }
  World world;
  std::string race;
};

TEST_F(WatchedRace, EventsThatAreLargeComeToo) {
  large_race();
  const auto all = world.hydra({"watch", race, "--json"});
  EXPECT_EQ(all.exit, 0) << all.err;
  const auto ids = ids_of(all.out);
  ASSERT_FALSE(ids.empty());
  EXPECT_TRUE(each_once(ids)) << "each once";
  EXPECT_THAT(all.out, ::testing::HasSubstr("\"race_ended\""));
  const auto rest = ids_of(world.hydra({"watch", race, "--json", "--since", std::to_string(ids[1])}).out);
  EXPECT_EQ(rest, std::vector<std::int64_t>(ids.begin() + 2, ids.end()));
}

TEST_F(WatchedRace, OneThatReadsLateMissesNothing) {
  large_race();
  const auto ids = ids_of(world.hydra({"watch", race, "--json"}).out);
  const RawStream late(world, "/v1/races/" + race + "/events");
  // The daemon answers others meanwhile.
  EXPECT_EQ(world.hydra({"status", race}).exit, 0);
  EXPECT_EQ(ids_of_frames(late.rest()), ids);
}

TEST_F(WatchedRace, ACancelledRaceAcrossARestart) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("a", "echo a >> src/app.txt; " + gate.script()));
  race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
  ASSERT_TRUE(gate.arrived());
  auto first = world.start({"watch", race, "--json"});
  ASSERT_TRUE(first->wait_line("\"agent_starting\""));
  // The first watcher follows over the restart by itself; another one takes up where a third one left.
  const auto seen = ids_of(first->out());
  world.kill_daemon(SIGKILL);
  EXPECT_EQ(world.hydra({"cancel", race}).exit, 0);
  const auto whole = ids_of(first->wait().out);
  EXPECT_TRUE(each_once(whole));
  world.kill_daemon(SIGKILL);
  const auto all = ids_of(world.hydra({"watch", race, "--json"}).out);
  EXPECT_EQ(whole, all);
  ASSERT_FALSE(seen.empty());
  for (const auto since : seen) {
    const auto rest = ids_of(world.hydra({"watch", race, "--json", "--since", std::to_string(since)}).out);
    EXPECT_EQ(rest, std::vector<std::int64_t>(std::upper_bound(all.begin(), all.end(), since), all.end()));
  }
  EXPECT_TRUE(
      ids_of(world.hydra({"watch", race, "--json", "--since", std::to_string(all.back())}).out).empty());
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
