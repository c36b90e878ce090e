// Files of an agent's run that Hydra reads or writes afterwards: everything in them is the agent's.
#include "base/files.hpp"

#include "adapters/sign_in_text.hpp"
#include "race/agents/sign_in.hpp"
#include "race/agents/usage_file.hpp"
#include "race/state/agent_state.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace hydra::race {
namespace {

using adapters::renews_itself;
using adapters::same_kind_of_sign_in;

class Files : public ::testing::Test {
 protected:
  Files() {
    std::string pattern = "/tmp/hydra-race-files-XXXXXX";
    root = ::mkdtemp(pattern.data());
  }
  ~Files() override { (void)remove_tree(root); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  static void put(const fs::path& path, const std::string& text, mode_t mode = 0600) {
    ASSERT_TRUE(make_dirs(path.parent_path(), 0700).ok());
    ASSERT_TRUE(write_file(path, text, mode).ok());
  }
  fs::path root;
};

// ---- the usage file

model::UsageFile file(const std::string& path) {
  model::UsageFile f;
  f.path = path;
  return f;
}

TEST_F(Files, TheUsageFileOfItsOwnDirectory) {
  put(root / "run/usage.json", "{}");
  EXPECT_EQ(find_usage_file(file("{run_dir}/usage.json"), root / "run", root / "run/config", "", 100), "{}");
  EXPECT_FALSE(find_usage_file(file("{run_dir}/other.json"), root / "run", root / "run/config", "", 100));
  EXPECT_FALSE(find_usage_file(file(""), root / "run", root / "run/config", "", 100));
  EXPECT_FALSE(find_usage_file(file("{run_dir}/usage.json"), root / "run", root / "run/config", "", 1))
      << "longer than what is read";
}

TEST_F(Files, AUsageLogIsReadFromWhereItWasLeft) {
  const auto home = root / "run/config";
  put(home / "session-state/s1/events.jsonl", "first\nsecond\n");
  const auto log = file("{home}/session-state/*/events.jsonl");
  const auto at = [&](std::uint64_t offset, std::size_t most) {
    const auto parts =
        read_usage_log(log, root / "run", home, "", {{"session-state/s1/events.jsonl", offset}}, most);
    return parts.empty() ? std::string() : parts.front().bytes;
  };
  EXPECT_EQ(at(0, 8), "first\nse");
  EXPECT_EQ(at(8, 100), "cond\n");
  EXPECT_EQ(at(13, 100), "");
  EXPECT_EQ(at(999, 100), "") << "it was cut";
  fs::remove(home / "session-state/s1/events.jsonl");
  fs::create_symlink("/etc/passwd", home / "session-state/s1/events.jsonl");
  EXPECT_EQ(at(0, 100), "") << "no link is followed";
}

TEST_F(Files, AUsageLogOfEachSubAgent) {
  const auto home = root / "run/config";
  put(home / "sessions/s1/agents/main/wire.jsonl", "of an earlier session\n");
  put(home / "sessions/s2/agents/main/wire.jsonl", "of the agent\n");
  put(home / "sessions/s2/agents/agent-0/wire.jsonl", "of its helper\n");
  const auto parts = read_usage_log(file("{home}/sessions/*/agents/**/wire.jsonl"), root / "run", home, "",
                                    {{"sessions/s2/agents/main/wire.jsonl", 3}}, 100);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].bytes, "the agent\n");
  EXPECT_EQ(parts[1].name, "sessions/s2/agents/agent-0/wire.jsonl");
  EXPECT_EQ(parts[1].bytes, "of its helper\n");
}

TEST_F(Files, TheNewestOfASession) {
  const auto home = root / "run/config";
  put(home / "sessions/2026/01/31/rollout-1-abc.jsonl", "old");
  put(home / "sessions/2026/02/01/rollout-2-abc.jsonl", "new");
  put(home / "sessions/2026/02/02/rollout-3-xyz.jsonl", "other");
  const auto rule = file("{home}/sessions/*/*/*/rollout-*-{session}.jsonl");
  EXPECT_EQ(find_usage_file(rule, root / "run", home, "abc", 100), "new");
  EXPECT_FALSE(find_usage_file(rule, root / "run", home, "", 100)) << "no session, no file of it";
  for (const char* evil : {"*", "../../x", "a/b", "[a]", "?bc"})
    EXPECT_FALSE(find_usage_file(rule, root / "run", home, evil, 100)) << evil;
}

