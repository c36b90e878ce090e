// How runs end that look better, or worse, than they are: streams of the built-in agents as their programs
// write them when the model, the sign-in or the money failed, and honest ends that only speak of such things.
#include "adapters/adapters.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;
using model::Outcome;

struct Row {
  const char* name;
  const char* agent;
  std::string out;
  int code;
  Outcome outcome;
  const char* error_class;
  std::string err = {};
  std::string says = {};  ///< part of the sentence
  std::int64_t wall_ms = 60'000;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Ends : public testing::TestWithParam<Row> {};

TEST_P(Ends, AreSeen) {
  const auto& row = GetParam();
  const auto& d = *adapters::find_agent(adapters::builtin(), row.agent);
  adapters::StreamReader reader(d);
  reader.feed(row.out);
  reader.finish();
  adapters::RunEnd end;
  end.how = adapters::RunEnd::How::exited;
  end.code = row.code;
  end.wall_ms = row.wall_ms;
  end.stderr_tail = row.err;
  end.stdout_bytes = row.out.size();
  const auto v = adapters::judge(d, reader, end);
  EXPECT_EQ(model::name(v.outcome), model::name(row.outcome)) << v.message;
  EXPECT_EQ(model::name(v.error_class), row.error_class) << v.message;
  EXPECT_NE(v.message.find(row.says), std::string::npos) << v.message;
}

const auto kFailed = Outcome::failed;
const auto kDone = Outcome::completed;

/// The stream of Claude Code and of those that print the same: a good flag over this text (JSON, escaped).
std::string success(const std::string& text) {
  return R"({"type":"system","subtype":"init","session_id":"s1","model":"m"})"
         "\n"
         R"({"type":"assistant","message":{"id":"1","content":[{"type":"text","text":"x"}]},"session_id":"s1"})"
         "\n"
         R"({"type":"result","subtype":"success","is_error":false,"session_id":"s1","result":")" +
         text + "\"}\n";
}

std::string line(const std::string& text) { return text + "\n"; }

/// The last message of goose and its end.
std::string goose(const std::string& text) {
  return R"({"type":"message","message":{"role":"assistant","content":[{"type":"text","text":")" + text +
         R"("}]}})"
         "\n"
         R"({"type":"complete","total_tokens":99})"
         "\n";
}

std::string antigravity(const std::string& members) {
  return R"({"type":"init","session_id":"g1"})"
         "\n"
         R"({"type":"step_update","text":"x"})"
         "\n"
         R"({"type":"result")" +
         members + "}\n";
}

std::string droid(const std::string& last) {
  return R"({"type":"system","subtype":"init","session_id":"s1","model":"m"})"
         "\n"
         R"({"type":"message","role":"assistant","id":"1","text":"hi","session_id":"s1"})"
         "\n" +
         last + "\n";
}

const std::string kAction = line(R"({"kind":"ActionEvent","source":"agent","tool_name":"terminal"})");
const std::string kFinish = line(R"({"kind":"ActionEvent","source":"agent","tool_name":"finish"})");

std::string openhands_state(const std::string& status) {
  return kAction + line(R"({"kind":"ConversationStateUpdateEvent","key":"execution_status","value":")" +
                        status + "\"}");
}

