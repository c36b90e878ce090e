// The full-screen view without a terminal: keys and answers to a state, a state to a picture.
#include "cli/tui/model.hpp"
#include "cli/tui/pages.hpp"
#include "cli/tui/view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hydra::cli::tui {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const json kRunning{{"race", "01jx4kabcd"},
                    {"task", "implement JWT auth"},
                    {"state", "running"},
                    {"elapsed_ms", 60'000},
                    {"agents",
                     {{{"agent", "codex"},
                       {"display", "Codex CLI"},
                       {"state", "running"},
                       {"elapsed_ms", 59'000},
                       {"tool", "shell"},
                       {"last_line", "npm test"},
                       {"growth", {{0, 0, 0}, {1, 10, 2}, {2, 40, 8}}},
                       {"diff", {{"lines_added", 40}, {"lines_removed", 8}, {"files_changed", 2}}},
                       {"tokens", {{"input", 12'000}, {"output", 300}}},
                       {"cost_usd", 0.25}},
                      {{"agent", "claude"},
                       {"state", "checking"},
                       {"outcome", "completed"},
                       {"elapsed_ms", 30'000},
                       {"checks", {{"build", "passed"}, {"tests", "failed"}, {"lint", "running"}}}}}}};

Model model_of(std::size_t columns, std::size_t rows = 24, const json& status = kRunning) {
  Model model;
  model.race = "01jx4kabcd";
  model.style.colour = true;
  resize(model, {rows, columns});
  take_status(model, *wire::from_json<wire::Status>(status.dump()), 1000);
  return model;
}

std::vector<std::string> shown(const Model& model, std::int64_t now_ms = 1000) {
  std::vector<std::string> out;
  for (const auto& row : view(model, now_ms).rows) {
    EXPECT_LE(width_of(row), model.size.columns);
    auto text = text_of(row);
    text.resize(text.find_last_not_of(' ') + 1);
    out.push_back(text);
  }
  EXPECT_EQ(out.size(), model.size.rows);
  return out;
}

std::string all_of(const Model& model) {
  std::string out;
  for (const auto& line : shown(model)) out += line + "\n";
  return out;
}

Answer body(const json& value) {
  return {.body = value.is_string() ? value.get<std::string>() : value.dump()};
}

TEST(FullScreenPicture, KnowsOurColoursAndDropsEverythingElse) {
  const auto row = cells_of("\x1b[31mred\x1b[0m a\x1b]0;t\x07\x08\xE2\x80\xAE\xC2\x9Bz\xFF\tb");
  EXPECT_EQ(text_of(row), "red a]0;tz  b");  // a tab goes to the next fourth column
  EXPECT_EQ(row[0].look.paint, Paint::red);
  EXPECT_EQ(row[4].look.paint, Paint::plain);
}

TEST(FullScreenPicture, CutsWideCharactersToBlanks) {
  const auto row = cells_of("a\xE6\x97\xA5\xE6\x9C\xAC");  // one column, two, two
  EXPECT_EQ(width_of(row), 5U);
  EXPECT_EQ(text_of(crop(row, 0, 2)), "a ");
  EXPECT_EQ(text_of(crop(row, 2, 3)), " \xE6\x9C\xAC");
  auto found = cells_of("one Two");
  highlight(found, "tWO");
  EXPECT_FALSE(found[3].look.reverse);
  EXPECT_TRUE(found[4].look.reverse && found[6].look.reverse);
}

TEST(FullScreenView, TheTableFitsEveryWidth) {
  for (const std::size_t columns : {40U, 80U, 200U}) {
    const auto all = all_of(model_of(columns));
    EXPECT_THAT(all, HasSubstr("codex")) << columns;
    EXPECT_THAT(all, HasSubstr("✓✗…")) << columns;
    EXPECT_THAT(all, HasSubstr(" q  quit")) << columns;
  }
  const auto narrow = all_of(model_of(40)), wide = all_of(model_of(200));
  EXPECT_THAT(narrow, Not(HasSubstr("TOKENS")));
  for (const char* word : {"+40 -8", "12.3k", "$0.25", "▁▂█", "[shell] npm test", "implement JWT auth", "1m"})
    EXPECT_THAT(wide, HasSubstr(word));
}

TEST(FullScreenView, WithoutUtf8EverythingIsAscii) {
  auto model = model_of(120);
  model.style.utf8 = false;
  model.status.agents[0].last_line =
      "gr\xC3\xB6\xC3\x9F"
      "er";
  for (const char byte : all_of(model)) ASSERT_GE(byte, 0);
  EXPECT_THAT(all_of(model), HasSubstr("+x~"));
}

TEST(FullScreenView, ClocksOfRunningAgentsMoveOn) {
  auto model = model_of(80);
  const auto later = shown(model, 1000 + 61'000);
  EXPECT_THAT(later[4], HasSubstr("2m"));
  EXPECT_THAT(later[5], HasSubstr("30"));
}

TEST(FullScreenView, MoreAgentsThanRowsKeepTheChosenOneInSight) {
  auto status = kRunning;
  for (int i = 0; i < 40; ++i)
    status["agents"].push_back({{"agent", "agent-" + std::to_string(i)}, {"state", "queued"}});
  for (const std::size_t rows : {5U, 12U, 24U}) {
    auto model = model_of(80, rows, status);
    press(model, "G");
    EXPECT_THAT(all_of(model), HasSubstr("> agent-39")) << rows;
    press(model, "g");
    EXPECT_THAT(all_of(model), HasSubstr("> codex")) << rows;
  }
}

TEST(FullScreenView, SparklineIsHighWhereItGrew) {
  EXPECT_EQ(sparkline({0, 5, 10}, 10, false), "_=@");
  EXPECT_EQ(sparkline({1, 2, 3, 4, 5, 6, 7, 8}, 2, false).size(), 2U);
  EXPECT_EQ(sparkline({}, 10, true), "");
  EXPECT_EQ(sparkline({0, 0}, 10, false), "__");
}

TEST(FullScreenModel, EstimatesOutOfEarlierRaces) {
  json history{{"races", json::array()}};
  for (const int seconds : {100, 300, 200})
    history["races"].push_back(
        {{"state", "done"}, {"created_ms", 1000}, {"ended_ms", 1000 + seconds * 1000}});
  history["races"].push_back({{"state", "cancelled"}, {"created_ms", 0}, {"ended_ms", 1}});
  EXPECT_EQ(usual_time(history.dump()), (std::pair<std::int64_t, std::size_t>(200'000, 3)));
  EXPECT_EQ(usual_time(history.dump(), 1).first, 200'000);  // the newest only
  EXPECT_EQ(usual_time("no JSON").second, 0U);

  auto model = model_of(80);
  EXPECT_EQ(progress_line(model, 1000), "1 running, 1 in checks");
  model.usual_ms = 120'000;
  model.usual_of = 3;
  EXPECT_THAT(progress_line(model, 1000), HasSubstr("] 50 %, about 1m"));
  EXPECT_THAT(progress_line(model, 900'000), HasSubstr("] 99 %, longer than usual (3 earlier)"));
  model.status.state = model::RacePhase::done;
  model.status.verdict = "codex wins with 12 lines.";
  EXPECT_EQ(progress_line(model, 1000), "codex wins with 12 lines.");
}

TEST(FullScreenModel, GrowthStaysWhenNobodyTellsItAnyMore) {
  auto model = model_of(80);
  auto status = kRunning;
  status["agents"][0].erase("growth");
  take_status(model, *wire::from_json<wire::Status>(status.dump()), 2000);
  EXPECT_THAT(model.status.agents[0].growth,
              ElementsAre(ElementsAre(0, 0, 0), ElementsAre(1, 10, 2), ElementsAre(2, 40, 8)));
}

TEST(FullScreenModel, KeysAskForPages) {
  auto model = model_of(80);
  const std::vector<std::tuple<std::string, Page, Want>> keys{
      {"l", Page::log, Want::log},         {"enter", Page::log, Want::log},
      {"d", Page::diff, Want::diff},       {"t", Page::tests, Want::tests},
      {"e", Page::explain, Want::explain}, {"m", Page::merge, Want::merge_preview}};
  press(model, "down");
  for (const auto& [key, page, want] : keys) {
    const auto requests = press(model, key);
    ASSERT_THAT(requests, SizeIs(1)) << key;
    EXPECT_EQ(requests[0].want, want) << key;
    EXPECT_EQ(requests[0].agent, "claude") << key;
    EXPECT_EQ(model.page, page) << key;
    EXPECT_THAT(press(model, "q"), IsEmpty());
    EXPECT_EQ(model.page, Page::race);
  }
  EXPECT_FALSE(model.quit);
  press(model, "q");
  EXPECT_TRUE(model.quit);
}

TEST(FullScreenModel, AClickChoosesAnAgentAndASecondOpensItsLog) {
  auto status = kRunning;
  for (int i = 0; i < 40; ++i)
    status["agents"].push_back({{"agent", "agent-" + std::to_string(i)}, {"state", "queued"}});
  for (const std::size_t rows : {5U, 10U, 24U, 60U}) {
    auto model = model_of(80, rows, status);
    press(model, "G");
    std::vector<std::string> here, there;  // who has a row, by the picture and by the clicks
    for (std::size_t y = 0; y < rows; ++y) {
      const auto line = shown(model)[y];
      const auto name = line.substr(std::min<std::size_t>(line.size(), 2), line.find(' ', 2) - 2);
      if ((line.starts_with("  ") || line.starts_with("> ")) && find_agent(model, name) != nullptr)
        here.push_back(std::to_string(y) + name);
      if (const auto agent = agent_at(model, y))
        there.push_back(std::to_string(y) + model.status.agents[*agent].agent);
    }
    EXPECT_EQ(here, there) << rows;
    EXPECT_FALSE(here.empty()) << rows;
  }
  auto model = model_of(80);
  for (const char* beside : {"click 0", "click 3", "click 6", "click 23", "click 999", "click -1"}) {
    EXPECT_THAT(press(model, beside), IsEmpty());
    EXPECT_EQ(model.row, 0U) << beside;
  }
  EXPECT_THAT(press(model, "click 5"), IsEmpty());
  EXPECT_EQ(model.row, 1U);
  const auto opened = press(model, "click 5");
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_EQ(opened[0].want, Want::log);
  EXPECT_EQ(opened[0].agent, "claude");
  EXPECT_THAT(press(model, "click 5"), IsEmpty());  // on a page of text it does nothing
  press(model, "q");
  press(model, "x");
  EXPECT_THAT(press(model, "click 4"), IsEmpty());
  EXPECT_TRUE(model.ask) << "a click answers no question";
}

TEST(FullScreenModel, ALogGrowsAndIsFollowedUntilSomebodyScrolls) {
  auto model = model_of(40, 10);
  const auto first = press(model, "l");
  EXPECT_THAT(wanted_now(model), IsEmpty());  // the first answer is still to come
  std::string text;
  for (int i = 1; i <= 50; ++i) text += "line " + std::to_string(i) + "\n";
  take_answer(model, first[0], Answer{text + "half", 700, false});
  EXPECT_THAT(all_of(model), HasSubstr("line 50"));
  const auto more = wanted_now(model);
  ASSERT_THAT(more, SizeIs(1));
  EXPECT_EQ(more[0].offset, 700);
  take_answer(model, more[0], Answer{" a line\n", 710, false});
  EXPECT_THAT(all_of(model), HasSubstr("half a line"));
  press(model, "g");
  take_answer(model, more[0], Answer{"another\n", 720, true});
  EXPECT_THAT(all_of(model), HasSubstr("line 1\n"));
  EXPECT_THAT(all_of(model), HasSubstr("lines 1-7 of 52"));
  press(model, "G");
  EXPECT_THAT(all_of(model), HasSubstr("another"));
  take_answer(model, more[0], Answer{"", 720, true});
  EXPECT_THAT(wanted_now(model), IsEmpty());
}

TEST(FullScreenModel, SearchGoesRoundAndSaysWhatIsNotThere) {
  auto model = model_of(80, 10);
  const auto open = press(model, "d");
  std::string diff = "diff --git a/x b/x\n@@ -1 +1 @@\n";
  for (int i = 1; i <= 40; ++i) diff += "+row " + std::to_string(i) + "\n";
  take_answer(model, open[0], body(diff));
  const auto type = [&](const std::string& word) {
    press(model, "/");
    for (const char c : word) press(model, std::string(1, c));
    press(model, "enter");
  };
  type("ROW 20");
  EXPECT_EQ(model.text.top, 21U);
  type("row 4");
  EXPECT_THAT(all_of(model), HasSubstr("row 40"));
  press(model, "n");
  EXPECT_THAT(all_of(model), HasSubstr("row 4\n"));
  press(model, "N");
  EXPECT_THAT(all_of(model), HasSubstr("row 40"));
  type("nowhere");
  EXPECT_EQ(model.note, "Not found: nowhere");
  press(model, "/");
  press(model, "a");
  press(model, "backspace");
  press(model, "esc");
  EXPECT_FALSE(model.ask);
}

TEST(FullScreenModel, NothingHappensWithoutAYes) {
  auto model = model_of(80);
  press(model, "x");
  EXPECT_THAT(all_of(model), HasSubstr("Stop codex? [y/N]"));
  EXPECT_THAT(press(model, "enter"), IsEmpty());
  EXPECT_FALSE(model.ask);
  press(model, "X");
  const auto all = press(model, "y");
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].want, Want::cancel);
  EXPECT_EQ(all[0].agent, "");
  press(model, "R");
  for (const char* key : {"g", "\xC3\xB6", "backspace", "o"}) press(model, key);
  const auto again = press(model, "enter");
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].message, "go");
}

TEST(FullScreenModel, AMergeNamesThePreviewAndWhatWasAllowed) {
  auto model = model_of(80);
  const auto preview = press(model, "m");
  json answer{{"race", "01jx4kabcd"},
              {"agent", "codex"},
              {"ref", "refs/heads/main"},
              {"preview", "p1"},
              {"diff", {{"lines_added", 3}, {"lines_removed", 1}, {"files_changed", 1}}},
              {"consent", {{{"kind", "ci"}, {"paths", {".github/workflows/ci.yml"}}}}}};
  take_answer(model, preview[0], body(answer));
  EXPECT_THAT(all_of(model), HasSubstr("Merge codex into main and allow ci? [y/N]"));
  EXPECT_THAT(all_of(model), HasSubstr(".github/workflows/ci.yml"));
  const auto merge = press(model, "y");
  ASSERT_THAT(merge, SizeIs(1));
  EXPECT_EQ(merge[0].want, Want::merge);
  EXPECT_EQ(merge[0].other, "p1");
  EXPECT_EQ(merge[0].message, "refs/heads/main");
  EXPECT_THAT(merge[0].allow, ElementsAre("ci"));

  for (const char* what : {"conflicts", "overlap", "changed"}) {
    auto refused = answer;
    refused[what] = {"src/a.c"};
    take_answer(model, press(model, "m")[0], body(refused));
    EXPECT_FALSE(model.ask) << what;
    EXPECT_THAT(all_of(model), HasSubstr("would be refused")) << what;
    press(model, "q");
  }
}

TEST(FullScreenModel, ComparesWithTheMarkedOne) {
  auto model = model_of(80);
  press(model, " ");
  press(model, "down");
  const auto requests = press(model, "c");
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(requests[0].agent, "codex");
  EXPECT_EQ(requests[0].other, "claude");
  take_answer(model, requests[0], body("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n"));
  const auto all = all_of(model);
  EXPECT_THAT(all, HasSubstr("$0.25"));
  EXPECT_THAT(all, HasSubstr("│ new"));
}

TEST(FullScreenModel, ADiffHasTheColoursOfItsLanguage) {
  auto model = model_of(80);
  const auto asked = press(model, "d");
  take_answer(
      model, asked[0],
      body("diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n return 'x'  # one\n-gone = 7\n"
           "+come = 7\n"));
  const auto& lines = model.text.lines;
  const auto paint = [&](std::size_t line, std::size_t column) {
    return cells_of(lines[line])[column].look.paint;
  };
  EXPECT_EQ(paint(0, 0), Paint::bold);
  EXPECT_EQ(paint(3, 0), Paint::cyan);
  EXPECT_EQ(paint(4, 1), Paint::bold);    // return
  EXPECT_EQ(paint(4, 8), Paint::yellow);  // 'x'
  EXPECT_EQ(paint(4, 13), Paint::dim);    // # one
  EXPECT_EQ(paint(5, 8), Paint::red);     // what goes is red as a whole
  EXPECT_EQ(paint(6, 0), Paint::green);
  EXPECT_EQ(paint(6, 2), Paint::green);
  EXPECT_EQ(paint(6, 8), Paint::cyan);  // 7
  EXPECT_EQ(text_of(lines[4]), " return 'x'  # one");
}

TEST(FullScreenModel, TestsAreALetterAnAgent) {
  auto model = model_of(40);
  take_answer(model, press(model, "t")[0],
              body(json{{"columns", {"@baseline", "codex", "claude"}},
                        {"rows", {{{"name", "a b"}, {"cells", "fpf"}, {"class", "fixed"}}}},
                        {"next", nullptr}}));
  const auto all = all_of(model);
  EXPECT_THAT(all, HasSubstr("B12  TEST"));
  EXPECT_THAT(all, HasSubstr("fpf  a b (fixed)"));
}

TEST(FullScreenModel, ARefusalIsANoteOnTheTable) {
  auto model = model_of(80);
  take_answer(model, press(model, "d")[0],
              Error{Errc::conflict, "nothing is captured\x1b]0;x\x07", {}, "wait"});
  EXPECT_EQ(model.page, Page::race);
  EXPECT_THAT(all_of(model), HasSubstr("nothing is captured"));
  EXPECT_THAT(all_of(model), Not(HasSubstr("\x1b")));
  press(model, "j");
  EXPECT_THAT(all_of(model), Not(HasSubstr("nothing is captured")));
}

TEST(FullScreenModel, HelpNamesEveryKeyAndLeadsBack) {
  auto model = model_of(80, 40);
  press(model, "d");
  press(model, "?");
  for (const auto& key : keys_of(Page::race)) EXPECT_THAT(all_of(model), HasSubstr(key.what));
  const auto back = press(model, "q");
  ASSERT_THAT(back, SizeIs(1));
  EXPECT_EQ(back[0].want, Want::diff);
  EXPECT_EQ(model.page, Page::diff);
}

TEST(FullScreenModel, PagesAreLaidOutAnewForAnotherSize) {
  auto model = model_of(200);
  take_answer(model, press(model, "c")[0], body("diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new\n"));
  for (const std::size_t columns : {40U, 80U, 300U, 41U}) {
    resize(model, {24, columns});
    EXPECT_THAT(all_of(model), HasSubstr("│ new")) << columns;
  }
}

constexpr const char* kTwoFiles =
    "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -3,3 +3,3 @@ f\n one\n-two\n+zwei\n three\n"
    "diff --git a/b.c b/b.c\nnew file mode 100644\n--- /dev/null\n+++ b/b.c\n@@ -0,0 +1 @@\n+--- x\n";

// The first line in view that the result has is offered, and a retry takes all comments along.
TEST(FullScreen, CommentsOnLinesAreSentWithARetry) {
  auto model = model_of(100, 6);
  const auto asked = press(model, "d");
  take_answer(model, asked[0], Answer{.body = kTwoFiles});
  const auto offered = [&](std::size_t top) {
    model.text.top = top;
    press(model, "c");
    return model.ask ? model.ask->text : "";
  };
  for (const auto& [top, text] : {std::pair{0, "a.c:3: "}, {5, "a.c:4: "}, {7, "a.c:5: "}, {8, "b.c:1: "}}) {
    EXPECT_EQ(offered(static_cast<std::size_t>(top)), text) << top;
    press(model, "esc");
  }
  EXPECT_EQ(offered(5), "a.c:4: ");
  for (const char* key : {"w", "h", "y", "?"}) press(model, key);
  EXPECT_THAT(press(model, "enter"), IsEmpty());
  EXPECT_THAT(model.note, HasSubstr("1 comment for codex"));
  EXPECT_EQ(offered(0), "a.c:3: ");
  press(model, "enter");
  EXPECT_EQ(model.note, "A comment has words.");
  press(model, "q");
  press(model, "R");
  EXPECT_THAT(model.ask->question, HasSubstr("Run codex again with 1 comment."));
  const auto retry = press(model, "enter");
  ASSERT_THAT(retry, SizeIs(1));
  ASSERT_THAT(retry[0].review, SizeIs(1));
  EXPECT_EQ(retry[0].review[0].path, "a.c");
  EXPECT_EQ(retry[0].review[0].line, 4);
  EXPECT_EQ(retry[0].review[0].text, "why?");
  take_answer(model, retry[0], Answer{});
  press(model, "R");
  EXPECT_THAT(model.ask->question, HasSubstr("Run codex again. "));
}

}  // namespace
}  // namespace hydra::cli::tui
