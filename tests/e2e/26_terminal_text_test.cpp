// Text of agents, tools and trees on a terminal: whatever it holds, no control character, no escape sequence
// and no mark that turns the direction of text around gets there raw, by any command.
#include "support/world.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

// A title, a cleared screen, C1 controls (U+009B, U+0085), marks and overrides of direction, back space,
// delete, line separators.
const std::string kHostile =
    "a\x1b]0;owned\x07"
    "b\x1b[2Jc\xC2\x9B"
    "31md\xC2\x85"
    "e\xE2\x80\xAE"
    "f\xE2\x81\xA6"
    "g\xE2\x80\x8F"
    "h\xD8\x9C"
    "i\x08j\x7Fk\xE2\x80\xA8"
    "l";
// Hostile characters that XML, JSON strings and command lines may hold.
const std::string kMarks =
    "m\xC2\x9B"
    "31mn\xE2\x80\xAEo\xE2\x81\xA7p\xE2\x80\x8Eq";

/// Returns by name what of `text` a terminal would obey; empty: nothing but colours, the cursor movements of
/// the live table, line ends and tabs.
std::string obeyed(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto at = [&](std::size_t n) {
      return i + n < text.size() ? static_cast<unsigned char>(text[i + n]) : 0U;
    };
    const auto here = "byte " + std::to_string(i) + ": ";
    const auto byte = at(0);
    if (byte == 0x1B) {
      std::size_t end = i + 2;
      while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 ||
                                   text[end] == ';' || text[end] == '?'))
        ++end;
      const char final = end < text.size() ? text[end] : ' ';
      const auto parameters = text.substr(i + 2, end - i - 2);
      const bool own =
          at(1) == '[' && (final == 'm' || final == 'K' || final == 'A' || final == 'B' ||
                           ((final == 'l' || final == 'h') && (parameters == "?25" || parameters == "?7")) ||
                           (final == 'J' && (parameters.empty() || parameters == "0")));
      if (!own) return here + "escape sequence";
      i = end;
    } else if (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') {
      return here + "control character " + std::to_string(byte);
    } else if (byte == 0x7F) {
      return here + "delete";
    } else if (byte == 0xC2 && at(1) < 0xA0) {
      return here + "C1 control";
    } else if (byte == 0xD8 && at(1) == 0x9C) {
      return here + "U+061C";
    } else if (byte == 0xE2 && at(1) == 0x80 &&
               (at(2) == 0x8E || at(2) == 0x8F || (at(2) >= 0xA8 && at(2) <= 0xAE))) {
      return here + "U+20" + std::to_string(at(2));
    } else if (byte == 0xE2 && at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9) {
      return here + "isolate of direction";
    }
  }
  return {};
}

TEST(TerminalText, TheTestKnowsWhatATerminalObeys) {
  EXPECT_EQ(obeyed("\x1b[31mred\x1b[0m\r\n\ttext — ✓\x1b[K\x1b[3A\x1b[?25l"), "");
  for (const char* text :
       {"\x1b]0;x\x07", "\x1b[2J", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xD8\x9C", "\x08", "\x7F",
        "\x1b"
        "c"})
    EXPECT_NE(obeyed(text), "") << text;
}

TEST(TerminalText, NothingHostileGetsThereByAnyCommand) {
  World world;
  world.init();
  world.write("payload", kHostile);
  world.write("junit.xml",
              "<testsuites><testsuite name=\"s\" tests=\"1\" failures=\"1\"><testcase classname=\"" + kMarks +
                  "\" name=\"" + kMarks + "\"><failure message=\"" + kMarks +
                  "\"/></testcase></testsuite></testsuites>");
  world.project(
      "[scoring]\ntest_command = \"cat payload; cp junit.xml $HYDRA_REPORTS/junit.xml; exit 1\"\n"
      "test_reports = [\"{reports}/junit.xml\"]\n"
      "lint_command = \"printf 'src/app.txt:1:1: error: %s [%s]\\\\n' \\\"$(cat payload)\\\" \\\"$(cat "
      "payload)\\\"; exit 1\"\n" +
      script_agent("bad",
                   "cat payload; cat payload >&2; printf x > \"src/$(cat payload)\"; mkdir -p \"tests/$(cat "
                   "payload)\"; "
                   "printf 'import os\\nos._exit(0)\\n' > \"tests/$(cat payload)/test_x.py\"; ln -s /etc "
                   "\"$(cat payload)\"; "
                   "cat payload >> src/app.txt; mkdir -p .github/workflows; echo x > "
                   "\".github/workflows/$(cat payload).yml\"; "
                   "cat payload") +
      script_agent("dies", "cat payload >&2; exit 7"));
  world.write("src/app.txt", "mine\n");
  auto race = world.start_on_terminal(
      {"race", "--plain", "--agents", "bad,dies", "--verify", "fast", kMarks + " task"});
  const auto raced = race->wait(std::chrono::minutes(2));
  EXPECT_EQ(obeyed(raced.out), "") << "race";
  const auto results = world.results();
  const std::string id = results["race"];
  // The results hold all of it, so the test means something.
  const auto bad = agent_of(results, "bad");
  EXPECT_THAT(bad.dump(), HasSubstr("\xE2\x80\xAE"));
  EXPECT_FALSE(bad["flags"].empty()) << bad.dump(1);
  const Words commands[] = {{"status"},
                            {"status", "--json"},
                            {"results"},
                            {"results", "--json"},
                            {"explain", "bad"},
                            {"explain", "bad", "--json"},
                            {"explain", "dies"},
                            {"logs"},
                            {"logs", "bad"},
                            {"logs", "bad", "--stderr"},
                            {"logs", "bad", "--kind", "tests"},
                            {"logs", "bad", "--kind", "lint"},
                            {"logs", "bad", "--raw"},
                            {"diff", "bad"},
                            {"watch", "--plain", id},
                            {"watch", id, "--json"},
                            {"list"},
                            {"list", "--json"},
                            {"agents"},
                            {"merge", "bad", "--dry-run"},
                            {"merge", "bad", "--yes"},
                            {"merge", "bad", "--parts", kMarks},
                            {"merge", "bad:" + kMarks, "dies:" + kMarks},
                            {"merge", kMarks},
                            {"rescore"},
                            {"verify", kMarks},
                            {"clean", "--dry-run"},
                            {"restore", kMarks},
                            {"explain", kMarks},
                            {"logs", kMarks},
                            {"diff", kMarks},
                            {"status", kMarks},
                            {"retry", kMarks},
                            {"cancel", kMarks},
                            {"check", "--base", kMarks},
                            {kMarks}};
  world.set_environment("GIT_PAGER", "cat");  // a pager moves the cursor itself
  for (const auto& words : commands) {
    auto process = world.start_on_terminal(words);
    process->type("n\n");  // whatever is asked
    const auto run = process->wait(std::chrono::minutes(1));
    std::string line;
    for (const auto& word : words) line += word + " ";
    // The terminal's echo of the keys is not Hydra's; the line that was typed holds nothing hostile.
    EXPECT_EQ(obeyed(run.out), "") << line << "\n"
                                   << Json(run.out).dump(-1, ' ', true, Json::error_handler_t::replace);
  }
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