const Row kUnfinished[] = {
    {"qwen_tier_is_gone", "qwen",
     success("Qwen OAuth free tier has been discontinued as of 2026-04-15. Use an API key."), 0, kFailed,
     "auth"},
    {"qwen_quota", "qwen", success("Qwen OAuth quota exceeded: your daily quota is used up"), 0, kFailed,
     "rate_limit"},
    {"qwen_half_an_answer", "qwen",
     success(
         R"(I have begun.\n[API Error: 429 Too Many Requests]\nPossible quota limitations in place or slow response times detected. Please wait and try again later.)"),
     0, kFailed, "rate_limit", "", "429"},
    {"qwen_error_over_lines", "qwen",
     success(R"(I have begun.\n[API Error: 503 {\n  \"error\": {\"message\": \"no\"}\n}])"), 0, kFailed,
     "provider"},
    {"qwen_talks_of_errors", "qwen", success("It said [API Error: 503 {}] and I repaired that."), 0, kDone,
     ""},
    {"goose_rate_limit", "goose",
     goose(
         R"(Ran into this error: Rate limit exceeded: x.\n\nPlease retry if you think this is a transient or recoverable error.)"),
     0, kFailed, "rate_limit"},
    {"goose_401", "goose",
     goose(
         R"(Ran into this error: Authentication error: status 401.\n\nPlease retry if you think this is a transient or recoverable error.)"),
     0, kFailed, "auth"},
    {"goose_402", "goose",
     goose(
         R"(Ran into this error: Request failed: 402 Payment Required.\n\nPlease retry if you think this is a transient or recoverable error.)"),
     0, kFailed, "rate_limit"},
    {"goose_turns", "goose",
     goose("I've reached the maximum number of actions I can do without user input. Would you like me to "
           "continue?"),
     0, kFailed, "agent_error"},
    {"goose_mended_an_error", "goose", goose("Ran into this error: no such file. It is repaired now."), 0,
     kDone, ""},
    {"openhands_half_a_line", "openhands", kAction + R"({"kind":"Action)", 0, kFailed, "agent_error"},
    {"openhands_one_action", "openhands", kAction, 0, kFailed, "agent_error"},
    {"openhands_status_error", "openhands", openhands_state("error"), 0, kFailed, "agent_error"},
    {"openhands_status_stuck", "openhands", openhands_state("stuck"), 0, kFailed, "agent_error"},
    {"openhands_error_after_finish", "openhands", kFinish + openhands_state("error"), 0, kFailed,
     "agent_error"},
    {"openhands_flat_status", "openhands",
     kFinish + line(R"({"kind":"ConversationStateUpdateEvent","execution_status":"stuck"})"), 0, kFailed,
     "agent_error"},
    {"openhands_v0_state_error", "openhands",
     line(R"({"observation":"agent_state_changed","content":"","extras":{"agent_state":"error"}})"), 0,
     kFailed, "agent_error"},
    {"openhands_v0_state_stuck", "openhands",
     line(R"({"observation":"agent_state_changed","content":"","extras":{"agent_state":"stuck_in_loop"}})"),
     0, kFailed, "agent_error"},
    {"openhands_v0_error", "openhands", line(R"({"observation":"error","content":"it broke"})"), 0, kFailed,
     "agent_error"},
    {"openhands_finish", "openhands", kAction + kFinish, 0, kDone, ""},
    {"openhands_finished", "openhands", openhands_state("finished"), 0, kDone, ""},
    {"openhands_v0_finish", "openhands", line(R"({"action":"finish","args":{"final_thought":"done"}})"), 0,
     kDone, ""},
    {"antigravity_timeout", "agy", antigravity(R"(,"status":"timeout")"), 0, kFailed, "provider"},
    {"antigravity_cancelled", "agy", antigravity(R"(,"status":"cancelled")"), 0, kFailed, "agent_error"},
    {"antigravity_incomplete", "agy", antigravity(R"(,"status":"incomplete")"), 0, kFailed, "agent_error"},
    {"antigravity_max_turns", "agy", antigravity(R"(,"status":"max_turns")"), 0, kFailed, "agent_error"},
    {"antigravity_aborted", "agy", antigravity(R"(,"status":"aborted")"), 0, kFailed, "agent_error"},
    {"antigravity_interrupted", "agy", antigravity(R"(,"status":"interrupted")"), 0, kFailed, "agent_error"},
    {"antigravity_capitals", "agy", antigravity(R"(,"status":"ERROR")"), 0, kFailed, "agent_error"},
    {"antigravity_subtype", "agy", antigravity(R"(,"subtype":"error_during_execution")"), 0, kFailed,
     "agent_error"},
    {"antigravity_error_object", "agy", antigravity(R"(,"error":{"message":"quota exceeded"})"), 0, kFailed,
     "rate_limit"},
    {"antigravity_done", "agy", antigravity(R"(,"subtype":"success","is_error":false,"error":null)"), 0,
     kDone, ""},
    {"antigravity_done_in_capitals", "agy", antigravity(R"(,"status":"SUCCESS")"), 0, kDone, ""},
    {"auggie_turns", "auggie", line(R"({"type":"result","subtype":"error_max_turns","is_error":false})"), 0,
     kFailed, "agent_error"},
    {"droid_turns", "droid", droid(R"({"type":"completion","subtype":"error_max_turns","session_id":"s1"})"),
     0, kFailed, "agent_error"},
    {"droid_stop_reason", "droid",
     droid(R"({"type":"completion","stopReason":"max_turns","session_id":"s1"})"), 0, kFailed, "agent_error"},
    {"aider_token_limit", "aider", "Model claude has hit a token limit!\n", 0, kFailed, "agent_error"},
    {"droid_result", "droid",
     droid(R"({"type":"result","subtype":"success","is_error":false,"result":"ok","session_id":"s1"})"), 0,
     kDone, ""},
    {"droid_result_failed", "droid",
     droid(R"({"type":"result","subtype":"error_during_execution","is_error":false,"session_id":"s1"})"), 0,
     kFailed, "agent_error"},
};
INSTANTIATE_TEST_SUITE_P(Unfinished, Ends, testing::ValuesIn(kUnfinished),
                         [](const auto& row) { return std::string(row.param.name); });

