// `hydra mcp`: an editor's agent starts a race, reads its outcome and merges it with the user's word; hostile
// input ends nothing.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNewest = "2026-07-28";

/// A client of the protocol: lines in, lines out.
class McpPeer {
 public:
  explicit McpPeer(const World& world, const fs::path& directory = {}) {
    const auto pipe = world.root() / "mcp.in";
    fs::remove(pipe);
    EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    process_ = std::make_unique<Process>(
        Words{"/bin/sh", "-c", "exec " + word_of_binary("hydra") + " mcp <\"$0\"", pipe.string()},
        directory.empty() ? world.repo() : directory, world.environment());
    fd_ = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
  }
  ~McpPeer() { close(); }
  McpPeer(const McpPeer&) = delete;
  McpPeer& operator=(const McpPeer&) = delete;

  void line(const std::string& text) {
    const auto all = text + "\n";
    for (std::size_t at = 0; at < all.size();) {
      const auto n = ::write(fd_, all.data() + at, all.size() - at);
      ASSERT_GT(n, 0);
      at += static_cast<std::size_t>(n);
    }
  }
  /// Sends a request of the newest revision; its id.
  int ask(const std::string& method, Json params = Json::object(), Json meta = Json::object()) {
    meta["io.modelcontextprotocol/protocolVersion"] = version;
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    params["_meta"] = meta;
    return plain(method, params);
  }
  int plain(const std::string& method, const Json& params = Json::object()) {
    line(Json{{"jsonrpc", "2.0"}, {"id", ++last_}, {"method", method}, {"params", params}}.dump());
    return last_;
  }
  void tell(const std::string& method, const Json& params = Json::object()) {
    line(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
  }
  /// The next message that fits; null where none came.
  template <class Fits>
  Json next(const Fits& fits) {
    for (;;) {
      for (const auto& each : messages())
        if (fits(each)) return each;
      if (!process_->wait_line("{")) return nullptr;
    }
  }
  Json reply(int id) {
    return next([id](const Json& m) { return m.value("id", Json()) == Json(id) && !m.contains("method"); });
  }
  Json result(int id) { return reply(id).value("result", Json()); }
  Json call(const std::string& tool, const Json& arguments = Json::object()) {
    return result(ask("tools/call", {{"name", tool}, {"arguments", arguments}}));
  }
  [[nodiscard]] std::vector<Json> messages() const {
    std::vector<Json> all;
    std::istringstream lines(process_->out());
    for (std::string text; std::getline(lines, text) && !lines.eof();) all.push_back(Json::parse(text));
    return all;
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  Process& process() { return *process_; }

  std::string version = kNewest;
  Json capabilities = Json::object();

 private:
  std::unique_ptr<Process> process_;
  int fd_ = -1, last_ = 0;
};

std::string said(const Json& result) { return result.at("content").at(0).at("text"); }

class Mcp : public ::testing::Test {
 protected:
  void race() {
    project();
    EXPECT_EQ(world.race({"--agents", "good,bad", "task"}).exit, 0);
  }
  void project() {
    world.project("[scoring]\ntest_command = \"grep -q good src/app.txt\"\n" +
                  script_agent("good", "echo good >> src/app.txt") +
                  script_agent("bad", "echo bad >> src/app.txt"));
  }
  World world;
};

// Agents of agents would cost what no budget counts.
TEST_F(Mcp, InARunOfARaceNobodyStartsAgents) {
  project();
  world.set_environment("HYDRA_RUN_ID", "r1/agent/a/1");
  McpPeer peer(world);
  std::set<std::string> names;
  const auto tools = peer.result(peer.ask("tools/list"));
  for (const auto& tool : tools["tools"]) names.insert(tool["name"]);
  EXPECT_TRUE(names.contains("results"));
  for (const auto* name : {"race", "merge", "cancel"}) EXPECT_FALSE(names.contains(name)) << name;
  for (const auto& words :
       {Words{"race", "--agents", "a", "task"}, Words{"retry", "a"}, Words{"bench", "."}}) {
    const auto refused = world.hydra(words);
    EXPECT_EQ(refused.exit, 2) << words.front();
    EXPECT_THAT(refused.err, HasSubstr("HYDRA_NESTED=1")) << words.front();
  }
}

TEST_F(Mcp, OfTheNewestRevisionSaysWhatItHas) {
  project();
  McpPeer peer(world);
  const auto found = peer.result(peer.ask("server/discover"));
  EXPECT_THAT(found["supportedVersions"], ::testing::Contains(kNewest));
  EXPECT_EQ(found["resultType"], "complete");
  EXPECT_EQ(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "hydra");
  const auto tools = peer.result(peer.ask("tools/list"));
  EXPECT_TRUE(tools.contains("ttlMs"));
  std::map<std::string, Json> by_name;
  for (const auto& tool : tools["tools"]) by_name[tool["name"]] = tool;
  for (const auto* name :
       {"race", "status", "results", "explain", "diff", "merge_preview", "merge", "leaderboard"})
    EXPECT_TRUE(by_name.contains(name)) << name;
  EXPECT_EQ(by_name["merge"]["annotations"]["destructiveHint"], true);
  EXPECT_EQ(by_name["results"]["annotations"]["readOnlyHint"], true);
}

TEST_F(Mcp, RacesWithProgressAndReadsTheOutcome) {
  project();
  McpPeer peer(world);
  const auto id =
      peer.ask("tools/call",
               {{"name", "race"},
                {"arguments",
                 {{"task", "-- a task"}, {"agents", {"good", "bad"}}, {"base_fails", true}, {"wait", true}}}},
               {{"progressToken", "p"}});
  const auto result = peer.result(id);
  ASSERT_FALSE(result.is_null()) << peer.process().err();
  EXPECT_EQ(result["isError"], false) << result;
  EXPECT_EQ(result["structuredContent"]["winner"], "good");
  EXPECT_EQ(result["structuredContent"]["message"], said(result))
      << "a client may show its model nothing else";
  double last = 0;
  int told = 0;
  for (const auto& message : peer.messages()) {
    if (message.value("method", "") != "notifications/progress") continue;
    EXPECT_EQ(message["params"]["progressToken"], "p");
    EXPECT_GT(message["params"]["progress"], last);
    last = message["params"]["progress"];
    ++told;
  }
  EXPECT_GT(told, 3);
  EXPECT_EQ(world.results()["task"], "-- a task");
  EXPECT_THAT(said(peer.call("results")), HasSubstr("good"));
  EXPECT_THAT(said(peer.call("status")), HasSubstr("done"));
  EXPECT_THAT(said(peer.call("explain", {{"agent", "bad"}})), HasSubstr("bad"));
  EXPECT_THAT(said(peer.call("diff")), HasSubstr("+good"));
  EXPECT_THAT(said(peer.call("diff", {{"agent", "good"}, {"against", "bad"}})), HasSubstr("-bad"));
  EXPECT_THAT(said(peer.call("leaderboard")), HasSubstr("good"));
}

TEST_F(Mcp, WorksForADirectoryThatIsNamed) {
  project();
  McpPeer peer(world, world.home());
  const auto none = peer.call("status");
  EXPECT_EQ(none["isError"], true);
  EXPECT_THAT(said(none), HasSubstr("directory"));
  const auto started = peer.call(
      "race",
      {{"task", "t"}, {"agents", "good"}, {"base_fails", true}, {"directory", world.repo().string()}});
  EXPECT_EQ(started["isError"], false) << started;
  const auto results = peer.call("results", {{"race", started["structuredContent"]["race"]}, {"wait", true}});
  EXPECT_EQ(results["structuredContent"]["winner"], "good");
}

TEST_F(Mcp, WhatIsWrongWithARaceIsSaidToTheModel) {
  project();
  McpPeer peer(world);
  const auto wrong = peer.call("race", {{"task", "t"}, {"agents", "nobody"}});
  EXPECT_EQ(wrong["isError"], true);
  EXPECT_THAT(said(wrong), HasSubstr("nobody"));
  EXPECT_THAT(said(peer.call("race", {{"agents", "good"}})), HasSubstr("needs `task`"));
  EXPECT_THAT(said(peer.call("race", {{"task", 7}})), HasSubstr("must be of type string"));
  EXPECT_THAT(said(peer.call("race", {{"task", "t"}, {"attempts", 1000}})), HasSubstr("attempts"));
  EXPECT_THAT(said(peer.call("status", {{"rase", "x"}})), HasSubstr("does not take `rase`"));
}

TEST_F(Mcp, CancellingTheRequestCancelsTheRace) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("slow", gate.script()));
  McpPeer peer(world);
  const auto id = peer.ask(
      "tools/call", {{"name", "race"}, {"arguments", {{"task", "t"}, {"agents", "slow"}, {"wait", true}}}});
  ASSERT_TRUE(gate.arrived());
  const auto race = world.list()["races"][0]["race"].get<std::string>();
  peer.tell("notifications/cancelled", {{"requestId", id}, {"reason", "enough"}});
  const auto results = peer.call("results", {{"race", race}, {"wait", true}});
  EXPECT_EQ(results["structuredContent"]["state"], "cancelled");
  for (const auto& message : peer.messages()) EXPECT_NE(message.value("id", Json()), Json(id)) << "no answer";
}

