// Tokens and money: every recording's numbers, killed runs, resumed sessions, side files, prices.
#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "config/config.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace hydra;
using Count = std::optional<std::int64_t>;

const model::AgentDescriptor& usage_agent(const std::string& id) {
  return *adapters::find_agent(adapters::builtin(), id);
}

std::string usage_golden(const std::string& name) {
  return read_file(places::golden("/streams/") + name + ".stdout").value_or("?");
}

adapters::StreamSummary read(const std::string& name, adapters::ReaderOptions options = {}) {
  adapters::StreamReader reader(usage_agent(name.substr(0, name.find('/'))), std::move(options));
  reader.feed(usage_golden(name));
  reader.finish();
  return reader.summary();
}

struct Numbers {
  Count input, output, cache_read;
};

void expect(const std::string& name, const Numbers& n, Count turns) {
  const auto s = read(name);
  EXPECT_EQ(s.usage.input, n.input) << name;
  EXPECT_EQ(s.usage.output, n.output) << name;
  EXPECT_EQ(s.usage.cache_read.value_or(0), n.cache_read.value_or(0)) << name;
  EXPECT_EQ(s.turns, turns) << name;
}

// The model's answers were scripted, with the same numbers for all agents; codex and gemini do not count
// calls.
TEST(Usage, OfTheScriptedRuns) {
  const std::array<std::pair<const char*, Numbers>, 4> runs{{{"ok", {1650, 185, 11850}},
                                                             {"noop", {900, 15, 0}},
                                                             {"toolfail", {2100, 50, 0}},
                                                             {"worktree", {1650, 185, 11850}}}};
  for (const auto& [scenario, numbers] : runs)
    for (const std::string id : {"claude", "codex", "gemini", "opencode", "pi", "cline", "qwen"}) {
      if (id == "qwen" && std::string(scenario) == "noop") continue;  // it reports that call twice
      const bool counts = id != "codex" && id != "gemini";
      const Count turns = std::string(scenario) == "noop" ? 1 : std::string(scenario) == "toolfail" ? 2 : 3;
      // gemini's API counts the thinking beside the output, and only its total holds it.
      auto own = numbers;
      if (id == "gemini" && *own.output == 185) *own.output += 32;
      expect(id + "/" + scenario, own, counts ? turns : Count());
    }
  for (const std::string id : {"claude", "codex", "opencode", "qwen"})
    expect(id + "/big", {3700, 15'030, 700}, id == "codex" ? Count() : Count(2));
}

TEST(Usage, UnknownIsNotZero) {
  for (const auto* name :
       {"copilot/ok", "continue/ok", "claude/http401", "codex/hang-sigterm", "gemini/hang-sigterm"}) {
    const auto u = read(name).usage;
    EXPECT_FALSE(u.input || u.output || u.cache_read || u.cache_write || u.reasoning || u.cost_usd) << name;
  }
  EXPECT_FALSE(read("qwen/ok").usage.reasoning);
  EXPECT_FALSE(read("qwen/ok").usage.cache_write);
  EXPECT_EQ(read("codex/ok").usage.reasoning, 32);
}

TEST(Usage, OfKilledRuns) {
  // A single call was answered (800 new, 100 cached, 33 out); the next one never was.
  for (const std::string id : {"opencode", "pi", "cline", "qwen"}) {
    const auto u = read(id + "/hang-sigterm").usage;
    EXPECT_EQ(u.input, 800) << id;
    EXPECT_EQ(u.output, 33) << id;
    EXPECT_EQ(u.cache_read, 100) << id;
  }
  const auto claude = read("claude/hang-sigterm").usage;
  EXPECT_EQ(claude.input, 800);
  EXPECT_FALSE(claude.output) << "without partial messages nothing tells it";
  // In the middle of a tool: its call was counted.
  EXPECT_EQ(read("pi/longtool-sigterm").usage.input, 500);
  EXPECT_EQ(read("pi/longtool-sigterm").usage.output, 25);
}

TEST(Usage, OfAKilledRunInputAndOutputMayStandInDifferentLines) {
  // Two calls were answered: 1200 and 300 new, 3000 and 4200 read, 500 and 150 written, 85 and 60 out.
  const auto u = read("claude/loop-killed").usage;
  EXPECT_EQ(u.input, 1500);
  EXPECT_EQ(u.output, 145);
  EXPECT_EQ(u.cache_read, 7200);
  EXPECT_EQ(u.cache_write, 650);
}

TEST(Usage, ForgedLinesOfAToolDoNotCount) {
  for (const std::string id : {"claude", "codex", "opencode", "pi", "qwen"}) {
    const auto u = read(id + "/forged").usage;
    EXPECT_EQ(u.input, 1500) << id;
    EXPECT_EQ(u.output, 145) << id;
    EXPECT_EQ(u.cache_read, 7200) << id;
  }
  // A call beside the conversation, which chooses the model, is counted: 11 in, 5 out.
  EXPECT_EQ(read("gemini/forged").usage.input, 1511);
  EXPECT_EQ(read("gemini/forged").usage.output, 182);
}

TEST(Usage, ARunThatHitItsOwnBudgetKeepsItsTokens) {
  const auto u = read("claude/max-budget").usage;
  EXPECT_EQ(u.input, 1200);
  EXPECT_EQ(u.output, 85);
  EXPECT_EQ(u.cache_read, 3000);
  EXPECT_EQ(u.cache_write, 500);
  EXPECT_DOUBLE_EQ(u.cost_usd.value_or(0), 0.00765);
}

TEST(Usage, AResumedSessionCountsOnlyWhatIsNew) {
  // codex counts from the session's start: its first run was the scripted one of three calls.
  adapters::ReaderOptions options;
  options.resume_base = read("codex/ok").usage;
  const auto u = read("codex/resume", options).usage;
  EXPECT_EQ(u.input, 900);
  EXPECT_EQ(u.output, 15);
  EXPECT_EQ(u.cache_read, 0);
  // claude reports this run alone.
  adapters::ReaderOptions claude;
  claude.resume_base = read("claude/ok").usage;
  EXPECT_EQ(read("claude/resume", claude).usage.input, 900);
}

/// Returns the usage that Claude Code of `version` reports for a resumed session: its numbers as recorded.
model::Usage resumed_claude(const std::string& version, const std::string& cost, bool own_numbers) {
  adapters::ReaderOptions options;
  options.resume_base.input = 1200;
  options.resume_base.output = 85;
  options.resume_base.cache_read = 3000;
  options.resume_base.cache_write = 500;
  options.resume_base.cost_usd = 0.0096;
  adapters::StreamReader reader(usage_agent("claude"), options);
  reader.feed(R"({"type":"system","subtype":"init","session_id":"s","model":"m","claude_code_version":")" +
              version + "\"}\n");
  const std::string usage = own_numbers
                                ? R"({"input_tokens":1870,"output_tokens":255,)"
                                  R"("cache_read_input_tokens":16350,"cache_creation_input_tokens":750})"
                                : R"({"input_tokens":0,"output_tokens":0})";
  reader.feed(
      R"({"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"ok","total_cost_usd":)" +
      cost + R"(,"usage":)" + usage +
      R"(,"modelUsage":{"m":{"inputTokens":3070,"outputTokens":340,"cacheReadInputTokens":19350,)"
      R"("cacheCreationInputTokens":1250}}})"
      "\n");
  reader.finish();
  return reader.summary().usage;
}

