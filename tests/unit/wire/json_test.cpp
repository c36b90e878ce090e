// Each answer has the members that docs/openapi.json says, and no others; reading is tolerant.
#include "wire/json.hpp"

#include "base/files.hpp"
#include "support/places.hpp"
#include "wire/answers.hpp"
#include "wire/details.hpp"
#include "wire/history.hpp"
#include "wire/machine.hpp"
#include "wire/request.hpp"
#include "wire/requests.hpp"
#include "wire/status.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hydra::wire {
namespace {

using nlohmann::json;

const json& document() {
  static const auto kDocument =
      json::parse(read_file(places::source("/docs/openapi.json"), 1 << 24).value_or(""));
  return kDocument;
}
const json& schemas() { return document()["components"]["schemas"]; }

// Something that has every member of the schema. `name`: of the member that it is for.
json sample_of(const json& schema, const std::string& name) {
  if (schema.contains("$ref")) {
    const auto reference = schema["$ref"].get<std::string>();
    return sample_of(schemas()[reference.substr(reference.rfind('/') + 1)], name);
  }
  if (schema.contains("oneOf")) return sample_of(schema["oneOf"][0], name);
  if (schema.contains("enum")) return schema["enum"].back();
  if (schema.contains("const")) return schema["const"];
  if (schema.contains("properties")) {
    auto object = json::object();
    for (const auto& [member, each] : schema["properties"].items()) object[member] = sample_of(each, member);
    return object;
  }
  if (schema.contains("items"))  // pairs and triples have no other mark
    return json(name == "interval" || name == "commits" ? 2
                : name == "triple"                      ? 3
                                                        : 1,
                sample_of(schema["items"], name == "growth"  ? "triple"
                                           : name == "flags" ? "unnamed:"
                                                             : ""));
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    return {{"build", sample_of(schema["additionalProperties"], "")}};
  const auto type = schema["type"].is_array() ? schema["type"][0] : schema["type"];
  if (type == "string") return name + "!";
  if (type == "integer") return 1;
  if (type == "number") return 1.5;
  return type == "boolean" ? json(true) : json::object();
}

template <class T>
void holds(const char* schema) {
  const auto sample = sample_of(schemas()[schema], schema);
  const auto read = from_json<T>(sample.dump());
  ASSERT_TRUE(read.ok()) << schema;
  const auto written = json::parse(to_json(*read));
  EXPECT_EQ(written, sample) << schema << ": " << json::diff(sample, written).dump(1);
}

TEST(WireJson, EachAnswerHasTheMembersOfItsSchema) {
  holds<Status>("Status");
  holds<Results>("Results");
  holds<Explain>("Explain");
  holds<RaceList>("RaceList");
  holds<AgentList>("Agents");
  holds<Doctor>("Doctor");
  holds<Health>("Health");
  holds<Created>("Created");
  holds<Cancelled>("Cancelled");
  holds<Retried>("Retried");
  holds<Rated>("Rated");
  holds<TryFrame>("TryFrame");
  holds<Combined>("Combined");
  holds<Merge>("Merge");
  holds<Repaired>("Repaired");
  holds<Waits>("Waits");
  holds<Restored>("Restored");
  holds<Templates>("Templates");
  holds<CleanPlan>("CleanPlan");
  holds<TestTable>("TestTable");
  holds<NamedTest>("Test");
  holds<LintPage>("LintPage");
  holds<Attempts>("Attempts");
  holds<LogLines>("LogLines");
  holds<DiffFiles>("DiffFiles");
  holds<Behaviour>("Behaviour");
  holds<Verification>("Verification");
  holds<Ui>("Ui");
  holds<OpenedUi>("OpenedUi");
  holds<ClosedUi>("ClosedUi");
  holds<Session>("Session");
  holds<Nothing>("Nothing");
}

// A request has the members of its schema, and writes each of them.
template <class T>
void asks(const char* path) {
  const auto& body =
      document()["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
  auto sample = sample_of(body, path);
  if (sample.contains("config")) sample["config"] = json::object();
  const auto read = from_json<T>(sample.dump());
  ASSERT_TRUE(read.ok()) << path;
  auto written = json::parse(to_json(*read));
  if (sample.contains("config")) sample["config"] = written["config"];  // each key with its default
  // A schema may have other ways to say the same ("race" and "agent" for "target").
  for (const auto& difference : json::diff(sample, written))
    EXPECT_EQ(difference["op"], "remove") << path << ": " << difference.dump();
}

TEST(WireJson, EachRequestHasTheMembersOfItsSchema) {
  asks<RaceRequest>("/v1/races");
  asks<AgentsRequest>("/v1/agents");
  asks<DoctorRequest>("/v1/doctor");
  asks<MergeRequest>("/v1/merge");
  asks<CombineRequest>("/v1/combine");
  asks<RetryRequest>("/v1/races/{race}/retry");
  asks<CancelRequest>("/v1/races/{race}/cancel");
  asks<RescoreRequest>("/v1/races/{race}/rescore");
  asks<UiRequest>("/v1/ui");
  asks<ForgetRequest>("/v1/history/forget");
  asks<ImportRequest>("/v1/history/import");
  asks<ApproveRequest>("/v1/races/{race}/approve");
  asks<RateRequest>("/v1/races/{race}/rate");
  asks<TryRequest>("/v1/races/{race}/try");
  asks<RestoreRequest>("/v1/races/{race}/restore");
  asks<CleanRequest>("/v1/clean");
  asks<ShutdownRequest>("/v1/shutdown");
  asks<SessionRequest>("/ui/session");
}

template <class T>
std::string refused(const char* body, Asker asker = Asker::program) {
  const auto request = request_from<T>(body, asker);
  return request.ok() ? "" : request.error().message;
}

TEST(WireRequest, WhatIsWrongIsNamed) {
  EXPECT_EQ(refused<RestoreRequest>(""), "");
  EXPECT_EQ(refused<RestoreRequest>("[]"), "the body is no JSON object");
  EXPECT_EQ(refused<RestoreRequest>("nonsense"), "the body is no JSON object");
  EXPECT_EQ(refused<RestoreRequest>(R"({"agent": "a", "agent": "b"})"), "'agent' is given twice");
  EXPECT_EQ(refused<RestoreRequest>(R"({"other": 1})"), "unknown member 'other'");
  EXPECT_EQ(refused<RestoreRequest>(("{\"other\":" + std::string(100, '[')).c_str()),
            "the body is nested too deeply");
  EXPECT_EQ(refused<RestoreRequest>(R"({"agent": null})"),
            "bad request: 'agent' must be a string, but is null");
  EXPECT_EQ(refused<RestoreRequest>(R"({"wait": "yes"})"),
            "bad request: 'wait' must be true or false, but is string");
  EXPECT_EQ(refused<RateRequest>(R"({"agent": "a", "rating": 4.5})"),
            "bad request: 'rating' must be a whole number, but is 4.5");
  EXPECT_EQ(refused<UiRequest>(R"({"port": 4294967297})"),
            "bad request: 'port' must be a whole number, but is 4294967297");
  EXPECT_EQ(refused<RetryRequest>(R"({"agents": ["a"], "budget_tokens": -1})"),
            "bad request: 'budget_tokens' must be a whole number from 0, but is -1");
  EXPECT_EQ(refused<RetryRequest>(R"({"agents": ["a"], "budget_usd": null})"), "");
  EXPECT_EQ(refused<RetryRequest>("{}"), "bad request: 'agents' is missing");
  EXPECT_EQ(refused<ApproveRequest>(R"({"tests": ["a", 5]})"),
            "bad request: 'tests[1]' must be a string, but is 5");
  EXPECT_EQ(refused<RescoreRequest>(R"({"weights": {"build": "1"}})"),
            "bad request: 'weights.build' must be a number, but is string");
  EXPECT_EQ(refused<RaceRequest>(R"({"directory": "/", "task": "", "config": {}, "environment": {},
                                     "agents": [{"name": "a", "id": "a", "colour": "red"}]})"),
            "unknown member 'agents[0].colour'");
}

TEST(WireRequest, ABrowserNamesNeitherPathsNorPrograms) {
  const auto* body = R"({"agent": "a", "rating": 4, "author": "somebody"})";
  EXPECT_EQ(request_from<RateRequest>(body, Asker::program)->author, "somebody");
  EXPECT_EQ(request_from<RateRequest>(body, Asker::browser)->author, "");
  body = R"({"agents": ["a"], "run": "make serve"})";
  EXPECT_EQ(request_from<TryRequest>(body, Asker::program)->run, "make serve");
  EXPECT_EQ(request_from<TryRequest>(body, Asker::browser)->run, "");
  EXPECT_EQ(refused<MergeRequest>(R"({"parts": 3})", Asker::browser), "") << "known, and not taken";
}

TEST(WireJson, WhatIsUnknownMissingOrOfAnotherKindKeepsItsDefault) {
  const auto read = from_json<Status>(
      R"({"race": 3, "state": "done", "new": {}, "agents": [3, {"agent": "a", "attempt": "x", "composite": null,
          "cost_usd": "dear", "growth": [[1, 2], [1, 2, 3]], "checks": {"build": 1, "tests": "passed"}}]})");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->race, "");
  EXPECT_EQ(read->state, model::RacePhase::done);
  ASSERT_EQ(read->agents.size(), 1u);
  const auto& agent = read->agents.front();
  EXPECT_EQ(agent.attempt, 1);
  EXPECT_FALSE(agent.composite || agent.cost_usd);
  EXPECT_EQ(agent.growth.size(), 1u);
  EXPECT_EQ(agent.checks, (CheckStates{{"tests", model::CheckPhase::passed}}));
  for (const auto* text : {"", "3", "[]", "{", "null"}) EXPECT_FALSE(from_json<Status>(text).ok()) << text;
  EXPECT_EQ(from_json<Status>(R"({"created_ms": 1e300})")->created_ms, 0) << "no number of milliseconds";
  for (const auto* pid : {"3000000000", "3e9", "-3e9", "18446744073709551615"})
    EXPECT_EQ(from_json<Health>("{\"pid\": " + std::string(pid) + "}")->pid, 0) << pid;
  EXPECT_EQ(from_json<Health>(R"({"pid": 7.0})")->pid, 7);
}

