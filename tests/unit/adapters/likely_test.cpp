// Agents that were not recorded: streams written by hand from their documentation, good ends and bad ones.
#include "adapters/adapters.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;
using model::Outcome;

struct LikelyRow {
  const char* name;
  const char* agent;
  std::string out;
  int code;
  Outcome outcome;
  const char* error_class;
  std::string err = {};
  std::string session = {};
  std::optional<std::int64_t> input = {}, output = {}, cache_read = {};
};
void PrintTo(const LikelyRow& row, std::ostream* out) { *out << row.name; }

class Likely : public testing::TestWithParam<LikelyRow> {};

TEST_P(Likely, EndsAsDocumented) {
  const auto& row = GetParam();
  const auto& d = *adapters::find_agent(adapters::builtin(), row.agent);
  adapters::StreamReader reader(d);
  reader.feed(row.out);
  reader.finish();
  adapters::RunEnd end;
  end.how = adapters::RunEnd::How::exited;
  end.code = row.code;
  end.wall_ms = 60'000;
  end.stderr_tail = row.err;
  const auto v = adapters::judge(d, reader, end);
  EXPECT_EQ(model::name(v.outcome), model::name(row.outcome)) << v.message;
  EXPECT_EQ(model::name(v.error_class), row.error_class) << v.message;
  EXPECT_EQ(v.session, row.session);
  EXPECT_EQ(v.usage.input, row.input);
  EXPECT_EQ(v.usage.output, row.output);
  EXPECT_EQ(v.usage.cache_read, row.cache_read);
}

const std::string kInit = R"({"type":"system","subtype":"init","session_id":"s1","model":"m","cwd":"/repo"})"
                          "\n";
const std::string kCursor =
    kInit +
    R"({"type":"user","message":{"role":"user","content":[{"type":"text","text":"x"}]},"session_id":"s1"})" +
    "\n" +
    R"({"type":"tool_call","subtype":"started","call_id":"c","tool_call":{"writeToolCall":{"args":{}}},"session_id":"s1"})" +
    "\n" +
    R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"done"}]},"session_id":"s1"})" +
    "\n";
const std::string kDroid =
    kInit + R"({"type":"message","role":"assistant","id":"1","text":"hi","session_id":"s1"})" + "\n" +
    R"({"type":"tool_call","id":"t","toolName":"Edit","parameters":{},"session_id":"s1"})" + "\n" +
    R"({"type":"tool_result","id":"t","isError":false,"value":"{\"type\":\"completion\"}","session_id":"s1"})" +
    "\n";
const std::string kKilo =
    R"({"type":"step_start","sessionID":"k1","part":{}})"
    "\n"
    R"({"type":"step_finish","sessionID":"k1","part":{"reason":"stop","tokens":{"input":10,"output":5,"reasoning":2,"cache":{"read":7,"write":0}},"cost":0.1}})"
    "\n";