TEST_F(Mcp, WhoGoesAwayLeavesTheRaceRunning) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("slow", gate.script() + "\necho done >> src/app.txt"));
  McpPeer peer(world);
  peer.ask("tools/call",
           {{"name", "race"}, {"arguments", {{"task", "t"}, {"agents", "slow"}, {"wait", true}}}});
  ASSERT_TRUE(gate.arrived());
  peer.close();
  EXPECT_EQ(peer.process().wait().exit, 0);
  gate.open();
  EXPECT_EQ(world.hydra({"watch"}).exit, 0);
}

TEST_F(Mcp, MergesOnlyWithTheUsersWord) {
  race();
  McpPeer peer(world);
  const auto before = world.git({"rev-parse", "HEAD"});
  const auto preview = peer.call("merge_preview");
  EXPECT_EQ(preview["structuredContent"]["can_be_done"], true);
  EXPECT_EQ(preview["structuredContent"]["agent"], "good");

  // A client that can't ask.
  const auto asked = peer.call("merge");
  EXPECT_EQ(asked["isError"], true);
  EXPECT_THAT(said(asked), HasSubstr("confirm"));
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);

  // A client that can only show pages is not shown a form.
  peer.capabilities = {{"elicitation", {{"url", Json::object()}}}};
  EXPECT_EQ(peer.call("merge")["isError"], true);

  // A client that can show a form is asked, whatever the model says.
  peer.capabilities = {{"elicitation", {{"form", Json::object()}}}};
  const auto question = peer.call("merge", {{"confirm", true}});
  EXPECT_EQ(question["resultType"], "input_required");
  EXPECT_EQ(question["inputRequests"]["confirm"]["method"], "elicitation/create");
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
  const auto state = question["requestState"].get<std::string>();

  const Json no{{"confirm", {{"action", "decline"}}}};
  const Json yes{{"confirm", {{"action", "accept"}, {"content", {{"confirm", true}}}}}};
  const Json unticked{{"confirm", {{"action", "accept"}, {"content", {{"confirm", false}}}}}};
  const auto again = [&](const Json& answer, const std::string& with,
                         const Json& arguments = Json::object()) {
    return peer.result(peer.ask(
        "tools/call",
        {{"name", "merge"}, {"arguments", arguments}, {"inputResponses", answer}, {"requestState", with}}));
  };
  const auto declined = again(no, state);
  EXPECT_EQ(declined["isError"], true);
  EXPECT_THAT(said(declined), HasSubstr("`hydra merge`")) << "a client without a user declines by itself";
  EXPECT_EQ(again(unticked, state)["isError"], true);
  EXPECT_EQ(again(yes, "00000000000000000000000000000000")["isError"], true) << "a state of nobody";
  EXPECT_EQ(again(yes, state, {{"agent", "bad"}})["isError"], true) << "a state of another merge";
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);

  const auto fresh = peer.call("merge")["requestState"].get<std::string>();
  EXPECT_EQ(again(yes, fresh)["isError"], false);
  EXPECT_NE(world.git({"rev-parse", "HEAD"}), before);
  EXPECT_THAT(world.read("src/app.txt"), HasSubstr("good"));
  EXPECT_EQ(again(yes, fresh)["isError"], true) << "each is good once";
}