const Row kSignIns[] = {
    {"opencode_provider_auth", "opencode",
     line(
         R"({"type":"error","sessionID":"o1","error":{"name":"ProviderAuthError","data":{"providerID":"x","message":"no"}}})"),
     1, kFailed, "auth"},
    {"kilo_provider_auth", "kilo",
     line(
         R"({"type":"error","sessionID":"o1","error":{"name":"ProviderAuthError","data":{"providerID":"x","message":"no"}}})"),
     1, kFailed, "auth"},
    {"opencode_key_is_missing", "opencode",
     line(
         R"({"type":"error","sessionID":"o1","error":{"name":"UnknownError","data":{"message":"Anthropic API key is missing. Pass it using the 'apiKey' parameter or the ANTHROPIC_API_KEY environment variable."}}})"),
     1, kFailed, "auth"},
    {"opencode_no_such_model", "opencode",
     line(
         R"({"type":"error","sessionID":"o1","error":{"name":"ProviderModelNotFoundError","data":{"message":"no"}}})"),
     1, kFailed, "agent_error"},
    {"codex_token_was_used", "codex",
     line(
         R"({"type":"turn.failed","error":{"message":"Your access token could not be refreshed because your refresh token was already used. Please log out and sign in again."}})"),
     1, kFailed, "auth"},
    {"aider_two_lines", "aider",
     "litellm.AuthenticationError: AnthropicException - no\n"
     "The API provider is not able to authenticate you. Check your API key.\n",
     0, kFailed, "auth", "", "litellm"},
    {"qwen_no_type", "qwen", "", 1, Outcome::launch_error, "auth",
     "No auth type is selected. Please configure an auth type before running in non-interactive mode.\n", "",
     900},
    {"pi_no_models", "pi", "", 1, Outcome::launch_error, "auth",
     "No models available. Set an API key in your environment or run /login.\n", "", 900},
    {"crush_no_provider", "crush", "", 1, Outcome::launch_error, "auth", "no providers configured\n", "",
     900},
    {"crush_over_lines", "crush",
     "\n  ERROR  \n\n  No providers configured - please run 'crush' to set up a provider interactively.\n", 0,
     kFailed, "auth"},
    {"crush_over_lines_of_stderr", "crush", "", 0, Outcome::launch_error, "auth",
     "\n  ERROR  \n\n  No providers configured - please run 'crush' to set up a provider interactively.\n"},
    {"custom_in_silence", "custom", "", 0, kDone, "", "No providers configured: using the default.\n"},
    {"codex_error_alone", "codex",
     line(R"({"type":"thread.started","thread_id":"t1"})") + line(R"({"type":"turn.started"})") +
         line(
             R"({"type":"error","message":"unexpected status 401 Unauthorized: Missing bearer, url: https://x"})"),
     1, kFailed, "auth", "", "401"},
    {"codex_error_alone_exit_0", "codex",
     line(R"({"type":"thread.started","thread_id":"t1"})") + line(R"({"type":"turn.started"})") +
         line(R"({"type":"error","message":"Reconnecting... 5/5"})") +
         line(R"({"type":"error","message":"unexpected status 401 Unauthorized: no"})"),
     0, kFailed, "auth", "", "401"},
    {"codex_warning_before_its_work", "codex",
     line(R"({"type":"thread.started","thread_id":"t1"})") +
         line(R"({"type":"error","message":"unexpected status 401 Unauthorized: no"})") +
         line(R"({"type":"item.completed","item":{"type":"agent_message","text":"x"}})"),
     0, kFailed, "agent_error"},
    {"codex_warning_and_a_good_end", "codex",
     line(R"({"type":"error","message":"unexpected status 401 Unauthorized: no"})") +
         line(R"({"type":"turn.completed","usage":{}})"),
     0, kDone, ""},
};
INSTANTIATE_TEST_SUITE_P(SignIn, Ends, testing::ValuesIn(kSignIns),
                         [](const auto& row) { return std::string(row.param.name); });

const Row kLimits[] = {
    {"claude_credits", "claude", success("You're out of usage credits. Add more to go on."), 0, kFailed,
     "rate_limit"},
    {"claude_extra_usage", "claude", success("You're out of extra usage · resets 3pm"), 0, kFailed,
     "rate_limit"},
    {"claude_org", "claude", success("Your org is out of usage. Ask your admin."), 0, kFailed, "rate_limit"},
    {"claude_spend", "claude", success("You've hit your monthly spend limit."), 0, kFailed, "rate_limit"},
    {"claude_model", "claude", success("You've reached your Fable 5 limit. resets 3pm"), 0, kFailed,
     "rate_limit"},
    {"codex_capacity", "codex",
     line(
         R"({"type":"turn.failed","error":{"message":"Selected model is at capacity. Please try a different model."}})"),
     1, kFailed, "provider"},
    {"codex_context", "codex", line(R"({"type":"turn.failed","error":{"message":"Context limit reached"}})"),
     1, kFailed, "agent_error"},
    {"codex_context_exceeded", "codex",
     line(R"({"type":"turn.failed","error":{"message":"Context limit exceeded"}})"), 1, kFailed,
     "agent_error"},
    {"codex_iterations", "codex",
     line(R"({"type":"turn.failed","error":{"message":"Max iterations limit reached"}})"), 1, kFailed,
     "agent_error"},
    {"codex_your_context", "codex",
     line(R"({"type":"turn.failed","error":{"message":"You have reached your context limit"}})"), 1, kFailed,
     "agent_error"},
    {"codex_tokens_a_minute", "codex",
     line(R"({"type":"turn.failed","error":{"message":"Tokens per minute limit reached"}})"), 1, kFailed,
     "rate_limit"},
    {"codex_requests", "codex",
     line(R"({"type":"turn.failed","error":{"message":"Request limit exceeded"}})"), 1, kFailed,
     "rate_limit"},
    {"openhands_iterations", "openhands",
     line(R"({"kind":"ConversationErrorEvent","detail":"Agent reached maximum iterations limit (500)."})"), 0,
     kFailed, "agent_error"},
    {"openhands_status_in_parentheses", "openhands",
     line(R"({"kind":"ConversationErrorEvent","detail":"Server error (500) came back"})"), 0, kFailed,
     "provider"},
    {"gemini_402", "gemini", line(R"({"type":"init","session_id":"g1"})"), 146, kFailed, "rate_limit"},
};
INSTANTIATE_TEST_SUITE_P(Limits, Ends, testing::ValuesIn(kLimits),
                         [](const auto& row) { return std::string(row.param.name); });

const Row kStandardError[] = {
    {"stack_below_the_error", "claude", "", 1, Outcome::launch_error, "auth",
     "Error: 401 Unauthorized: bad key\n    at foo\n    at bar\n", "401 Unauthorized", 900},
    {"stack_of_a_text_agent", "crush", "I began.\n", 1, kFailed, "auth",
     "Error: 401 Unauthorized: bad key\n    at foo (a.js:1:2)\n    at bar\n}\n\nNode.js v22.1.0\n",
     "401 Unauthorized"},
    {"last_words_without_an_error", "devin", "I began.\n", 1, kFailed, "agent_error", "starting\ngiving up\n",
     "giving up"},
    {"cn_json_over_lines", "cn", "", 1, kFailed, "auth",
     "{\n  \"status\": \"error\",\n  \"message\": \"401 Unauthorized\"\n}\n", "401"},
    {"quick_429", "claude", "", 1, Outcome::launch_error, "rate_limit", "Error: 429 Too Many Requests\n",
     "429", 900},
    {"quick_402", "goose", "", 1, Outcome::launch_error, "rate_limit", "Error: 402 Payment Required\n", "402",
     900},
    {"quick_503", "codex", "", 1, Outcome::launch_error, "provider", "Error: 503 Service Unavailable\n",
     "503", 900},
    {"quick_and_unclear", "codex", "", 1, Outcome::launch_error, "launch_error", "Error: no\n", "no", 900},
};
INSTANTIATE_TEST_SUITE_P(StandardError, Ends, testing::ValuesIn(kStandardError),
                         [](const auto& row) { return std::string(row.param.name); });

const Row kWhole[] = {
    {"auggie_log_after_it", "auggie",
     line(R"({"type":"result","subtype":"success","is_error":false,"result":"ok"})") +
         line(R"({"level":"info"})"),
     0, kDone, ""},
    {"auggie_failed_and_log_after_it", "auggie",
     line(R"({"type":"result","is_error":true,"result":"429"})") + line(R"({"level":"info"})"), 1, kFailed,
     "rate_limit"},
    {"auggie_over_lines", "auggie",
     "starting\n{\n  \"type\": \"result\",\n  \"is_error\": false,\n  \"result\": \"ok\"\n}\n", 0, kDone, ""},
    {"auggie_half_a_line_before_it", "auggie",
     "{\"level\": \n" + line(R"({"type":"result","is_error":false,"result":"ok"})"), 0, kDone, ""},
    {"auggie_cut_over_lines", "auggie", "{\n  \"type\": \"result\",\n  \"is_error\": false,\n", 0, kFailed,
     "agent_error"},
    {"auggie_error_after_its_result", "auggie",
     line(R"({"type":"result","subtype":"success","is_error":false,"result":"ok"})") +
         "Error: real failure\n",
     1, Outcome::completed_with_warning, ""},
};
INSTANTIATE_TEST_SUITE_P(LastObject, Ends, testing::ValuesIn(kWhole),
                         [](const auto& row) { return std::string(row.param.name); });

// Agents write about errors, too: all that speak the words of one go on under a good flag.
TEST(Ends, HonestWordsAreNoError) {
  struct Voice {
    const char* agent;
    std::string (*stream)(const std::string&);
  };
  const auto auggie = [](const std::string& text) {
    return R"({"type":"result","is_error":false,"result":")" + text + "\"}\n";
  };
  const auto cn = [](const std::string& text) {
    return R"({"status":"success","response":")" + text + "\"}\n";
  };
  const auto by_droid = [](const std::string& text) {
    return droid(R"({"type":"completion","finalText":")" + text + R"(","session_id":"s1"})");
  };
  const auto by_openhands = [](const std::string& text) {
    return line(R"({"action":"finish","args":{"final_thought":")" + text + "\"}}");
  };
  const auto by_antigravity = [](const std::string& text) {
    return antigravity(R"(,"status":"success","result":")" + text + "\"");
  };
  for (const auto& voice :
       {Voice{"claude", success}, Voice{"amp", success}, Voice{"qwen", success}, Voice{"cursor", success},
        Voice{"cn", cn}, Voice{"droid", by_droid}, Voice{"auggie", auggie}, Voice{"agy", by_antigravity},
        Voice{"goose", goose}, Voice{"openhands", by_openhands}}) {
    const auto& d = *adapters::find_agent(adapters::builtin(), voice.agent);
    const auto ends = [&](const std::string& text) {
      adapters::StreamReader reader(d);
      reader.feed(voice.stream(text));
      reader.finish();
      adapters::RunEnd end;
      end.how = adapters::RunEnd::How::exited;
      return adapters::judge(d, reader, end).outcome;
    };
    for (const auto* text :
         {"API Error handling was added to client.ts and tests pass.",
          "Not logged in users are now redirected to /login.", "usage limit middleware added.",
          "Usage limit middleware added.", "Your rate limit middleware is in place.",
          "Invalid API key errors are shown now.", "Session limit is ten minutes now.",
          "You're out of date: I updated the dependencies."})
      EXPECT_EQ(ends(text), Outcome::completed) << voice.agent << ": " << text;
    for (const auto* text :
         {"API Error: 500 no", "API Error (Connection error.)", "[API Error: 429 slow down]",
          "API Error 529 overloaded", "Not logged in · Please run /login", "Not logged in",
          "Not logged in. Please sign in.", "Claude AI usage limit reached|1760000000",
          "Usage limit exceeded", "5-hour limit reached ∙ resets 1am", "Your usage limit was reached.",
          "Credit balance is too low", "Invalid API key · Fix external API key",
          "You've hit your session limit · resets 3pm"})
      EXPECT_EQ(ends(text), Outcome::failed) << voice.agent << ": " << text;
  }
}

