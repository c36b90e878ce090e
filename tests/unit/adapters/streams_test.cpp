// The readers and the verdict over recorded output of the real programs (tests/golden/streams). What must
// come out is known from how the recordings were made: every model answer came from a script with known token
// counts.
#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "support/places.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace {

using namespace hydra;
using How = adapters::RunEnd::How;
using model::Outcome;
namespace fs = std::filesystem;

const fs::path kStreams = fs::path(places::golden()) / "streams";

struct Recording {
  std::string name;
  std::string out, err;
  nlohmann::json meta;
};

Recording recording(const std::string& agent, const std::string& scenario) {
  const auto base = (kStreams / agent / scenario).string();
  Recording r{agent + "/" + scenario, read_file(base + ".stdout").value_or("?"),
              read_file(base + ".stderr").value_or("?"), nullptr};
  r.meta = nlohmann::json::parse(read_file(base + ".meta.json").value_or("{}"), nullptr, false);
  return r;
}

std::vector<std::string> scenarios(const std::string& agent) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kStreams / agent)) {
    const auto file = entry.path().filename().string();
    if (file.ends_with(".meta.json")) names.push_back(file.substr(0, file.size() - 10));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// As the supervisor would report it: a signal of the recorder came from outside.
adapters::RunEnd end_of(const Recording& r) {
  adapters::RunEnd end;
  if (r.meta.at("exit_code").is_number()) {
    end.how = How::exited;
    end.code = r.meta.at("exit_code").get<int>();
  } else {
    end.how = How::signaled;
    end.signal = r.meta.at("signal").get<int>();
  }
  end.stderr_tail = r.err.substr(r.err.size() > 16384 ? r.err.size() - 16384 : 0);
  end.wall_ms = static_cast<std::int64_t>(r.meta.at("duration_s").get<double>() * 1000);
  end.stdout_bytes = r.out.size();
  return end;
}

const model::AgentDescriptor& descriptor(const std::string& agent) {
  return *adapters::find_agent(adapters::builtin(), agent);
}

const std::vector<std::string> kAgents{"amp",      "auggie",  "claude", "cline",  "codex",
                                       "continue", "copilot", "droid",  "gemini", "kimi",
                                       "opencode", "pi",      "qwen"};

adapters::StreamReader read(const std::string& agent, const Recording& r,
                            std::size_t chunk = std::string::npos) {
  adapters::StreamReader reader(descriptor(agent));
  for (std::size_t at = 0; at < r.out.size(); at += std::min(chunk, r.out.size() - at))
    reader.feed(std::string_view(r.out).substr(at, chunk));
  reader.finish();
  return reader;
}

model::Verdict verdict(const std::string& agent, const std::string& scenario) {
  const auto r = recording(agent, scenario);
  return adapters::judge(descriptor(agent), read(agent, r), end_of(r));
}

struct Truth {
  std::string agent, scenario;
  Outcome outcome;
  std::string error_class;
};

void PrintTo(const Truth& t, std::ostream* out) { *out << t.agent << "/" << t.scenario; }

class Streams : public testing::TestWithParam<Truth> {};

TEST_P(Streams, EndAsTheyShould) {
  const auto& t = GetParam();
  const auto v = verdict(t.agent, t.scenario);
  EXPECT_EQ(model::name(v.outcome), model::name(t.outcome)) << v.message;
  EXPECT_EQ(model::name(v.error_class), t.error_class) << v.message;
  EXPECT_EQ(v.message.empty(), t.outcome == Outcome::completed);
  EXPECT_EQ(v.advice.empty(), t.outcome == Outcome::completed);
}

std::vector<Truth> truths() {
  const auto good = Outcome::completed, bad = Outcome::failed, crash = Outcome::crashed;
  std::vector<Truth> all;
  const auto rows = [&](const std::string& agent, const std::vector<std::string>& scenarios, Outcome outcome,
                        const std::string& error_class) {
    for (const auto& scenario : scenarios) all.push_back({agent, scenario, outcome, error_class});
  };
  for (const auto* agent :
       {"claude", "codex", "gemini", "opencode", "copilot", "pi", "cline", "continue", "qwen"})
    rows(agent, {"ok", "noop", "toolfail", "adapter-default", "worktree"}, good, "");
  for (const auto* agent : {"claude", "codex", "opencode", "copilot", "pi", "cline", "continue", "qwen"})
    rows(agent, {"unicode"}, good, "");
  for (const auto* agent : {"claude", "codex", "opencode", "copilot", "continue", "qwen"})
    rows(agent, {"big"}, good, "");
  for (const auto* agent : {"claude", "codex", "opencode", "pi", "continue", "qwen"})
    rows(agent, {"slow"}, good, "");

  rows("claude", {"ok-partial", "ok-json", "prompt-stdin", "resume", "stdin-open-pipe"}, good, "");
  rows("claude", {"http400", "max-turns", "max-budget"}, bad, "agent_error");
  rows("claude", {"retries1-http401", "noauth"}, bad, "auth");
  rows("claude", {"retries1-http429"}, bad, "rate_limit");
  rows("claude", {"retries1-http500", "retries1-late500"}, bad, "provider");
  // Killed by the recorder in the middle of its retries: exit 143, no end, the last retry tells why.
  rows("claude", {"http401"}, bad, "auth");
  rows("claude", {"http429"}, bad, "rate_limit");
  rows("claude", {"http500", "late500"}, bad, "provider");
  rows("claude", {"cut"}, bad, "provider");
  rows("claude", {"hang-sigint", "hang-sigterm", "loop-sigterm", "longtool-sigint", "longtool-sigint-group"},
       bad, "agent_error");
  // Plain text instead of a stream: no end, whatever it says.
  rows("claude", {"ok-text"}, bad, "agent_error");
  rows("claude", {"root-refused"}, Outcome::launch_error, "launch_error");

  rows("codex",
       {"ok-codemode", "prompt-stdin", "resume", "default-sandbox", "sandbox-workspace-write",
        "worktree-no-skip-git-check"},
       good, "");
  rows("codex", {"http400"}, bad, "agent_error");
  rows("codex", {"http401"}, bad, "auth");
  rows("codex", {"http429"}, bad, "rate_limit");
  rows("codex", {"http500", "late500", "cut"}, bad, "provider");
  rows("codex", {"noauth"}, crash, "provider");  // no route to the provider, killed while it waits for one
  rows("codex", {"hang-sigterm", "loop-sigterm", "stdin-open-pipe"}, crash, "agent_error");
  rows("codex", {"hang-sigint"}, bad, "agent_error");

  rows("gemini", {"http400"}, bad, "agent_error");
  rows("gemini", {"http401"}, bad, "auth");
  rows("gemini", {"http429"}, crash, "rate_limit");  // only standard error tells
  rows("gemini", {"http500"}, bad, "provider");
  rows("gemini", {"unicode"}, bad, "provider");  // the answer's stream was broken
  rows("gemini", {"big"}, bad, "agent_error");   // its own emergency stop, called a success
  rows("gemini", {"hang-sigterm", "longtool-sigterm", "longtool-sigint"}, crash, "agent_error");
  rows("gemini", {"hang-sigterm-group", "longtool-sigterm-group"}, bad, "agent_error");  // exit code 0

  rows("opencode", {"http400"}, bad, "agent_error");
  rows("opencode", {"http401"}, bad, "auth");
  rows("opencode", {"http500", "late500"}, bad, "provider");
  rows("opencode",
       {"http429", "cut", "hang-sigterm", "longtool-sigint", "longtool-sigterm", "longtool-sigterm-group"},
       crash, "agent_error");

  rows("copilot", {"http400"}, bad, "agent_error");
  rows("copilot", {"http401"}, bad, "auth");
  rows("copilot", {"http429"}, bad, "rate_limit");
  rows("copilot", {"http500", "late500", "cut"}, bad, "provider");
  rows("copilot",
       {"hang-sigterm", "longtool-sigint", "longtool-sigint-group", "longtool-sigterm",
        "longtool-sigterm-group"},
       crash, "agent_error");

  rows("pi", {"mid"}, good, "");
  rows("pi", {"http400"}, bad, "agent_error");
  rows("pi", {"http401"}, bad, "auth");
  rows("pi", {"http429"}, bad, "rate_limit");
  rows("pi", {"http500", "late500", "cut"}, bad, "provider");
  rows("pi", {"hang-sigterm", "longtool-sigterm", "longtool-sigterm-group", "loop-sigterm"}, bad,
       "agent_error");
  rows("pi", {"hang-sigint", "longtool-sigint", "longtool-sigint-group"}, crash, "agent_error");

  rows("cline", {"http400"}, bad, "agent_error");
  rows("cline", {"http401"}, bad, "auth");
  rows("cline", {"http500", "late500"}, bad, "provider");
  rows("cline", {"hang-sigterm", "longtool-sigterm"}, crash, "agent_error");

  rows("continue", {"http400"}, bad, "agent_error");
  rows("continue", {"http401"}, bad, "auth");
  rows("continue", {"http500", "late500", "cut"}, bad, "provider");
  rows("continue", {"http429"}, bad, "agent_error");  // silent for 100 s, exit code 0
  rows("continue", {"hang-sigterm", "longtool-sigterm"}, bad, "agent_error");  // exit code 0 for the signal

  rows("kimi", {"ok", "noop", "toolfail"}, good, "");
  rows("kimi", {"http400"}, bad, "agent_error");
  rows("kimi", {"http401"}, bad, "auth");
  rows("kimi", {"http429"}, bad, "rate_limit");
  rows("kimi", {"http500", "late500", "cut"}, bad, "provider");
  rows("kimi", {"longtool"}, bad, "agent_error");

  // No reader can know these ends (README there), as the streams end well: gemini calls a broken answer a
  // success; claude goes on after the signal, codex finishes its turn. The signal's sender knows better.
  rows("gemini", {"cut"}, good, "");
  rows("claude", {"longtool-sigterm", "longtool-sigterm-group"}, good, "");
  rows("codex", {"longtool-sigterm", "longtool-sigint"}, good, "");

  rows("qwen", {"http400"}, bad, "agent_error");
  rows("qwen", {"http401"}, bad, "auth");
  rows("qwen", {"cut"}, bad, "provider");
  rows("qwen", {"http429", "http500", "late500", "hang-sigterm", "hang-sigterm-group"}, crash, "agent_error");
  // qwen refuses to sleep, so its run had ended before the signal.
  rows("qwen", {"longtool-sigint", "longtool-sigterm"}, good, "");

  // Made by races of the real programs (tests/agents): what a tool prints is no event, whatever it looks
  // like.
  for (const auto* agent : {"claude", "codex", "gemini", "opencode", "pi", "qwen"})
    rows(agent, {"forged"}, good, "");
  for (const auto* agent : {"claude", "codex", "copilot", "gemini", "opencode", "pi", "qwen"})
    rows(agent, {"toolong"}, bad, "agent_error");
  for (const auto* agent : {"claude", "opencode", "pi"}) rows(agent, {"refusal"}, bad, "agent_error");
  // The answer broke off after some text: qwen puts its error behind that text and calls all of it a success.
  rows("qwen", {"cut-after-text"}, bad, "provider");
  rows("copilot", {"cut-after-text"}, bad, "provider");
  rows("claude", {"loop-killed"}, crash, "agent_error");

  rows("amp", {"noauth"}, Outcome::launch_error, "auth");
  rows("amp", {"badkey"}, Outcome::launch_error, "launch_error");
  rows("auggie", {"noauth"}, Outcome::launch_error, "auth");
  rows("droid", {"noauth", "badkey"}, bad, "auth");
  return all;
}

INSTANTIATE_TEST_SUITE_P(Recorded, Streams, testing::ValuesIn(truths()), [](const auto& param) {
  std::string name = param.param.agent + "_" + param.param.scenario;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(Streams, KilledRunsAreNeverCompleted) {
  // Left out: claude inside a long tool takes the signal, goes on and reports success, exit 0; codex finishes
  // its turn.
  const std::set<std::string> honest_end{"claude/longtool-sigterm", "claude/longtool-sigterm-group",
                                         "codex/longtool-sigint"};
  int seen = 0;
  for (const auto& agent : kAgents)
    for (const auto& scenario : scenarios(agent)) {
      const auto r = recording(agent, scenario);
      if (r.meta.at("killed_by_recorder").is_null() || honest_end.contains(r.name)) continue;
      ++seen;
      const auto v = adapters::judge(descriptor(agent), read(agent, r), end_of(r));
      EXPECT_NE(v.outcome, Outcome::completed) << r.name;
      EXPECT_NE(v.outcome, Outcome::completed_with_warning) << r.name;
      // Had Hydra sent the signal, nothing that the agent said afterwards would count.
      auto ours = end_of(r);
      ours.how = How::timed_out;
      EXPECT_EQ(adapters::judge(descriptor(agent), read(agent, r), ours).outcome, Outcome::timed_out)
          << r.name;
    }
  EXPECT_GE(seen, 20);
}

TEST(Streams, WhatHydraStoppedIsNeverCompletedWhateverItSays) {
  for (const auto& [agent, scenario] :
       std::vector<std::pair<std::string, std::string>>{{"claude", "longtool-sigterm"},
                                                        {"claude", "longtool-sigterm-group"},
                                                        {"codex", "longtool-sigint"}})
    for (const auto how : {How::timed_out, How::cancelled, How::over_budget}) {
      const auto r = recording(agent, scenario);
      auto end = end_of(r);
      end.how = how;
      const auto outcome = adapters::judge(descriptor(agent), read(agent, r), end).outcome;
      EXPECT_TRUE(outcome == Outcome::timed_out || outcome == Outcome::cancelled ||
                  outcome == Outcome::over_budget)
          << r.name;
    }
}

TEST(Streams, ARequestToSignInIsSeenWhileItWaits) {
  const auto r = recording("amp", "noauth");
  adapters::StreamReader reader(descriptor("amp"));
  EXPECT_FALSE(reader.view().asks_sign_in);
  reader.feed(r.out);
  EXPECT_TRUE(reader.view().asks_sign_in);
  reader.feed("\n{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"T-1\"}\n");
  EXPECT_FALSE(reader.view().asks_sign_in) << "it began";
}

// 300 MB of a stream, more than half of it in lines that are too long: time grows with the bytes, memory does
// not.
TEST(Streams, AVeryLongStreamTakesNoMemory) {
#ifdef HYDRA_SANITIZED
  GTEST_SKIP() << "the sanitizer keeps what was freed, and is slow over so much";
#endif
  const auto resident_kib = [] {
    const auto status = read_file("/proc/self/status").value_or("");
    const auto at = status.find("VmRSS:");
    return at == std::string::npos ? 0L : std::strtol(status.c_str() + at + 6, nullptr, 10);
  };
  adapters::StreamReader reader(descriptor("claude"));
  reader.feed(R"({"type":"system","subtype":"init","session_id":"s","model":"m"})"
              "\n");
  const std::string megabyte(1u << 20, 'x');
  std::string line =
      R"({"type":"assistant","session_id":"s","message":{"id":"1","content":[{"type":"text","text":")";
  line += std::string(1000, 'y') + "\"}]}}\n";
  std::string lines_of_text;
  while (lines_of_text.size() < megabyte.size()) lines_of_text += line;
  const auto before = resident_kib();
  for (int round = 0; round < 4; ++round) {
    reader.feed(R"({"type":"assistant","session_id":"s","message":{"content":[{"text":")");
    for (int i = 0; i < 40; ++i) reader.feed(megabyte);
    reader.feed("\"}]}}\n");
    for (int i = 0; i < 35; ++i) reader.feed(lines_of_text);
  }
  EXPECT_LT(resident_kib() - before, 16 * 1024);
  reader.feed(
      R"({"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"ok","usage":{"input_tokens":7,"output_tokens":2}})"
      "\n");
  reader.finish();
  const auto sum = reader.summary();
  EXPECT_GT(sum.bytes, 300u << 20);
  EXPECT_TRUE(sum.terminal_ok);
  EXPECT_EQ(sum.usage.input, 7);
  EXPECT_EQ(sum.log_lines, 4) << "lines over the limit";
}

