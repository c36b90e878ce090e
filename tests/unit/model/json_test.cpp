#include "model/json.hpp"

#include "model/json_value.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace hydra::model {
namespace {

using nlohmann::json;

Result<Config> back_from_text(const Config& config) {
  return config_of(json::parse(config_value(config).dump()));
}

template <class Body>
Body round_trip(const Body& body) {
  const EventBody event(body);
  auto back = event_from_json(kind(event), to_json(event));
  EXPECT_TRUE(back.ok()) << (back.ok() ? "" : describe(back.error()));
  return std::get<Body>(*back);
}

TEST(Json, EveryKindOfEventComesBack) {
  round_trip(RaceCreated{});
  round_trip(RacePrepared{});
  EXPECT_EQ(round_trip(RaceFailed{"why"}).reason, "why");
  EXPECT_EQ(round_trip(WorkspaceReady{"a", "/p"}).path, "/p");
  EXPECT_EQ(round_trip(AgentStarting{"a", "r/a/agent/2", 2}).number, 2);
  EXPECT_EQ(round_trip(Published{{{"a", "hydra/a-1"}}}).branches[0].second, "hydra/a-1");
  EXPECT_EQ(round_trip(CancelRequested{"a"}).agent, "a");
  EXPECT_TRUE(round_trip(Merged{"a", "c", "r", true}).automatic);
  round_trip(ScoringResult{});
  round_trip(Note{});
}

// The words are what is stored and what the API says: they don't change with the names here.
TEST(Json, EnumerationsAreTheirWords) {
  const auto text = [](const EventBody& body) { return to_json(body); };
  EXPECT_EQ(text(RaceEnded{RaceEnd::done}), R"({"state":"done"})");
  EXPECT_EQ(text(RaceEnded{RaceEnd::cancelled}), R"({"state":"cancelled"})");
  EXPECT_EQ(text(StopRequested{"a", StopReason::race_budget, {}, {}, {}}),
            R"({"agent":"a","reason":"race_budget","error_class":"","message":"","advice":""})");
  EXPECT_EQ(text(SubjectReady{subject_of("a"), "/p", {TreeKind::in_place, false, false, {}, {}}}),
            R"({"subject":"a","path":"/p","facts":)"
            R"({"tree":"in place","warm":false,"setup":false,"reasons":[],"left_out":[]}})");
  EXPECT_EQ(name(TreeKind::none), "");
  EXPECT_EQ(name(JobEnd::start_failed), "start_failed");
  EXPECT_EQ(name(Restored::by_key), "by_key");
  EXPECT_EQ(name(Severity::block), "block");
  EXPECT_EQ(name(TestClass::voided), "void");
  EXPECT_EQ(name(Outcome::stopped), "stopped");
  EXPECT_EQ(name(DimensionStatus::failed), "failed");
  EXPECT_EQ(name(CheckStatus::skipped), "skipped");
}

TEST(Json, WordsOfAnotherVersionAreRead) {
  const auto read = [](const char* kind, const char* text) { return *event_from_json(kind, text); };
  EXPECT_EQ(std::get<RaceEnded>(read("race_ended", R"({"state":"melted"})")).state, RaceEnd::failed);
  EXPECT_EQ(std::get<StopRequested>(read("stop_requested", R"({"reason":"bored"})")).reason,
            StopReason::budget);
  EXPECT_EQ(of_name<CheckStatus>("melted"), CheckStatus::not_started);
  EXPECT_EQ(of_name<Cell>("melted"), Cell::not_run);
  EXPECT_EQ(of_name<JobEnd>(""), JobEnd::lost);
  EXPECT_EQ(from_name<Dimension>("melted"), std::nullopt);
  EXPECT_FALSE(event_from_json("race_ended", R"({"state":1})").ok());
}

template <std::size_t I = 0>
void expect_as_the_library_writes() {
  if constexpr (I < std::variant_size_v<AnyEvent>) {
    const EventBody body(std::variant_alternative_t<I, AnyEvent>{});
    EXPECT_EQ(json::parse(to_json(body)), event_value(body)) << kind(body);
    expect_as_the_library_writes<I + 1>();
  }
}

TEST(Json, TextIsWhatTheLibraryWrites) {
  expect_as_the_library_writes();
  RaceCreated made;
  made.spec.task = "say \"\xC3\xA4\"\t\\";
  made.spec.environment = {{"LANG", "C"}};
  made.spec.agents = {{"a", "codex", ""}, {"b", "claude", "x"}};
  made.spec.config.scoring.test_command = "make test";
  made.spec.config.agents["codex"].command = {"codex", "exec"};
  made.spec.config.prices["m"].input = 0.1;
  CheckEnded ended{subject_of("a"), {}};
  ended.evidence.exit_code = -1;
  ended.evidence.tests = TestReport{};
  ended.evidence.tests->tests = {{"t::a", TestStatus::passed}};
  for (const EventBody& body : {EventBody(made), EventBody(ended)})
    EXPECT_EQ(json::parse(to_json(body)), event_value(body)) << kind(body);
}

TEST(Json, AbsentIsNotZero) {
  CheckEnded ended{subject_of("a"), {}};
  ended.evidence.tests = TestReport{};
  ended.evidence.tests->counts.passed = 0;
  const auto back = round_trip(ended);
  EXPECT_EQ(back.evidence.tests->counts.passed, 0);
  EXPECT_EQ(back.evidence.tests->counts.failed, std::nullopt);
  EXPECT_FALSE(back.evidence.lint.has_value());
}

TEST(Json, EnumerationsKeepTheirNames) {
  AgentEnded ended{"a", {}, {}};
  ended.verdict.outcome = Outcome::over_budget;
  EXPECT_NE(to_json(EventBody(ended)).find("\"over_budget\""), std::string::npos);
  EXPECT_EQ(round_trip(ended).verdict.outcome, Outcome::over_budget);
}

TEST(Json, ACancelledSetUpOfAnOlderStoreIsKnownByItsWords) {
  const auto cancelled = [](const char* text) {
    const auto read = event_from_json("subject_failed", text);
    return read.ok() && std::get<SubjectFailed>(*read).cancelled;
  };
  EXPECT_TRUE(cancelled(R"({"subject":"a","reason":"the set-up cancelled after 2 s"})"));
  EXPECT_FALSE(cancelled(R"({"subject":"a","reason":"the set-up failed"})"));
  EXPECT_FALSE(cancelled(R"({"subject":"a","reason":"cancelled orders are lost","cancelled":false})"));
}

TEST(Json, HostileTextIsReplacedNotThrownOver) {
  const auto back = round_trip(Note{{}, "bad \xff byte"});
  EXPECT_EQ(back.text, "bad \xEF\xBF\xBD byte");
}

TEST(Json, DoublesAreExact) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const auto bits = random();
    double value = 0;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    Config config;
    config.scoring.weights.build = value;
    const auto back = back_from_text(config);
    ASSERT_TRUE(back.ok());
    ASSERT_EQ(back->scoring.weights.build, value);
  }
}