TEST(Usage, ACostThatCountsFromTheSessionsStartIsNotCountedTwice) {
  const auto newer = resumed_claude("2.1.330", "0.0292", true);
  EXPECT_EQ(newer.input, 1870) << "its tokens are this run's alone";
  EXPECT_NEAR(newer.cost_usd.value_or(0), 0.0196, 1e-9);
  EXPECT_NEAR(resumed_claude("2.1.197", "0.0285875", true).cost_usd.value_or(0), 0.0285875, 1e-9)
      << "an older one says what the run cost";
  // Its numbers by model, which stand in where its own budget ended it, count from the start, too.
  const auto by_model = resumed_claude("2.1.330", "0.0292", false);
  EXPECT_EQ(by_model.input, 1870);
  EXPECT_EQ(by_model.output, 255);
  EXPECT_NEAR(by_model.cost_usd.value_or(0), 0.0196, 1e-9);
}

// Sent every few seconds to keep a connection alive, however long the model says nothing.
TEST(Usage, GeminisThinkingIsCounted) {
  const auto u = read("gemini/ok").usage;
  EXPECT_EQ(u.reasoning, 32);
  EXPECT_EQ(u.output, 217) << "185 and the thinking";
}

// Two calls of a session's record (0.61.0): each message is written again once its tools are done.
const std::string kGeminiRecord =
    R"({"sessionId":"s","kind":"main"})"
    "\n"
    R"({"$set":{"messages":[{"id":"u","type":"user","content":[{"text":"x"}]}]}})"
    "\n"
    R"({"id":"a","type":"gemini","content":"I look around.","tokens":{"input":4200,"output":85,"cached":3000,"thoughts":20,"tool":0,"total":4305},"model":"gemini-2.5-flash"})"
    "\n"
    R"({"id":"a","type":"gemini","content":"I look around.","tokens":{"input":4200,"output":85,"cached":3000,"thoughts":20,"tool":0,"total":4305},"model":"gemini-2.5-flash","toolCalls":[]})"
    "\n"
    R"({"id":"b","type":"gemini","content":"","tokens":{"input":4500,"output":60,"cached":4200,"thoughts":12,"tool":0,"total":4572},"model":"gemini-2.5-flash"})"
    "\n";

