// The leaderboard as text and CSV, and exports: out of the daemon's JSON, without a daemon.
#include "base/strings.hpp"
#include "cli/league_args.hpp"
#include "cli/render/export_formats.hpp"
#include "cli/render/leaderboard_block.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

json board() {
  json row{{"rank", 1},
           {"entry", "codex"},
           {"attempts", 10},
           {"solved", 3},
           {"tasks", 4},
           {"best", 93.25},
           {"success_rate", 0.3},
           {"mean", 54.5},
           {"deviation", 2.875},
           {"mean_seconds", 61.5},
           {"cost_usd", 1.5},
           {"interval", {0.11, 0.6}},
           {"strength", 1042.25},
           {"tier", 1},
           {"pass_at_k", 1.0},
           {"pass_all_k", 0.0},
           {"best_at_k", 59},
           {"tasks_k", 1},
           {"lost", 2}};
  json other{{"rank", nullptr}, {"entry", "=cmd,\"x\""}, {"attempts", 1},
             {"best", nullptr}, {"interval", nullptr},   {"tier", nullptr}};
  return {{"schema", 1},
          {"races", 10},
          {"tasks", 1},
          {"k", 10},
          {"rows", {row, other}},
          {"notes", {"too little data"}},
          {"comparison", nullptr},
          {"methods", {{"interval", "Wilson score"}, {"order", "solved first"}}}};
}

TEST(LeaderboardBlock, ForPeople) {
  const auto text = leaderboard_text(board().dump(), Style{});
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("Rank  Entry"));
  EXPECT_THAT(*text, HasSubstr("30% [11, 60]"));
  EXPECT_THAT(*text, HasSubstr("93.3"));
  EXPECT_THAT(*text, HasSubstr("Note: too little data"));
  EXPECT_THAT(*text, HasSubstr("pass@10 1.00, pass^10 0.00, best@10 59.0 (n = 1 task)\n"));
  EXPECT_THAT(*text, HasSubstr("2 lost to the machine, a provider or a cancel are not counted"));
  EXPECT_THAT(*text, HasSubstr("  3/4  "));
  EXPECT_THAT(*text, HasSubstr("Order: solved first. Success: Wilson score"));
  EXPECT_FALSE(leaderboard_text("[]", Style{}).ok());
  EXPECT_THAT(*leaderboard_text(R"({"rows":[]})", Style{}), HasSubstr("No race matches"));
}

// spec arena-scoring, "Leaderboard Display"; a completion is worth a million, as of an episode.
TEST(LeaderboardBlock, AsTheArenaDisplaysIt) {
  auto table = board();
  table["rows"][0]["solved"] = 4;
  auto never = table["rows"][0];
  never["entry"] = "quick";
  never["solved"] = 0;
  never["best"] = 99;
  table["rows"].push_back(never);
  const auto text = leaderboard_arena(table.dump());
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("        MARIO ARENA LEADERBOARD\n"));
  EXPECT_THAT(*text, HasSubstr("1     codex                    1,000,093      30%         62\n"));
  EXPECT_THAT(*text, HasSubstr("2     quick                           99      30%         62\n"));
  EXPECT_THAT(*text, Not(HasSubstr("cmd"))) << "without a rank";
}

TEST(LeaderboardBlock, AsCsv) {
  const auto csv = leaderboard_csv(board().dump());
  ASSERT_TRUE(csv.ok());
  EXPECT_EQ(*csv,
            "rank,entry,attempts,solved,tasks,best,success_rate,mean,deviation,mean_seconds,cost_usd,"
            "interval_low,interval_high,"
            "strength,tier\r\n"
            "1,codex,10,3,4,93.25,0.3,54.5,2.875,61.5,1.5,0.11,0.6,1042.25,1\r\n"
            ",\"'=cmd,\"\"x\"\"\",1,0,0,,,,,,,,,,\r\n");
}

json attempt(const char* name, bool eligible) {
  return {{"name", name},
          {"entry", "codex"},
          {"agent", "codex"},
          {"model", "o9"},
          {"attempt", 1},
          {"outcome", "completed"},
          {"lost", false},
          {"eligible", eligible},
          {"success", eligible},
          {"changed", true},
          {"rank", 1},
          {"composite", 80.0},
          {"tests_fixed", 1},
          {"tests_broken", 0},
          {"gained_share", 1.0},
          {"lost_share", 0.0},
          {"points", {{"build", 100.0}}},
          {"duration_seconds", 1.5}};
}

json history(const json& attempts) {
  return {{"schema", 1},
          {"next", nullptr},
          {"races",
           {{{"race", "01jx"},
             {"task", "fix <it> & \"more\"\x01"},
             {"kind", "bugfix"},
             {"ended_ms", 1771833600000},
             {"labels", {{"prompt", "v2"}}},
             {"attempts", attempts}}}}};
}

std::string exported(ExportFormat format, const json& attempts) {
  std::optional<std::int64_t> next = 5;
  Exporter exporter(format);
  const auto page = exporter.page(history(attempts).dump(), next);
  EXPECT_TRUE(page.ok());
  EXPECT_EQ(next, std::nullopt);
  return exporter.head() + page.value_or("") + exporter.foot();
}

json reward_of(const json& attempt) {
  return json::parse(exported(ExportFormat::rewards, json::array({attempt})));
}