TEST(Json, AConfigurationOfCheckWorkspacesComesBack) {
  Config config;
  config.workspace.outputs = {"build", "**/dist"};
  config.workspace.warm = "make tests";
  config.workspace.run = "make serve";
  config.workspace.caches = {"npm", "~/.cache/x"};
  config.limits.per_provider = 7;
  config.limits.disk_gib = 0.5;
  config.notify = {{"tell"}, "https://example.org"};
  const auto back = back_from_text(config);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->workspace.outputs, config.workspace.outputs);
  EXPECT_EQ(back->workspace.warm, config.workspace.warm);
  EXPECT_EQ(back->workspace.run, config.workspace.run);
  EXPECT_EQ(back->workspace.caches, config.workspace.caches);
  EXPECT_EQ(back->limits.per_provider, 7);
  EXPECT_EQ(back->limits.disk_gib, 0.5);
  EXPECT_EQ(back->notify.command, (std::vector<std::string>{"tell"}));
  EXPECT_EQ(back->notify.webhook, "https://example.org");
}

TEST(Json, MissingMembersKeepDefaultsAndUnknownKindsAreErrors) {
  const auto config = config_of(json::object());
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->scoring.weights.tests, 30);
  EXPECT_FALSE(event_from_json("no_such", "{}").ok());
  EXPECT_FALSE(event_from_json("note", "[").ok());
  EXPECT_FALSE(config_of(json{{"scoring", 3}}).ok());
}

}  // namespace
}  // namespace hydra::model