TEST(Usage, OfAStoppedGeminiAndItsModel) {
  adapters::ReaderOptions options;
  options.prices = adapters::builtin_prices();
  adapters::StreamReader reader(usage_agent("gemini"), options);
  reader.feed(R"({"type":"init","session_id":"s","model":"auto"})"
              "\n");
  reader.usage_log(kGeminiRecord, 0);
  const auto view = reader.view();
  EXPECT_EQ(view.usage.input, 1500);
  EXPECT_EQ(view.usage.cache_read, 7200);
  EXPECT_EQ(view.usage.output, 177);
  EXPECT_EQ(view.usage.reasoning, 32);
  EXPECT_EQ(view.tokens, 1677) << "what a budget counts while it runs";
  EXPECT_EQ(view.model, "gemini-2.5-flash") << "and not \"auto\"";
  EXPECT_TRUE(view.usage.cost_usd) << "so that its price applies";
  // Its own last word has calls beside the conversation, too: then that counts, with the model of the record.
  reader.feed(
      R"({"type":"result","status":"success","stats":{"total_tokens":8900,"input_tokens":8711,"output_tokens":150,"cached":7200}})"
      "\n");
  reader.finish();
  const auto sum = reader.summary();
  EXPECT_EQ(sum.usage.input, 1511);
  EXPECT_EQ(sum.usage.output, 189);
  EXPECT_EQ(sum.model, "gemini-2.5-flash");
}

TEST(Usage, TheModelOfCodexIsInItsRollout) {
  adapters::ReaderOptions options;
  options.prices = adapters::builtin_prices();
  adapters::StreamReader reader(usage_agent("codex"), options);
  const std::string counts =
      R"({"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900,"cached_input_tokens":100,"output_tokens":33}}}})"
      "\n";
  ASSERT_TRUE(reader.usage_file(R"({"type":"turn_context","payload":{"cwd":"/r","model":"gpt-5-codex"}})"
                                "\n" +
                                counts));
  EXPECT_EQ(reader.view().model, "gpt-5-codex");
  EXPECT_TRUE(reader.view().usage.cost_usd);
  ASSERT_TRUE(reader.usage_file(counts)) << "only the file's end";
  EXPECT_EQ(reader.view().model, "gpt-5-codex");
}