// docs/suites.md, "Rewards", with the protocol's default weights.
TEST(Export, Rewards) {
  EXPECT_DOUBLE_EQ(reward_of(attempt("a", true))["reward"], 0.5 + 0.1);
  auto breaks = attempt("a", true);
  breaks["lost_share"] = 0.5;
  EXPECT_NEAR(reward_of(breaks)["reward"].get<double>(), 0.5 - 0.35 + 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(reward_of(attempt("a", false))["reward"], -1) << "not eligible is dead, whatever it fixed";
  auto idle = attempt("a", false);
  idle["changed"] = false;
  idle["gained_share"] = 0;
  EXPECT_NEAR(reward_of(idle)["reward"].get<double>(), 0.1 - 0.02, 1e-12);
  auto nothing = attempt("a", true);
  nothing["gained_share"] = 0;
  EXPECT_EQ(reward_of(nothing)["reward"], 0.1) << "exactly the survival reward";
  auto all_lost = nothing;
  all_lost["lost_share"] = 1;
  EXPECT_NEAR(reward_of(all_lost)["reward"].get<double>(), -0.6, 1e-12) << "less than doing nothing";
  auto red = nothing;
  red["gained_share"] = red["lost_share"] = nullptr;
  EXPECT_EQ(reward_of(red)["reward"], -1) << "a red command without a comparison is not alive";
  EXPECT_FALSE(reward_of(attempt("a", true)).contains("violation"));
}

TEST(Export, MalformedEvidenceIsNoRewardAndCritical) {
  for (const auto& [member, value] : {std::pair<const char*, json>{"gained_share", -1},
                                      {"lost_share", "many"},
                                      {"lost_share", 1.5},
                                      {"composite", 101},
                                      {"composite", nullptr},
                                      {"eligible", 1},
                                      {"lost", true}}) {
    auto bad = attempt("a", true);
    bad[member] = value;
    const auto line = reward_of(bad);
    EXPECT_EQ(line["reward"], 0.0) << member;
    EXPECT_EQ(line["violation"], "CRITICAL") << member;
  }
}

TEST(Export, JsonLinesAndCsv) {
  const auto line = json::parse(exported(ExportFormat::jsonl, json::array({attempt("codex#1", true)})));
  EXPECT_EQ(line["race"], "01jx");
  EXPECT_EQ(line["name"], "codex#1");
  EXPECT_EQ(line["labels"]["prompt"], "v2");
  EXPECT_FALSE(line.contains("attempts"));
  const auto csv = exported(ExportFormat::csv, json::array({attempt("codex#1", true)}));
  EXPECT_THAT(csv, HasSubstr("race,kind,root,base,ended_ms,name,entry"));
  EXPECT_THAT(csv, HasSubstr("01jx,bugfix,,,1771833600000,codex#1,codex"));
  EXPECT_THAT(csv, HasSubstr("prompt=v2"));
  const auto rows = lines(csv);
  EXPECT_EQ(std::count(rows[0].begin(), rows[0].end(), ','), std::count(rows[1].begin(), rows[1].end(), ','));
}

TEST(Export, JUnit) {
  auto lost = attempt("c", false);
  lost["lost"] = true;
  const auto xml =
      exported(ExportFormat::junit, json::array({attempt("a", true), attempt("b", false), lost}));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"01jx fix &lt;it&gt; &amp; &quot;more&quot;"));
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"4.500\""));
  auto broke = attempt("d", true);
  broke["success"] = false;
  broke["tests_broken"] = 2;
  broke["points"] = {{"build", 100.0}, {"tests", 50.0}, {"lint", nullptr}, {"speed", 3.0}};
  EXPECT_THAT(exported(ExportFormat::junit, json::array({broke})),
              HasSubstr("type=\"checks\">tests: 50.0 of 100 points, 2 tests broken</failure>"));
  EXPECT_THAT(xml, HasSubstr("timestamp=\"2026-02-23T08:00:00\""));
  EXPECT_THAT(xml, HasSubstr("<testcase name=\"a\" classname=\"hydra.bugfix.01jx\" time=\"1.500\"/>"));
  EXPECT_THAT(xml,
              HasSubstr("<failure message=\"completed, composite 80.00\" type=\"ineligible\"></failure>"));
  EXPECT_THAT(xml, Not(HasSubstr("\x01")));
}

TEST(LeagueFilter, Queries) {
  constexpr std::int64_t kNow = 1'000'000'000'000;
  LeagueFilter filter;
  EXPECT_EQ(*filter_query(filter, kNow), "");
  filter.since = "2d";
  filter.kind = "bugfix";
  filter.labels = {"a=b", "c=d"};
  EXPECT_EQ(*filter_query(filter, kNow), "since_ms=999827200000&kind=bugfix&label=a%3Db%0Ac%3Dd");
  filter = {};
  filter.since = "2026-02-23";
  EXPECT_EQ(*filter_query(filter, kNow), "since_ms=1771804800000");
  for (const char* bad : {"2026-02-30", "yesterday", "-1d"}) {
    filter.since = bad;
    EXPECT_FALSE(filter_query(filter, kNow).ok()) << bad;
  }
  filter = {};
  filter.labels = {"=b"};
  EXPECT_FALSE(filter_query(filter, kNow).ok());
}

}  // namespace
}  // namespace hydra::cli
