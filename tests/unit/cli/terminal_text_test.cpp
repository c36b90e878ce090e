#include "cli/render/terminal_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace {

using hydra::cli::for_terminal;

TEST(ForTerminal, Table) {
  const struct {
    const char* text;
    const char* shown;
  } rows[] = {{"plain — text ✓ 漢字 🙂\n\t\x1b[31mred\x1b[0m",
               "plain — text ✓ 漢字 🙂\n\t\x1b[31mred\x1b[0m"},
              {"a\xC2\x9B"
               "31m",
               "a\\u009b31m"},
              {"\x7F", "\\u007f"},
              {"\xE2\x80\xAE", "\\u202e"},
              {"\xE2\x81\xA6", "\\u2066"},
              {"\xD8\x9C", "\\u061c"},
              {"\xEF\xBB\xBF", "\\ufeff"},
              {"\xF3\xA0\x80\x81", "\\udb40\\udc01"},
              {"\x9B", "\\u009b"},                  // as 8-bit terminals take it
              {"\xE2\x80", "\xEF\xBF\xBD\\u0080"},  // cut off
              {"\xC0\x9B", "\xEF\xBF\xBD\\u009b"},  // overlong: two bytes to an 8-bit terminal
              {"", ""}};
  for (const auto& row : rows) EXPECT_EQ(for_terminal(row.text), row.shown);
}

TEST(ForTerminal, JsonKeepsItsStrings) {
  const std::string text = "{\"a\":\"x\xE2\x80\xAEy\xC2\x9Bz\xF3\xA0\x80\x81\"}";
  EXPECT_EQ(nlohmann::json::parse(for_terminal(text)), nlohmann::json::parse(text));
}

}  // namespace