// A line is not lost by what a terminal or an editor puts before it, however the bytes come.
TEST(Lead, IsNoPartOfALine) {
  const std::string bom = "\xEF\xBB\xBF";
  for (const std::string& lead :
       {bom, std::string("\x1b[0m"), std::string("\x1b[2K\x1b[1G"), " " + bom + "\x1b[?25l "}) {
    const std::string stream = lead + R"({"type":"thread.started","thread_id":"t1"})" + "\n" + lead +
                               R"({"type":"turn.completed","usage":{"input_tokens":3}})" + "\n";
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, stream.size()}) {
      adapters::StreamReader reader(adapters::builtin().at("codex"));
      for (std::size_t i = 0; i < stream.size(); i += piece)
        reader.feed(std::string_view(stream).substr(i, piece));
      reader.finish();
      EXPECT_EQ(reader.summary().session, "t1") << piece;
      EXPECT_TRUE(reader.summary().terminal_ok) << piece;
      EXPECT_EQ(reader.summary().usage.input, 3) << piece;
    }
    adapters::StreamReader text(adapters::builtin().at("aider"));
    text.feed(lead + "Tokens: 10 sent, 5 received.\n" + lead + "Model claude has hit a token limit!\n");
    text.finish();
    EXPECT_EQ(text.summary().usage.input, 10);
    EXPECT_TRUE(text.summary().error);
  }
}

