// The outcome rules, one row or more for each, in their order.
#include "adapters/adapters.hpp"
#include "config/config.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;
using adapters::RunEnd;
using How = RunEnd::How;
using model::Outcome;

model::AgentDescriptor jsonl() {
  model::AgentDescriptor d;
  d.id = "a";
  d.display = "Agent";
  d.command = {"a"};
  d.auth_env = {"A_KEY"};
  d.install_hint = "npm install a";
  d.exit_class = {{41, "auth"}};
  d.stream.format = model::StreamFormat::jsonl;
  d.stream.terminal_required = true;
  d.stream.terminal_when = {{"/type", "result"}};
  d.stream.error_regex = "^API Error";
  return d;
}

model::AgentDescriptor text() {
  model::AgentDescriptor d;
  d.id = "t";
  d.display = "Text";
  d.command = {"t"};
  return d;
}

adapters::StreamSummary good() {
  adapters::StreamSummary s;
  s.structured = true;
  s.bytes = 100;
  s.events = 3;
  s.terminal = true;
  s.terminal_ok = true;
  s.final_text = "Done.";
  return s;
}

adapters::StreamSummary cut() {
  auto s = good();
  s.terminal = s.terminal_ok = false;
  return s;
}

adapters::StreamSummary failed(std::optional<int> status, std::string words) {
  auto s = good();
  s.terminal_ok = false;
  s.status = status;
  s.error_text = std::move(words);
  return s;
}

adapters::StreamSummary silent(bool structured = true) {
  adapters::StreamSummary s;
  s.structured = structured;
  return s;
}

adapters::StreamSummary words(std::string final_text) {
  auto s = good();
  s.final_text = std::move(final_text);
  return s;
}

RunEnd exited(int code, std::int64_t wall_ms = 60'000, std::string err = {}) {
  RunEnd e;
  e.how = How::exited;
  e.code = code;
  e.wall_ms = wall_ms;
  e.stderr_tail = std::move(err);
  return e;
}

RunEnd ended(How how, int signal = 0) {
  RunEnd e;
  e.how = how;
  e.signal = signal;
  e.wall_ms = 60'000;
  return e;
}

struct JudgeRow {
  const char* name;
  model::AgentDescriptor descriptor;
  adapters::StreamSummary stream;
  RunEnd end;
  Outcome outcome;
  std::string error_class;
  std::string says;  ///< part of the sentence
};

void PrintTo(const JudgeRow& row, std::ostream* out) { *out << row.name; }

class Judge : public testing::TestWithParam<JudgeRow> {};

TEST_P(Judge, Rule) {
  const auto& row = GetParam();
  const auto v = adapters::judge(row.descriptor, row.stream, row.end);
  EXPECT_EQ(model::name(v.outcome), model::name(row.outcome)) << v.message;
  EXPECT_EQ(model::name(v.error_class), row.error_class) << v.message;
  EXPECT_NE(v.message.find(row.says), std::string::npos) << v.message;
  EXPECT_EQ(v.message.find('\n'), std::string::npos);
}

model::AgentDescriptor ignoring() {
  auto d = jsonl();
  d.ignore_exit_code = true;
  return d;
}

adapters::StreamSummary retrying() {
  auto s = cut();
  s.retry_status = 401;
  s.retry_text = "Reconnecting... 3/5";
  return s;
}

RunEnd left_hanging() {
  auto e = ended(How::signaled, 15);
  e.stopped_after_terminal = true;
  return e;
}

RunEnd stalled() {
  auto e = ended(How::timed_out);
  e.silent_ms = 250'000;
  return e;
}

RunEnd not_found() {
  auto e = ended(How::start_failed);
  e.message = "No such file or directory";
  return e;
}

