// From what an attempt left to its verdict, and what its job was given.
#include "race/agents/verdict.hpp"

#include "base/files.hpp"
#include "race/jobs.hpp"

#include <gtest/gtest.h>

namespace hydra::race {
namespace {

class Verdicts : public ::testing::Test {
 protected:
  Verdicts() {
    std::string pattern = "/tmp/hydra-race-verdict-XXXXXX";
    root = ::mkdtemp(pattern.data());
    attempt.descriptor = adapters::builtin().at("opencode");
    attempt.directory = root;
    attempt.run_dir = root / "run";
    attempt.home = root / "run/config";
    attempt.result.end = exec::End::exited;
    attempt.result.wall_ms = 60'000;
  }
  ~Verdicts() override { (void)remove_tree(root); }
  Verdicts(const Verdicts&) = delete;
  Verdicts& operator=(const Verdicts&) = delete;

  void log(const std::string& out, const std::string& err = {}) {
    ASSERT_TRUE(write_file(root / "stdout.log", out, 0600).ok());
    ASSERT_TRUE(write_file(root / "stderr.log", err, 0600).ok());
    attempt.result.out.total = out.size();
    attempt.result.err.total = err.size();
  }
  static std::string step(int input, const std::string& reason) {
    return R"({"type":"step_finish","sessionID":"ses_1","part":{"reason":")" + reason +
           R"(","cost":0,"tokens":{"input":)" + std::to_string(input) +
           R"(,"output":1,"reasoning":0,"cache":{"read":0,"write":0}}}})" + "\n";
  }

  fs::path root;
  Attempt attempt;
};

TEST_F(Verdicts, WhatTheMachineRefusedIsNamed) {
  log("");
  attempt.descriptor.display = "Opencode";
  const auto message = [&](exec::End end, const std::string& why) {
    attempt.result.end = end;
    attempt.result.signal = 9;
    attempt.result.message = why;
    return read_and_judge(attempt).verdict.message;
  };
  EXPECT_EQ(message(exec::End::disk, "more than 5 bytes of disk"),
            "Opencode was ended: more than 5 bytes of disk; raise [limits] disk_bytes");
  EXPECT_EQ(message(exec::End::no_room, "only 3 MiB are free on its disk"),
            "Opencode was ended: only 3 MiB are free on its disk; make room there (`hydra clean`), or set "
            "[limits] disk_free_mib = 0");
  EXPECT_EQ(message(exec::End::oom, "more than 5 bytes of memory"),
            "Opencode was ended: more than 5 bytes of memory; raise [limits] memory_bytes or processes");
  EXPECT_EQ(read_and_judge(attempt).verdict.outcome, model::Outcome::crashed);
  EXPECT_EQ(
      message(exec::End::lost, "the supervisor vanished without a result: the disk of /x is full"),
      "Opencode: the supervisor vanished without a result: the disk of /x is full; race again to have it "
      "try once more");
  attempt.result.code = 1;
  EXPECT_NE(message(exec::End::exited, "the disk is full: /x").find("(the disk is full: /x)"),
            std::string::npos);
}

TEST_F(Verdicts, UsageOfALongLogIsWhatTheReaderSawThatReadAlong) {
  const auto head = step(100, "tool-calls"), middle = step(1000, "tool-calls"), tail = step(10, "stop");
  log(head + std::string(middle.size(), '\0') + tail);
  attempt.result.out.hole_from = head.size();
  attempt.result.out.hole_to = head.size() + middle.size();

  auto judged = read_and_judge(attempt);
  EXPECT_EQ(judged.verdict.outcome, model::Outcome::completed);
  EXPECT_EQ(judged.verdict.usage.input, 110);
  EXPECT_TRUE(judged.incomplete);
  EXPECT_TRUE(judged.verdict.usage.partial) << "the middle is not in it, and that is said";

  const auto read_along = [&](std::uint64_t upto) {
    attempt.live = std::make_shared<adapters::StreamReader>(attempt.descriptor, attempt.options);
    attempt.live->feed((head + middle + tail).substr(0, upto));
    attempt.live_offset = upto;
  };
  for (const auto more : {std::size_t{0}, std::size_t{7}, tail.size()}) {
    read_along(head.size() + middle.size() + more);
    judged = read_and_judge(attempt);
    EXPECT_EQ(judged.verdict.usage.input, 1110) << more;
    EXPECT_EQ(judged.verdict.outcome, model::Outcome::completed) << more;
    EXPECT_FALSE(judged.incomplete) << more;
  }
  read_along(head.size() + 3);  // the log was faster than its reader
  EXPECT_TRUE(read_and_judge(attempt).incomplete);
}

TEST_F(Verdicts, AnEndThatSaysEverythingNeedsNoMiddle) {
  attempt.descriptor = adapters::builtin().at("claude");
  const std::string head = R"({"type":"system","subtype":"init","session_id":"s"})"
                           "\n";
  const std::string tail =
      R"({"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"ok","total_cost_usd":0.1,"usage":{"input_tokens":7,"output_tokens":2}})"
      "\n";
  log(head + std::string(100, '\0') + tail);
  attempt.result.out.hole_from = head.size();
  attempt.result.out.hole_to = head.size() + 100;
  const auto judged = read_and_judge(attempt);
  EXPECT_EQ(judged.verdict.usage.input, 7);
  EXPECT_FALSE(judged.incomplete);
}