TEST(Streams, UsageOfTheKnownRun) {
  for (const auto* agent : {"claude", "codex", "gemini", "opencode"})
    for (const auto* scenario : {"ok", "adapter-default", "worktree"}) {
      SCOPED_TRACE(std::string(agent) + "/" + scenario);
      const auto u = verdict(agent, scenario).usage;
      const bool writes = std::string(agent) == "claude";  // the other interfaces do not count cache writes
      EXPECT_EQ(u.input, writes ? 1650 : 13500 - 11850);
      EXPECT_EQ(u.output, std::string(agent) == "gemini" ? 217 : 185) << "its thinking stands beside it";
      EXPECT_EQ(u.cache_read, 11850);
      if (writes) {
        EXPECT_EQ(u.cache_write, 650);
      } else {
        EXPECT_EQ(u.cache_write.value_or(0), 0);
      }
      if (std::string(agent) == "codex" || std::string(agent) == "opencode") {
        EXPECT_EQ(u.reasoning, 32);
      }
    }
  EXPECT_DOUBLE_EQ(verdict("claude", "ok").usage.cost_usd.value_or(0), 0.0137175);
  EXPECT_NEAR(verdict("opencode", "ok").usage.cost_usd.value_or(0), 0.005775 + 0.00306 + 0.002445, 1e-12);
  EXPECT_FALSE(verdict("codex", "ok").usage.cost_usd);
}