TEST_F(Mcp, OlderClientsBeginWithInitialize) {
  race();
  McpPeer peer(world);
  const auto hello =
      peer.result(peer.plain("initialize", {{"protocolVersion", "2025-06-18"},
                                            {"capabilities", {{"elicitation", Json::object()}}},
                                            {"clientInfo", {{"name", "t"}, {"version", "1"}}}}));
  EXPECT_EQ(hello["protocolVersion"], "2025-06-18");
  EXPECT_EQ(hello["serverInfo"]["name"], "hydra");
  peer.tell("notifications/initialized");
  EXPECT_EQ(peer.reply(peer.plain("ping"))["result"], Json::object());
  EXPECT_FALSE(peer.result(peer.plain("tools/list")).contains("resultType"));

  Json last_question;
  const auto merge = [&](const Json& answer) {
    const auto id = peer.plain("tools/call", {{"name", "merge"}, {"arguments", Json::object()}});
    const auto question = peer.next([&](const Json& m) {
      return m.value("method", "") == "elicitation/create" && m["id"] != last_question;
    });
    last_question = question["id"];
    peer.line(Json{{"jsonrpc", "2.0"}, {"id", last_question}, {"result", answer}}.dump());
    return peer.result(id);
  };
  const auto before = world.git({"rev-parse", "HEAD"});
  EXPECT_EQ(merge({{"action", "cancel"}})["isError"], true);
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
  EXPECT_EQ(merge({{"action", "accept"}, {"content", {{"confirm", true}}}})["isError"], false);
  EXPECT_NE(world.git({"rev-parse", "HEAD"}), before);
}