TEST(WireJson, WhatHasNothingToSayIsNullOrLeftOut) {
  const auto status = json::parse(to_json(Status{}));
  EXPECT_FALSE(status.contains("disk_bytes"));
  EXPECT_TRUE(status["repository_changes"].is_null());
  Results results;
  results.baseline.tests.emplace().tests.emplace().failed = 2;
  const auto made = json::parse(to_json(results));
  EXPECT_FALSE(made.contains("rescored") || made.contains("after"));
  EXPECT_TRUE(made["baseline"]["template"].is_null()) << "a word of C++ has its own name";
  const auto& tests = made["baseline"]["tests"];
  EXPECT_EQ(tests["failed"], 2);
  EXPECT_TRUE(tests["passed"].is_null()) << "counted, and not known";
  EXPECT_FALSE(tests.contains("warnings") || tests.contains("message") || tests.contains("signal"));
  results.notes = {"\xff"};
  EXPECT_NE(to_json(results).find("\xef\xbf\xbd"), std::string::npos) << "no UTF-8: replaced";
}

// Members of tables that people read stand in the order of docs/suites.md.
TEST(WireJson, HistoryIsWrittenInItsOrderAndReadBack) {
  model::HistoryAttempt attempt;
  attempt.name = "codex#2";
  attempt.entry = attempt.agent = "codex";
  attempt.asked = "o9";
  attempt.outcome = model::Outcome::completed;
  attempt.wall_ms = 1234567;
  attempt.points[2] = 75;
  attempt.votes = {{"a judge", 2, 0.5}};
  History history;
  auto& race = history.races.emplace_back();
  race.number = 7;
  race.race = "r";
  race.labels = {{"a", "1"}, {"b", "2"}};
  race.attempts = {attempt};
  const auto text = to_json(history);
  EXPECT_EQ(
      text,
      R"({"schema":1,"races":[{"race":"r","number":7,"state":"","task":"","kind":"","labels":{"a":"1","b":"2"},)"
      R"("root":"","repository":"","base":"","created_ms":0,"ended_ms":0,"attempts":[{"name":"codex#2",)"
      R"("entry":"codex","agent":"codex","asked_model":"o9","model":"","version":"","attempt":1,)"
      R"("outcome":"completed","lost":false,"eligible":false,"success":false,"solved":false,"rank":null,"tied":false,)"
      R"("merged":false,"changed":false,"composite":null,"points":{"build":null,"tests":null,"lint":75.0,)"
      R"("diff_size":null,"speed":null},"tests_fixed":null,"tests_broken":null,"gained_share":null,"lost_share":null,"tokens":null,"cost_usd":null,"arena":null,)"
      R"("duration_seconds":1234.567,"confidence":"","rating":null,"judges":null,"merged_ms":null,)"
      R"("merge_undone":false,"votes":[{"judge":"a judge","stake":2.0,"score":0.5}]}]}],"next":null})");
  const auto read = from_json<History>(text);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(to_json(*read), text);
  EXPECT_EQ(read->races.front().attempts.front().wall_ms, 1234567);
}

}  // namespace
}  // namespace hydra::wire