// Two answers of a session's record (1.5.47).
TEST(Usage, OfContinueAndItsModelFromItsSession) {
  adapters::StreamReader reader(usage_agent("cn"));
  ASSERT_TRUE(reader.usage_file(
      R"({"sessionId":"s","history":[{"message":{"role":"user","content":"x"}},)"
      R"({"message":{"role":"assistant","usage":{"prompt_tokens":4200,"completion_tokens":85,"prompt_tokens_details":{"cached_tokens":3000},"completion_tokens_details":{"reasoning_tokens":20},"model":"m-1"}}},)"
      R"({"message":{"role":"assistant","usage":{"prompt_tokens":4500,"completion_tokens":60,"prompt_tokens_details":{"cached_tokens":4200},"completion_tokens_details":{"reasoning_tokens":12},"model":"m-1"}}}],)"
      R"("usage":{"promptTokens":8700,"completionTokens":145}})"));
  const auto view = reader.view();
  EXPECT_EQ(view.usage.input, 1500);
  EXPECT_EQ(view.usage.cache_read, 7200);
  EXPECT_EQ(view.usage.output, 145);
  EXPECT_EQ(view.usage.reasoning, 32);
  EXPECT_EQ(view.model, "m-1");
}

// Lines of a session's record (2.1.0): a request, its usage, the same numbers in the event of its end.
TEST(Usage, OfKimiFromItsSession) {
  adapters::StreamReader reader(usage_agent("kimi"));
  reader.usage_log(
      R"({"type":"llm.request","agentId":"main","kind":"loop","model":"m-1"})"
      "\n"
      R"({"type":"usage.record","agentId":"main","model":"m-1","usage":{"inputOther":1200,"output":85,"inputCacheRead":3000,"inputCacheCreation":0},"usageScope":"turn"})"
      "\n"
      R"({"type":"context.append_loop_event","event":{"type":"step.end","usage":{"inputOther":1200,"output":85,"inputCacheRead":3000,"inputCacheCreation":0}}})"
      "\n"
      R"({"type":"usage.record","agentId":"main","model":"m-1","usage":{"inputOther":300,"output":60,"inputCacheRead":4200,"inputCacheCreation":0},"usageScope":"turn"})"
      "\n",
      0);
  const auto view = reader.view();
  EXPECT_EQ(view.usage.input, 1500);
  EXPECT_EQ(view.usage.cache_read, 7200);
  EXPECT_EQ(view.usage.output, 145);
  EXPECT_EQ(view.model, "m-1");
}

// The program's own loop guard ended the run; the text is what its model happened to say last.
TEST(Usage, AnEndThatIsNoErrorIsToldByItsReason) {
  adapters::StreamReader reader(usage_agent("cline"));
  reader.feed(
      R"({"type":"run_result","finishReason":"max_iterations","iterations":3,"usage":{"inputTokens":10,"outputTokens":5,"totalCost":0},"text":"One more tick."})"
      "\n");
  reader.finish();
  adapters::RunEnd end;
  end.how = adapters::RunEnd::How::exited;
  end.code = 1;
  const auto verdict = adapters::judge(usage_agent("cline"), reader, end);
  EXPECT_EQ(verdict.outcome, model::Outcome::failed);
  EXPECT_NE(verdict.message.find("max_iterations"), std::string::npos) << verdict.message;
  EXPECT_EQ(verdict.message.find("One more tick"), std::string::npos) << verdict.message;
  // Of 3.0.65 after the same call five times: it ends well by its exit code, and says who it was in a line
  // behind.
  adapters::ReaderOptions options;
  options.prices = adapters::builtin_prices();
  adapters::StreamReader aborted(usage_agent("cline"), options);
  aborted.feed(
      R"({"type":"run_result","finishReason":"aborted","iterations":5,"usage":{"inputTokens":23020,"outputTokens":295,"cacheReadTokens":21000,"cacheWriteTokens":0,"totalCost":0},"text":"One more tick."})"
      "\n"
      R"({"type":"run_aborted","reason":"external_abort","message":"aborted by another client"})"
      "\n");
  aborted.finish();
  end.code = 0;
  const auto stopped = adapters::judge(usage_agent("cline"), aborted, end);
  EXPECT_EQ(stopped.outcome, model::Outcome::failed);
  EXPECT_NE(stopped.message.find("it stopped by itself: aborted"), std::string::npos) << stopped.message;
  EXPECT_EQ(stopped.usage.input, 2020);
  EXPECT_FALSE(stopped.usage.cost_usd) << "0 is what it says of a model without a price";
}

