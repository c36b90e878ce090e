// Each answer has the members that docs/openapi.json says, and no others; reading is tolerant.
#include "wire/json.hpp"

#include "base/files.hpp"
#include "support/places.hpp"
#include "wire/machine.hpp"
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
  if (schema.contains("enum")) return schema["enum"][0];
  if (schema.contains("const")) return schema["const"];
  if (schema.contains("properties")) {
    auto object = json::object();
    for (const auto& [member, each] : schema["properties"].items()) object[member] = sample_of(each, member);
    return object;
  }
  if (schema.contains("items"))  // pairs and triples have no other mark
    return json(name == "interval" ? 2
                : name == "triple" ? 3
                                   : 1,
                sample_of(schema["items"], name == "growth" ? "triple" : ""));
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
}

// What is asked has the members of the request's schema, and says each of them.
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
}

TEST(WireJson, WhatIsUnknownMissingOrOfAnotherKindKeepsItsDefault) {
  const auto read = from_json<Status>(
      R"({"race": 3, "state": "done", "new": {}, "agents": [3, {"agent": "a", "attempt": "x", "composite": null,
          "cost_usd": "dear", "growth": [[1, 2], [1, 2, 3]], "checks": {"build": 1, "tests": "passed"}}]})");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->race, "");
  EXPECT_EQ(read->state, "done");
  ASSERT_EQ(read->agents.size(), 1u);
  const auto& agent = read->agents.front();
  EXPECT_EQ(agent.attempt, 1);
  EXPECT_FALSE(agent.composite || agent.cost_usd);
  EXPECT_EQ(agent.growth.size(), 1u);
  EXPECT_EQ(agent.checks, (CheckStates{{"tests", "passed"}}));
  for (const auto* text : {"", "3", "[]", "{", "null"}) EXPECT_FALSE(from_json<Status>(text).ok()) << text;
  EXPECT_EQ(from_json<Status>(R"({"created_ms": 1e300})")->created_ms, 0) << "no number of milliseconds";
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

}  // namespace
}  // namespace hydra::wire