TEST(Lead, WhatOnlyBeginsLikeOneIsKept) {
  for (const std::string& line :
       {std::string("\xEF\xBD\x86 wide"), std::string("\xEF"), std::string("\x1b[12"),
        "\x1b[" + std::string(100, '1') + "m{}", std::string("\x1bM{}")}) {
    adapters::StreamReader reader(adapters::builtin().at("codex"));
    for (const char c : line + "\n") reader.feed(std::string_view(&c, 1));
    reader.finish();
    EXPECT_EQ(reader.summary().events, 0);
    EXPECT_EQ(reader.summary().log_lines, 1);
  }
}

TEST(Conditions, ABarStandsBetweenAlternatives) {
  auto d = adapters::builtin().at("codex");
  d.stream.terminal_when = {{"/type", "done|over"}};
  d.stream.terminal_ok = {{"/how", "a|b|"}};
  const auto ok = [&](const std::string& text) {
    adapters::StreamReader reader(d);
    reader.feed(text + "\n");
    reader.finish();
    return reader.summary().terminal_ok;
  };
  EXPECT_TRUE(ok(R"({"type":"done","how":"a"})"));
  EXPECT_TRUE(ok(R"({"type":"over","how":"b"})"));
  EXPECT_TRUE(ok(R"({"type":"over","how":""})"));
  EXPECT_TRUE(ok(R"({"type":"done|over","how":"b"})")) << "the text itself";
  EXPECT_FALSE(ok(R"({"type":"over","how":"c"})"));
  EXPECT_FALSE(ok(R"({"type":"do","how":"a"})"));
}

}  // namespace