TEST(Usage, ACostOfNothingForTokensWithoutAPriceIsNotKnown) {
  model::Usage usage;
  usage.input = 100;
  usage.output = 10;
  usage.cost_usd = 0;
  auto priced = usage;
  adapters::estimate_cost(usage, "mock-coder", adapters::builtin_prices());
  EXPECT_FALSE(usage.cost_usd);
  adapters::estimate_cost(priced, "gpt-5", adapters::builtin_prices());
  EXPECT_GT(priced.cost_usd.value_or(0), 0);
}

TEST(Usage, PingsAreNoProgress) {
  for (const char* id : {"claude", "qwen"}) {
    adapters::StreamReader reader(usage_agent(id));
    reader.feed(R"({"type":"system","subtype":"init","session_id":"s"})"
                "\n");
    const auto before = reader.view().progress;
    reader.feed(R"({"type":"stream_event","session_id":"s","event":{"type":"ping"}})"
                "\n");
    EXPECT_EQ(reader.view().progress, before) << id;
    reader.feed(R"({"type":"stream_event","session_id":"s","event":{"type":"content_block_delta"}})"
                "\n");
    EXPECT_EQ(reader.view().progress, before + 1) << id;
  }
}

TEST(Usage, FromAFileBesideTheStream) {
  adapters::StreamReader copilot(usage_agent("copilot"));
  copilot.feed(usage_golden("copilot/ok"));
  copilot.usage_file(
      R"({"modelMetrics":{"a":{"usage":{"inputTokens":13000,"outputTokens":100,"cacheReadTokens":11000,"cacheWriteTokens":0,"reasoningTokens":30}},
          "b":{"usage":{"inputTokens":500,"outputTokens":85,"cacheReadTokens":850,"cacheWriteTokens":0,"reasoningTokens":2}}}})");
  copilot.finish();
  const auto u = copilot.summary().usage;
  EXPECT_EQ(u.input, 1650);
  EXPECT_EQ(u.output, 185);
  EXPECT_EQ(u.cache_read, 11850);
  EXPECT_EQ(u.reasoning, 32);
  EXPECT_EQ(copilot.view().tokens, 1650 + 185) << "what was read from a cache does not count";

  adapters::StreamReader codex(usage_agent("codex"));
  codex.feed(usage_golden("codex/hang-sigterm"));
  codex.usage_file(
      R"({"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900,"cached_input_tokens":100,"output_tokens":33,"reasoning_output_tokens":0}}}})"
      "\n{\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\",\"info\":null}}\n{half");
  EXPECT_FALSE(codex.view().usage.input) << "the last count is empty";
  codex.usage_file(
      R"({"payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900,"cached_input_tokens":100,"output_tokens":33}}}})");
  EXPECT_EQ(codex.view().usage.input, 800);
  EXPECT_EQ(codex.view().usage.output, 33);
  codex.usage_file("rubbish");
  EXPECT_EQ(codex.view().usage.input, 800);
}