const LikelyRow kLikelyRows[] = {
    {"cursor_ok", "cursor",
     kCursor +
         R"({"type":"result","subtype":"success","is_error":false,"duration_ms":5,"result":"done","session_id":"s1","request_id":"r","usage":{"inputTokens":10,"outputTokens":4,"cacheReadTokens":3}})" +
         "\n",
     0, Outcome::completed, "", "", "s1", 10, 4, 3},
    {"cursor_failed", "cursor", kCursor, 1, Outcome::failed, "auth",
     "Error: Authentication required. Please run 'agent login'", "s1"},
    {"cursor_untrusted", "cursor", "", 0, Outcome::launch_error, "launch_error",
     "Workspace Trust Required\n"},
    {"cursor_cut", "cursor", kCursor, 0, Outcome::failed, "agent_error", "", "s1"},
    {"amp_ok", "amp",
     kInit +
         R"({"type":"result","subtype":"success","is_error":false,"num_turns":2,"result":"ok","session_id":"s1","usage":{"input_tokens":5,"output_tokens":6,"cache_read_input_tokens":7}})" +
         "\n",
     0, Outcome::completed, "", "", "s1", 5, 6, 7},
    {"amp_error", "amp",
     kInit +
         R"({"type":"result","subtype":"error_during_execution","is_error":true,"error":"401 Unauthorized","session_id":"s1"})" +
         "\n",
     1, Outcome::failed, "auth", "", "s1"},
    {"droid_ok", "droid",
     kDroid + R"({"type":"completion","finalText":"done","numTurns":2,"durationMs":9,"session_id":"s1"})" +
         "\n",
     0, Outcome::completed, "", "", "s1"},
    {"droid_cut", "droid", kDroid, 0, Outcome::failed, "agent_error", "", "s1"},
    {"droid_limit", "droid",
     kDroid +
         R"({"type":"error","source":"agent_loop","message":"Exec failed: 429 rate limit","session_id":"s1"})" +
         "\n",
     1, Outcome::failed, "rate_limit", "", "s1"},
    {"auggie_ok", "auggie",
     R"({"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"a1","num_turns":3})"
     "\n",
     0, Outcome::completed, "", "", "a1"},
    {"auggie_error", "auggie",
     R"({"type":"result","is_error":true,"result":"quota exceeded","session_id":"a1"})"
     "\n",
     1, Outcome::failed, "rate_limit", "", "a1"},
    {"goose_ok", "goose",
     R"({"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"hi"}]}})"
     "\n"
     R"({"type":"complete","total_tokens":99})"
     "\n",
     0, Outcome::completed, ""},
    {"goose_error", "goose",
     R"({"type":"error","error":"Server error: 503 Service Unavailable"})"
     "\n",
     1, Outcome::failed, "provider"},
    {"goose_cut", "goose",
     R"({"type":"message","message":{"role":"assistant","content":[]}})"
     "\n",
     0, Outcome::failed, "agent_error"},
    {"antigravity_ok", "agy",
     R"({"type":"init","session_id":"g1"})"
     "\n"
     R"({"type":"step_update","text":"x"})"
     "\n"
     R"({"type":"result","status":"success","result":"done","usage":{"input_tokens":100,"output_tokens":9,"cache_read_tokens":60}})"
     "\n",
     0, Outcome::completed, "", "", "g1", 40, 9, 60},
    {"antigravity_error", "agy",
     R"({"type":"result","status":"error","error":{"message":"403 Forbidden"}})"
     "\n",
     1, Outcome::failed, "auth"},
    {"kilo_ok", "kilo", kKilo, 0, Outcome::completed, "", "", "k1", 10, 7, 7},
    {"kilo_error", "kilo",
     R"({"type":"error","sessionID":"k1","error":{"name":"APIError","data":{"message":"no","statusCode":500}}})"
     "\n",
     1, Outcome::failed, "provider", "", "k1"},
    {"openhands_ok", "openhands",
     R"({"type":"action","action":"write","path":"a.py"})"
     "\n"
     R"({"type":"observation","content":"ok"})"
     "\n"
     R"({"type":"action","action":"finish","args":{"final_thought":"done"}})"
     "\n",
     0, Outcome::completed, ""},
    {"openhands_error", "openhands",
     R"({"kind":"ConversationErrorEvent","detail":"litellm.RateLimitError: quota"})"
     "\n",
     1, Outcome::failed, "rate_limit"},
    {"aider_ok", "aider",
     "Aider v0.86\nApplied edit to a.py\nTokens: 2.1k sent, 1.0k cache hit, 85 received. Cost: $0.01 "
     "message, $0.01 session.\n",
     0, Outcome::completed, "", "", "", 1100, 85, 1000},
    {"aider_two_calls", "aider", "Tokens: 1.5k sent, 100 received.\nTokens: 500 sent, 50 received.\n", 0,
     Outcome::completed, "", "", "", 2000, 150},
    {"aider_bad_key_exit_0", "aider",
     "litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key provided\n", 0,
     Outcome::failed, "auth"},
    {"aider_recovers", "aider",
     "litellm.RateLimitError: slow down\nRetrying in 0.2 seconds...\nTokens: 10 sent, 5 received.\n", 0,
     Outcome::completed, "", "", "", 10, 5},
    {"kiro_ok", "kiro-cli", "I changed a.py\n", 0, Outcome::completed, ""},
    {"kiro_mcp", "kiro-cli", "", 3, Outcome::launch_error, "launch_error"},
    {"kiro_logged_out", "kiro-cli", "error: You are not logged in, please log in with kiro-cli login\n", 1,
     Outcome::failed, "auth"},
    {"crush_ok", "crush", "Done.\n", 0, Outcome::completed, ""},
    {"crush_failed", "crush", "ERROR  401 Unauthorized: invalid API key\n", 1, Outcome::failed, "auth"},
    {"devin_failed", "devin", "", 1, Outcome::launch_error, "auth",
     "Error: Not logged in. Run devin auth login.\n"},
    {"custom_ok", "custom", "hello\n", 0, Outcome::completed, ""},
};

INSTANTIATE_TEST_SUITE_P(Documented, Likely, testing::ValuesIn(kLikelyRows),
                         [](const auto& row) { return std::string(row.param.name); });