TEST(Streams, ARunThatHitItsBudgetKeepsItsMoney) {
  EXPECT_DOUBLE_EQ(verdict("claude", "max-budget").usage.cost_usd.value_or(0), 0.00765);
}

TEST(Streams, AKilledRunsUsageComesFromItsPartialMessages) {
  auto r = recording("claude", "ok-partial");
  const auto cut = r.out.find("{\"type\":\"result\"");
  ASSERT_NE(cut, std::string::npos);
  r.out.resize(cut);
  const auto summary = read("claude", r).summary();
  EXPECT_FALSE(summary.terminal);
  EXPECT_EQ(summary.usage.input, 1650);
  EXPECT_EQ(summary.usage.output, 185);
  EXPECT_EQ(summary.usage.cache_read, 11850);
  EXPECT_EQ(summary.usage.cache_write, 650);
}

TEST(Streams, EverythingRefusedAndNothingChangedIsMisconfigured) {
  const auto r = recording("claude", "permission-denied");
  const auto reader = read("claude", r);
  EXPECT_TRUE(reader.summary().denied);
  const auto v = adapters::judge(descriptor("claude"), reader, end_of(r));
  EXPECT_EQ(v.outcome, Outcome::completed);
  EXPECT_EQ(adapters::finish_verdict(v, true, false).outcome, Outcome::misconfigured);
  EXPECT_EQ(adapters::finish_verdict(v, true, true).outcome, Outcome::completed);
  EXPECT_EQ(adapters::finish_verdict(v, false, false).outcome, Outcome::completed);
  EXPECT_FALSE(read("claude", recording("claude", "ok")).summary().denied);
}