TEST(Usage, TheViewCountsWhileItRuns) {
  const auto stream = usage_golden("claude/ok-partial");
  adapters::ReaderOptions options;
  options.prices = adapters::builtin_prices();
  adapters::StreamReader reader(usage_agent("claude"), options);
  const auto at = stream.find("\"type\":\"message_delta\"");
  reader.feed(stream.substr(0, stream.find('\n', at) + 1));
  const auto view = reader.view();
  EXPECT_EQ(view.turn, 1);
  EXPECT_EQ(view.tokens, 1200 + 85 + 500) << "3000 were read from a cache";
  EXPECT_TRUE(view.usage.estimated);
  EXPECT_NEAR(view.usage.cost_usd.value_or(0), (1200 * 3 + 85 * 15 + 3000 * 0.3 + 500 * 3.75) / 1e6, 1e-12);
  EXPECT_EQ(view.model, "claude-sonnet-4-5");
}

TEST(Usage, RefusalsInARowAreSeen) {
  for (const auto* name : {"claude/http401", "codex/http401", "copilot/http401"}) {
    adapters::StreamReader reader(usage_agent(std::string(name).substr(0, std::string(name).find('/'))));
    reader.feed(usage_golden(name));
    EXPECT_TRUE(adapters::refused_for_good(reader.view())) << name;
  }
  for (const auto* name : {"claude/http429", "codex/http500", "copilot/http500", "claude/ok", "pi/http401"}) {
    adapters::StreamReader reader(usage_agent(std::string(name).substr(0, std::string(name).find('/'))));
    reader.feed(usage_golden(name));
    EXPECT_FALSE(adapters::refused_for_good(reader.view())) << name;
  }
}

TEST(Prices, TheClientsOwnNumberIsTheTables) {
  // claude computes the cost of the scripted run from the vendor's price list.
  auto usage = read("claude/ok").usage;
  const auto theirs = usage.cost_usd.value_or(0);
  usage.cost_usd.reset();
  adapters::estimate_cost(usage, "claude-sonnet-4-5", adapters::builtin_prices());
  EXPECT_NEAR(usage.cost_usd.value_or(0), theirs, 1e-12);
  EXPECT_TRUE(usage.estimated);
}

// qwen's result counts from the begin of the session.
TEST(Usage, AResumedQwenSessionIsChargedOnce) {
  const auto whole = read("qwen/ok").usage;
  adapters::ReaderOptions options;
  options.resume_base.input = 100;
  options.resume_base.cache_read = 50;
  options.resume_base.output = 10;
  const auto rest = read("qwen/ok", options).usage;
  EXPECT_EQ(rest.input.value_or(0), whole.input.value_or(0) - 100);
  EXPECT_EQ(rest.cache_read.value_or(0), whole.cache_read.value_or(0) - 50);
  EXPECT_EQ(rest.output.value_or(0), whole.output.value_or(0) - 10);
}

TEST(Prices, OfTheUserWin) {
  const auto loaded = config::load(
      {{"hydra.toml",
        "[prices.\"mock-coder\"]\ninput = 1.0\noutput = 2\n[prices]\ngpt-5 = { input = 9, output = 9 }\n"}},
      {});
  for (const auto& e : loaded.errors) ADD_FAILURE() << describe(e);
  adapters::ReaderOptions options;
  options.prices = adapters::prices(loaded.config);
  EXPECT_EQ(adapters::find_price(options.prices, "gpt-5")->input, 9);
  const auto u = read("qwen/ok", options).usage;
  EXPECT_TRUE(u.estimated);
  EXPECT_NEAR(u.cost_usd.value_or(0), (1650 + 11850 + 2 * 185) / 1e6, 1e-12);
}