TEST_F(Mcp, AnOlderClientOfAnotherRevisionGetsTheNewestOfThose) {
  project();
  McpPeer peer(world);
  EXPECT_EQ(peer.result(peer.plain("initialize", {{"protocolVersion", "1999-01-01"}}))["protocolVersion"],
            "2025-11-25");
}

TEST_F(Mcp, ResourcesAreResultsDiffsAndLogs) {
  race();
  McpPeer peer(world);
  const auto list = peer.result(peer.ask("resources/list"))["resources"];
  ASSERT_GT(list.size(), 4u);
  for (const auto& each : list) {
    const auto read = peer.result(peer.ask("resources/read", {{"uri", each["uri"]}}));
    ASSERT_TRUE(read.contains("contents")) << each;
    EXPECT_EQ(read["contents"][0]["uri"], each["uri"]);
  }
  const auto race = world.results()["race"].get<std::string>();
  const auto results =
      peer.result(peer.ask("resources/read", {{"uri", "hydra://races/" + race + "/results"}}));
  EXPECT_EQ(Json::parse(results["contents"][0]["text"].get<std::string>())["winner"], "good");
  EXPECT_FALSE(peer.result(peer.ask("resources/templates/list"))["resourceTemplates"].empty());
  for (const auto* wrong :
       {"hydra://races/"
        "x/results",
        "hydra://races/../../etc", "file:///etc/passwd", "", "hydra://races/%2e%2e/logs/%2e%2e/agent"})
    EXPECT_EQ(peer.reply(peer.ask("resources/read", {{"uri", wrong}}))["error"]["code"], -32602) << wrong;
}

