// Agents that speak a small JSON Lines dialect, and races of them.
#pragma once

#include "support/world.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hydra::e2e {

// say: a text; tool NAME; use IN OUT USD; retry STATUS; session ID; done.
inline const std::string kSpeak =
    "say() { echo '{\"type\":\"text\",\"text\":\"'\"$1\"'\"}'; }\n"
    "tool() { echo '{\"type\":\"tool\",\"tool\":\"'\"$1\"'\"}'; }\n"
    "use() { echo '{\"type\":\"usage\",\"in\":'$1',\"out\":'$2',\"cost\":'$3'}'; }\n"
    "tokens() { echo '{\"type\":\"usage\",\"in\":'$1',\"out\":'$2'}'; }\n"
    "retry() { echo '{\"type\":\"retry\",\"status\":'$1'}'; }\n"
    "session() { echo '{\"type\":\"start\",\"session\":\"'$1'\",\"model\":\"'${2:-m}'\"}'; }\n"
    "done_() { echo '{\"type\":\"result\",\"ok\":true}'; }\n"
    "fail() { echo '{\"type\":\"result\",\"ok\":false,\"error\":\"'\"$1\"'\",\"status\":'$2'}'; }\n"
    "hang() { sleep 1000; }\n";

inline std::string speaker(const std::string& name, const std::string& script, const std::string& more = {}) {
  return "[agents." + name + "]\ncommand = [\"sh\", \"-c\", '''" + kSpeak + script +
         "\n''', \"agent\"]\nsign_in_hint = \"run `speak login`\"\n" + more +
         "stop = [{ signal = \"TERM\", wait_seconds = 5 }]\n" + "[agents." + name + R"(.stream]
format = "jsonl"
session_when = { type = "start" }
session_path = "/session"
model_when = { type = "start" }
model_path = "/model"
progress = [{ type = "text" }, { type = "tool" }]
retry_when = { type = "retry" }
retry_status = "/status"
terminal_when = { type = "result" }
terminal_required = true
terminal_ok = { ok = true }
error_text = "/error"
error_status = "/status"
text_paths = ["/text"]
tool_paths = ["/tool"]
usage = { mode = "sum", when = { type = "usage" }, input = "/in", output = "/out", cost_usd = "/cost" }
)";
}

class Budgets : public ::testing::Test {
 protected:
  World world;
  std::string output;

  Json run(const std::string& config, Words more = {}, int exit = 1) {
    world.project(config);
    Words args{"--agents", "x"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    const auto race = world.race(args);
    EXPECT_EQ(race.exit, exit) << race.out << race.err;
    output = race.out + race.err;
    results = world.results();
    return agent_of(results, "x");
  }
  Json results;
  Json json(const Words& args, int exit = 0) const {
    const auto run = world.hydra(args);
    EXPECT_EQ(run.exit, exit) << run.out << run.err;
    return Json::parse(run.out, nullptr, false);
  }
  static constexpr const char* kWork = "session s1; say hello; echo work >> src/app.txt; ";
};

}  // namespace hydra::e2e