// The rollout file counts no tokens that are written to a cache; the end of the turn does.
TEST(Usage, TheEndOfARunBeatsASideFileThatSaysLess) {
  const std::string rollout =
      R"({"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":10,"reasoning_output_tokens":2}}}})"
      "\n";
  const std::string end =
      R"({"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":40,"cache_write_input_tokens":30,"output_tokens":10,"reasoning_output_tokens":2}})"
      "\n";
  adapters::StreamReader reader(usage_agent("codex"));
  reader.feed(R"({"type":"thread.started","thread_id":"t"})"
              "\n"
              R"({"type":"turn.started"})"
              "\n");
  EXPECT_FALSE(reader.usage_file("no usage"));
  EXPECT_TRUE(reader.usage_file(rollout));
  EXPECT_EQ(reader.summary().usage.output, 10) << "while it runs only the file tells";
  EXPECT_FALSE(reader.summary().usage.cache_write);
  reader.feed(end);
  EXPECT_EQ(reader.summary().usage.cache_write, 30);
}

// Lines as copilot 1.0.102 writes them into its session's events.jsonl, without members that nobody reads.
std::string copilot_call(const char* id, int input, int output, int cached) {
  return R"({"type":"session.usage_record","data":{"usage":{"model":"m","inputTokens":)" +
         std::to_string(input) + R"(,"outputTokens":)" + std::to_string(output) + R"(,"cacheReadTokens":)" +
         std::to_string(cached) +
         R"(,"cacheWriteTokens":0,"reasoningTokens":0,"accounting":{"sequence":1,"usageId":")" + id +
         "\"}}}}\n";
}

TEST(Usage, ALogThatGrowsCountsWhileTheAgentRuns) {
  const auto first = copilot_call("a", 4200, 85, 3000);
  const auto second = copilot_call("b", 4500, 60, 4200);
  adapters::StreamReader copilot(usage_agent("copilot"));
  copilot.usage_log(first.substr(0, 50), 0);
  EXPECT_FALSE(copilot.view().tokens) << "half a line";
  copilot.usage_log(first.substr(50) + "{\"type\":\"assistant.message\",\"data\":{\"inputTokens\":7}}\n", 50);
  EXPECT_EQ(copilot.view().tokens, 1200 + 85);
  const auto at =
      first.size() + std::string("{\"type\":\"assistant.message\",\"data\":{\"inputTokens\":7}}\n").size();
  copilot.usage_log(second, at + 1);
  EXPECT_EQ(copilot.view().tokens, 1200 + 85) << "a gap: not what follows";
  copilot.usage_log(second + second, at);
  EXPECT_EQ(copilot.view().tokens, 1500 + 145) << "one call counts once";
  copilot.usage_log(first, 0);
  EXPECT_EQ(copilot.view().tokens, 1200 + 85) << "from its begin: anew";
  EXPECT_TRUE(copilot.usage_file(
      R"({"modelMetrics":{"m":{"usage":{"inputTokens":9000,"outputTokens":200,"cacheReadTokens":7200,"cacheWriteTokens":0}}}})"));
  EXPECT_EQ(copilot.view().tokens, 1800 + 200) << "the file says it all";
}

TEST(Usage, ALogOfAResumedSessionHoldsTheFirstRunToo) {
  adapters::ReaderOptions options;
  options.resume_base.input = 1200;
  options.resume_base.output = 85;
  options.resume_base.cache_read = 3000;
  const auto both = copilot_call("a", 4200, 85, 3000) + copilot_call("b", 4500, 60, 4200);
  adapters::StreamReader copilot(usage_agent("copilot"), options);
  copilot.usage_log(both, 0);
  EXPECT_EQ(copilot.view().usage.input, 300);
  EXPECT_EQ(copilot.view().usage.output, 60);
  EXPECT_EQ(copilot.view().usage.cache_read, 4200);
  EXPECT_TRUE(copilot.usage_file(
      R"({"modelMetrics":{"m":{"usage":{"inputTokens":8700,"outputTokens":145,"cacheReadTokens":7200,"cacheWriteTokens":0}}}})"));
  EXPECT_EQ(copilot.view().usage.input, 300) << "its file counts from the session's start as well";
  EXPECT_EQ(copilot.view().usage.output, 60);
}

}  // namespace