// A CLI that takes the prompt for a command of its own ends well without a model.
TEST(Streams, ARunWithoutAModelCallIsNoSuccess) {
  const std::string start = R"({"type":"system","subtype":"init","session_id":"s","model":"m"})";
  const auto end = [](int tokens) {
    const auto by_model = tokens == 0
                              ? std::string("{}")
                              : fmt::format(R"({{"m":{{"inputTokens":{0},"outputTokens":{0}}}}})", tokens);
    return fmt::format(
        R"({{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"ok","session_id":"s",)"
        R"("usage":{{"input_tokens":{0},"output_tokens":{0}}},"modelUsage":{1},"total_cost_usd":0}})",
        tokens, by_model);
  };
  const auto verdict_of = [&](int tokens, bool changed) {
    adapters::StreamReader reader(descriptor("claude"));
    reader.feed(start + "\n" + end(tokens) + "\n");
    reader.finish();
    adapters::RunEnd exit;
    exit.how = adapters::RunEnd::How::exited;
    return adapters::finish_verdict(adapters::judge(descriptor("claude"), reader, exit), false, changed);
  };
  EXPECT_EQ(verdict_of(0, false).outcome, Outcome::failed);
  EXPECT_EQ(verdict_of(0, false).error_class, model::ErrorClass::agent_error);
  EXPECT_EQ(verdict_of(0, true).outcome, Outcome::completed) << "a provider may count nothing";
  EXPECT_EQ(verdict_of(7, false).outcome, Outcome::completed);
}

