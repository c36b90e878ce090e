// Real repositories in temporary directories, driven by the real git.
#pragma once

#include "base/files.hpp"
#include "base/strings.hpp"
#include "exec/tool.hpp"
#include "git/repository.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace hydra::git::test {

namespace fs = std::filesystem;

class GitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hydra-git-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = fs::canonical(name);
    home_ = root_ / "home";
    fs::create_directories(home_);
    write(home_ / ".gitconfig",
          "[user]\n\tname = Ada Test\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n");
    user_ = root_ / "user";
  }
  void TearDown() override { (void)remove_tree(root_); }

  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    ASSERT_TRUE(write_file(path, text).ok()) << path;
  }
  static std::string read(const fs::path& path) {
    auto text = read_file(path);
    return text.ok() ? *text : "<" + describe(text.error()) + ">";
  }

  exec::ToolOutput try_git(const fs::path& dir, std::vector<std::string> args,
                           const std::string& input = {}) const {
    exec::ToolCall call;
    args.insert(args.begin(), "git");
    call.argv = std::move(args);
    call.env = {{"PATH", path()}, {"HOME", home_.string()}, {"LC_ALL", "C"}, {"GIT_CONFIG_NOSYSTEM", "1"}};
    call.cwd = dir;
    call.input = input;
    auto result = exec::run_tool(call);
    EXPECT_TRUE(result.ok());
    return result.ok() ? *result : exec::ToolOutput{};
  }
  std::string git(const fs::path& dir, std::vector<std::string> args, const std::string& input = {}) const {
    const std::string shown = join(args, " ");
    auto result = try_git(dir, std::move(args), input);
    EXPECT_EQ(result.exit_code, 0) << "git " << shown << ": " << result.err;
    return std::string(trim(result.out));
  }
  static void shell(const fs::path& dir, const std::string& script) {
    exec::ToolCall call;
    call.argv = {"/bin/sh", "-ec", script};
    call.env = {{"PATH", path()}, {"HOME", dir.string()}, {"LC_ALL", "C"}};
    call.cwd = dir;
    auto result = exec::run_tool(call);
    ASSERT_TRUE(result.ok() && result->ok()) << script << "\n" << (result.ok() ? result->err : "");
  }

  void init(const std::vector<std::string>& more = {}) {
    fs::create_directories(user_);
    std::vector<std::string> args{"init", "-q"};
    args.insert(args.end(), more.begin(), more.end());
    git(user_, args);
  }
  void commit_all(const std::string& message = "commit") {
    git(user_, {"add", "-A"});
    git(user_, {"commit", "-q", "--allow-empty", "-m", message});
  }
  /// a.txt, dir/b.txt, run.sh (executable), link -> a.txt, .gitignore (build/, *.log), tag v1.
  void sample() {
    init();
    write(user_ / "a.txt", "one\ntwo\nthree\n");
    write(user_ / "dir/b.txt", "b1\nb2\n");
    write(user_ / "dir/c.txt", "c1\n");
    write(user_ / "run.sh", "#!/bin/sh\n");
    fs::permissions(user_ / "run.sh", fs::perms(0755));
    fs::create_symlink("a.txt", user_ / "link");
    write(user_ / ".gitignore", "build/\n*.log\n.env\n");
    commit_all("first");
    git(user_, {"tag", "-a", "v1", "-m", "v1"});
  }

  Result<model::RepositoryFacts> look(const std::string& ref = {}, bool dirty = false) {
    InspectRequest request;
    request.directory = user_;
    request.ref = ref;
    request.include_dirty = dirty;
    request.path_variable = path();
    request.home = home_.string();
    return inspect(request);
  }
  model::RaceSpec spec_of(model::RepositoryFacts facts, const std::string& id = "race1") {
    model::RaceSpec spec;
    spec.id = id;
    spec.created_ms = 1708646400123;
    spec.repository = std::move(facts);
    spec.environment = {{"PATH", path()}, {"HOME", home_.string()}};
    return spec;
  }
  /// Inspects the user's repository and makes a store; `spec_` is what it was made of.
  Store store(const std::string& id = "race1") {
    auto facts = look();
    EXPECT_TRUE(facts.ok()) << (facts.ok() ? "" : describe(facts.error()));
    spec_ = spec_of(facts.ok() ? *facts : model::RepositoryFacts{}, id);
    return store_of(spec_);
  }
  Store store_of(const model::RaceSpec& spec) {
    auto made = Store::create(root_ / ("store-" + spec.id), spec);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : describe(made.error()));
    return made.ok() ? *made : Store::open(root_, spec);
  }
  fs::path workspace(const Store& store, const std::string& name = "codex") {
    const fs::path work = root_ / "work" / name;
    auto made = store.make_workspace({work}, name);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : describe(made.error()));
    return work;
  }
  model::Capture capture(const Store& store, const std::string& name = "codex",
                         const std::vector<std::string>& litter = {}) {
    auto captured = store.capture({root_ / "work" / name}, name, litter);
    EXPECT_TRUE(captured.ok()) << (captured.ok() ? "" : describe(captured.error()));
    return captured.ok() ? *captured : model::Capture{};
  }
  /// Names in a commit of the store, one a line, sorted; quoted by git where needed.
  std::string names(const Store& store, const std::string& commit) const {
    return git(store.directory(), {"--git-dir=.", "ls-tree", "-r", "--name-only", commit});
  }
  std::string content(const Store& store, const std::string& commit, const std::string& path) const {
    return try_git(store.directory(), {"--git-dir=.", "cat-file", "blob", commit + ":" + path}).out;
  }
  /// Returns the state of the user's repository that must not change when something is refused.
  std::string fingerprint() const {
    return git(user_, {"--no-optional-locks", "status", "--porcelain", "--ignored", "-b"}) + "\n" +
           hex(read(user_ / ".git/index")) + "\n" + git(user_, {"for-each-ref", "refs/heads", "refs/tags"}) +
           "\n" + read(user_ / ".git/HEAD") + (fs::exists(user_ / ".git/index.lock") ? "locked" : "");
  }
  static std::string path() {
    const char* value = std::getenv("PATH");
    return value == nullptr ? "/usr/bin:/bin" : value;
  }
  static bool has(const std::vector<model::CaptureFlag>& flags, const std::string& value) {
    return std::any_of(flags.begin(), flags.end(), [&](const auto& flag) { return text(flag) == value; });
  }
  static std::string joined(const std::vector<model::CaptureFlag>& flags) {
    std::string out;
    for (const auto& flag : flags) out += text(flag) + " ";
    return out;
  }
  static bool has(const std::vector<std::string>& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  }

  fs::path root_, home_, user_;
  model::RaceSpec spec_;
};

}  // namespace hydra::git::test