TEST_F(Files, NoLinksAndNothingThatBlocks) {
  put(root / "secret", "secret");
  fs::create_directories(root / "run");
  fs::create_symlink(root / "secret", root / "run/usage.json");
  EXPECT_FALSE(find_usage_file(file("{run_dir}/usage.json"), root / "run", root / "run", "", 100));
  ::unlink((root / "run/usage.json").c_str());
  ASSERT_EQ(::mkfifo((root / "run/usage.json").c_str(), 0600), 0);
  EXPECT_FALSE(find_usage_file(file("{run_dir}/usage.json"), root / "run", root / "run", "", 100));
  fs::create_symlink(root, root / "run/sub");
  EXPECT_FALSE(find_usage_file(file("{run_dir}/sub/secret"), root / "run", root / "run", "", 100));
  EXPECT_FALSE(find_usage_file(file("{run_dir}/s*/secret"), root / "run", root / "run", "", 100));
  EXPECT_FALSE(find_usage_file(file("{run_dir}/../secret"), root / "run", root / "run", "", 100));
}

TEST_F(Files, WhatAnEarlierAttemptLeftIsRemoved) {
  put(root / "run/usage.json", "{}");
  remove_usage_file(file("{run_dir}/usage.json"), root / "run");
  EXPECT_FALSE(fs::exists(root / "run/usage.json"));
}

// A rollout file of a long session: its last line with usage says everything.
TEST_F(Files, TheEndOfALongFileIsEnoughWhereEachLineSaysAll) {
  auto rule = file("{run_dir}/rollout.jsonl");
  put(root / "run/rollout.jsonl", std::string(5000, 'x') + "\n{\"a\":1}\n{\"a\":2}\n");
  EXPECT_FALSE(find_usage_file(rule, root / "run", root / "run", "", 1000));
  rule.format = model::StreamFormat::jsonl;
  rule.rule.mode = model::UsageMode::sum;
  EXPECT_FALSE(find_usage_file(rule, root / "run", root / "run", "", 1000)) << "all lines count";
  rule.rule.mode = model::UsageMode::last;
  EXPECT_EQ(find_usage_file(rule, root / "run", root / "run", "", 1000), "{\"a\":1}\n{\"a\":2}\n");
  EXPECT_EQ(find_usage_file(rule, root / "run", root / "run", "", 10), "{\"a\":2}\n");
  EXPECT_EQ(find_usage_file(rule, root / "run", root / "run", "", 4), "") << "not one whole line";
}

TEST_F(Files, NotThroughALinkInThePlaceOfTheHome) {
  put(root / "elsewhere/usage.json", "secret");
  fs::create_directories(root / "run");
  fs::create_symlink(root / "elsewhere", root / "run/config");
  EXPECT_FALSE(find_usage_file(file("{home}/usage.json"), root / "run", root / "run/config", "", 100));
}

TEST_F(Files, ManyDirectoriesAreNotSearchedForEver) {
  const auto rule = file("{home}/sessions/*/*/x.json");
  for (int i = 0; i < 150; ++i)
    for (int k = 0; k < 150; ++k)
      fs::create_directories(root / "home/sessions" / std::to_string(1000 + i) / std::to_string(k));
  put(root / "home/sessions/0/0/x.json", "found last");
  EXPECT_FALSE(find_usage_file(rule, root / "run", root / "home", "", 100))
      << "22,500 entries come before it";
  put(root / "home/sessions/1149/99/x.json", "found soon");
  EXPECT_EQ(find_usage_file(rule, root / "run", root / "home", "", 100), "found soon");
}

// ---- the sign-in

const std::string kBefore = R"({"tokens":{"refresh_token":"one"},"last_refresh":"2026-01-01"})";
const std::string kAfter = R"({"tokens":{"refresh_token":"two"},"last_refresh":"2026-02-02"})";