TEST_F(Mcp, HostileLinesEndNothing) {
  project();
  McpPeer peer(world);
  const auto error_after = [&](const std::string& text) {
    const auto before = peer.messages().size();
    peer.line(text);
    while (peer.messages().size() == before)
      if (!peer.process().wait_line("{")) return 0;
    return peer.messages().back()["error"]["code"].get<int>();
  };
  EXPECT_EQ(error_after("{\"jsonrpc\":"), -32700);
  EXPECT_EQ(error_after("\xff\xfe{}"), -32700);
  EXPECT_EQ(error_after(std::string(200'000, '[')), -32700);
  EXPECT_EQ(error_after("\"" + std::string((8u << 20) + 100, 'x') + "\""), -32700)
      << "longer than a line may be";
  EXPECT_EQ(error_after(R"({"jsonrpc":"2.0","id":1000,"method":"tools/call","params":{"arguments":)" +
                        std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}}"),
            -32700)
      << "deeper than a stack";
  EXPECT_EQ(error_after("[]"), -32600);
  EXPECT_EQ(error_after("7"), -32600);
  EXPECT_EQ(error_after(R"({"jsonrpc":"1.0","id":1000,"method":"ping"})"), -32600);
  EXPECT_EQ(error_after(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), -32600);
  EXPECT_EQ(error_after(R"({"jsonrpc":"2.0","id":{},"method":"ping"})"), -32600);
  EXPECT_EQ(error_after(R"({"jsonrpc":"2.0","id":1000,"method":7})"), -32600);
  EXPECT_EQ(error_after(R"({"jsonrpc":"2.0","id":1000,"method":"tools/list","params":[]})"), -32600);
  EXPECT_EQ(error_after(R"({"jsonrpc":"2.0","id":1000,"method":"tools/list"})"), -32602) << "no revision";
  peer.line("");
  peer.line(R"({"jsonrpc":"2.0","method":"notifications/unknown"})");
  peer.line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}})");
  peer.line(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  peer.line(R"({"jsonrpc":"2.0","id":"hydra-1","result":{"action":"accept"}})");
  const auto code = [&](const std::string& method, const Json& params = Json::object()) {
    return peer.reply(peer.ask(method, params))["error"]["code"];
  };
  EXPECT_EQ(code("no/such"), -32601);
  EXPECT_EQ(code("prompts/list"), -32601);
  EXPECT_EQ(code("tools/call", {{"name", "no_such"}}), -32602);
  EXPECT_EQ(code("tools/call", {{"name", "status"}, {"arguments", 7}}), -32602);
  peer.version = "2031-01-01";
  const auto refused = peer.reply(peer.ask("tools/list"));
  EXPECT_EQ(refused["error"]["code"], -32022);
  EXPECT_THAT(refused["error"]["data"]["supported"], ::testing::Contains(kNewest));
  peer.version = kNewest;
  peer.capabilities = nullptr;
  EXPECT_EQ(code("tools/list"), -32602) << "no capabilities";
  peer.capabilities = Json::object();
  EXPECT_TRUE(peer.result(peer.ask("tools/list")).contains("tools"));
  peer.line("half a request");
  peer.close();
  EXPECT_EQ(peer.process().wait().exit, 0);
}

TEST_F(Mcp, OnATerminalItSaysWhoStartsIt) {
  const auto terminal = world.start_on_terminal({"mcp"});
  EXPECT_EQ(terminal->wait().exit, 2);
  EXPECT_THAT(terminal->out(), HasSubstr("claude mcp add"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
