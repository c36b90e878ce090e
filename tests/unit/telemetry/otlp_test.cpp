// A race as the events of it, and what an OTLP receiver gets of it.
#include "telemetry/otlp.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>

namespace hydra::telemetry {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

/// One agent, tests that fail, done. Each word that must not leave the machine has "secret" in it.
class Otlp : public ::testing::Test {
 protected:
  Otlp() {
    model::RaceCreated created;
    auto& spec = created.spec;
    spec.id = "01abcdefgh";
    spec.created_ms = 1000;
    spec.task = "secret plan";
    spec.repository.root = "/home/secret/app";
    spec.labels = {{"customer", "secret"}};
    spec.agents = {{"codex#1", "codex", "gpt-5-codex", "codex", 1}};
    spec.config.agents["codex"].provider = "openai";
    spec.versions["codex"] = "0.169.0";
    add(1000, std::move(created));
    add(2000, model::AgentStarting{"codex#1", "01abcdefgh/codex#1/agent/1", 1});
    model::AgentEnded ended;
    ended.agent = "codex#1";
    ended.job.attempt = "01abcdefgh/codex#1/agent/1";
    ended.verdict.outcome = model::Outcome::completed;
    ended.verdict.model = "gpt-5-codex-2026";
    ended.verdict.session = "s-1";
    ended.verdict.message = ended.verdict.final_text = "secret words";
    ended.verdict.usage.input = 100;
    ended.verdict.usage.cache_read = 900;
    ended.verdict.usage.output = 50;
    ended.verdict.usage.cost_usd = 0.25;
    add(62000, std::move(ended));
    model::CheckEnded check;
    check.subject = "codex#1";
    check.evidence.dimension = model::Dimension::tests;
    check.evidence.status = model::CheckStatus::failed;
    check.evidence.command = "make secret";
    check.evidence.wall_ms = 3000;
    check.evidence.tests.emplace();
    check.evidence.tests->counts.passed = 7;
    check.evidence.tests->tests = {{"secret test", model::TestStatus::failed}};
    add(66000, std::move(check));
    model::ScoringResult scored;
    scored.ranking.winner = "codex#1";
    add(67000, std::move(scored));
    add(68000, model::RaceEnded{model::RaceEnd::done});
  }
  void add(std::int64_t at_ms, model::EventBody body) {
    model::Event event;
    event.id = static_cast<std::int64_t>(events.size()) + 1;
    event.race = "01abcdefgh";
    event.at_ms = at_ms;
    event.body = std::move(body);
    events.push_back(std::move(event));
  }
  [[nodiscard]] json spans(const OtlpOptions& options = {"1.0", false}) const {
    json all = json::array();
    for (const auto& body : otlp_of(events, options).traces) {
      const auto request = json::parse(body);
      for (const auto& span : request["resourceSpans"][0]["scopeSpans"][0]["spans"]) all.push_back(span);
    }
    return all;
  }
  static json span(const json& all, const std::string& name) {
    for (const auto& each : all)
      if (each["name"] == name) return each;
    ADD_FAILURE() << "no span " << name;
    return {};
  }
  static json attribute(const json& row, const std::string& key) {
    for (const auto& each : row["attributes"])
      if (each["key"] == key) return each["value"];
    return {};
  }