TEST_F(Verdicts, RefusalsOnStandardErrorCount) {
  attempt.descriptor = adapters::builtin().at("codex");
  log(R"({"type":"thread.started","thread_id":"t"})"
      "\n"
      R"({"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}})"
      "\n",
      "exec_command failed: rejected by user approval settings\n");
  const auto judged = read_and_judge(attempt);
  EXPECT_EQ(judged.verdict.outcome, model::Outcome::completed);
  EXPECT_TRUE(judged.verdict.denied);
}

TEST_F(Verdicts, OneThatWasStoppedBecauseItAskedForASignInNeverBegan) {
  attempt.descriptor = adapters::builtin().at("amp");
  attempt.result.end = exec::End::cancelled;
  attempt.stop = model::StopRequested{"amp", model::StopReason::auth, model::ErrorClass::auth,
                                      "stopped: it waits for a sign-in", "set AMP_API_KEY"};
  log("No API key found. Starting login flow...\n");
  auto verdict = read_and_judge(attempt).verdict;
  EXPECT_EQ(verdict.outcome, model::Outcome::launch_error);
  EXPECT_EQ(model::name(verdict.error_class), "auth");
  EXPECT_NE(verdict.message.find("AMP_API_KEY"), std::string::npos);
  log(R"({"type":"system","subtype":"init","session_id":"s"})"
      "\n");
  EXPECT_EQ(read_and_judge(attempt).verdict.outcome, model::Outcome::failed) << "it had begun";
}

TEST_F(Verdicts, TheSessionThatHydraNamedIsKnownOfAStoppedRun) {
  attempt.own_session = "11111111-1111-4111-8111-111111111111";
  attempt.result.end = exec::End::timed_out;
  log("");
  EXPECT_EQ(read_and_judge(attempt).verdict.session, "") << "it never began: there is none";
  attempt.descriptor = adapters::builtin().at("copilot");
  log(R"({"type":"assistant.message","data":{"content":"hello"}})"
      "\n");
  EXPECT_EQ(read_and_judge(attempt).verdict.session, attempt.own_session);
  attempt.session = "resumed";
  EXPECT_EQ(read_and_judge(attempt).verdict.session, "resumed");
}

// ---- the job

class Jobs : public ::testing::Test {
 protected:
  Jobs() {
    spec.id = "r";
    spec.token = "t";
    spec.environment = {{"HOME", "/home/u"}, {"PATH", "/bin:/usr/bin"}};
    spec.isolation = model::Isolation::bwrap;
    spec.repository.user_name = "Ada";
    spec.repository.user_email = "ada@example.org";
    spec.config.agents["x"].command = {"/bin/sh", "-c", "true", "{prompt}"};
    agent.entry = {"x", "x", ""};
    agent.workspace = "/w/x";
  }
  std::string variable(const std::string& name) {
    const auto job = agent_job(spec, agent, 1, layout, {});
    if (!job.ok()) return describe(job.error());
    for (const auto& [key, value] : job->env)
      if (key == name) return value;
    return {};
  }
  model::RaceSpec spec;
  AgentState agent;
  Layout layout{"/state", "r"};
};

TEST_F(Jobs, GitHasTheUsersIdentityAtItsLowestRank) {
  EXPECT_EQ(variable("GIT_CONFIG_SYSTEM"), "/run/hydra/gitconfig");
  EXPECT_EQ(variable("GIT_AUTHOR_NAME"), "") << "a variable would outrank what a test configures";
  spec.isolation = model::Isolation::none;
  EXPECT_EQ(variable("GIT_CONFIG_SYSTEM"), layout.identity().string());
  spec.repository.user_name = spec.repository.user_email = "";
  EXPECT_EQ(variable("GIT_CONFIG_SYSTEM"), "");
}

TEST_F(Jobs, TheSessionThatIsNamedIsTheOneThatIsRemembered) {
  const auto key = layout.key("x", "agent", 1);
  EXPECT_EQ(own_session(spec, agent, key), "");
  spec.config.agents["x"].command = {"/bin/sh", "--session-id", "{session_uuid}", "{prompt}"};
  const auto job = agent_job(spec, agent, 1, layout, {});
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->argv.at(2), own_session(spec, agent, key));
  EXPECT_EQ(own_session(spec, agent, key).size(), 36u);
  agent.retry = model::RetryRequested{};
  agent.retry->session = "s";
  EXPECT_EQ(own_session(spec, agent, key), "") << "the resumed one";
}

}  // namespace
}  // namespace hydra::race
