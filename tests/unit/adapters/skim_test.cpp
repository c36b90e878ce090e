// JSON in pieces: what is found, what is refused, and that nothing of a line is held.
#include "adapters/adapters.hpp"
#include "adapters/json_rules.hpp"
#include "adapters/json_skim.hpp"
#include "config/config.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <sys/resource.h>

namespace {

using namespace hydra;
using adapters::Found;

struct Read {
  bool complete = false;
  std::map<std::string, Found> values;
};

Read skim(const std::string& text, const std::vector<std::string>& pointers, std::size_t piece = 1) {
  adapters::Interest interest;
  std::vector<adapters::Interest::Slot> slots;
  for (const auto& p : pointers) slots.push_back(interest.add(p));
  adapters::JsonSkimmer skimmer(interest);
  skimmer.begin();
  for (std::size_t at = 0; at < text.size(); at += piece)
    skimmer.feed(std::string_view(text).substr(at, piece));
  Read read;
  read.complete = skimmer.complete();
  for (std::size_t i = 0; i < pointers.size(); ++i) read.values[pointers[i]] = skimmer.values()[slots[i]];
  return read;
}

TEST(Skim, ScalarsByPointer) {
  const auto r =
      skim(R"({"a":{"b":[1,"x\n\u00e9\ud83d\ude00",true]},"c":null,"d/e":-1.5e2,"f":{},"g":[[],{}]})",
           {"/a/b/0", "/a/b/1", "/a/b/2", "/c", "/d~1e", "/a", "/g", "/nothing", "/a/b/-1"});
  ASSERT_TRUE(r.complete);
  EXPECT_EQ(r.values.at("/a/b/0").number, 1);
  EXPECT_EQ(r.values.at("/a/b/1").text, "x\n\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_TRUE(r.values.at("/a/b/2").truth);
  EXPECT_TRUE(r.values.at("/a/b/-1").truth);
  EXPECT_EQ(r.values.at("/c").kind, Found::Kind::null);
  EXPECT_EQ(r.values.at("/d~1e").number, -150);
  EXPECT_EQ(r.values.at("/a").kind, Found::Kind::object);
  EXPECT_EQ(r.values.at("/g").size, 2u);
  EXPECT_EQ(r.values.at("/nothing").kind, Found::Kind::none);
}

TEST(Skim, StarsAddUpAndTheLastElementWins) {
  const auto r = skim(R"({"m":{"x":{"n":3},"y":{"n":4,"o":1}},"l":[{"s":"a","t":"only here"},{"s":"b"}]})",
                      {"/m/*/n", "/l/-1/s", "/l/-1/t"});
  EXPECT_EQ(r.values.at("/m/*/n").number, 7);
  EXPECT_EQ(r.values.at("/l/-1/s").text, "b");
  EXPECT_EQ(r.values.at("/l/-1/t").kind, Found::Kind::none) << "from an element that is not the last";
}

TEST(Skim, ARepeatedKeyReplaces) {
  const auto r = skim(R"({"a":{"b":1},"a":{"c":2}})", {"/a/b", "/a/c"});
  EXPECT_EQ(r.values.at("/a/b").kind, Found::Kind::none);
  EXPECT_EQ(r.values.at("/a/c").number, 2);
}

TEST(Skim, WhatIsNoObjectIsRefused) {
  for (const auto* text : {"",
                           "[1]",
                           "1",
                           "{",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{\"a\":1}}",
                           "{\"a\":1} x",
                           "{a:1}",
                           "{\"a\":tru}",
                           "{\"a\":[1}",
                           "{\"a\":\"\x01\"}",
                           "{\"a\":\"\\x\"}",
                           "{\"a\":+1}",
                           "{\"a\":-}",
                           "{\"a\":1.}",
                           "{\"a\":\"b}",
                           "{\"a\":\"\\u12g4\"}",
                           "{,}",
                           "{\"a\":1 2}"})
    EXPECT_FALSE(skim(text, {"/a"}).complete) << text;
  EXPECT_TRUE(skim(" {} ", {"/a"}).complete);
}

// The library that the project uses elsewhere says what is JSON and what stands where.
TEST(Skim, AgreesWithTheJsonLibrary) {
  std::mt19937 random(7);
  const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  const std::string alphabet = "{}[]\":,\\ue1-.0antrflsx ";
  int good = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = R"({"a":{"b":[1,{"c":"x\u0041"},null]},"d":-2.5})";
    for (int i = pick(4); i > 0; --i) {
      const auto at = static_cast<std::size_t>(pick(static_cast<int>(text.size())));
      text[at] = alphabet[static_cast<std::size_t>(pick(static_cast<int>(alphabet.size())))];
    }
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto r = skim(text, {"/a/b/1/c", "/d"}, 1 + static_cast<std::size_t>(pick(9)));
    // Lenient in one thing: a number like 01 is read as 1.
    if (!json.is_discarded() && json.is_object()) {
      ++good;
      ASSERT_TRUE(r.complete) << text;
      const auto at = nlohmann::json::json_pointer("/a/b/1/c");
      if (json.contains(at) && json[at].is_string()) {
        EXPECT_EQ(r.values.at("/a/b/1/c").text, json[at].get<std::string>()) << text;
      }
      if (json.contains("d") && json["d"].is_number()) {
        EXPECT_EQ(r.values.at("/d").number, json["d"].get<double>()) << text;
      }
    }
  }
  EXPECT_GT(good, 3000);
}

model::AgentDescriptor skim_stream(const std::string& rules) {
  const auto loaded =
      config::load({{"hydra.toml", "[agents.mine]\ncommand = [\"a\"]\n[agents.mine.stream]\n" + rules}}, {});
  for (const auto& e : loaded.errors) ADD_FAILURE() << describe(e);
  return loaded.config.agents.at("mine");
}

constexpr const char* kSkimRules =
    "format = \"jsonl\"\nterminal_when = { type = \"end\" }\nterminal_text = \"/text\"\n"
    "usage = { mode = \"last\", when = { type = \"end\" }, input = \"/n\" }\n";

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(Skim, AnEndInsideALineOf30MegabytesIsRead) {
  adapters::StreamReader reader(skim_stream(kSkimRules));
  const auto before = peak_kib();
  const std::string piece(1u << 20, 'x');
  reader.feed("{\"type\":\"end\",\"junk\":[\"");
  for (int i = 0; i < 30; ++i) reader.feed(piece);
  reader.feed("\"],\"text\":\"done\",\"n\":5}\n");
  reader.finish();
  EXPECT_TRUE(reader.summary().terminal);
  EXPECT_EQ(reader.summary().final_text, "done");
  EXPECT_EQ(reader.summary().usage.input, 5);
  EXPECT_LT(peak_kib() - before, 8 << 10);
}

TEST(Skim, ALineOf200MegabytesIsNotHeld) {
  for (const auto* format : {"jsonl", "json_last", "json_whole", "text"}) {
    adapters::StreamReader reader(
        skim_stream(std::string("format = \"") + format + "\"\nterminal_when = { type = \"end\" }\n"));
    const std::string piece(1u << 20, 'x');
    const auto before = peak_kib();
    reader.feed("{\"type\":\"call\",\"text\":\"");
    for (int i = 0; i < 200; ++i) reader.feed(piece);
    reader.feed("\"}\n{\"type\":\"end\"}\n");
    reader.finish();
    EXPECT_LT(peak_kib() - before, 8 << 10) << format;
    if (std::string(format) != "text") {
      EXPECT_TRUE(reader.summary().terminal) << format;
      EXPECT_EQ(reader.summary().log_lines, 1) << format;
    }
  }
}

TEST(Skim, AWantedTextKeepsItsBeginAndItsEnd) {
  adapters::StreamReader reader(skim_stream(kSkimRules));
  reader.feed("{\"type\":\"end\",\"text\":\"API Error" + std::string(100'000, 'x') + "the end\"}\n");
  EXPECT_TRUE(reader.summary().final_text.ends_with("the end"));
  EXPECT_EQ(reader.summary().final_text.size(), 4096u);
  EXPECT_TRUE(reader.summary().final_head.starts_with("API Error"));
}

}  // namespace
