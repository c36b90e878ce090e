// Files of an agent's run that Hydra reads or writes afterwards: everything in them is the agent's.
#include "base/files.hpp"

#include "race/sign_in.hpp"
#include "race/usage_file.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace hydra::race {
namespace {

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

// ---- the sign-in

const std::string kBefore = R"({"tokens":{"refresh_token":"one"},"last_refresh":"2026-01-01"})";
const std::string kAfter = R"({"tokens":{"refresh_token":"two"},"last_refresh":"2026-02-02"})";

class SignIn : public Files {
 protected:
  SignIn() : layout(root / "state", "r") {
    spec.environment = {{"HOME", (root / "home").string()}};
    spec.isolation = "bwrap";
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

TEST_F(SignIn, NeverThroughALinkOfTheUsers) {
  begin();
  put(copy(), kAfter);
  put(root / "elsewhere.json", kBefore);
  ::unlink(users().c_str());
  fs::create_symlink(root / "elsewhere.json", users());
  EXPECT_NE(end().find("symbolic link"), std::string::npos);
  EXPECT_EQ(read_file(root / "elsewhere.json").value_or(""), kBefore);
  EXPECT_TRUE(fs::is_symlink(users()));
  // A directory on the way that is a link.
  fs::remove_all(root / "home/.codex");
  put(root / "dir/auth.json", kBefore);
  fs::create_symlink(root / "dir", root / "home/.codex");
  EXPECT_NE(end(), "");
  EXPECT_EQ(read_file(root / "dir/auth.json").value_or(""), kBefore);
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
  spec.config.agents["codex"].auth_static = true;
  begin();
  put(copy(), kAfter);
  EXPECT_EQ(end(), "");
  EXPECT_EQ(at_users(), kBefore);
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
  // One that can't be resumed leaves nothing.
  agent.ended->verdict.session.clear();
  begin();
  close_agent_files(spec, agent, layout);
  EXPECT_FALSE(fs::exists(layout.run("codex")));
  EXPECT_FALSE(fs::exists(layout.home("codex")));
}

}  // namespace
}  // namespace hydra::race