const JudgeRow kRows[] = {
    // 1: who stopped it, whatever was said
    {"timeout", jsonl(), good(), ended(How::timed_out), Outcome::timed_out, "", "agent_timeout_seconds"},
    {"timeout_after_a_stall", jsonl(), good(), stalled(), Outcome::timed_out, "",
     "nothing had come from it for 4m10s"},
    {"timeout_at_work", jsonl(), good(), ended(How::timed_out), Outcome::timed_out, "",
     "ran out of time; raise"},
    {"cancel", jsonl(), good(), ended(How::cancelled), Outcome::cancelled, "", "race again"},
    {"budget", jsonl(), good(), ended(How::over_budget), Outcome::over_budget, "", "--budget"},
    {"lost", jsonl(), good(), ended(How::lost), Outcome::lost, "", "race again"},
    {"timeout_after_an_error", jsonl(), failed(401, "no"), ended(How::timed_out), Outcome::timed_out, "", ""},
    // 2: it never began
    {"missing_program", jsonl(), silent(), not_found(), Outcome::launch_error, "launch_error",
     "npm install a"},
    {"shell_finds_nothing", text(), silent(false), exited(127, 20, "sh: t: not found"), Outcome::launch_error,
     "launch_error", "not found"},
    {"silent_exit", jsonl(), silent(), exited(1, 500), Outcome::launch_error, "launch_error",
     "exited with code 1"},
    {"silent_exit_0", jsonl(), silent(), exited(0, 500), Outcome::launch_error, "launch_error",
     "before it said"},
    {"sign_in", jsonl(), silent(), exited(1, 500, "x\nNot logged in\n"), Outcome::launch_error, "auth",
     "A_KEY"},
    {"sign_in_late", jsonl(), silent(), exited(1, 30'000, "No API key found"), Outcome::launch_error, "auth",
     "A_KEY"},
    {"untrusted", jsonl(), silent(), exited(0, 500, "Workspace Trust Required"), Outcome::launch_error,
     "launch_error", "Trust"},
    {"root", jsonl(), silent(), exited(1, 500, "--x cannot be used with root/sudo"), Outcome::launch_error,
     "launch_error", "root"},
    {"known_code", jsonl(), silent(), exited(41, 500), Outcome::launch_error, "auth", "A_KEY"},
    {"quiet_text_agent_that_works", text(), silent(false), exited(0, 50), Outcome::completed, "", ""},
    {"quiet_text_agent_that_fails", text(), silent(false), exited(2, 50), Outcome::launch_error,
     "launch_error", ""},
    // 3: it reported an error
    {"error_401", jsonl(), failed(401, "bad key"), exited(1), Outcome::failed, "auth", "A_KEY"},
    {"error_403", jsonl(), failed(403, ""), exited(1), Outcome::failed, "auth", "A_KEY"},
    {"error_402", jsonl(), failed(402, ""), exited(1), Outcome::failed, "rate_limit", "limit"},
    {"error_429", jsonl(), failed(429, ""), exited(0), Outcome::failed, "rate_limit", "limit"},
    {"error_529", jsonl(), failed(529, ""), exited(0), Outcome::failed, "provider", "race again"},
    {"error_400", jsonl(), failed(400, "no such model"), exited(1), Outcome::failed, "agent_error",
     "no such model"},
    {"error_words", jsonl(), failed(std::nullopt, "You exceeded your quota"), exited(1), Outcome::failed,
     "rate_limit", "quota"},
    {"error_network", jsonl(), failed(std::nullopt, "fetch failed: ECONNRESET"), exited(1), Outcome::failed,
     "provider", ""},
    {"error_by_exit_code", jsonl(), failed(std::nullopt, "strange"), exited(41), Outcome::failed, "auth", ""},
    {"error_key_in_a_400", jsonl(), failed(400, "API key not valid. Please pass a valid API key."), exited(1),
     Outcome::failed, "auth", "A_KEY"},
    {"error_variable", jsonl(), failed(std::nullopt, "Missing environment variable: `K`."), exited(1),
     Outcome::failed, "auth", ""},
    {"error_socket", jsonl(),
     failed(std::nullopt, "The socket connection was closed unexpectedly. For more information, pass x"),
     exited(1), Outcome::failed, "provider", ""},
    {"error_connection", jsonl(), failed(std::nullopt, "Cannot connect to API: other side closed"), exited(1),
     Outcome::failed, "provider", ""},
    {"error_leading_number", jsonl(), failed(std::nullopt, "429 slow down"), exited(0), Outcome::failed,
     "rate_limit", ""},
    {"error_then_signal", jsonl(), failed(500, ""), ended(How::signaled, 15), Outcome::failed, "provider",
     ""},
    {"error_with_escapes", jsonl(), failed(400, "a\x1b[2Jb\nc"), exited(1), Outcome::failed, "agent_error",
     "reported"},
    // 4: success with the words of an error
    {"words_of_an_error", jsonl(), words("API Error: 500 oops"), exited(0), Outcome::failed, "provider",
     "oops"},
    {"talk_of_errors", jsonl(), words("I fixed the API Error: 500 page and the usage limit."), exited(0),
     Outcome::completed, "", ""},
    // 5: no end
    {"cut", jsonl(), cut(), exited(0), Outcome::failed, "agent_error", "hydra logs"},
    {"cut_with_code", jsonl(), cut(), exited(1), Outcome::failed, "agent_error", "code 1"},
    {"silent_for_long", jsonl(), silent(), exited(0, 60'000), Outcome::failed, "agent_error", "nothing"},
    {"cut_while_retrying", jsonl(), retrying(), exited(1), Outcome::failed, "auth", "Reconnecting"},
    {"killed_from_outside", jsonl(), cut(), ended(How::signaled, 9), Outcome::crashed, "agent_error",
     "signal 9"},
    {"killed_text_agent", text(), silent(false), ended(How::signaled, 11), Outcome::crashed, "agent_error",
     "signal 11"},
    // 6: good end, bad code
    {"warning", jsonl(), good(), exited(7), Outcome::completed_with_warning, "", "code 7"},
    {"told_to_stop_after_its_end", jsonl(), good(), exited(143), Outcome::crashed, "agent_error",
     "signal 15"},
    {"killed_after_its_end", jsonl(), good(), ended(How::signaled, 9), Outcome::crashed, "agent_error",
     "signal 9"},
    {"told_to_stop_and_code_ignored", ignoring(), good(), exited(143), Outcome::crashed, "agent_error",
     "signal 15"},
    {"silent_exit_0_of_unknown_length", jsonl(), silent(), exited(0, -1), Outcome::failed, "agent_error",
     "nothing"},
    {"silent_exit_1_of_unknown_length", jsonl(), silent(), exited(1, -1), Outcome::launch_error,
     "launch_error", ""},
    {"warning_signal", jsonl(), good(), ended(How::signaled, 6), Outcome::completed_with_warning, "",
     "signal 6"},
    {"code_ignored", ignoring(), good(), exited(7), Outcome::completed, "", ""},
    // 7: done
    {"completed", jsonl(), good(), exited(0), Outcome::completed, "", ""},
    {"done_but_did_not_leave", jsonl(), good(), left_hanging(), Outcome::completed, "", ""},
};

INSTANTIATE_TEST_SUITE_P(Table, Judge, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Judge, TextAgentsByTheirExitCode) {
  adapters::StreamSummary s;
  s.events = 2;
  s.bytes = 10;
  s.final_text = "bye";
  EXPECT_EQ(adapters::judge(text(), s, exited(0)).outcome, Outcome::completed);
  const auto v = adapters::judge(text(), s, exited(3, 60'000, "boom\n"));
  EXPECT_EQ(v.outcome, Outcome::failed);
  EXPECT_EQ(model::name(v.error_class), "agent_error");
  EXPECT_NE(v.message.find("boom"), std::string::npos);
  auto d = text();
  d.ok_exit = {0, 3};
  EXPECT_EQ(adapters::judge(d, s, exited(3)).outcome, Outcome::completed);
}

TEST(Judge, AForeignMessageCannotBreakTheLine) {
  const auto v = adapters::judge(jsonl(),
                                 failed(400,
                                        "a\x1b[2Jb\nc\xe2\x80\xae"
                                        "d"),
                                 exited(1));
  EXPECT_EQ(v.message.find('\x1b'), std::string::npos);
  EXPECT_EQ(v.message.find("\xe2\x80\xae"), std::string::npos);
}

TEST(ErrorWords, AtTheEndOnlyWhereThePatternSaysSo) {
  auto d = jsonl();
  auto s = good();
  s.final_text = "All is well. [API Error: 500 Internal Server Error]";
  RunEnd end;
  end.how = How::exited;
  EXPECT_EQ(adapters::judge(d, s, end).outcome, Outcome::completed) << "a text about errors";
  d.stream.error_regex = R"(^API Error|\[API Error: [^\n]+\]\s*$)";
  const auto verdict = adapters::judge(d, s, end);
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  EXPECT_EQ(model::name(verdict.error_class), "provider");
  EXPECT_EQ(verdict.message.find("All is well"), std::string::npos) << verdict.message;
  s.final_text = "It said [API Error: 500] and I repaired that.";
  EXPECT_EQ(adapters::judge(d, s, end).outcome, Outcome::completed);
}

TEST(Judge, AMessageAsksIfOneOfItsFinalLinesEndsWithAQuestionMark) {
  for (const std::string question :
       {"Shall I go on?", "**Which one do you want?**", "どちらにしますか？", "He said \"which?\""}) {
    EXPECT_EQ(adapters::question_in(question), question);
    EXPECT_EQ(adapters::question_in("I looked around.\n  " + question + "\n\n1. a header\n2. a cookie\n"),
              question);
  }
  std::string long_ago = "Why?\n";
  for (int i = 0; i < 10; ++i) long_ago += "one more line\n";
  for (const std::string& text :
       {std::string(), std::string("Done."), std::string("See http://example.org/?q=1 for more."), long_ago})
    EXPECT_EQ(adapters::question_in(text), "") << text;
}

}  // namespace