// Real words of real limits, under a success flag.
TEST(Likely, LimitsUnderASuccessFlag) {
  const auto& d = adapters::builtin().at("claude");
  const auto outcome = [&](const std::string& result) {
    adapters::StreamReader reader(d);
    reader.feed(kInit +
                R"({"type":"result","subtype":"success","is_error":false,"session_id":"s1","result":")" +
                result + "\"}\n");
    reader.finish();
    adapters::RunEnd end;
    end.how = adapters::RunEnd::How::exited;
    return adapters::judge(d, reader, end);
  };
  for (const auto* text :
       {"Claude AI usage limit reached|1760000000", "You've hit your session limit · resets 3pm",
        "You’ve hit your usage limit. Upgrade", "5-hour limit reached ∙ resets 1am",
        "Credit balance is too low", "API Error: 429 {}"}) {
    EXPECT_EQ(outcome(text).outcome, Outcome::failed) << text;
    EXPECT_EQ(model::name(outcome(text).error_class), "rate_limit") << text;
  }
  for (const auto* text : {"Invalid API key · Fix external API key", "Not logged in · Please run /login",
                           "API Error: 403 forbidden"}) {
    EXPECT_EQ(outcome(text).outcome, Outcome::failed) << text;
    EXPECT_EQ(model::name(outcome(text).error_class), "auth") << text;
  }
  for (const auto* text :
       {"I added a usage limit to the client.", "The login page now says why: Not logged in.",
        "Fixed the handling of API Error: 500 answers.", "Added a session limit of ten minutes."})
    EXPECT_EQ(outcome(text).outcome, Outcome::completed) << text;
}

TEST(Version, AgainstWhatWasTried) {
  using adapters::VersionFit;
  auto d = adapters::builtin().at("claude");
  d.version_min = "2.1.0";
  d.version_tested = "2.1.197";
  EXPECT_EQ(adapters::version_fit(d, "2.1.197"), VersionFit::known);
  EXPECT_EQ(adapters::version_fit(d, "2.1.196"), VersionFit::known);
  EXPECT_EQ(adapters::version_fit(d, "2.1.198"), VersionFit::newer) << "a patch changed what a cost means";
  EXPECT_EQ(adapters::version_fit(d, "2.0.99"), VersionFit::too_old);
  EXPECT_EQ(adapters::version_fit(d, "2.2.0"), VersionFit::newer);
  EXPECT_EQ(adapters::version_fit(d, "3.0.0-rc1"), VersionFit::newer);
  EXPECT_EQ(adapters::version_fit(d, "what"), VersionFit::unknown);
  EXPECT_NE(adapters::version_note(d, "3.0.0").find("newer than 2.1.197"), std::string::npos);
  EXPECT_NE(adapters::version_note(d, "1.0.0").find("npm install"), std::string::npos);
  EXPECT_TRUE(adapters::version_note(d, "2.1.1").empty());
}

TEST(Advice, EveryClassHasASentence) {
  for (const auto& [id, d] : adapters::builtin())
    for (const auto* error_class : {"auth", "rate_limit", "provider", "agent_error", "launch_error"})
      EXPECT_FALSE(adapters::advice(d, model::of_name<model::ErrorClass>(error_class)).empty()) << id;
  EXPECT_TRUE(adapters::advice(adapters::builtin().at("claude"), model::ErrorClass::none).empty());
}

TEST(Advice, ADirectoryAsProgram) {
  const auto& d = adapters::builtin().at("claude");
  adapters::RunEnd end;
  end.how = adapters::RunEnd::How::start_failed;
  const adapters::StreamSummary nothing;
  end.message = "/usr/bin is a directory";
  const auto v = adapters::judge(d, nothing, end);
  EXPECT_EQ(v.outcome, Outcome::launch_error);
  EXPECT_NE(v.message.find("names a directory"), std::string::npos);
  end.message = "Permission denied";
  EXPECT_NE(adapters::judge(d, nothing, end).message.find("not a directory"), std::string::npos);
  end.message = "No such file or directory";
  EXPECT_NE(adapters::judge(d, nothing, end).message.find("npm install"), std::string::npos);
}

TEST(Resume, GoesOnWithTheSession) {
  adapters::LaunchContext c;
  c.prompt = "and now?";
  c.session = "s-1";
  c.worktree = "/w";
  const auto codex = adapters::plan_launch(adapters::builtin().at("codex"), c);
  ASSERT_TRUE(codex.ok());
  EXPECT_EQ(codex->argv,
            (std::vector<std::string>{"codex", "exec", "resume", "--json", "--skip-git-repo-check", "-c",
                                      "allow_login_shell=false", "--dangerously-bypass-approvals-and-sandbox",
                                      "s-1", "-"}));
  EXPECT_TRUE(codex->prompt_on_stdin);
  EXPECT_FALSE(adapters::plan_launch(adapters::builtin().at("aider"), c).ok());
}

}  // namespace
