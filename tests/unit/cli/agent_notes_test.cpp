// The words for each state of an agent.
#include "cli/render/agent_notes.hpp"

#include "adapters/adapters.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

wire::AgentInfo installed() {
  wire::AgentInfo a;
  a.id = "claude";
  a.installed = true;
  a.path = "/bin/claude";
  a.version = "2.1.197";
  a.signed_in = wire::SignedIn::yes;
  a.sign_in_detail = "ANTHROPIC_API_KEY is set";
  return a;
}

const model::AgentDescriptor& claude() { return adapters::builtin().at("claude"); }

TEST(AgentNotes, Ready) {
  const auto check = cli::agent_check(installed(), &claude());
  EXPECT_EQ(check.name, "agent claude");
  EXPECT_EQ(check.status, wire::DoctorStatus::ok);
  EXPECT_EQ(check.detail, "2.1.197, signed in (ANTHROPIC_API_KEY is set)");
}

TEST(AgentNotes, NotSignedIn) {
  auto a = installed();
  a.signed_in = wire::SignedIn::no;
  const auto check = cli::agent_check(a, &claude());
  EXPECT_EQ(check.status, wire::DoctorStatus::warn);
  EXPECT_NE(check.remedy.find("ANTHROPIC_API_KEY"), std::string::npos);
  EXPECT_EQ(cli::agent_notes(a, &claude()).front(), claude().sign_in_hint);
}

TEST(AgentNotes, AVersionThatNobodyTriedIsWarnedAbout) {
  auto a = installed();
  a.version = "9.0.0";
  EXPECT_EQ(cli::agent_check(a, &claude()).status, wire::DoctorStatus::warn);
  EXPECT_NE(cli::agent_check(a, &claude()).detail.find("newer than"), std::string::npos);
  EXPECT_FALSE(cli::agent_check(a, &claude()).remedy.empty());
  EXPECT_NE(cli::agent_notes(a, &claude()).front().find("newer than"), std::string::npos);
}

TEST(AgentNotes, MissingOrBroken) {
  wire::AgentInfo a;
  a.id = "mine";
  a.hint = "make install";
  EXPECT_EQ(cli::agent_check(a, nullptr).remedy, "install it: make install");
  EXPECT_TRUE(cli::agent_notes(a, nullptr).empty());
  auto broken = installed();
  broken.problem = "its version can't be read";
  EXPECT_EQ(cli::agent_check(broken, &claude()).status, wire::DoctorStatus::warn);
  EXPECT_NE(cli::agent_check(broken, &claude()).remedy.find("/bin/claude"), std::string::npos);
}

TEST(AgentNotes, TooOldIsToldWithItsRemedyAlsoWithoutASignIn) {
  const auto& copilot = adapters::builtin().at("copilot");
  for (const auto signed_in : {wire::SignedIn::yes, wire::SignedIn::no, wire::SignedIn::unknown}) {
    auto a = installed();
    a.version = "0.0.9";
    a.signed_in = signed_in;
    const auto check = cli::agent_check(a, &copilot);
    EXPECT_EQ(check.status, wire::DoctorStatus::warn);
    EXPECT_NE(check.detail.find("older than " + copilot.version_min), std::string::npos) << check.detail;
    EXPECT_EQ(check.detail.find("update it"), std::string::npos) << check.detail;
    EXPECT_NE(check.remedy.find("update it"), std::string::npos) << check.remedy;
    EXPECT_FALSE(cli::can_race(a, &copilot));
  }
}

TEST(AgentNotes, WhoCanRace) {
  auto a = installed();
  EXPECT_TRUE(cli::can_race(a, &claude()));
  a.signed_in = wire::SignedIn::unknown;
  EXPECT_TRUE(cli::can_race(a, nullptr));
  a.signed_in = wire::SignedIn::no;
  EXPECT_FALSE(cli::can_race(a, &claude()));
  a = installed();
  a.problem = "its interpreter is missing: 'node' is not in PATH";
  EXPECT_FALSE(cli::can_race(a, &claude()));
  EXPECT_NE(cli::agent_check(a, &claude()).remedy.find("interpreter"), std::string::npos);
  a.installed = false;
  EXPECT_FALSE(cli::can_race(a, &claude()));
}

TEST(AgentNotes, SomethingThatCannotBeRunIsNotMerelyAbsent) {
  wire::AgentInfo a;
  a.hint = "npm install";
  a.problem = "'claude' is not in PATH";
  EXPECT_TRUE(cli::merely_absent(a));
  a.problem = "'/usr/bin/claude' is a directory, not a program";
  EXPECT_FALSE(cli::merely_absent(a));
  EXPECT_EQ(cli::agent_check(a, &claude()).detail, a.problem);
}

TEST(AgentNotes, WhoIsLeftOutOfADefaultRaceAndWhy) {
  auto a = installed();
  EXPECT_EQ(cli::left_out_because(a, &claude()), std::nullopt);
  a.signed_in = wire::SignedIn::no;
  a.sign_in_detail = "~/.claude/x holds no sign-in";
  const auto why = cli::left_out_because(a, &claude()).value_or("");
  EXPECT_NE(why.find("not signed in (~/.claude/x holds no sign-in)"), std::string::npos) << why;
  EXPECT_NE(why.find("ANTHROPIC_API_KEY"), std::string::npos) << "what to do: " << why;
  a.signed_in = wire::SignedIn::unknown;
  EXPECT_NE(cli::left_out_because(a, &claude()).value_or("").find("not known"), std::string::npos);
  a = installed();
  a.version = "1.0.0";
  EXPECT_NE(cli::left_out_because(a, &claude()).value_or("").find("older than"), std::string::npos);
  a = installed();
  a.problem = "its interpreter is missing: node is not in PATH";
  EXPECT_EQ(cli::left_out_because(a, &claude()), a.problem);
  wire::AgentInfo absent;
  absent.id = "claude";
  absent.problem = "claude is not in PATH";
  EXPECT_EQ(cli::left_out_because(absent, &claude()), "") << "nobody installed it: not worth a word";
}

}  // namespace