  std::vector<model::Event> events;
};

TEST_F(Otlp, ARaceIsATraceOfItsRunsAndChecks) {
  const auto all = spans();
  ASSERT_EQ(all.size(), 3u);
  const auto root = span(all, "race"), run = span(all, "invoke_agent codex"),
             check = span(all, "check tests");
  EXPECT_FALSE(root.contains("parentSpanId"));
  for (const auto& each : all) {
    EXPECT_EQ(each["traceId"], root["traceId"]);
    EXPECT_EQ(each["traceId"].get<std::string>().size(), 32u);
    EXPECT_EQ(each["spanId"].get<std::string>().size(), 16u);
    if (each != root) {
      EXPECT_EQ(each["parentSpanId"], root["spanId"]);
    }
  }
  EXPECT_EQ(root["startTimeUnixNano"], "1000000000");
  EXPECT_EQ(root["endTimeUnixNano"], "68000000000");
  EXPECT_EQ(attribute(root, "hydra.race.winner")["stringValue"], "codex#1");
  EXPECT_EQ(run["startTimeUnixNano"], "2000000000");
  EXPECT_EQ(run["endTimeUnixNano"], "62000000000");
  EXPECT_EQ(check["startTimeUnixNano"], "63000000000");
  EXPECT_EQ(attribute(check, "cicd.pipeline.task.run.result")["stringValue"], "failure");
  EXPECT_EQ(attribute(check, "hydra.tests.passed")["intValue"], "7");
  EXPECT_EQ(check["status"], json::object()) << "tests that fail are an answer, no error";
}

TEST_F(Otlp, ARunHasTheAttributesOfTheGenAiConventions) {
  const auto run = span(spans(), "invoke_agent codex");
  EXPECT_EQ(run["kind"], 3);
  EXPECT_EQ(attribute(run, "gen_ai.operation.name")["stringValue"], "invoke_agent");
  EXPECT_EQ(attribute(run, "gen_ai.provider.name")["stringValue"], "openai");
  EXPECT_EQ(attribute(run, "gen_ai.agent.version")["stringValue"], "0.169.0");
  EXPECT_EQ(attribute(run, "gen_ai.request.model")["stringValue"], "gpt-5-codex");
  EXPECT_EQ(attribute(run, "gen_ai.response.model")["stringValue"], "gpt-5-codex-2026");
  EXPECT_EQ(attribute(run, "gen_ai.usage.input_tokens")["intValue"], "1000") << "cached ones are input, too";
  EXPECT_EQ(attribute(run, "gen_ai.usage.cache_read.input_tokens")["intValue"], "900");
  EXPECT_EQ(attribute(run, "gen_ai.usage.output_tokens")["intValue"], "50");
  EXPECT_EQ(attribute(run, "hydra.cost.usd")["doubleValue"], 0.25);
  EXPECT_TRUE(attribute(run, "gen_ai.usage.cache_creation.input_tokens").is_null()) << "not known is not 0";
}

TEST_F(Otlp, AnErrorIsNamedByItsClass) {
  auto& ended = std::get<model::AgentEnded>(events[2].body).verdict;
  ended.outcome = model::Outcome::failed;
  ended.error_class = model::ErrorClass::rate_limit;
  const auto run = span(spans(), "invoke_agent codex");
  EXPECT_EQ(run["status"]["code"], 2);
  EXPECT_EQ(attribute(run, "error.type")["stringValue"], "rate_limit");
}

TEST_F(Otlp, WordsOfTheTaskComeOnlyWhereTheyAreWanted) {
  const auto bodies = otlp_of(events, {"1.0", false});
  for (const auto& body : bodies.traces) EXPECT_THAT(body, Not(HasSubstr("secret")));
  for (const auto& body : bodies.metrics) EXPECT_THAT(body, Not(HasSubstr("secret")));
  EXPECT_EQ(attribute(span(spans({"1.0", true}), "race"), "hydra.task")["stringValue"], "secret plan");
}

TEST_F(Otlp, MetricsAreWhatThisRaceAdded) {
  const auto bodies = otlp_of(events, {"1.0", false});
  ASSERT_EQ(bodies.metrics.size(), 1u);
  std::map<std::string, json> metrics;
  const auto request = json::parse(bodies.metrics[0]);
  for (const auto& metric : request["resourceMetrics"][0]["scopeMetrics"][0]["metrics"])
    metrics[metric["name"]] = metric;
  const auto& tokens = metrics["gen_ai.client.token.usage"]["histogram"];
  EXPECT_EQ(tokens["aggregationTemporality"], 1);
  ASSERT_EQ(tokens["dataPoints"].size(), 2u);
  for (const auto& point : tokens["dataPoints"]) {
    const bool input = attribute(point, "gen_ai.token.type")["stringValue"] == "input";
    EXPECT_EQ(point["sum"], input ? 1000 : 50);
    EXPECT_EQ(point["count"], "1");
    EXPECT_EQ(point["bucketCounts"].size(), point["explicitBounds"].size() + 1);
    // (256, 1024] and (16, 64]
    EXPECT_EQ(point["bucketCounts"][input ? 5 : 3], "1");
  }
  EXPECT_EQ(metrics["gen_ai.client.operation.duration"]["histogram"]["dataPoints"][0]["sum"], 60);
  EXPECT_EQ(metrics["hydra.cost"]["sum"]["dataPoints"][0]["asDouble"], 0.25);
  EXPECT_EQ(metrics["hydra.race.duration"]["histogram"]["dataPoints"][0]["sum"], 67);
  EXPECT_EQ(metrics["hydra.check.duration"]["histogram"]["dataPoints"][0]["sum"], 3);
}

TEST_F(Otlp, ARetrySendsWhatCameSince) {
  const auto before = spans();
  model::AgentEnded again = std::get<model::AgentEnded>(events[2].body);
  again.job.attempt = "01abcdefgh/codex#1/agent/2";
  add(90000, model::AgentStarting{"codex#1", again.job.attempt, 2});
  add(95000, again);
  add(96000, model::RaceEnded{model::RaceEnd::done});
  const auto after = spans();
  ASSERT_EQ(after.size(), 2u);
  EXPECT_EQ(span(after, "race")["traceId"], span(before, "race")["traceId"]) << "one trace a race";
  EXPECT_NE(span(after, "race")["spanId"], span(before, "race")["spanId"]);
  EXPECT_EQ(attribute(span(after, "invoke_agent codex"), "hydra.attempt")["intValue"], "2");
  // A measurement wakes the race and changes nothing of that.
  add(99000, model::RaceEnded{model::RaceEnd::done});
  EXPECT_THAT(otlp_of(events, {"1.0", false}).traces, IsEmpty());
}

TEST_F(Otlp, ChecksAndVerificationsAreNoRaces) {
  std::get<model::RaceCreated>(events[0].body).spec.check_only = true;
  EXPECT_THAT(otlp_of(events, {}).traces, IsEmpty());
  std::get<model::RaceCreated>(events[0].body).spec.check_only = false;
  std::get<model::RaceCreated>(events[0].body).spec.verifies = "01other000";
  EXPECT_THAT(otlp_of(events, {}).traces, IsEmpty());
  EXPECT_THAT(otlp_of({}, {}).traces, IsEmpty());
  events.pop_back();
  EXPECT_THAT(otlp_of(events, {}).traces, IsEmpty()) << "it has not ended";
}

TEST_F(Otlp, ManySpansComeInSeveralRequests) {
  const auto end = events.back();
  events.pop_back();
  const auto check = events[3].body;
  for (int i = 0; i < 100; ++i) add(67500, check);
  add(end.at_ms, end.body);
  EXPECT_EQ(otlp_of(events, {}).traces.size(), 3u);
  std::set<std::string> ids;
  for (const auto& each : spans()) EXPECT_TRUE(ids.insert(each["spanId"]).second);
  EXPECT_EQ(ids.size(), 103u);
}

TEST(OtlpHeaders, AreReadAsTheStandardWritesThem) {
  EXPECT_THAT(otlp_headers("api-key=abc%3D, x=1"), ElementsAre(Pair("api-key", "abc="), Pair("x", "1")));
  EXPECT_THAT(otlp_headers(""), IsEmpty());
  EXPECT_THAT(otlp_headers("a=%0d%0aHost: evil,b c=1,=2,alone"), IsEmpty()) << "no line of its own";
}

}  // namespace
}  // namespace hydra::telemetry