class SignIn : public Files {
 protected:
  SignIn() : layout(root / "state", "r") {
    spec.environment = {{"HOME", (root / "home").string()}};
    spec.isolation = model::Isolation::bwrap;
    auto& d = spec.config.agents["codex"];
    d.home = model::HomePolicy::per_run;
    d.home_seed = {".codex/auth.json?", ".codex/config.toml?"};
    d.auth_files = {".codex/auth.json"};
    agent.entry = {"codex", "codex", ""};
    put(users(), kBefore, 0644);
  }
  [[nodiscard]] fs::path users() const { return root / "home/.codex/auth.json"; }
  [[nodiscard]] fs::path copy() const { return layout.run("codex") / "config/auth.json"; }
  void begin() { ASSERT_TRUE(prepare_agent_files(spec, agent, layout).ok()); }
  [[nodiscard]] std::string end() const { return carry_sign_in_back(spec, agent, layout); }
  [[nodiscard]] std::string at_users() const { return read_file(users()).value_or("(none)"); }

  model::RaceSpec spec;
  AgentState agent;
  Layout layout;
};

TEST_F(SignIn, ARenewedOneIsCarriedBack) {
  begin();
  EXPECT_EQ(read_file(copy()).value_or(""), kBefore);
  put(copy(), kAfter);
  EXPECT_EQ(end(), "it renewed its sign-in, which was carried back to ~/.codex/auth.json");
  EXPECT_EQ(at_users(), kAfter);
  struct stat st {};
  ASSERT_EQ(::stat(users().c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777u, 0600u);
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(users().parent_path())) ++entries;
  EXPECT_EQ(entries, 1u) << "nothing temporary stays";
}

TEST_F(SignIn, AnUnchangedOneIsLeftAlone) {
  begin();
  EXPECT_EQ(end(), "");
  put(users(), "the user's new one");
  EXPECT_EQ(end(), "");
  EXPECT_EQ(at_users(), "the user's new one");
}

TEST_F(SignIn, TheUsersNewerOneWins) {
  begin();
  put(copy(), kAfter);
  put(users(), "the user signed in anew");
  EXPECT_NE(end().find("was changed meanwhile"), std::string::npos);
  EXPECT_EQ(at_users(), "the user signed in anew");
  ::unlink(users().c_str());
  EXPECT_NE(end(), "") << "signed out meanwhile";
  EXPECT_EQ(at_users(), "(none)");
}

TEST_F(SignIn, NeverToWhereALinkLeadsOnlyNow) {
  begin();
  put(copy(), kAfter);
  put(root / "elsewhere.json", kBefore);
  ::unlink(users().c_str());
  fs::create_symlink(root / "elsewhere.json", users());
  EXPECT_NE(end().find("leads elsewhere now"), std::string::npos);
  EXPECT_EQ(read_file(root / "elsewhere.json").value_or(""), kBefore);
  EXPECT_TRUE(fs::is_symlink(users()));
  // A directory on the way that is a link.
  fs::remove_all(root / "home/.codex");
  put(root / "dir/auth.json", kBefore);
  fs::create_symlink(root / "dir", root / "home/.codex");
  EXPECT_NE(end(), "");
  EXPECT_EQ(read_file(root / "dir/auth.json").value_or(""), kBefore);
}

// Dotfiles that are kept elsewhere: the link stays, the file behind it is renewed.
TEST_F(SignIn, BehindALinkThatWasThereAtTheStart) {
  for (const bool directory : {true, false}) {
    fs::remove_all(root / "home/.codex");
    put(root / "dotfiles/auth.json", kBefore);
    if (directory) {
      fs::create_symlink(root / "dotfiles", root / "home/.codex");
    } else {
      fs::create_directories(root / "home/.codex");
      fs::create_symlink(root / "dotfiles/auth.json", users());
    }
    begin();
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(copy()))) << directory;
    EXPECT_EQ(read_file(copy()).value_or(""), kBefore);
    put(copy(), kAfter);
    EXPECT_EQ(end(), "it renewed its sign-in, which was carried back to ~/.codex/auth.json");
    EXPECT_EQ(read_file(root / "dotfiles/auth.json").value_or(""), kAfter);
    EXPECT_TRUE(fs::is_symlink(directory ? root / "home/.codex" : users()));
  }
}

