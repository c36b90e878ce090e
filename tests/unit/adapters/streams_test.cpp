// The readers and the verdict over recorded output of the real programs (tests/golden/streams). What must
// come out is known from how the recordings were made: every model answer came from a script with known token
// counts.
#include "adapters/adapters.hpp"
#include "base/files.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace {

using namespace hydra;
using How = adapters::RunEnd::How;
using model::Outcome;
namespace fs = std::filesystem;

const fs::path kStreams = fs::path(HYDRA_GOLDEN_DIR) / "streams";

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

const model::AgentDescriptor& descriptor(const std::string& agent) { return adapters::builtin().at(agent); }

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
  EXPECT_EQ(v.error_class, t.error_class) << v.message;
  EXPECT_EQ(v.message.empty(), t.outcome == Outcome::completed);
  if (t.outcome != Outcome::launch_error) {
    EXPECT_FALSE(v.session.empty());
  }
}

std::vector<Truth> truths() {
  std::vector<Truth> all;
  for (const auto* agent : {"claude", "codex", "gemini", "opencode"})
    for (const auto* scenario : {"ok", "noop", "toolfail", "adapter-default", "worktree", "big"})
      all.push_back({agent, scenario, Outcome::completed, ""});
  for (const auto* scenario : {"ok-partial", "prompt-stdin", "resume", "slow", "unicode", "stdin-open-pipe"})
    all.push_back({"claude", scenario, Outcome::completed, ""});
  for (const auto* scenario : {"ok-codemode", "prompt-stdin", "resume", "slow", "unicode"})
    all.push_back({"codex", scenario, Outcome::completed, ""});
  for (const auto* scenario : {"slow", "unicode"})
    all.push_back({"opencode", scenario, Outcome::completed, ""});
  const std::vector<Truth> failures{
      {"claude", "http400", Outcome::failed, "agent_error"},
      {"claude", "retries1-http401", Outcome::failed, "auth"},
      {"claude", "retries1-http429", Outcome::failed, "rate_limit"},
      {"claude", "retries1-http500", Outcome::failed, "provider"},
      {"claude", "retries1-late500", Outcome::failed, "provider"},
      {"claude", "noauth", Outcome::failed, "auth"},
      {"claude", "max-turns", Outcome::failed, "agent_error"},
      {"claude", "max-budget", Outcome::failed, "agent_error"},
      // Killed by the recorder in the middle of its retries: exit 143, no end, the last retry tells why.
      {"claude", "http401", Outcome::failed, "auth"},
      {"claude", "http429", Outcome::failed, "rate_limit"},
      {"claude", "http500", Outcome::failed, "provider"},
      {"claude", "late500", Outcome::failed, "provider"},
      {"claude", "hang-sigint", Outcome::failed, "truncated"},
      {"claude", "hang-sigterm", Outcome::failed, "truncated"},
      {"claude", "loop-sigterm", Outcome::failed, "truncated"},
      {"claude", "root-refused", Outcome::launch_error, "launch_error"},
      {"codex", "http400", Outcome::failed, "agent_error"},
      {"codex", "http401", Outcome::failed, "auth"},
      {"codex", "http429", Outcome::failed, "rate_limit"},
      {"codex", "http500", Outcome::failed, "provider"},
      {"codex", "late500", Outcome::failed, "provider"},
      {"codex", "cut", Outcome::failed, "provider"},
      {"codex", "noauth", Outcome::crashed,
       "provider"},  // no route to the provider, killed while it waits for one
      {"codex", "hang-sigterm", Outcome::crashed, ""},
      {"codex", "hang-sigint", Outcome::failed, "truncated"},
      {"codex", "loop-sigterm", Outcome::crashed, ""},
      {"gemini", "http400", Outcome::failed, "agent_error"},
      {"gemini", "http401", Outcome::failed, "auth"},
      {"gemini", "unicode", Outcome::failed, "agent_error"},
      {"gemini", "hang-sigterm", Outcome::crashed, ""},
      {"gemini", "hang-sigterm-group", Outcome::failed, "truncated"},  // exit code 0
      {"gemini", "longtool-sigterm-group", Outcome::failed, "truncated"},
      {"opencode", "http400", Outcome::failed, "agent_error"},
      {"opencode", "http401", Outcome::failed, "auth"},
      {"opencode", "http500", Outcome::failed, "provider"},
      {"opencode", "late500", Outcome::failed, "provider"},
      {"opencode", "hang-sigterm", Outcome::crashed, ""},
      {"opencode", "longtool-sigint", Outcome::crashed, ""},
  };
  all.insert(all.end(), failures.begin(), failures.end());
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
  for (const auto* agent : {"claude", "codex", "gemini", "opencode"})
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

TEST(Streams, UsageOfTheKnownRun) {
  for (const auto* agent : {"claude", "codex", "gemini", "opencode"})
    for (const auto* scenario : {"ok", "adapter-default", "worktree"}) {
      SCOPED_TRACE(std::string(agent) + "/" + scenario);
      const auto u = verdict(agent, scenario).usage;
      const bool writes = std::string(agent) == "claude";  // the other interfaces do not count cache writes
      EXPECT_EQ(u.input, writes ? 1650 : 13500 - 11850);
      EXPECT_EQ(u.output, 185);
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
  EXPECT_TRUE(adapters::denied(reader));
  const auto v = adapters::judge(descriptor("claude"), reader, end_of(r));
  EXPECT_EQ(v.outcome, Outcome::completed);
  EXPECT_EQ(adapters::finish_verdict(v, true, false).outcome, Outcome::misconfigured);
  EXPECT_EQ(adapters::finish_verdict(v, true, true).outcome, Outcome::completed);
  EXPECT_EQ(adapters::finish_verdict(v, false, false).outcome, Outcome::completed);
  EXPECT_FALSE(adapters::denied(read("claude", recording("claude", "ok"))));
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
  for (const auto* agent : {"claude", "codex", "gemini", "opencode"})
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