TEST(Streams, TheViewTellsWhatGoesOn) {
  const auto view = read("claude", recording("claude", "ok")).view();
  EXPECT_EQ(view.last_line,
            "Created src/greet.py with a greet() function and checked that it prints a greeting.");
  EXPECT_EQ(view.tool, "Bash");
  EXPECT_TRUE(view.terminal);
  EXPECT_EQ(read("gemini", recording("gemini", "ok")).view().tool, "run_shell_command");
  EXPECT_EQ(read("opencode", recording("opencode", "ok")).view().tool, "bash");
  EXPECT_EQ(verdict("codex", "ok").final_text,
            "Created src/greet.py with a greet() function and checked that it prints a greeting.");
}

TEST(Streams, RefusedSignInShowsWhileItRetries) {
  EXPECT_GE(read("claude", recording("claude", "http401")).view().auth_retries, 3);
  EXPECT_GE(read("codex", recording("codex", "http401")).view().auth_retries, 3);
  EXPECT_EQ(read("codex", recording("codex", "http500")).view().auth_retries, 0);
  EXPECT_EQ(read("claude", recording("claude", "ok")).view().auth_retries, 0);
}

std::string everything(const adapters::StreamReader& reader) {
  const auto s = reader.summary();
  const auto v = reader.view();
  const auto& u = s.usage;
  return nlohmann::json{s.bytes,
                        s.events,
                        s.log_lines,
                        s.terminal,
                        s.terminal_ok,
                        s.error,
                        s.error_text,
                        s.status.value_or(-1),
                        s.retry_status.value_or(-1),
                        s.retry_text,
                        s.denied,
                        s.session,
                        s.final_text,
                        v.last_line,
                        v.tool,
                        v.progress,
                        v.auth_retries,
                        u.input.value_or(-1),
                        u.output.value_or(-1),
                        u.cache_read.value_or(-1),
                        u.cache_write.value_or(-1),
                        u.reasoning.value_or(-1),
                        u.cost_usd.value_or(-1)}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

TEST(Streams, PiecesDoNotMatter) {
  int seen = 0;
  for (const auto& agent : kAgents)
    for (const auto& scenario : scenarios(agent)) {
      const auto r = recording(agent, scenario);
      const auto whole = everything(read(agent, r));
      EXPECT_EQ(whole, everything(read(agent, r, 1))) << r.name;
      EXPECT_EQ(whole, everything(read(agent, r, 997))) << r.name;
      ++seen;
    }
  EXPECT_GE(seen, 80);
}

}  // namespace