TEST_F(SignIn, WhereTheXdgVariablesHaveMovedIt) {
  auto& d = spec.config.agents["codex"];
  d.home_seed = {".local/share/opencode/auth.json? -> opencode/auth.json"};
  d.auth_files = {".local/share/opencode/auth.json"};
  spec.environment.emplace_back("XDG_DATA_HOME", (root / "data").string());
  put(root / "data/opencode/auth.json", kBefore);
  put(root / "home/.local/share/opencode/auth.json", kBefore);
  begin();
  put(layout.run("codex") / "config/opencode/auth.json", kAfter);
  EXPECT_NE(end().find("carried back to " + (root / "data/opencode/auth.json").string()), std::string::npos);
  EXPECT_EQ(read_file(root / "data/opencode/auth.json").value_or(""), kAfter);
  EXPECT_EQ(read_file(root / "home/.local/share/opencode/auth.json").value_or(""), kBefore);
}

// Other values could be something that a CLI runs, expands or connects to when it next reads its file.
TEST_F(SignIn, OnlyValuesOfTheSameShapeAreASignIn) {
  const std::string before =
      R"({"a":{"type":"oauth","access":"t1","expires":1,"scopes":["x"],"url":"https://a"},"last":null})";
  EXPECT_TRUE(same_kind_of_sign_in(before, before));
  EXPECT_TRUE(same_kind_of_sign_in(
      before,
      R"({"last":null,"a":{"type":"oauth","access":"t2","expires":2.5,"scopes":["x"],"url":"https://a"}})"));
  for (
      const char* after :
      {R"({"a":{"type":"oauth","access":"!touch /tmp/x","expires":1,"scopes":["x"],"url":"https://a"},"last":null})",
       R"({"a":{"type":"oauth","access":" !x","expires":1,"scopes":["x"],"url":"https://a"},"last":null})",
       R"({"a":{"type":"oauth","access":"$HOME","expires":1,"scopes":["x"],"url":"https://a"},"last":null})",
       R"({"a":{"type":"oauth","access":"t","expires":1,"scopes":["x"],"url":"https://evil"},"last":null})",
       R"({"a":{"type":"wellknown","access":"t","expires":1,"scopes":["x"],"url":"https://a"},"last":null})",
       R"({"a":{"type":"oauth","access":"t","expires":1,"scopes":["x","y"],"url":"https://a"},"last":null})",
       R"({"a":{"type":"oauth","access":"t","expires":"1","scopes":["x"],"url":"https://a"},"last":null})",
       R"({"a":{"type":"oauth","access":"t","expires":1,"scopes":["x"],"url":"https://a"},"last":"!x"})",
       R"({"a":{"type":"oauth","access":"t","expires":1,"scopes":["x"],"url":"https://a"},"last":null,"b":1})",
       R"({"a":{"type":"oauth","access":"t","expires":1,"scopes":["x"],"url":"https://a","key":"K"},"last":null})",
       R"({"a":{"type":"oauth","access":"!x","access":"t","expires":1,"scopes":["x"],"url":"https://a"},"last":null})",
       R"({"https://evil":{"type":"oauth","access":"t","expires":1,"scopes":["x"],"url":"https://a"},"last":null})",
       "", "x", "[]", "null"})
    EXPECT_FALSE(same_kind_of_sign_in(before, after)) << after;
  EXPECT_FALSE(same_kind_of_sign_in("api_key: a", "api_key: b")) << "no JSON: nobody can tell";
  // The name of the variable that a token goes into.
  EXPECT_FALSE(same_kind_of_sign_in(R"({"https://a":{"type":"wellknown","key":"MY_TOKEN","token":"t"}})",
                                    R"({"https://a":{"type":"wellknown","key":"LD_PRELOAD","token":"t"}})"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += R"({"a":)";
  EXPECT_FALSE(
      same_kind_of_sign_in(deep + "1" + std::string(100'000, '}'), deep + "2" + std::string(100'000, '}')));
  EXPECT_FALSE(same_kind_of_sign_in(std::string(500'000, '['), std::string(500'000, '[')));
}

TEST_F(SignIn, WhatIsNotTakenIsKeptBesideTheRace) {
  begin();
  const std::string odd = R"({"tokens":{"refresh_token":"two"},"last_refresh":"x","more":1})";
  put(copy(), odd);
  const auto kept = layout.sign_in("codex") / "renewed-.codex%auth.json";
  EXPECT_NE(end().find("kept in " + kept.string()), std::string::npos);
  EXPECT_EQ(at_users(), kBefore);
  close_agent_files(spec, agent, layout);
  EXPECT_EQ(read_file(kept).value_or(""), odd) << "the race's end leaves it";
  struct stat st {};
  ASSERT_EQ(::stat(kept.c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777u, 0600u);
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(layout.sign_in("codex"))) ++entries;
  EXPECT_EQ(entries, 1u) << "what was remembered goes";
  // Also where the user's own is newer.
  begin();
  put(copy(), kAfter);
  put(users(), "the user signed in anew");
  EXPECT_NE(end().find(kept.string()), std::string::npos);
  EXPECT_EQ(read_file(kept).value_or(""), kAfter);
}

TEST_F(SignIn, OneRunAtATimeWheneverItHasACopy) {
  EXPECT_EQ(shared_sign_in(spec, agent, layout), fs::canonical(users()).string());
  auto& d = spec.config.agents["codex"];
  d.auth_env = {"OPENAI_API_KEY"};
  spec.secret_names = {"OPENAI_API_KEY"};
  EXPECT_NE(shared_sign_in(spec, agent, layout), "") << "a key does not keep its CLI from renewing the copy";
  d.home = model::HomePolicy::shared;
  EXPECT_NE(shared_sign_in(spec, agent, layout), "") << "the sandbox's home has a copy, too";
  spec.isolation = model::Isolation::none;
  EXPECT_EQ(shared_sign_in(spec, agent, layout), "") << "the user's own file: nothing is copied";
  d.home = model::HomePolicy::per_run;
  d.auth_static = true;
  EXPECT_EQ(shared_sign_in(spec, agent, layout), "");
  d.auth_static = false;
  d.auth_rotates = {".codex/config.toml"};
  EXPECT_EQ(shared_sign_in(spec, agent, layout), "") << "only what is named, and that is not there";
  d.auth_rotates.clear();
  ::unlink(users().c_str());
  EXPECT_EQ(shared_sign_in(spec, agent, layout), "");
}

TEST_F(SignIn, PlainKeysAreCopiedForAsManyRunsAsWanted) {
  for (const char* keys : {R"({"auth_mode":"apikey","OPENAI_API_KEY":"k","tokens":null,"last_refresh":null})",
                           R"({"openai":{"type":"api_key","key":"k"}})"}) {
    put(users(), keys);
    EXPECT_EQ(shared_sign_in(spec, agent, layout), "") << keys;
    EXPECT_FALSE(renews_itself(keys)) << keys;
  }
  for (const char* renewed :
       {R"({"anthropic":{"type":"oauth","refresh":"r"}})", "no JSON", "[]", "{}", R"({"token":1})",
        R"({"claudeAiOauth":{"accessToken":"a","refreshToken":"r"}})"}) {
    put(users(), renewed);
    EXPECT_NE(shared_sign_in(spec, agent, layout), "") << renewed;
  }
}

TEST_F(SignIn, NeverThroughALinkOfTheAgents) {
  begin();
  put(root / "home/.ssh/id", "private");
  ::unlink(copy().c_str());
  fs::create_symlink(root / "home/.ssh/id", copy());
  EXPECT_NE(end().find("symbolic link"), std::string::npos);
  EXPECT_EQ(at_users(), kBefore);
  // Its whole configuration directory is a link.
  fs::remove_all(layout.run("codex") / "config");
  put(root / "trap/auth.json", kAfter);
  fs::create_symlink(root / "trap", layout.run("codex") / "config");
  EXPECT_NE(end(), "");
  EXPECT_EQ(at_users(), kBefore);
  // And nothing is laid out through it for a later attempt.
  EXPECT_FALSE(lay_out_agent_files(spec, agent, layout).ok());
  EXPECT_EQ(read_file(root / "trap/auth.json").value_or(""), kAfter);
}

TEST_F(SignIn, ASignOutOrRubbishIsNotCarriedBack) {
  begin();
  for (const char* text : {"", "  \n", "{}", "rubbish", "[]", R"({"tokens":null,"last_refresh":"x"})"}) {
    put(copy(), text);
    (void)end();
    EXPECT_EQ(at_users(), kBefore) << text;
  }
  ::unlink(copy().c_str());
  EXPECT_EQ(end(), "");
  EXPECT_EQ(at_users(), kBefore);
}

TEST_F(SignIn, OnlyWhatIsASignInAndRotates) {
  put(root / "home/.codex/config.toml", "a = 1");
  begin();
  put(layout.run("codex") / "config/config.toml", "a = 2");
  EXPECT_EQ(end(), "");
  EXPECT_EQ(read_file(root / "home/.codex/config.toml").value_or(""), "a = 1");
  auto& d = spec.config.agents["codex"];
  d.auth_static = true;
  begin();
  put(copy(), kAfter);
  EXPECT_EQ(end(), "");
  EXPECT_EQ(at_users(), kBefore);
  // Configuration that also means signed in, beside a sign-in that is renewed.
  d.auth_static = false;
  d.auth_files = {".codex/auth.json", ".codex/models.json"};
  d.auth_rotates = {".codex/auth.json"};
  d.home_seed.emplace_back(".codex/models.json?");
  put(root / "home/.codex/models.json", R"({"key":"a"})");
  begin();
  put(layout.run("codex") / "config/models.json", R"({"key":"b"})");
  EXPECT_EQ(end(), "");
  EXPECT_EQ(read_file(root / "home/.codex/models.json").value_or(""), R"({"key":"a"})");
}

TEST_F(SignIn, TheNextRunHasTheRenewedOne) {
  begin();
  put(users(), kAfter);  // carried back by the run before it
  ASSERT_TRUE(lay_out_agent_files(spec, agent, layout).ok());
  EXPECT_EQ(read_file(copy()).value_or(""), kAfter);
  EXPECT_EQ(end(), "");
}

TEST_F(SignIn, AfterTheRaceSessionsStayAndCredentialsGo) {
  auto& d = spec.config.agents["codex"];
  d.resume_command = {"codex", "resume", "{session}"};
  begin();
  put(layout.run("codex") / "config/sessions/1.jsonl", "what was said");
  agent.ended.emplace();
  agent.ended->verdict.session = "1";
  close_agent_files(spec, agent, layout);
  EXPECT_FALSE(fs::exists(copy()));
  EXPECT_FALSE(fs::exists(layout.sign_in("codex")));
  EXPECT_EQ(read_file(layout.run("codex") / "config/sessions/1.jsonl").value_or(""), "what was said");
  // An agent that can't be resumed leaves nothing.
  agent.ended->verdict.session.clear();
  begin();
  close_agent_files(spec, agent, layout);
  EXPECT_FALSE(fs::exists(layout.run("codex")));
  EXPECT_FALSE(fs::exists(layout.home("codex")));
}

TEST_F(SignIn, OnlyAPlainSessionIsGoneOnWith) {
  spec.config.agents["codex"].resume_command = {"codex", "resume", "{session}"};
  agent.ended.emplace();
  const auto can = [&](const std::string& session) {
    agent.ended->verdict.session = session;
    return resumable(spec, agent);
  };
  for (const char* good : {"01a1f9f7-6b7f-7a93-b93c-3db89fe15135", "ses_5A.b:c", "T-1"})
    EXPECT_TRUE(can(good)) << good;
  for (const char* bad : {"", "-c", "--dangerously", "a b", "../x", "/etc/passwd", ".", "a;b", "a\nb", "$x"})
    EXPECT_FALSE(can(bad)) << bad;
  EXPECT_FALSE(can(std::string(201, 'a')));
}

}  // namespace
}  // namespace hydra::race
